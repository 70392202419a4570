//! The guided first game of Ozymandias: an expansion, an exploration, effects, a purchase, and a crisis that is won.

use super::{View, faces, keys};
use crate::guide::{Deal, Guide, GuideStep, Shows, best, best_of_all};
use pentarchy_engine::{Game, Seat, Token};
use pentarchy_ozymandias::cards::Faction;
use pentarchy_ozymandias::forecast::{self, Outlook};
use pentarchy_ozymandias::map::Hex;
use pentarchy_ozymandias::state::{hand, vault};
use pentarchy_ozymandias::{Action, DecisionKind, Ozymandias};

/// The guided first game.
pub(super) const GUIDE: Guide<Ozymandias> = Guide {
    deal: Deal { seats: 3, seed: 160, options: || serde_json::Value::Null, bots: "recruit" },
    steps: STEPS,
    otherwise: "Your move. The highlighted one is a good choice.",
    fallback: best_of_all,
    farewell: "You know all three actions now. Keep playing: the richest god wins.",
};

/// The steps of the guide, in the order in which they may appear.
const STEPS: &[GuideStep<Ozymandias>] = &[
    GuideStep {
        text: "You are a god above four factions that nobody owns. The most influence at the end wins.",
        when: is_choosing_action,
        shows: Shows::Part("seats"),
    },
    GuideStep {
        text: "Each card belongs to a faction: red, white, blue or black. The number is its rank, 1 to 6.",
        when: is_choosing_action,
        shows: Shows::Part("hand"),
    },
    GuideStep {
        text: "Choose this card to expand: it goes to your tableau and builds a city of its faction.",
        when: is_choosing_action,
        shows: Shows::Move(|view, seat| best(view, seat, |act| matches!(act, Action::Expand(_)))),
    },
    GuideStep {
        text: "Build on a highlighted corner. Cities make their faction strong in a crisis.",
        when: |view, seat| {
            is_asked(view, seat) && matches!(view.state().decision_kind(), DecisionKind::Build(_))
        },
        shows: Shows::Move(|view, seat| best(view, seat, |act| matches!(act, Action::Build(_)))),
    },
    GuideStep {
        text: "Tableau cards work for you, even in other players' turns. Use this one: its faction is here.",
        when: |view, seat| is_asked(view, seat) && view.state().decision_kind() == DecisionKind::Effects,
        shows: Shows::Move(|view, seat| best(view, seat, |act| matches!(act, Action::Activate(_)))),
    },
    GuideStep {
        text: "This track shows what each faction is worth: its cards cost, sell for and score this number.",
        when: |view, seat| is_choosing_action(view, seat) && can_explore(view, seat),
        shows: Shows::Piece(|_, _| Some(keys::faction(Faction::Red))),
    },
    GuideStep {
        text: "Influence is your money and your score. It is the number beside each name.",
        when: |view, seat| is_choosing_action(view, seat) && can_explore(view, seat),
        shows: Shows::Part("seats"),
    },
    GuideStep {
        text: "Choose this card, then Explore: you sell it and gain influence equal to its faction's value.",
        when: |view, seat| is_choosing_action(view, seat) && can_explore(view, seat),
        shows: Shows::Move(|view, seat| best(view, seat, |act| matches!(act, Action::Explore(_)))),
    },
    GuideStep {
        text: "Place the new sector next to a city. Its value tells how many new cards reach the market.",
        when: |view, seat| is_asked(view, seat) && view.state().decision_kind() == DecisionKind::Place,
        shows: Shows::Move(|view, seat| best(view, seat, |act| matches!(act, Action::Place(_)))),
    },
    GuideStep {
        text: "You have fewer than 5 cards, so you must buy one. A player who cannot pay is bankrupt and loses.",
        when: |view, seat| is_asked(view, seat) && view.state().decision_kind() == DecisionKind::Buy,
        shows: Shows::Move(|view, seat| {
            best(view, seat, |act| matches!(act, Action::Buy(_) | Action::BuyDeck))
        }),
    },
    GuideStep {
        text: "A crisis raises one faction. If your card wins, it scores in your vault. Start a crisis now.",
        when: |view, seat| is_choosing_action(view, seat) && plan_crisis(view, seat).is_some(),
        shows: Shows::Move(|view, seat| best(view, seat, |act| matches!(act, Action::Crisis))),
    },
    GuideStep {
        text: "You can take back tableau cards to contribute them. You need none now: choose Continue.",
        when: |view, seat| {
            is_asked(view, seat)
                && view.state().decision_kind() == DecisionKind::Prelude
                && plan_crisis(view, seat).is_some()
        },
        shows: Shows::Move(|view, seat| best(view, seat, |act| matches!(act, Action::Done))),
    },
    GuideStep {
        text: "Choose this sector. Only factions with a city there take part, and you hold a strong card.",
        when: |view, seat| {
            is_asked(view, seat)
                && view.state().decision_kind() == DecisionKind::Sector
                && plan_crisis(view, seat).is_some()
        },
        shows: Shows::Move(|view, seat| plan_crisis(view, seat).map(|(hex, _)| Action::Sector(hex))),
    },
    GuideStep {
        text: "Strength is the rank plus the faction's cities here. Contribute this card: the panel says how it compares.",
        when: |view, seat| {
            is_asked(view, seat)
                && view.state().decision_kind() == DecisionKind::Contribute
                && weakest_winner(view, seat).is_some()
        },
        shows: Shows::Move(|view, seat| weakest_winner(view, seat).map(Action::Contribute)),
    },
    GuideStep {
        text: "You won. Your card is in your vault: at the end it scores its faction's value.",
        when: |view, seat| !view.state().tokens().is_empty(vault(seat)),
        shows: Shows::Part("hand"),
    },
    GuideStep {
        text: "The game ends when a faction reaches 30, or when somebody is bankrupt. Raise the factions in your vault.",
        when: |view, seat| is_choosing_action(view, seat) && !view.state().tokens().is_empty(vault(seat)),
        shows: Shows::Piece(|_, _| Some(keys::faction(Faction::Red))),
    },
];

