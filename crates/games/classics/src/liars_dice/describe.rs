//! What Liar's dice says to people.

use super::{Action, Bid, Fact, LiarsDice, Pip, cup};
use pentarchy_engine::describe::who;
use pentarchy_engine::{
    AppliedEvent, Describe, Face, FaceLook, Position, Seat, TableLayout, TableNumber, fill_text, text_table,
};

text_table! {
    /// The sentences of the log.
    struct LogTexts, const LOG;
    rolled = "All players roll their dice.",
    bid = "{player} bids {bid}.",
    challenged = "{player} challenges {bidder}: {bid}.",
    counted = "{shown} The dice show {found}: {loser} loses a die and has {left} left.",
    last = "{shown} The dice show {found}: {loser} loses the last die.",
    won = "{player} wins.",
}

/// Formats a bid for people: `3 × 5` for three fives.
fn spoken(bid: Bid) -> String {
    format!("{} × {}", bid.count, bid.face)
}

impl pentarchy_engine::Encode for LiarsDice {}

impl Describe for LiarsDice {
    const SUMMARY: &'static str = "\
LIAR'S DICE, for two to six

Each player has five dice under a cup. Each round all players roll, and look
only at their own dice. Ones are wild: they count as every side.

The first player makes a bid, like `bid 3 5`: \"under all cups together there
are at least three fives\". Then, in turn:

  bid    make a higher bid: more dice of any side, or as many of a higher side
  liar   challenge the last bid

After a challenge all dice are shown and counted. If there are as many as the
bid said, or more, the challenger loses a die; if there are fewer, the bidder
does. Who was wrong begins the next round, or the next player if they have no
dice left. A bid on ones counts ones only.

The last player with dice wins.
";

    const LESSON: [&'static str; 3] = [
        "Each player rolls five dice under a cup. You see only your own dice. Ones are wild.",
        "A bid like 3 × 5 says that all dice together show at least three fives.",
        "Raise the bid, or challenge it. Who is wrong loses a die. The last player with dice wins.",
    ];

    const CLASSIC: bool = true;

    /// Draws one line per player: the dice as this observer knows them, `[?]` for the others, `out` without
    /// dice; then the last bid, if there is one.
    fn table(view: &Position<Self>) -> String {
        let state = view.state();
        let mut text = String::new();
        for seat in (0..state.seats).map(Seat) {
            let die = |t| view.face(t).map_or_else(|| "[?]".to_string(), |face| format!("[{face}]"));
            let dice: Vec<String> = state.tokens.iter(cup(seat)).map(die).collect();
            let dice = if dice.is_empty() { "out".to_string() } else { dice.join(" ") };
            text += &format!("{}  {dice}\n", who(seat));
        }
        if let Some((bidder, bid)) = state.bid {
            text += &format!("bid {} by {}\n", spoken(bid), who(bidder));
        }
        text
    }

    /// Describes an action: `bid 3 × 5`, or `liar: challenge 3 × 5` (`liar` if there is no bid).
    fn label(view: &Position<Self>, action: Action) -> String {
        match (action, view.state().bid) {
            (Action::Bid(bid), _) => format!("bid {}", spoken(bid)),
            (Action::Liar, Some((_, bid))) => format!("liar: challenge {}", spoken(bid)),
            (Action::Liar, None) => "liar".to_string(),
        }
    }

    /// Returns the heading of an action: `Challenge` or `Bids`.
    fn kind(action: Action) -> &'static str {
        match action {
            Action::Bid(_) => "Bids",
            Action::Liar => "Challenge",
        }
    }

    /// Describes a roll, a bid, a challenge, or the count after it with the winner if it ends the game;
    /// `None` for an event without facts.
    fn log(event: &AppliedEvent<'_, Self>) -> Option<String> {
        let sentence = |fact: &Fact| match *fact {
            Fact::Rolled => LOG.rolled.to_string(),
            Fact::Bid { seat, bid } => fill_text!(LOG.bid, player = who(seat), bid = spoken(bid)),
            Fact::Challenged { seat, bidder, bid } => {
                fill_text!(LOG.challenged, player = who(seat), bidder = who(bidder), bid = spoken(bid))
            }
            Fact::Counted { bid, found, loser, left } => fill_text!(
                if left > 0 { LOG.counted } else { LOG.last },
                shown = shown(event),
                found = spoken(Bid { count: found, ..bid }),
                loser = who(loser),
                left = left
            ),
            Fact::Won { seat } => fill_text!(LOG.won, player = who(seat)),
        };
        let sentences: Vec<String> = event.facts.iter().map(sentence).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// Returns what a die shows, like `a die that shows 5`; never `None`.
    fn card_text(face: Pip) -> Option<String> {
        Some(format!("a die that shows {face}"))
    }

    /// Draws a die with its number.
    fn face_look(face: Pip) -> FaceLook {
        FaceLook::Die(face.index() + 1)
    }

    /// Returns the number of dice of each player and, if there is one, the last bid.
    fn layout(view: &Position<Self>) -> Option<TableLayout> {
        let state = view.state();
        let dice =
            |seat| TableNumber { seat: Some(seat), name: "dice", value: state.dice_of(seat).to_string() };
        let bid = state.bid.map(|(_, bid)| TableNumber { seat: None, name: "bid", value: spoken(bid) });
        let numbers = (0..state.seats).map(Seat).map(dice).chain(bid).collect();
        Some(TableLayout { grids: Vec::new(), numbers })
    }
}

/// Formats the dice that an event has shown, by player: `@0 shows 1 3 3. @1 shows 6.` Players without
/// dice are left out; empty if the event shows none.
fn shown(event: &AppliedEvent<'_, LiarsDice>) -> String {
    let tokens = &event.before.state().tokens;
    let seats = (0..event.before.seats()).map(Seat);
    let dice = |seat: Seat| {
        let own = event.line.shown.iter().filter(|(t, _)| tokens.in_zone(*t, cup(seat)));
        own.map(|(_, face)| face.to_string()).collect::<Vec<_>>().join(" ")
    };
    let texts = seats.map(|seat| (seat, dice(seat))).filter(|(_, dice)| !dice.is_empty());
    texts.map(|(seat, dice)| format!("{} shows {dice}.", who(seat))).collect::<Vec<_>>().join(" ")
}
