//! Contributions of seats, created and checked: shares, lifts, views, shuffles and dice, in one payload.

use crate::cards::{Cards, fair_seat};
use crate::dice::Die;
use crate::plan::{Cell, Duty, Mix};
use crate::proofs::ProofError;
use pentarchy_engine::{AnyPosition, Token};
use pentarchy_fair::escrow::{Absence, DueContribution, HeldShares, StandIn};
use pentarchy_fair::primitives::Drbg;
use pentarchy_fair::{
    self as fair, Arrangement, BackedDeck, Deck, DiceValue, Entropy, Generators, Joint, LockKey,
    MessageError, Mixing, OperationError, Phase, PreparedLock, Published, Roster, SeatSecrets, Seats, Share,
};
use std::collections::BTreeMap;

/// A pile being mixed.
#[derive(Clone, Debug)]
pub(crate) enum Pile {
    Plain(Mixing<1>),
    Backed(Mixing<2>),
}

impl Pile {
    /// Returns how many shuffles of the pile are not verified yet, own ones included.
    pub(crate) fn unsettled(&self) -> usize {
        match self {
            Pile::Plain(pile) => pile.unsettled(),
            Pile::Backed(pile) => pile.unsettled(),
        }
    }

    /// Verifies the unverified shuffles of other seats; own ones are trusted. Afterwards none is unverified.
    ///
    /// # Errors
    ///
    /// Fails with the error that names the seat of the first wrong shuffle. The pile is then as it was before
    /// that shuffle, with all earlier ones verified, and later ones are dropped.
    pub(crate) fn settle(&mut self, lock: &LockKey, generators: &Generators) -> Result<(), MessageError> {
        match self {
            Pile::Plain(pile) => pile.settle(lock, generators),
            Pile::Backed(pile) => pile.settle(lock, generators),
        }
    }
}

/// What the earlier phases of a step have brought.
#[derive(Clone, Default)]
pub(crate) struct Work {
    /// Ciphertexts from which locks were taken.
    pub(crate) opened: BTreeMap<Cell, fair::CipherToken>,
    /// The new ciphertexts of tokens that their owners have put under other locks.
    pub(crate) lifted: BTreeMap<Token, fair::CipherToken>,
    /// The copies that readers have made of tokens under joint locks.
    pub(crate) views: BTreeMap<Token, Joint>,
    /// The pile as the last seat has left it.
    pub(crate) pile: Option<Pile>,
    /// The values for a joint roll, in the order of the seats.
    pub(crate) dice: Vec<DiceValue>,
    /// The values of private dice that their owners have published.
    pub(crate) open_dice: BTreeMap<Token, DiceValue>,
    /// The dice of seats that were dropped while their cast was open, after its first phase.
    pub(crate) departed_dice: BTreeMap<Token, Die>,
    /// Stand-ins of holders for the private dice of dropped seats.
    pub(crate) stand_dice: Vec<(Token, StandIn)>,
    /// Stand-ins of holders for the locks of dropped seats.
    pub(crate) stands: Vec<(u8, StandIn)>,
    /// Stand-ins of holders for the values that dropped seats owed to a roll.
    pub(crate) rolls: Vec<(u8, StandIn)>,
}

/// A verified contribution.
#[derive(Clone, Default)]
pub(crate) struct Verified {
    shares: Vec<(Cell, Share)>,
    lifts: Vec<(Token, fair::CipherToken)>,
    views: Vec<(Token, Joint)>,
    pile: Option<Pile>,
    dice: Option<DiceValue>,
    open_dice: Vec<(Token, DiceValue)>,
    stand_dice: Vec<(Token, StandIn)>,
    stands: Vec<(u8, StandIn)>,
    rolls: Vec<(u8, StandIn)>,
    /// How many proofs were checked; those of shuffles are counted when they are.
    pub(crate) proofs: u32,
}

impl Verified {
    /// Creates the result of a verified action with this number of proofs. It has no other parts, because the
    /// session keeps the action's effect.
    pub(crate) fn action(proofs: u32) -> Self {
        Verified { proofs, ..Self::default() }
    }

