//! Log entries: what an event did. Written from the facts of the event.

use super::View;
use super::names::{capital, join, myth_title, title};
use super::texts::LOG;
use crate::actions::Target;
use crate::cards::{FACTIONS, Faction, Factions, Myth};
use crate::facts::{EndReason, Fact, Reveal, crisis_result, destroyed};
use crate::forecast::CrisisResult;
use crate::map::Corner;
use crate::rules::Ending;
use crate::state::{Ozymandias, Pile};
use crate::table::sector_title;
use pentarchy_engine::describe::who;
use pentarchy_engine::{AppliedEvent, Seat, fill_text};

/// Describes an event in sentences from its facts: what was done, the result of a crisis, values, cities,
/// vaults, influence of the other seats, the end. `None` if there is nothing to say.
pub(super) fn log(event: &AppliedEvent<'_, Ozymandias>) -> Option<String> {
    let AppliedEvent { facts, after, .. } = *event;
    let mut all: Vec<String> = facts.iter().filter_map(|fact| done(event, fact)).collect();
    all.extend(crisis_result(facts).map(result_text));
    all.extend(idle_text(facts));
    all.extend(FACTIONS.into_iter().filter_map(|faction| value_text(facts, faction)));
    all.extend(destroyed_text(facts));
    all.extend((0..after.seats()).map(Seat).flat_map(|seat| locked_texts(facts, after, seat)));
    let told: Vec<Seat> = facts.iter().filter_map(|fact| pays_in_its_sentence(facts, fact)).collect();
    let others = (0..after.seats()).map(Seat).filter(|seat| !told.contains(seat));
    all.extend(others.filter_map(|seat| influence_text(facts, seat)));
    all.extend(facts.iter().filter_map(end_text));
    all.extend(after.state().ending().map(|ending| winner_text(&ending)));
    (!all.is_empty()).then(|| all.join(" "))
}

/// Returns the sum of the changes of the seat `wanted`'s influence in these facts; 0 if it did not change.
fn change(facts: &[Fact], wanted: Seat) -> i32 {
    let changes = facts.iter().map(|fact| match *fact {
        Fact::Influence(seat, amount) if seat == wanted => amount,
        _ => 0,
    });
    changes.sum()
}

/// Returns the seat whose change of influence the sentence about this fact names; `None` if it names none.
/// `facts` are all facts of the event.
fn pays_in_its_sentence(facts: &[Fact], fact: &Fact) -> Option<Seat> {
    match *fact {
        Fact::Explored { seat, .. } | Fact::Bought { seat, .. } | Fact::BoughtFromDeck(seat, _) => Some(seat),
        Fact::Used { seat, aims: false, .. } => Some(seat).filter(|&seat| change(facts, seat) < 0),
        Fact::Aimed { seat, card, target, .. } => {
            let pays = matches!(card, Myth::CrusaderFleet | Myth::PilgrimsOfChera | Myth::MaengalisAltar);
            (pays && target != Target::None || card == Myth::HanianCultists).then_some(seat)
        }
        _ => None,
    }
}

/// Returns the title of the sector at a corner, of several the one with the lowest hex; `the map` if no
/// sector touches the corner.
fn place(game: &Ozymandias, corner: Corner) -> String {
    let sector = game.sectors_at(corner).min_by_key(|s| s.hex);
    sector.map_or(LOG.no_place.to_string(), |s| sector_title(game, s.hex))
}

