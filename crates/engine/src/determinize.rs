//! Determinization: fills in the faces that an observer does not know, consistently with all that it knows.

use crate::face::{Face, FaceSet};
use crate::faces::UNKNOWN;
use crate::game::{Game, Promise};
use crate::heuristic::Heuristic;
use crate::position::{Observer, Position};
use crate::rng::Rng;
use crate::size::Size;
use crate::token::{Back, Token};
use crate::tokens::NONE;

/// Maximum attempts to satisfy a promise, and to find a better card for a hand, before giving up.
const MOST_DRAWS: usize = 16;

impl<G: Game> Position<G> {
    /// Returns a complete position of the simulator that this observer could be in; this position does not
    /// change. Every unknown face is drawn with `rng` from the multiset of its group, subject to backs,
    /// [`Tokens::may`](crate::Tokens::may), [`Game::admits`], notes and promises. The draw is uniform without
    /// constraints and close to uniform where constraints overlap. Each slip with a choice and each cast die
    /// gets a uniform face of those that it may have and `admits` allows, independently of all others; a slip
    /// without a choice keeps none. A note or promise that no attempt satisfies is ignored. The copy has no
    /// notes.
    pub fn determinize(&self, rng: &mut Rng) -> Self {
        match self.state.promise() {
            Some(promise) => self.determinize_with_promise(&promise, rng),
            None => self.fill_unknown(rng).0,
        }
    }

    /// Returns a complete position of the simulator that this observer could be in, drawn like
    /// [`determinize`](Self::determinize), whose hands of other seats are resampled by how likely their
    /// owners would have kept each card ([`Heuristic::kept`]). Skips the resampling while notes or a promise
    /// constrain hidden tokens. This position does not change.
    pub fn determinize_likely(&self, rng: &mut Rng) -> Self
    where
        G: Heuristic,
    {
        let mut whole = self.determinize(rng);
        // A swap of faces could break a note or a promise.
        if self.faces.notes.is_empty() && self.state.promise().is_none() {
            self.resample_unlikely_hands(&mut whole, rng);
        }
        whole
    }

    /// Goes through the tokens in `whole`, a determinization of this position, that lie in a zone with an
    /// owner and whose faces this observer does not know. With the probability that the owner would have used
    /// the card ([`Heuristic::kept`]), swaps its face with that of a random unknown token of its group in a
    /// zone without an owner, if both tokens can have the other face and the owner would have kept the new
    /// card, which is drawn with its own probability. At most [`MOST_DRAWS`] attempts per card; a card
    /// without a better one stays.
    fn resample_unlikely_hands(&self, whole: &mut Self, rng: &mut Rng)
    where
        G: Heuristic,
    {
        let tokens = self.state.tokens();
        let owner = |t: Token| self.state.owner(tokens.zone(t));
        let unknown = |t: &Token| self.faces.face[t.index()] == UNKNOWN && !tokens.is_public(*t);
        let (mut spare, mut spares) = (G::Size::tok(0u16), 0);
        for t in tokens.all().filter(unknown).filter(|&t| owner(t).is_none()) {
            spare[spares] = t.0;
            spares += 1;
        }
        for t in tokens.all().filter(unknown) {
            let (Some(seat), old) = (owner(t), whole.faces.face[t.index()]) else { continue };
            let kept = |face: u8, rng: &mut Rng| {
                let likely = self.state.kept(seat, G::Face::nth(face));
                likely >= 100 || rng.below(100) < likely
            };
            if old == UNKNOWN || spares == 0 || kept(old, rng) {
                continue;
            }
            for _ in 0..MOST_DRAWS {
                let other = spare[rng.below(spares as u32) as usize];
                let new = whole.faces.face[usize::from(other)];
                let fits = tokens.same_group(t, Token(other))
                    && self.can_have_face(t.0, new)
                    && self.can_have_face(other, old);
                if fits && kept(new, rng) {
                    whole.faces.face[t.index()] = new;
                    whole.faces.face[usize::from(other)] = old;
                    break;
                }
            }
        }
    }

