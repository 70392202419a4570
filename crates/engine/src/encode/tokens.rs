//! What a seat knows of the tokens as numbers: zone by zone, how many there are and which faces.

use super::actions::NamedTokens;
use crate::face::Face;
use crate::game::{Game, SeatView};
use crate::position::Position;
use crate::seat::Seat;
use crate::size::Size;
use crate::token::Zone;

/// Up to this number of pairs of zone and face all pairs are encoded, else those that occurred.
const MOST_PAIRS: usize = 2_048;
/// The numbers of a zone besides its faces: tokens, those that the seat knows, public ones.
const OF_ZONE: usize = 3;
/// A count is written as a part of this.
const COUNT_SCALE: f32 = 1.0 / 8.0;
/// Marks a zone or a pair that is not encoded.
const LEFT: u32 = u32::MAX;

/// Collects which zones and faces occur.
pub(super) struct TokenSurvey {
    /// Whether a token of this face has been in the zone; index `zone × kinds + face`.
    pairs: Vec<bool>,
    /// Maximum number of tokens that an action named.
    pub(super) named: usize,
}

impl TokenSurvey {
    /// Creates a survey that has seen no tokens.
    pub(super) fn new<G: Game>() -> Self {
        TokenSurvey { pairs: vec![false; G::Size::ZONES * G::Face::KINDS], named: 0 }
    }

    /// Marks the zone and face of every token of a position as seen. A face that the observer does not know
    /// counts as face 0.
    pub(super) fn mark_seen<G: Game>(&mut self, position: &Position<G>) {
        let tokens = position.state().tokens();
        for t in tokens.all() {
            // A slip without a choice has no face; its zone is live with any of them.
            let face = position.face(t).map_or(0, Face::index);
            if let Some(pair) =
                self.pairs.get_mut(tokens.zone(t).index() * G::Face::KINDS + usize::from(face))
            {
                *pair = true;
            }
        }
    }

    /// Returns how tokens are written from index `offset` of an observation on: three counts for each zone
    /// that held a token, and a number per face there. With more than [`MOST_PAIRS`] pairs of zone and face,
    /// only pairs that occurred get a number. Appends the names of the numbers to `names`.
    pub(super) fn plan<G: Game>(&self, offset: usize, names: &mut Vec<String>) -> TokenPlan {
        let kinds = G::Face::KINDS;
        let mut plan =
            TokenPlan { zones: vec![LEFT; G::Size::ZONES], pairs: vec![LEFT; self.pairs.len()], live: 0 };
        let first = names.len();
        let live: Vec<usize> =
            (0..G::Size::ZONES).filter(|z| self.pairs[z * kinds..(z + 1) * kinds].contains(&true)).collect();
        let all = live.len() * kinds <= MOST_PAIRS;
        for &z in &live {
            let name = G::zone_name(Zone(z as u8));
            plan.zones[z] = (offset + names.len() - first) as u32;
            plan.live += 1;
            names.extend(["tokens", "known", "public"].map(|what| format!("{name}: {what}")));
            for kind in (0..kinds).filter(|kind| all || self.pairs[z * kinds + kind]) {
                plan.pairs[z * kinds + kind] = (offset + names.len() - first) as u32;
                names.push(format!("{name}: {}", G::Face::nth(kind as u8)));
            }
        }
        plan
    }
}

/// Where the numbers of the tokens are written.
pub(super) struct TokenPlan {
    /// The index of each zone's first number; [`LEFT`] for a zone that is not encoded.
    zones: Vec<u32>,
    /// The index of each pair's number; [`LEFT`] for a pair that is not encoded.
    pairs: Vec<u32>,
    /// Number of zones that are encoded.
    live: usize,
}

impl TokenPlan {
    /// Adds what the seat of `own` knows of the tokens to their entries of `out`, which must be 0: for each
    /// zone the number of tokens, of known and of public ones in eighths, and how often each face is known
    /// there. All are at most [`MOST_ENCODED`](super::MOST_ENCODED). `own` must be a view of `position`.
    pub(super) fn write<G: Game>(&self, position: &Position<G>, own: &SeatView<'_, G>, out: &mut [f32]) {
        let tokens = position.state().tokens();
        for t in tokens.all() {
            let zone = tokens.zone(t).index();
            let at = self.zones[zone];
            if at == LEFT {
                continue;
            }
            let counts = &mut out[at as usize..at as usize + OF_ZONE];
            counts[0] = (counts[0] + COUNT_SCALE).min(super::MOST_ENCODED);
            let Some(face) = own.face(t) else { continue };
            counts[1] = (counts[1] + COUNT_SCALE).min(super::MOST_ENCODED);
            if tokens.is_public(t) {
                counts[2] = (counts[2] + COUNT_SCALE).min(super::MOST_ENCODED);
            }
            let pair = self.pairs[zone * G::Face::KINDS + usize::from(face.index())];
            if pair != LEFT {
                let count = &mut out[pair as usize];
                *count = (*count + 1.0).min(super::MOST_ENCODED);
            }
        }
    }

    /// Returns how many numbers encode one token that an action names; 0 for a game without tokens.
    pub(super) fn token_size<G: Game>(&self) -> usize {
        if self.live == 0 { 0 } else { G::Face::KINDS + self.zones.len() }
    }

    /// Appends the names of the numbers of token number `nth` (from 0) of an action to `names`: its faces,
    /// then its zones. Appends nothing for a game without tokens.
    pub(super) fn name_token<G: Game>(&self, nth: usize, names: &mut Vec<String>) {
        if self.live > 0 {
            names
                .extend((0..G::Face::KINDS).map(|kind| format!("token {nth}: {}", G::Face::nth(kind as u8))));
            names.extend(
                (0..self.zones.len()).map(|z| format!("token {nth}: in {}", G::zone_name(Zone(z as u8)))),
            );
        }
    }

    /// Writes the tokens of an action one after another into `out`, which must be 0. Each token has a number
    /// for each face, then one for each zone: 1 at its face, if `seat` knows it, and 1 at its zone. Tokens
    /// for which `out` has no room are left out.
    pub(super) fn write_named<G: Game>(
        &self,
        position: &Position<G>,
        seat: Seat,
        named: &NamedTokens,
        out: &mut [f32],
    ) {
        let (own, tokens) = (position.own(seat), position.state().tokens());
        for (t, out) in named.iter().zip(out.chunks_exact_mut(self.token_size::<G>().max(1))) {
            if let Some(face) = own.face(t) {
                out[usize::from(face.index())] = 1.0;
            }
            if let Some(place) = out.get_mut(G::Face::KINDS + tokens.zone(t).index()) {
                *place = 1.0;
            }
        }
    }
}