/// Describes what a seat or a reveal did, from one fact. `None` for facts about consequences (crisis result,
/// values, cities, vaults, influence, the end), which other sentences of the entry describe, for a reveal
/// without cards, and for a card that first needs a target.
fn done(event: &AppliedEvent<'_, Ozymandias>, fact: &Fact) -> Option<String> {
    let AppliedEvent { before, line, facts, after } = *event;
    let (old, new) = (before.state(), after.state());
    let shown = || join(&line.shown.iter().map(|&(t, _)| title(after, t)).collect::<Vec<_>>());
    Some(match *fact {
        Fact::Started(seat) => fill_text!(LOG.started, player = who(seat)),
        Fact::Explored { seat, card, price } => {
            fill_text!(LOG.explored, player = who(seat), card = title(after, card), price = price)
        }
        Fact::Expanded(seat, card) => {
            fill_text!(LOG.expanded, player = who(seat), card = title(after, card))
        }
        Fact::Withdrew(seat) | Fact::TookBackAll(seat) => fill_text!(LOG.took_back_all, player = who(seat)),
        Fact::TookBack(seat, card) => {
            fill_text!(LOG.took_back, player = who(seat), card = title(after, card))
        }
        Fact::Placed { seat, hex, value } => {
            fill_text!(LOG.placed, player = who(seat), sector = sector_title(new, hex), value = value)
        }
        Fact::Built { seat, corner, faction, cities } => {
            let template = if cities > 1 { LOG.built_on } else { LOG.built };
            let place = place(new, corner);
            fill_text!(template, player = who(seat), faction = faction, place = place, cities = cities)
        }
        // The entry of the target says what the effect did.
        Fact::Used { aims: true, .. } => return None,
        Fact::Used { seat, card, .. } => {
            let change = change(facts, seat);
            let template = if change < 0 { LOG.used_and_paid } else { LOG.used };
            let (player, card) = (who(seat), myth_title(card));
            fill_text!(template, player = player, card = card, price = -change)
        }
        Fact::Aimed { seat, card, target, first } => {
            return aimed((old, after), facts, seat, (card, first), target);
        }
        Fact::CrisisBegan(seat, hex) => {
            fill_text!(LOG.crisis_began, player = who(seat), sector = sector_title(old, hex))
        }
        Fact::Contributed(seat, _) => fill_text!(LOG.contributed, player = who(seat)),
        Fact::Abstained(seat) => fill_text!(LOG.abstained, player = who(seat)),
        Fact::ContributionRevealed(seat, card) => {
            fill_text!(LOG.revealed_contribution, player = who(seat), card = title(after, card))
        }
        Fact::Bought { seat, card, price } => {
            fill_text!(LOG.bought, player = who(seat), card = title(after, card), price = price)
        }
        Fact::BoughtFromDeck(seat, price) => {
            fill_text!(LOG.bought_from_deck, player = who(seat), price = price)
        }
        Fact::Revealed(_) if line.shown.is_empty() => return None,
        Fact::Revealed(Reveal::Market) => fill_text!(LOG.revealed_market, cards = shown()),
        Fact::Revealed(Reveal::Vaults) => fill_text!(LOG.revealed_vaults, cards = shown()),
        // The entry of the sector covers the call.
        Fact::CrisisCalled(_)
        | Fact::NobodyContributed
        | Fact::CrisisDecided(_)
        | Fact::Locked(..)
        | Fact::Influence(..)
        | Fact::ValueMoved { .. }
        | Fact::CitiesDestroyed(..)
        | Fact::Ended(_) => return None,
    })
}