    /// Returns a complete position of the simulator while a seat still has to fulfil `promise`: first assigns
    /// faces of the promised set to enough tokens of the zone, chosen with `rng`, then draws all other
    /// unknown faces. Ignores the promise if [`MOST_DRAWS`] attempts fail. This position does not change; the
    /// copy has no notes.
    #[cold]
    fn determinize_with_promise(&self, promise: &Promise<G::Face>, rng: &mut Rng) -> Self {
        let in_zone = || self.state.tokens().iter(promise.zone);
        let keeps = |whole: &Self, t: Token| whole.face(t).is_some_and(|f| promise.set.has(f));
        let mut could: Vec<Token> = in_zone().filter(|&t| self.face(t).is_none()).collect();
        let known = in_zone().filter(|&t| keeps(self, t)).count();
        for _ in 0..MOST_DRAWS {
            rng.shuffle(&mut could);
            let mut needed = usize::from(promise.least).saturating_sub(known);
            let (mut narrowed, (mut whole, _)) = (self.clone(), self.fill_unknown(rng));
            for &t in &could {
                if needed == 0 {
                    break;
                }
                // Not every token can take such a face beside the others; try the next one then.
                let before = narrowed.state.clone();
                narrowed.state.tokens_mut().narrow(t, promise.set);
                let possible = !narrowed.state.tokens().may(t).is_empty();
                let (tried, fits) = narrowed.fill_unknown(rng);
                if possible && fits {
                    (whole, needed) = (tried, needed - 1);
                } else {
                    narrowed.state = before;
                }
            }
            if needed == 0 {
                whole.state = self.state.clone();
                return whole;
            }
        }
        self.fill_unknown(rng).0
    }

    /// Returns a copy as the simulator's, with every unknown face drawn with `rng`, and whether all drawn
    /// faces of group members satisfy their constraints. Promises are not considered; notes are where they
    /// fit, and the copy has none. A slip without a choice keeps no face.
    fn fill_unknown(&self, rng: &mut Rng) -> (Self, bool) {
        let mut whole = self.clone();
        whole.observer = Observer::All;
        whole.faces.notes.clear();
        let tokens = self.state.tokens();
        let mut all_fit = true;
        let mut done = G::Size::tok(false);
        let mut members = G::Size::tok(0u16);
        let mut faces = G::Size::tok(UNKNOWN);
        for i in 0..G::Size::TOKENS {
            let group = tokens.group[i];
            if done[i] || self.faces.face[i] != UNKNOWN || tokens.known[i].is_public() {
                continue;
            }
            if group == NONE {
                whole.faces.face[i] = self.fill_ungrouped(Token(i as u16), rng);
                continue;
            }
            let (mut n, mut supply) = (0, 0);
            for j in (0..G::Size::TOKENS).filter(|&j| tokens.group[j] == group) {
                done[j] = true;
                faces[supply] = tokens.face[j];
                supply += 1;
                if self.faces.face[j] == UNKNOWN {
                    members[n] = j as u16;
                    n += 1;
                }
            }
            // Remove the faces that this observer knows from the supply.
            for j in (0..G::Size::TOKENS).filter(|&j| tokens.group[j] == group) {
                let known = self.faces.face[j];
                if known != UNKNOWN
                    && let Some(k) = faces.as_ref()[..supply].iter().position(|&f| f == known)
                {
                    supply -= 1;
                    faces[k] = faces[supply];
                }
            }
            let members = &mut members.as_mut()[..n.min(supply)];
            let faces = &mut faces.as_mut()[..n.min(supply)];
            // Sort first: the stored order depends on history, and the draw must not.
            faces.sort_unstable();
            rng.shuffle(members);
            rng.shuffle(faces);
            all_fit &= self.arrange(members, faces, rng);
            for (&t, &f) in members.iter().zip(faces.iter()) {
                whole.faces.face[t as usize] = f;
            }
        }
        (whole, all_fit)
    }

