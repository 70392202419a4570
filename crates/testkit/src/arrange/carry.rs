//! Carrying out the moves of a layout.

use pentarchy_engine::raw::{RawToken, UNKNOWN};
use pentarchy_engine::{Back, Face, FaceSet, Game, Known, Position, Seat, Size, Token, Zone};

/// One move of a layout.
pub(super) struct Move {
    /// The token.
    pub(super) token: Token,
    /// The zone that it moves to.
    pub(super) to: Zone,
    /// Whether it goes to the top of the zone instead of to its bottom.
    pub(super) on_top: bool,
    /// Who knows it afterwards.
    pub(super) known: Known,
    /// Whether its back is public although other tokens of the group have another back.
    pub(super) back: bool,
}

/// Returns who usually knows a token in this zone of `state`: all in an open zone, the owner in a
/// zone with an owner, no seat in a hidden zone without one.
pub(super) fn usual_known<G: Game>(state: &G, zone: Zone) -> Known {
    match state.owner(zone) {
        _ if state.open(zone) => Known::PUBLIC,
        Some(owner) => Known::only(owner),
        None => Known::NOBODY,
    }
}

/// Returns whether a layout may move the token: it is public, or it is in a group and the observer knows its
/// face. `false` for a slip.
pub(super) fn is_movable<G: Game>(position: &Position<G>, t: Token) -> bool {
    let tokens = position.state().tokens();
    tokens.is_public(t) || (tokens.same_group(t, t) && position.face(t).is_some())
}

/// Returns whether a zone has hidden movable tokens and all of them show their backs. `false` for a zone without such
/// tokens.
fn has_shown_backs<G: Game>(position: &Position<G>, zone: Zone) -> bool {
    let tokens = position.state().tokens();
    let mut hidden =
        tokens.iter(zone).filter(|&t| !tokens.is_public(t) && is_movable(position, t)).peekable();
    hidden.peek().is_some() && hidden.all(|t| tokens.back(t) != Back::HIDDEN)
}

/// Iterates over the numbers of all tokens that the game has room for, ascending; also over those that are
/// not in use.
fn numbers<G: Game>() -> impl Iterator<Item = Token> {
    (0..G::Size::TOKENS).map(|i| Token(i as u16))
}

/// Applies the moves to a position that knows every face: places, knowledge, faces, groups and what is public about
/// all moved tokens. Moves with `on_top` end in their order on top of the zone, others at its bottom. Removes all
/// notes of the position. Does not check that the moves are possible.
pub(super) fn carry_out<G: Game>(position: &mut Position<G>, moves: &[Move]) {
    let shows: Vec<bool> = (0..G::Size::ZONES).map(|z| has_shown_backs(position, Zone(z as u8))).collect();
    let truth: Vec<u8> = numbers::<G>().map(|t| position.face(t).map_or(UNKNOWN, Face::index)).collect();
    position.clear_notes();
    let raw = position.raw_mut();
    let tokens = raw.state.tokens_mut();
    // Which member of a group holds which byte is not information. Use the true assignment, so that a token
    // can leave its group or join another one with its own face.
    for t in numbers::<G>() {
        let old = tokens.raw(t);
        if old.group.is_some() {
            tokens.set_raw(t, RawToken { face: truth[t.index()], ..old });
        }
    }
    for m in moves.iter().filter(|m| !m.on_top) {
        tokens.put(m.token, m.to);
    }
    for m in moves.iter().rev().filter(|m| m.on_top) {
        tokens.put_on_top(m.token, m.to);
    }
    for m in moves {
        let face = truth[m.token.index()];
        let moved = RawToken { known: m.known, face, ..tokens.raw(m.token) };
        let (moved, private) = if m.known.is_public() {
            let shown = G::Face::nth(face);
            (RawToken { group: None, back: shown.back(), may: FaceSet::only(shown), ..moved }, UNKNOWN)
        } else {
            (moved, face)
        };
        tokens.set_raw(m.token, moved);
        raw.faces[m.token.index()] = private;
    }
    group_the_hidden(raw.state, moves);
    for m in moves.iter().filter(|m| !m.known.is_public()) {
        reset_public_knowledge(raw.state, m.token, m.back || shows[m.to.index()]);
    }
}

/// Assigns groups to tokens of the moves that are hidden and in no group yet, because they were public. A
/// token joins the group of hidden tokens beside it if that group has a token with the same back; otherwise
/// all newly hidden tokens with the same owner and back form one group.
fn group_the_hidden<G: Game>(state: &mut G, moves: &[Move]) {
    let back_of = |f: u8| G::Face::nth(f).back();
    let mut fresh: Vec<(Option<Seat>, Back, u16)> = Vec::new();
    for m in moves.iter().filter(|m| !m.known.is_public()) {
        let owner = state.owner(m.to);
        let tokens = state.tokens();
        let moved = tokens.raw(m.token);
        if moved.group.is_some() {
            continue;
        }
        let back = back_of(moved.face);
        let has_back = |group: &u16| {
            numbers::<G>().map(|t| tokens.raw(t)).any(|r| r.group == Some(*group) && back_of(r.face) == back)
        };
        let beside = tokens.iter(m.to).filter_map(|u| tokens.raw(u).group).find(has_back);
        let known = fresh.iter().find(|(o, b, _)| (*o, *b) == (owner, back)).map(|f| f.2);
        let group = beside.or(known).unwrap_or_else(|| state.tokens_mut().unused_group());
        if beside.is_none() && known.is_none() {
            fresh.push((owner, back, group));
        }
        state.tokens_mut().set_raw(m.token, RawToken { group: Some(group), ..moved });
    }
}

/// Resets the public knowledge of a hidden token, which must be in a group, to what the group tells. Its back becomes
/// public if `shows_back` or if all faces of the group have the same back, else hidden. Its possible faces become
/// those of the group, with a public back only those with that back.
fn reset_public_knowledge<G: Game>(state: &mut G, t: Token, shows_back: bool) {
    let tokens = state.tokens_mut();
    let old = tokens.raw(t);
    let own = G::Face::nth(old.face).back();
    let group = numbers::<G>().map(|u| tokens.raw(u)).filter(|r| r.group == old.group);
    let faces: Vec<G::Face> = group.map(|r| G::Face::nth(r.face)).collect();
    let shown = shows_back || faces.iter().all(|face| face.back() == own);
    let possible = faces.into_iter().filter(|face| !shown || face.back() == own);
    let may = possible.fold(FaceSet::none(), |may, face| may.or(FaceSet::only(face)));
    tokens.set_raw(t, RawToken { back: if shown { own } else { Back::HIDDEN }, may, ..old });
}
