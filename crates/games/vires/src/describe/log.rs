//! Log entries.

use super::texts::LOG;
use super::{and, card_in_sentence, changes, ending, name};
use crate::actions::{Aim, Good};
use crate::cards::Card;
use crate::facts::{Fact, Kept};
use crate::state::{Vires, hand};
use pentarchy_engine::describe::who;
use pentarchy_engine::{AppliedEvent, Observer, Position, Seat, Token, Zone, fill_text};

/// Describes an event in sentences from its facts: what a player did, reveals, results, what moved, whose
/// turn begins, the end. `None` if there is nothing to say.
pub(super) fn log(event: &AppliedEvent<'_, Vires>) -> Option<String> {
    let AppliedEvent { before, facts, after, .. } = *event;
    let (old, new) = (before.state(), after.state());
    let mut parts = Vec::new();
    parts.extend(facts.iter().filter_map(|fact| acted(after, fact)));
    // PONZI goes on to the next opponent after the last one has paid.
    let is_next = |fact: &&Fact| matches!(fact, Fact::Uncovered(_, Card::Ponzi));
    parts.extend(facts.iter().filter(|fact| !is_next(fact)).filter_map(settled));
    parts.extend(changes::sentences(facts, old.active, new.seats));
    parts.extend(facts.iter().filter(is_next).filter_map(settled));
    if new.active != old.active && after.outcome().is_none() {
        let own = after.observer() == Observer::Seat(new.active);
        parts.push(fill_text!(if own { LOG.own_turn } else { LOG.turn }, player = who(new.active)));
    }
    parts.extend(ending(new));
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Describes what a player did, or a shuffle or reveal as far as the observer of `after`, the position after
/// the event, sees it, from one fact. `None` for a reveal of unknown cards without an entry of its own, and
/// for facts that have their sentence elsewhere: mining and payments by what they move, votes when they are
/// counted.
fn acted(after: &Position<Vires>, fact: &Fact) -> Option<String> {
    let name = |t: Token| name(after, t);
    let object = |t: Token| after.face(t).map_or(LOG.unknown_card, object);
    Some(match *fact {
        Fact::Played { seat, card, aim: Aim::At(x), .. } if after.face(card) == Some(Card::Flip) => {
            fill_text!(LOG.played_flip, player = who(seat), target = who(x))
        }
        Fact::Played { seat, card, aim, showing } => {
            let template = match (aim, showing) {
                (Aim::Nothing, None) => LOG.played,
                (Aim::Nothing, Some(_)) => LOG.played_showing,
                (Aim::At(_), None) => LOG.played_on,
                (Aim::At(_), Some(_)) => LOG.played_on_showing,
                (Aim::Gain, _) => LOG.played_to_gain,
                (Aim::Attack, _) => LOG.played_to_attack,
            };
            let target = if let Aim::At(x) = aim { who(x) } else { String::new() };
            let shown = showing.map_or("", &object);
            fill_text!(template, player = who(seat), card = name(card), target = target, shown = shown)
        }
        Fact::Reacted { seat, card, party: Some(x), .. } => {
            let strong = after.face(card) == Some(Card::Strong);
            let template = if strong { LOG.made_win } else { LOG.made_lose };
            fill_text!(template, player = who(seat), card = name(card), target = who(x))
        }
        Fact::Reacted { seat, card, party: None, against } => {
            let other = against.map_or(LOG.card_in_question, card_in_sentence);
            fill_text!(LOG.reacted, player = who(seat), card = name(card), other = other)
        }
        Fact::Dismissed(seat, t) => fill_text!(LOG.discarded, player = who(seat), card = object(t)),
        Fact::Offered(seat, t) => match after.face(t) {
            Some(_) => fill_text!(LOG.offered, player = who(seat), card = object(t)),
            None => fill_text!(LOG.offered_hidden, player = who(seat)),
        },
        Fact::Chose(seat, Good::Coin) => fill_text!(LOG.chose_coin, player = who(seat)),
        Fact::Chose(seat, Good::Hr) => fill_text!(LOG.chose_hr, player = who(seat)),
        Fact::AnsweredKyc { seat, reveal: true } => fill_text!(LOG.revealed_hand, player = who(seat)),
        Fact::AnsweredKyc { seat, reveal: false } => fill_text!(LOG.skipped, player = who(seat)),
        Fact::ShowedHr(seat) => fill_text!(LOG.showed_hr, player = who(seat)),
        Fact::ShowedAllHr(seat) => fill_text!(LOG.showed_all_hr, player = who(seat)),
        Fact::EventDrawn(seat, t) => {
            fill_text!(LOG.drew_event, player = who(seat), card = card_in_sentence(after.face(t)?))
        }
        Fact::DeckRebuilt(n) => fill_text!(LOG.new_deck, n = n),
        Fact::Learned { seat, card, drawn } => {
            let template = if drawn { LOG.drew } else { LOG.got };
            after.face(card)?;
            fill_text!(template, player = who(seat), card = object(card))
        }
        Fact::DrewOpenly(seat, t) => fill_text!(LOG.drew_face_up, player = who(seat), card = object(t)),
        Fact::Looked { by, of } if of == by => {
            fill_text!(LOG.holds, player = who(by), cards = listed(after, hand(by))?)
        }
        Fact::Looked { by, of } => match listed(after, hand(of)) {
            Some(cards) => fill_text!(LOG.looked_at, player = who(by), target = who(of), cards = cards),
            None => fill_text!(LOG.looked, player = who(by), target = who(of)),
        },
        Fact::ShowedHand(seat) => {
            fill_text!(LOG.showed, player = who(seat), cards = listed(after, hand(seat))?)
        }
        Fact::VotesCounted { votes, agreed, again } => counted(&votes, agreed.is_some(), again),
        _ => return None,
    })
}

/// Returns the name of a card as the object of a sentence: `SAT`, `an HR`.
fn object(card: Card) -> &'static str {
    if card == Card::Hr { LOG.an_hr } else { card_in_sentence(card) }
}

