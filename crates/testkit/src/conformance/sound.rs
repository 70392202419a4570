//! Invariants of the public state that hold after every event.

use super::{LawResult, demand};
use pentarchy_engine::raw::RawToken;
use pentarchy_engine::{Back, Face, Game, Position, SeatSet, Size, Token, Zone};

/// Checks that the linked lists of the zones agree with the zone of each token: links, lengths, ends, and no
/// token outside of them.
///
/// # Errors
///
/// Fails with the violated law.
pub(super) fn tokens<G: Game>(full: &Position<G>) -> LawResult {
    let tokens = full.state().tokens();
    let mut listed = 0;
    for z in (0..G::Size::ZONES as u8).map(Zone) {
        let (mut length, mut last) = (0, None);
        for t in tokens.iter(z) {
            length += 1;
            demand!(length <= G::Size::TOKENS, Tokens, "{} has no end", G::zone_name(z));
            demand!(tokens.in_zone(t, z), Tokens, "{t} is listed in {} and lies elsewhere", G::zone_name(z));
            let before = tokens.above(t);
            demand!(before == last, Tokens, "{t} lies below {last:?} and thinks below {before:?}");
            last = Some(t);
        }
        demand!(tokens.bottom(z) == last, Tokens, "the bottom of {} is not its last", G::zone_name(z));
        demand!(tokens.len(z) == length, Tokens, "{} has {length} tokens by its list", G::zone_name(z));
        listed += length;
    }
    demand!(tokens.all().count() == listed, Tokens, "a token lies in a zone that does not list it");
    Ok(())
}

/// Checks that the faces of a group's members are the group's multiset, that every face satisfies what is
/// public about its token, and that a promise is kept. The position must know all faces.
///
/// # Errors
///
/// Fails with the violated law.
pub(super) fn groups<G: Game>(full: &Position<G>) -> LawResult {
    let tokens = full.state().tokens();
    let mut balance = vec![[0i32; 128]; G::Size::TOKENS];
    for t in tokens.all() {
        let RawToken { group, face: byte, .. } = tokens.raw(t);
        if tokens.is_public(t) {
            demand!(group.is_none(), Groups, "{t} is public and in a group");
            demand!(usize::from(byte) < G::Face::KINDS, Groups, "{t} has no face");
            continue;
        }
        let seats = SeatSet::first(full.seats());
        let strangers = tokens.known(t).seats().iter().find(|&s| !seats.has(s));
        demand!(strangers.is_none(), Groups, "{t} is known to a seat that is not there: {strangers:?}");
        let Some(face) = full.face(t) else {
            let blank = group.is_none() && tokens.may(t).is_empty();
            demand!(blank, Groups, "{t} has no face behind it and is no blank slip");
            continue;
        };
        demand!(tokens.may(t).has(face), Groups, "{t} is {face}, and everybody was assured that it is not");
        let back = tokens.back(t);
        demand!(back == Back::HIDDEN || back == face.back(), Groups, "{t} is {face} and shows another back");
        demand!(full.state().admits(t, face), Groups, "{t} is {face}, which `admits` denies");
        if let Some(group) = group {
            demand!((group as usize) < balance.len(), Groups, "{t} is in a group without a name");
            balance[group as usize][face.index() as usize] += 1;
            balance[group as usize][byte as usize] -= 1;
        }
    }
    if let Some(promise) = full.state().promise() {
        let keeps = |t: &Token| full.face(*t).is_some_and(|f| promise.set.has(f));
        let (zone, kept) = (promise.zone, tokens.iter(promise.zone).filter(keeps).count());
        let least = usize::from(promise.least);
        demand!(kept >= least, Groups, "{} promises {least} and has {kept}", G::zone_name(zone));
    }
    let wrong = balance.iter().position(|kinds| kinds.iter().any(|&n| n != 0));
    demand!(wrong.is_none(), Groups, "the faces of group {wrong:?} are not its multiset");
    Ok(())
}

/// Checks that the state can be read back from JSON and from postcard with equal bytes and the same awaited
/// node.
///
/// # Errors
///
/// Fails with the violated law.
pub(super) fn encoding<G: Game>(full: &Position<G>) -> LawResult {
    let bytes = postcard::to_allocvec(full.state());
    demand!(bytes.is_ok(), Encoding, "the state cannot be written: {:?}", bytes.err());
    let bytes = bytes.unwrap_or_default();
    let read = postcard::from_bytes::<G>(&bytes);
    demand!(read.is_ok(), Encoding, "the state cannot be read from bytes: {:?}", read.err());
    let text = serde_json::to_string(full.state());
    demand!(text.is_ok(), Encoding, "the state cannot be written as JSON: {:?}", text.err());
    let text = text.unwrap_or_default();
    let told = serde_json::from_str::<G>(&text);
    demand!(told.is_ok(), Encoding, "the state cannot be read from JSON: {:?}", told.err());
    for (state, how) in [(read.ok(), "bytes"), (told.ok(), "JSON")] {
        let awaited = state.as_ref().map(Game::node);
        demand!(awaited == Some(full.node()), Encoding, "after {how} awaited is {awaited:?}");
        let again = state.and_then(|s| postcard::to_allocvec(&s).ok()).unwrap_or_default();
        demand!(again == bytes, Encoding, "the state is another one after {how}");
    }
    demand!(full.encode() == bytes, Encoding, "the encoding is not the state's");
    Ok(())
}