    /// Appends a proof to `out` and counts it.
    fn add_proof(&mut self, out: &mut Vec<u8>, bytes: Vec<u8>) {
        out.extend(bytes);
        self.proofs += 1;
    }
}

impl Work {
    /// Adds what the verified contribution of `seat` brings. A share takes its lock off the ciphertext in
    /// `opened`, which starts as that of the cell; a pile replaces the one before; everything else is
    /// appended. Call it in the order of the seats.
    ///
    /// # Errors
    ///
    /// Fails if a share does not open the ciphertext that it is for, or there is no such ciphertext. A part
    /// of the contribution may have been added then.
    pub(crate) fn add(&mut self, cards: &Cards, seat: u8, verified: Verified) -> Result<(), OperationError> {
        for (cell, share) in verified.shares {
            let token = match self.opened.get(&cell) {
                Some(token) => *token,
                None => self.cell(cards, seat, cell)?,
            };
            self.opened.insert(cell, token.unlock(&share)?);
        }
        self.lifted.extend(verified.lifts);
        self.views.extend(verified.views);
        if verified.pile.is_some() {
            self.pile = verified.pile;
        }
        self.dice.extend(verified.dice);
        self.open_dice.extend(verified.open_dice);
        self.stand_dice.extend(verified.stand_dice);
        self.stands.extend(verified.stands);
        self.rolls.extend(verified.rolls);
        Ok(())
    }

    /// Returns the ciphertext of a cell from which `seat` takes its lock, as it was before any lock was taken
    /// off in this step. The ciphertext without those locks is in `opened`.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` if the seat has no private ciphertext of an own cell, and with `NoFace` if any
    /// other ciphertext or the token does not exist.
    pub(crate) fn cell(
        &self,
        cards: &Cards,
        seat: u8,
        cell: Cell,
    ) -> Result<fair::CipherToken, OperationError> {
        match cell {
            Cell::Main(t) => cards.main(t).copied(),
            Cell::Own(t) => {
                let own = cards.slot(t)?.private_of(seat).copied();
                own.map(fair::CipherToken::Private).ok_or(OperationError::NotOwner(fair_seat(seat)))
            }
            Cell::Back(t) => cards.slot(t)?.back.ok_or(OperationError::NoFace),
            Cell::View(t) => {
                self.views.get(&t).map(|view| fair::CipherToken::Joint(*view)).ok_or(OperationError::NoFace)
            }
        }
    }
}

/// Everything that a contribution is made of or checked against.
pub(crate) struct Desk<'a> {
    /// The phase that the contribution is for; proofs are bound to it.
    pub(crate) phase: Phase,
    /// The phase whose roll is made: this one, or the one that was open when seats were dropped.
    pub(crate) roll: Phase,
    pub(crate) roster: &'a Roster,
    pub(crate) cards: &'a Cards,
    pub(crate) rules: &'a dyn AnyPosition,
    pub(crate) work: &'a Work,
    pub(crate) mix: Option<&'a Mix>,
    pub(crate) audit: bool,
    /// The shares of other seats' keys that this seat holds.
    pub(crate) held: &'a [HeldShares],
}

