//! The weights of the heuristic. `pentarchy tune bot:vires` fits them.

use pentarchy_engine::weights;

weights! {
    /// Weights of the ratings, roughly in hundredths of a point unless said otherwise.
    pub struct Weights {
        /// Danger of an opponent per point.
        danger_point = 6,
        /// Danger of an opponent per Block.
        danger_block = 3,
        /// Danger of an opponent who lacks one Block.
        danger_last = 60,
        /// Danger of an opponent who lacks two Blocks.
        danger_near = 30,
        /// Weight of the danger of a target relative to the most dangerous one, in tenths.
        aim = 20,
        /// Rating of mining a Block.
        mine = 800,
        /// Rating of BULL, STABLE or WHALE for HR that do not pay for this turn's Block.
        gain = 400,
        /// Additional rating of each HR that such a card gains.
        gain_hr = 20,
        /// Rating of such a card if it gains the HR missing for this turn's Block.
        gain_enables = 900,
        /// Rating of WHALE as an attack.
        whale = 300,
        /// Additional rating of WHALE for each opponent who can lose something.
        whale_each = 25,
        /// Rating of SAT.
        sat = 600,
        /// Rating of CEX, unless its HR is needed for this turn's Block.
        cex = 300,
        /// Rating of DCA if it pays for this turn's Block.
        dca = 700,
        /// Rating of DIFF-- if at most 1 HR is missing for this turn's Block.
        diff_down = 1000,
        /// Rating of FEES.
        fees = 1000,
        /// Rating of DOUBLE before a paid Action that is worth it.
        double = 1200,
        /// Rating of PONZI.
        ponzi = 500,
        /// Rating of NONCE if the HR for a Block are missing.
        nonce = 800,
        /// Rating of NONCE instead of mining a Block that costs more than `nonce_saves`.
        nonce_spares = 900,
        /// Highest cost of a Block that is mined rather than taken by NONCE, in HR.
        nonce_saves = 2,
        /// Rating of FORK that does not end the game.
        fork = 850,
        /// Rating of 51% against an opponent who is ahead, before their lead is added.
        attack51 = 200,
        /// Rating of 51% if it is free.
        attack51_free = 400,
        /// What each own point takes from the lead of the target of 51%.
        attack51_own = 6,
        /// Rating of REKT per expected HR above `rekt_least`.
        rekt_hr = 80,
        /// Expected HR above which REKT is worth it.
        rekt_least = 2,
        /// Rating of BEAR against an opponent who can pay; 10 against others.
        bear = 320,
        /// Rating of SCAM.
        scam = 500,
        /// Additional rating of each HR or Coin that SCAM takes, at most 2.
        scam_each = 40,
        /// Rating of MARGIN.
        margin = 400,
        /// Rating of BOT.
        bot = 1,
        /// Rating of BOT against an opponent who has nothing.
        bot_broke = 500,
        /// Rating of ICO.
        ico = 300,
        /// Rating of ICO against an opponent who has nothing.
        ico_broke = 600,
        /// Rating of MINER if it pays for a Block.
        miner_enables = 600,
        /// Rating of MINER per expected HR above `miner_least`.
        miner_hr = 60,
        /// Expected HR above which MINER is worth it.
        miner_least = 3,
        /// Rating of DEX before the worth of the poorest own card is taken off.
        dex = 200,
        /// Additional rating of each HR that DEX brings.
        dex_each = 70,
        /// Rating of DIFF++.
        diff_up = 300,
        /// Rating of HALF.
        half = 320,
        /// Rating of T-L.
        time_lock = 310,
        /// Rating of ORACLE, in addition to 1 per card that it shows.
        oracle = 1,
        /// Worth of an unknown card in the target's Hand for FLIP.
        flip_unknown = 65,
        /// What FLIP must gain.
        flip_cost = 60,
        /// Worth of BOT and DOUBLE in the Hand.
        held_poor = 30,
        /// Worth of an HR in the Hand.
        held_hr = 60,
        /// Worth of BEAR, DIFF++, HALF and T-L in the Hand.
        held_attack = 60,
        /// Worth of STRONG and WEAK in the Hand.
        held_verdict = 60,
        /// Worth of MARGIN, ICO, DCA, DIFF--, OFFLINE and REKT in the Hand.
        held_fair = 70,
        /// Worth of TEST, AGREE and HODL in the Hand.
        held_reaction = 80,
        /// Worth of CEX and FLIP in the Hand.
        held_good = 80,
        /// Worth of FORK and NONCE in the Hand.
        held_block = 200,
        /// Worth of all other cards in the Hand.
        held_other = 110,
        /// Rating of TEST against a FORK or NONCE that ends the game.
        test_end = 900,
        /// Rating of TEST against AGREE.
        test_agree = 100,
        /// Rating of TEST against a FORK or 51% on the seat.
        test_block = 200,
        /// Number of HR in the Hand up to which TEST does not save them.
        test_hr = 2,
        /// Number of HR at stake up to which a reaction does not save them.
        protect_hr = 2,
        /// Number of HR at stake up to which STRONG and WEAK are kept.
        verdict_stake = 1,
    }
}