    /// Draws a face for `t`, a slip or a die, uniformly from those that it may have and [`Game::admits`]
    /// allows, and returns its number; from all that it may have if `admits` denies each. [`UNKNOWN`] for a
    /// slip without a choice and a die that was not cast.
    fn fill_ungrouped(&self, t: Token, rng: &mut Rng) -> u8 {
        let menu = self.state.tokens().may(t);
        let admitted: FaceSet<G::Face> = menu.iter().filter(|&face| self.state.admits(t, face)).collect();
        let menu = if admitted.is_empty() { menu } else { admitted };
        let pick = rng.below(menu.len() as u32) as usize;
        menu.iter().nth(pick).map_or(UNKNOWN, Face::index)
    }

    /// Returns whether hidden token number `t` may have face number `face`: possible faces, back, and
    /// [`Game::admits`]. The group is not checked.
    fn can_have_face(&self, t: u16, face: u8) -> bool {
        let (tokens, token, face) = (self.state.tokens(), Token(t), G::Face::nth(face));
        tokens.may(token).has(face)
            && (tokens.back(token) == Back::HIDDEN || tokens.back(token) == face.back())
            && self.state.admits(token, face)
    }

    /// Swaps entries of `faces`, where entry i is the face of `members[i]`, until every member has an
    /// admissible one, along augmenting paths as in bipartite matching (single swaps do not always suffice).
    /// First places the face of each note on a random token of the note's set where possible; a note that
    /// does not fit is ignored. Returns whether all faces are admissible; `false` if the constraints leave no
    /// such assignment.
    fn arrange(&self, members: &[u16], faces: &mut [u8], rng: &mut Rng) -> bool {
        let mut pinned = G::Size::tok(false);
        for note in &self.faces.notes {
            let places = members
                .iter()
                .enumerate()
                .filter(|&(i, t)| note.set.contains(t) && !pinned[i] && self.can_have_face(*t, note.face));
            let places: Vec<usize> = places.map(|(i, _)| i).collect();
            let holder = (0..faces.len()).filter(|&i| !pinned[i]).find(|&i| faces[i] == note.face);
            if let (Some(&place), Some(holder)) = (rng.choose(&places), holder) {
                faces.swap(place, holder);
                pinned[place] = true;
            }
        }
        for i in 0..members.len() {
            if self.can_have_face(members[i], faces[i]) {
                continue;
            }
            let mut seen = pinned;
            seen[i] = true;
            if !self.augment(i, faces[i], members, faces, &mut seen) {
                // The pinned notes block every path. The true assignment satisfies all constraints, so a path
                // without pins exists.
                let mut seen = G::Size::tok(false);
                seen[i] = true;
                self.augment(i, faces[i], members, faces, &mut seen);
            }
        }
        members.iter().zip(faces.iter()).all(|(&t, &f)| self.can_have_face(t, f))
    }

    /// Finds an admissible face for member `i` along an augmenting path that ends at a member which can take
    /// `spare`, the face that is to be given away: that of the member where the search began. Members are
    /// tried in their order. `seen` marks members that must not be visited (again) and gets those visited.
    /// Returns whether a path was found; `faces` is updated only then.
    fn augment(
        &self,
        i: usize,
        spare: u8,
        members: &[u16],
        faces: &mut [u8],
        seen: &mut <G::Size as Size>::Tok<bool>,
    ) -> bool {
        for j in 0..members.len() {
            if seen[j] || !self.can_have_face(members[i], faces[j]) {
                continue;
            }
            seen[j] = true;
            let old = faces[j];
            // A member whose own face is not admissible either may take the spare face for now; its turn comes
            // later.
            if self.can_have_face(members[j], spare) || !self.can_have_face(members[j], old) {
                faces[j] = spare;
                faces[i] = old;
                return true;
            }
            if self.augment(j, spare, members, faces, seen) {
                faces[i] = old;
                return true;
            }
        }
        false
    }
}