impl Desk<'_> {
    /// Returns the shares of the keys of the dropped seat `gone` that this seat holds.
    ///
    /// # Errors
    ///
    /// Fails with `Threshold` if it holds none.
    fn held_of(&self, gone: u8) -> Result<&HeldShares, OperationError> {
        self.held.iter().find(|held| held.dealer() == fair_seat(gone)).ok_or(OperationError::Threshold)
    }

    /// Returns the private die of a token, or the one that the cast under way gives to it for a dropped seat.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if the token is no private die, or there is no such token.
    fn die(&self, t: Token) -> Result<Die, OperationError> {
        let cast = self.work.departed_dice.get(&t).copied();
        cast.or(self.cards.slot(t)?.die).ok_or(OperationError::NoFace)
    }

    /// Returns the ciphertexts of these cells, in order, as `seat` finds them in this step. Locks that were
    /// taken off in this step are still on them.
    ///
    /// # Errors
    ///
    /// Fails with `NotOwner` or `NoFace` if one of them does not exist.
    fn cells(&self, seat: u8, cells: &[Cell]) -> Result<Vec<fair::CipherToken>, OperationError> {
        cells.iter().map(|&cell| self.work.cell(self.cards, seat, cell)).collect()
    }

    /// Returns the ciphertext of a token, or the one it will have once the pile that is mixed in this step is
    /// laid down. Until the first seat has mixed, it is the ciphertext that the token has now.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if the token has no ciphertext, and with `Unshuffled` if the pile is not mixed by
    /// all seats yet or a shuffle is not verified.
    fn cipher_after_mix(&self, t: Token) -> Result<fair::CipherToken, OperationError> {
        let place = self.mix.and_then(|mix| Some((mix, mix.tokens.iter().position(|u| *u == t)?)));
        match (place, &self.work.pile) {
            (Some((mix, i)), Some(Pile::Plain(pile))) => pile.release(mix.by)?.get(i).copied(),
            (Some((mix, i)), Some(Pile::Backed(pile))) => {
                pile.release(mix.by)?.get(i).map(|pair| *pair.face())
            }
            _ => Some(*self.cards.main(t)?),
        }
        .ok_or(OperationError::NoFace)
    }

    /// Returns the pile as the next seat finds it: as the previous seat left it, or built from the tokens to
    /// mix. Then each token enters with its lifted ciphertext, with its own if that is public or under the
    /// lock of the pile, or with the private copy of the only seat of the lock. The state does not change.
    ///
    /// # Errors
    ///
    /// Fails with `Empty` if the step mixes nothing, and with another error if a token is not locked as the
    /// pile requires or lacks a back.
    fn pile(&self) -> Result<Pile, OperationError> {
        if let Some(pile) = &self.work.pile {
            return Ok(pile.clone());
        }
        let mix = self.mix.ok_or(OperationError::Empty)?;
        let lock = self.roster.lock(mix.lock)?;
        let entry = |t: &Token| {
            if let Some(lifted) = self.work.lifted.get(t) {
                return Ok(*lifted);
            }
            let main = *self.cards.main(*t)?;
            if main.locks().is_empty() || main.locks() == mix.lock {
                return Ok(main);
            }
            let reader = mix.lock.single().ok_or(OperationError::NoFace)?;
            let own = self.cards.slot(*t)?.private_of(reader.index()).copied();
            own.map(fair::CipherToken::Private).ok_or(OperationError::NotOwner(reader))
        };
        let entries = mix.tokens.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        if !mix.backed {
            return Ok(Pile::Plain(Deck::new(&lock, &entries)?.into()));
        }
        let pairs = mix.tokens.iter().zip(&entries);
        let pairs = pairs.map(|(t, main)| self.cards.backed(self.rules, *t, main, mix.lock));
        Ok(Pile::Backed(BackedDeck::new(&lock, &pairs.collect::<Result<Vec<_>, _>>()?)?.into()))
    }

    /// Makes this seat's contribution: the parts of `duty` in the order of its fields. An action (`duty.act`)
    /// is not made here. Returns what the contribution brings, and the payload to sign. Nothing changes: the
    /// caller adds the result with [`Work::add`]. `order` is the secret order of a rearrangement; `entropy`
    /// gives fresh randomness at each call; `lock` returns the prepared key of a set of seats.
    ///
    /// # Errors
    ///
    /// Fails if a ciphertext, a share of a dropped seat or a lock is missing, or `order` is no permutation of
    /// the right length.
    pub(crate) fn make(
        &self,
        duty: &Duty,
        secrets: &SeatSecrets,
        order: Option<&[u32]>,
        entropy: &mut dyn FnMut() -> Entropy,
        lock: &mut dyn FnMut(Seats) -> Result<std::sync::Arc<PreparedLock>, OperationError>,
    ) -> Result<(Verified, Vec<u8>), OperationError> {
        let seat = secrets.seat().index();
        let (mut made, mut out) = (Verified::default(), Vec::new());
        if duty.dice {
            let (value, bytes) = fair::contribute(&self.roll, secrets, entropy());
            made.dice = Some(value);
            made.add_proof(&mut out, bytes);
        }
        if !duty.strips.is_empty() {
            let tokens = self.cells(seat, &duty.strips)?;
            let (shares, bytes) = fair::strip(&self.phase, secrets, &tokens, entropy())?;
            made.shares = duty.strips.iter().copied().zip(shares).collect();
            made.add_proof(&mut out, bytes);
        }
        for &t in &duty.open_dice {
            let (value, bytes) = fair::contribute(&self.die(t)?.phase(self.phase.game), secrets, entropy());
            made.open_dice.push((t, value));
            made.add_proof(&mut out, bytes);
        }
        for (t, to) in &duty.lifts {
            let own =
                self.cards.slot(*t)?.private_of(seat).ok_or(OperationError::NotOwner(fair_seat(seat)))?;
            let (lifted, bytes) = own.lift(&self.phase, secrets, &self.roster.lock(*to)?, entropy())?;
            made.lifts.push((*t, lifted));
            made.add_proof(&mut out, bytes);
        }
        for t in &duty.views {
            let joint = *self.cipher_after_mix(*t)?.joint().ok_or(OperationError::NoFace)?;
            let key = self.roster.lock(joint.locks())?;
            let (view, bytes) = joint.view(&self.phase, secrets, &key, entropy())?;
            made.views.push((*t, view));
            made.add_proof(&mut out, bytes);
        }
        if duty.mix {
            let mix = self.mix.ok_or(OperationError::Empty)?;
            let (lock, generators) = (lock(mix.lock)?, &self.cards.generators);
            let order = order.map(|order| Arrangement::new(order.to_vec())).transpose()?;
            let (phase, order) = (&self.phase, order.as_ref());
            let (pile, bytes) = match self.pile()? {
                Pile::Plain(pile) => {
                    let (pile, bytes) = pile.shuffle(phase, secrets, &lock, generators, order, entropy())?;
                    (Pile::Plain(pile), bytes)
                }
                Pile::Backed(pile) => {
                    let (pile, bytes) = pile.shuffle(phase, secrets, &lock, generators, order, entropy())?;
                    (Pile::Backed(pile), bytes)
                }
            };
            made.pile = Some(pile);
            out.extend(bytes);
        }
        for (gone, cells) in &duty.stands {
            let held = self.held_of(*gone)?;
            let tokens = self.cells(*gone, cells)?;
            let absence =
                Absence { key: self.roster.key(fair_seat(*gone))?, due: DueContribution::Strip(&tokens) };
            let (stand, bytes) = absence.stand_in(&self.phase, held, secrets, entropy())?;
            made.stands.push((*gone, stand));
            made.add_proof(&mut out, bytes);
        }
        for (gone, dice) in &duty.stand_dice {
            let absence = Absence { key: self.roster.key(fair_seat(*gone))?, due: DueContribution::Roll };
            for &t in dice {
                let phase = self.die(t)?.phase(self.phase.game);
                let (stand, bytes) = absence.stand_in(&phase, self.held_of(*gone)?, secrets, entropy())?;
                made.stand_dice.push((t, stand));
                made.add_proof(&mut out, bytes);
            }
        }
        for &gone in &duty.rolls {
            let absence = Absence { key: self.roster.key(fair_seat(gone))?, due: DueContribution::Roll };
            let (stand, bytes) = absence.stand_in(&self.roll, self.held_of(gone)?, secrets, entropy())?;
            made.rolls.push((gone, stand));
            made.add_proof(&mut out, bytes);
        }
        if duty.close && self.audit {
            out.extend(fair::publish(secrets));
        }
        Ok((made, out))
    }

    /// Checks the payload of the seat `seat` against its duty, part by part in the order of the fields of
    /// [`Duty`], and returns what it brings. Of a shuffle only the format is checked; its proof is verified
    /// later. An action (`duty.act`) is not checked here. Nothing changes: the caller adds the result with
    /// [`Work::add`].
    ///
    /// # Errors
    ///
    /// Fails with `Short` if bytes are missing or left over, with the error of a proof that is wrong, and
    /// with `OperationError` if the seat has no keys or a ciphertext that the duty is about does not exist.
    pub(crate) fn verify(&self, duty: &Duty, seat: u8, payload: &[u8]) -> Result<Verified, ProofError> {
        let key = self.roster.key(fair_seat(seat))?;
        let mut bytes = payload;
        let mut take = |n: usize| -> Result<&[u8], ProofError> {
            let (head, rest) = bytes.split_at_checked(n).ok_or(ProofError::Short)?;
            bytes = rest;
            Ok(head)
        };
        let mut verified = Verified::default();
        if duty.dice {
            verified.dice = Some(fair::verify_contribution(&self.roll, key, take(96)?)?);
            verified.proofs += 1;
        }
        if !duty.strips.is_empty() {
            let tokens = self.cells(seat, &duty.strips)?;
            let shares = fair::verify_strip(&self.phase, key, &tokens, take(32 * tokens.len() + 64)?)?;
            verified.shares = duty.strips.iter().copied().zip(shares).collect();
            verified.proofs += 1;
        }
        for &t in &duty.open_dice {
            let phase = self.die(t)?.phase(self.phase.game);
            verified.open_dice.push((t, fair::verify_contribution(&phase, key, take(96)?)?));
            verified.proofs += 1;
        }
        for (t, to) in &duty.lifts {
            let own =
                self.cards.slot(*t)?.private_of(seat).ok_or(OperationError::NotOwner(fair_seat(seat)))?;
            let lifted = own.verify_lift(&self.phase, key, &self.roster.lock(*to)?, take(160)?)?;
            verified.lifts.push((*t, lifted));
            verified.proofs += 1;
        }
        for t in &duty.views {
            let joint = *self.cipher_after_mix(*t)?.joint().ok_or(OperationError::NoFace)?;
            let lock = self.roster.lock(joint.locks())?;
            verified.views.push((*t, joint.verify_view(&self.phase, key, &lock, take(128)?)?));
            verified.proofs += 1;
        }
        if duty.mix {
            let mix = self.mix.ok_or(OperationError::Empty)?;
            let (lock, generators, seat) = (self.roster.lock(mix.lock)?, &self.cards.generators, key.seat());
            verified.pile = Some(match self.pile()? {
                Pile::Plain(pile) => {
                    let proof = take(224 * pile.len() + 288)?;
                    Pile::Plain(pile.read(&self.phase, seat, &lock, generators, proof)?)
                }
                Pile::Backed(pile) => {
                    let proof = take(288 * pile.len() + 384)?;
                    Pile::Backed(pile.read(&self.phase, seat, &lock, generators, proof)?)
                }
            });
        }
        for (gone, cells) in &duty.stands {
            let tokens = self.cells(*gone, cells)?;
            let absence =
                Absence { key: self.roster.key(fair_seat(*gone))?, due: DueContribution::Strip(&tokens) };
            let stand = absence.verify(&self.phase, key.seat(), take(32 * tokens.len() + 64)?)?;
            verified.stands.push((*gone, stand));
            verified.proofs += 1;
        }
        for (gone, dice) in &duty.stand_dice {
            let absence = Absence { key: self.roster.key(fair_seat(*gone))?, due: DueContribution::Roll };
            for &t in dice {
                let phase = self.die(t)?.phase(self.phase.game);
                verified.stand_dice.push((t, absence.verify(&phase, key.seat(), take(96)?)?));
                verified.proofs += 1;
            }
        }
        for &gone in &duty.rolls {
            let absence = Absence { key: self.roster.key(fair_seat(gone))?, due: DueContribution::Roll };
            verified.rolls.push((gone, absence.verify(&self.roll, key.seat(), take(96)?)?));
            verified.proofs += 1;
        }
        if duty.close && self.audit {
            Published::verify(key, take(64)?)?;
        }
        if bytes.is_empty() { Ok(verified) } else { Err(ProofError::Short) }
    }
}

/// Returns the secret permutation of `0..n` by which a seat rearranges `n` tokens in this phase. It is
/// derived from the seat's seed and the phase, so that a crash cannot lose it.
pub(crate) fn secret_order(secrets: &SeatSecrets, phase: &Phase, n: usize) -> Vec<u32> {
    Drbg::from_parts(&[&**secrets.seed(), &phase.id.0], "order").perm(n as u32)
}