/// Returns whether `seat`, the learner, has to decide or declare now.
fn is_asked(view: &View, seat: Seat) -> bool {
    view.actor() == Some(seat)
}

/// Returns whether the learner has to choose the action of their turn now.
fn is_choosing_action(view: &View, seat: Seat) -> bool {
    is_asked(view, seat) && view.state().decision_kind() == DecisionKind::Action
}

/// Returns whether an exploration is legal for the learner now.
fn can_explore(view: &View, seat: Seat) -> bool {
    best(view, seat, |act| matches!(act, Action::Explore(_))).is_some()
}

/// Returns a sector and a hand card with which the learner wins or ties a crisis for certain, destroys a city of
/// another faction and can pay afterwards. Of several the pair that destroys the most cities, then that with the
/// lowest rank, then the last in the order of sectors and hand. `None` if there is none.
fn plan_crisis(view: &View, seat: Seat) -> Option<(Hex, Token)> {
    let state = view.state();
    let cities = |hex: Hex| state.factions_of(hex).iter().map(|f| state.cities_of(f, hex)).sum::<usize>();
    let pairs = state.sectors().iter().flat_map(|s| list_winners(view, seat, s.hex).map(move |t| (s.hex, t)));
    let fallen = |&(hex, t): &(Hex, Token)| {
        cities(hex) - faces::myth(view, t).map_or(0, |m| state.cities_of(m.faction(), hex))
    };
    let rank = |t: Token| std::cmp::Reverse(faces::myth(view, t).map(|m| m.rank()));
    pairs.filter(|pair| fallen(pair) > 0).max_by_key(|pair| (fallen(pair), rank(pair.1)))
}

/// Iterates over the seat's hand cards that win or tie at a sector for certain, as far as ranks and cities decide,
/// without a risk of bankruptcy. In the order of the hand; cards that the observer does not know are left out.
fn list_winners(view: &View, seat: Seat, hex: Hex) -> impl Iterator<Item = Token> {
    let state = view.state();
    let wins = move |t: &Token| {
        faces::myth(view, *t).is_some_and(|m| {
            state.factions_of(hex).has(m.faction())
                && forecast::forecast(view, seat, m, hex).outlook != Outlook::MayLose
                && !state.risk_at(seat, Some(m), hex).is_serious()
        })
    };
    state.tokens().iter(hand(seat)).filter(wins)
}

/// Returns the hand card of lowest rank (the first of equals) that wins or ties the crisis under way for certain,
/// without a risk of bankruptcy. `None` if there is none, or no crisis.
fn weakest_winner(view: &View, seat: Seat) -> Option<Token> {
    let (hex, _) = view.state().in_crisis()?;
    list_winners(view, seat, hex).min_by_key(|&t| faces::myth(view, t).map(|m| m.rank()))
}