/// Describes the votes of a ballot: "@0 votes for Coins. @1 and @2 vote for HR." If they differ, adds what
/// follows: another ballot if `again`, otherwise nothing.
fn counted(votes: &[Option<Card>], agreed: bool, again: bool) -> String {
    let by = |wanted: Card, one: &str, several: &str| -> Option<String> {
        let seats = (0..).map(Seat).zip(votes).filter(|&(_, vote)| *vote == Some(wanted));
        let seats: Vec<String> = seats.map(|(seat, _)| who(seat)).collect();
        let template = if seats.len() == 1 { one } else { several };
        (!seats.is_empty()).then(|| fill_text!(template, players = and(seats)))
    };
    let differ = if again { LOG.votes_again } else { LOG.votes_differ };
    let sentences = [
        by(Card::VoteCoin, LOG.vote_for_coins, LOG.votes_for_coins),
        by(Card::VoteHr, LOG.vote_for_hr, LOG.votes_for_hr),
        (!agreed).then(|| differ.to_string()),
    ];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Lists the cards of a zone: "SAT and 2 HR", or that there are none. `None` if the observer does not know
/// one of them.
fn listed(view: &Position<Vires>, zone: Zone) -> Option<String> {
    let mut cards: Vec<(Card, usize)> = Vec::new();
    for t in view.state().tokens.iter(zone) {
        let card = view.face(t)?;
        match cards.iter_mut().find(|(c, _)| *c == card) {
            Some((_, n)) => *n += 1,
            None => cards.push((card, 1)),
        }
    }
    let counted = |(card, n): (Card, usize)| match (card, n) {
        (Card::Hr, n) => super::hr(n as u8),
        (card, 1) => card_in_sentence(card).to_string(),
        (card, n) => fill_text!(LOG.several, n = n, card = card_in_sentence(card)),
    };
    let names: Vec<String> = cards.into_iter().map(counted).collect();
    Some(if names.is_empty() { LOG.no_cards.to_string() } else { and(names) })
}

/// Describes the result of a challenge, a card that was cancelled, or what a reaction saved, from one fact;
/// `None` for other facts.
fn settled(fact: &Fact) -> Option<String> {
    Some(match *fact {
        Fact::Decided { seat, card, won, flipped: true, idle } => {
            let template = if won { LOG.heads } else { LOG.tails };
            let flipped = fill_text!(template, player = who(seat), card = card_in_sentence(card));
            if idle { [&flipped, LOG.nothing_happens].join(" ") } else { flipped }
        }
        Fact::Decided { seat, card, won, flipped: false, .. } => {
            fill_text!(
                if won { LOG.wins } else { LOG.loses },
                player = who(seat),
                card = card_in_sentence(card)
            )
        }
        Fact::Uncovered(seat, card) => {
            fill_text!(LOG.uncovered, player = who(seat), card = card_in_sentence(card))
        }
        Fact::Cancelled(card) => fill_text!(LOG.cancelled, card = card_in_sentence(card)),
        Fact::Kept { seat, what, no_trade } => {
            let template = match what {
                Kept::BlockAndCoin => LOG.kept_block_and_coin,
                Kept::Coin => LOG.kept_coin,
                Kept::Hr => LOG.kept_hr,
            };
            let kept = fill_text!(template, player = who(seat));
            if no_trade { [&kept, LOG.no_trade].join(" ") } else { kept }
        }
        _ => return None,
    })
}