/// Describes what a card of `seat` did with its target, with the state before, the position after and all
/// facts of the event; `first` marks the first of two targets. `None` if the seat declined, the entry of the
/// second target covers it, or the target is not one of the card's.
fn aimed(
    (old, after): (&Ozymandias, &View),
    facts: &[Fact],
    seat: Seat,
    (card, first): (Myth, bool),
    target: Target,
) -> Option<String> {
    let (player, myth, change) = (who(seat), card.printed().title, change(facts, seat));
    Some(match (card, target) {
        (_, Target::None) => return None,
        // The entry of the second target covers both.
        (Myth::ThaniWanderers, _) if first => return None,
        (_, Target::Card(t)) => {
            let (template, price) = match card {
                Myth::TreatyOfChengHuang if first => (LOG.treaty_shown, 0),
                Myth::TreatyOfChengHuang => (LOG.treaty_taken, 0),
                Myth::CrusaderFleet => (LOG.sold_by_card, change),
                Myth::PilgrimsOfChera => (LOG.bought_by_card, -change),
                Myth::SpymasterHuryThezal => (LOG.put_in_market, 0),
                Myth::BookOfChanges => (LOG.contributed_instead, 0),
                Myth::MaengalisDiscovery => (LOG.put_in_tableau, 0),
                Myth::MaengalisAltar => (LOG.hid_in_vault, -change),
                _ => return None,
            };
            let card = title(after, t);
            fill_text!(template, player = player, card = card, price = price, myth = myth)
        }
        (_, Target::Corner(corner)) => {
            let destroyed = || FACTIONS.into_iter().find(|f| destroyed(facts)[f.index()] > 0);
            let (template, faction) = match card {
                Myth::FiresAtNight | Myth::BerserkersOfGrotl | Myth::GunsOfAugust => {
                    (LOG.destroyed_city, destroyed()?)
                }
                Myth::ThaniWanderers => (LOG.moved_city, Faction::Red),
                Myth::TidalPools | Myth::ShieldRhetoric | Myth::HaniosResistance => {
                    (LOG.changed_stack, card.faction())
                }
                _ => (LOG.built_by_card, card.faction()),
            };
            let place = place(old, corner);
            let text = fill_text!(template, player = player, faction = faction, place = place, myth = myth);
            let changed = matches!(card, Myth::TidalPools | Myth::ShieldRhetoric | Myth::HaniosResistance);
            match after.state().pile(corner).and_then(Pile::ruler).filter(|_| changed) {
                Some(ruler) => [text, fill_text!(LOG.rules_now, Faction = capital(ruler.word()))].join(" "),
                None => text,
            }
        }
        (_, Target::Sector(hex)) => {
            let sector = sector_title(old, hex);
            fill_text!(LOG.removed_sector, player = player, sector = sector, myth = myth)
        }
        (_, Target::Faction(faction)) => {
            let template = match card {
                Myth::IonPulse => LOG.weakened,
                Myth::SilverSwordUprising => LOG.destroyed_covered,
                _ => LOG.used_on_faction,
            };
            fill_text!(template, player = player, faction = faction, myth = myth)
        }
        (_, Target::Player(other)) => {
            let template = match card {
                Myth::CyrisTreachery => LOG.swapped,
                Myth::SpymasterAtherNesimm => LOG.looked,
                _ => LOG.took_influence,
            };
            let target = who(other);
            fill_text!(template, player = player, target = target, amount = change, myth = myth)
        }
    })
}

/// Describes the result of a crisis, its winners and their strength, then the losing cards, of which equal
/// ones are counted: "Blue wins with strength 8 against white 4 and black 3 (2 cards)." or, after a tie, "Red
/// and white tie and win …".
fn result_text(result: &CrisisResult) -> String {
    let winners: Vec<String> = result.winners.iter().map(|f| f.to_string()).collect();
    let mut losers: Vec<(Faction, u8, usize)> = Vec::new();
    for it in result.cards.iter().filter(|it| !result.winners.has(it.myth.faction())) {
        let (faction, strength) = (it.myth.faction(), it.strength.total());
        match losers.iter_mut().find(|other| (other.0, other.1) == (faction, strength)) {
            Some((_, _, cards)) => *cards += 1,
            None => losers.push((faction, strength, 1)),
        }
    }
    let loser = |(faction, strength, n): (Faction, u8, usize)| {
        let template = if n > 1 { LOG.losers } else { LOG.loser };
        fill_text!(template, faction = faction, strength = strength, n = n)
    };
    let losers: Vec<String> = losers.into_iter().map(loser).collect();
    let template = match (winners.len() > 1, losers.is_empty()) {
        (false, true) => LOG.won_alone,
        (false, false) => LOG.won_alone_against,
        (true, true) => LOG.won_tied,
        (true, false) => LOG.won_tied_against,
    };
    let (winners, losers) = (capital(&join(&winners)), join(&losers));
    fill_text!(template, Factions = winners, strength = result.strength, losers = losers)
}

/// Returns the sentence that a crisis changes nothing because nobody contributed, if these facts say so; else
/// `None`.
fn idle_text(facts: &[Fact]) -> Option<String> {
    facts.contains(&Fact::NobodyContributed).then(|| LOG.nobody_contributed.to_string())
}

/// Describes the change of the value of the faction `wanted`, from before its first to after its last move in
/// these facts; `None` if it is unchanged.
fn value_text(facts: &[Fact], wanted: Faction) -> Option<String> {
    let mut moves = facts.iter().filter_map(|fact| match *fact {
        Fact::ValueMoved { faction, from, to } if faction == wanted => Some((from, to)),
        _ => None,
    });
    let (from, first) = moves.next()?;
    let to = moves.next_back().map_or(first, |(_, to)| to);
    let template = match to - from {
        0 => return None,
        1.. => LOG.rises,
        _ => LOG.falls,
    };
    Some(fill_text!(template, Faction = capital(wanted.word()), from = from, to = to))
}

/// Lists the destroyed cities by faction; `None` if there are none, or if the sentence about a card already
/// covers them.
fn destroyed_text(facts: &[Fact]) -> Option<String> {
    let fallen = FACTIONS.into_iter().zip(destroyed(facts)).filter(|&(_, n)| n > 0);
    let fallen: Vec<String> = fallen.map(|(f, n)| fill_text!(LOG.cities, n = n, faction = f)).collect();
    let n: u8 = destroyed(facts).iter().sum();
    let by_card = facts.iter().any(|fact| {
        matches!(
            fact,
            Fact::Aimed {
                card: Myth::FiresAtNight
                    | Myth::BerserkersOfGrotl
                    | Myth::GunsOfAugust
                    | Myth::SilverSwordUprising,
                ..
            }
        )
    });
    let template = if n == 1 { LOG.city_destroyed } else { LOG.cities_destroyed };
    (n > u8::from(by_card)).then(|| fill_text!(template, cities = join(&fallen)))
}

/// Describes the public cards that a seat has locked in its vault, the last one first. Empty if there are
/// none; a hidden card has its sentence already.
fn locked_texts(facts: &[Fact], after: &View, wanted: Seat) -> Vec<String> {
    let locked = facts.iter().rev().filter_map(|fact| match *fact {
        Fact::Locked(seat, card) if seat == wanted => Some(card),
        _ => None,
    });
    // A card on the altar has its sentence already.
    let open = locked.filter(|&card| after.state().tokens.is_public(card));
    open.map(|card| fill_text!(LOG.locked, player = who(wanted), card = title(after, card))).collect()
}

/// Describes the sum of the changes of a seat's influence in these facts; `None` if it is 0.
fn influence_text(facts: &[Fact], seat: Seat) -> Option<String> {
    let change = change(facts, seat);
    let template = match change {
        0 => return None,
        1.. => LOG.gains,
        _ => LOG.loses,
    };
    Some(fill_text!(template, player = who(seat), amount = change.abs()))
}

/// Describes the end of the game and its reason (bankruptcy, last round, end of the track); `None` for all
/// other facts.
fn end_text(fact: &Fact) -> Option<String> {
    let Fact::Ended(reason) = *fact else { return None };
    Some(match reason {
        EndReason::Bankrupt { seat, influence, cheapest } => {
            fill_text!(LOG.bankrupt, player = who(seat), influence = influence, cheapest = cheapest)
        }
        EndReason::Cap => LOG.last_round.to_string(),
        EndReason::History { factions, value } => {
            fill_text!(LOG.history, Factions = factions_text(factions), value = value)
        }
    })
}

/// Lists factions at the beginning of a sentence; `A faction` for none.
fn factions_text(factions: Factions) -> String {
    let names: Vec<String> = factions.iter().map(|f| f.to_string()).collect();
    if names.is_empty() { LOG.some_faction.to_string() } else { capital(&join(&names)) }
}

/// Describes who won with how many points; after a tie lists all leaders and says that the winner would have
/// had the next turn first. Seats are written `@0`.
fn winner_text(ending: &Ending) -> String {
    let Ending { winner, points, leaders, .. } = ending;
    if leaders.len() == 1 {
        return fill_text!(LOG.won, player = who(*winner), points = points);
    }
    let leaders: Vec<String> = leaders.iter().map(|&seat| who(seat)).collect();
    let tied = fill_text!(LOG.tied, players = join(&leaders), points = points);
    [tied, fill_text!(LOG.won_tie, player = who(*winner))].join(" ")
}

/// Describes why the game ended, who won, and the tie-break; `None` before the end. Seats are written `@0`.
pub(super) fn ending(game: &Ozymandias) -> Option<String> {
    let ending = game.ending()?;
    let why = match (ending.bankrupt, ending.reason) {
        (Some(seat), _) => fill_text!(LOG.went_bankrupt, player = who(seat)),
        (None, EndReason::History { factions, value }) => {
            fill_text!(LOG.reached, Factions = factions_text(factions), value = value)
        }
        (None, _) => LOG.last_round.to_string(),
    };
    Some([why, winner_text(&ending)].join(" "))
}
