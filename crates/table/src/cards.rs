//! The tokens of the table as ciphertexts: locks, back, and private copies of each.

use crate::dice::Die;
use crate::hash::hash;
use pentarchy_engine::{AnyPosition, Back, Seat, SeatSet, Token};
use pentarchy_fair::{
    self as fair, BackTable, Backed, FacePoint, FaceTable, Generators, OperationError, Private, Seats,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A seat that no table has.
const NOBODY: fair::SeatIndex = match fair::SeatIndex::new(fair::MAX_SEATS - 1) {
    Some(seat) => seat,
    None => panic!("there is a last seat"),
};

/// Converts a seat to the index that the cryptography uses. A number from the network that is no index (32 or
/// more) becomes index 31, which has no key at any table, so that later checks fail instead of this one.
pub(crate) fn fair_seat(seat: u8) -> fair::SeatIndex {
    fair::SeatIndex::new(seat).unwrap_or(NOBODY)
}

/// Converts a set of seats to that of the cryptography.
pub(crate) fn fair_seats(seats: SeatSet) -> Seats {
    seats.iter().map(|seat| fair_seat(seat.0)).collect()
}

/// One token number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    /// How often it was issued again.
    generation: u32,
    /// Nothing for a slip that was not laid yet, and for a private die.
    pub(crate) main: Option<fair::CipherToken>,
    /// Its encrypted back, where it has one that can be opened alone.
    pub(crate) back: Option<fair::CipherToken>,
    /// Other ciphertexts of the same face, each for one reader.
    pub(crate) copies: Vec<Private>,
    /// The private die that it is, until its face is public or read by all.
    pub(crate) die: Option<Die>,
    /// Its face, if all peers have read it for a seat that a bot plays although the rules hide it.
    open: Option<u8>,
    /// The public face of which `main` is the trivial ciphertext.
    shown: Option<u8>,
}

impl Slot {
    /// Returns the ciphertext that only this seat can open: the token itself if it is private to the seat,
    /// otherwise the seat's copy. `None` if there is neither.
    pub(crate) fn private_of(&self, seat: u8) -> Option<&Private> {
        let own = |p: &&Private| p.owner() == fair_seat(seat);
        self.main
            .as_ref()
            .and_then(fair::CipherToken::private)
            .filter(own)
            .or_else(|| self.copies.iter().find(own))
    }

    /// Returns the seats whose locks are on the token. Empty for a public token, a private die, and a slip
    /// that was not laid.
    pub(crate) fn locks(&self) -> Seats {
        self.main.as_ref().map_or(Seats::EMPTY, fair::CipherToken::locks)
    }
}

/// A ciphertext as it is stored: its locks, and both halves.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedToken(u32, [u8; 32], [u8; 32]);

impl SavedToken {
    /// Encodes a ciphertext and its locks for storage.
    fn new(token: &fair::CipherToken) -> Self {
        let locks = token.locks().iter().fold(0, |bits, seat| bits | 1 << seat.index());
        let (mut a, mut b) = ([0; 32], [0; 32]);
        a.copy_from_slice(&token.to_bytes()[..32]);
        b.copy_from_slice(&token.to_bytes()[32..]);
        SavedToken(locks, a, b)
    }

    /// Decodes the stored ciphertext; `None` if its locks or its bytes are invalid.
    fn token(&self) -> Option<fair::CipherToken> {
        let locks = (0..u32::BITS as u8).filter(|i| self.0 >> i & 1 != 0).map(fair::SeatIndex::new);
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&self.1);
        bytes[32..].copy_from_slice(&self.2);
        fair::CipherToken::restore(locks.collect::<Option<Seats>>()?, &bytes)
    }
}

/// One token number as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedSlot {
    generation: u32,
    /// Nothing for a token whose face is public.
    main: Option<SavedToken>,
    back: Option<SavedToken>,
    copies: Vec<SavedToken>,
    die: Option<Die>,
    open: Option<u8>,
    shown: Option<u8>,
}

/// All tokens of a table.
#[derive(Clone)]
pub(crate) struct Cards {
    slots: Vec<Slot>,
    pub(crate) faces: Arc<FaceTable>,
    pub(crate) backs: Arc<BackTable>,
    pub(crate) generators: Arc<Generators>,
    digest: Option<[u8; 32]>,
}

/// Returns the value of a cache for the number `n`; makes it with `make` at the first call in this process
/// and never drops it.
///
/// # Errors
///
/// Fails with the error of `make`; nothing is cached then.
fn shared<T>(
    cache: &'static OnceLock<Mutex<BTreeMap<usize, Arc<T>>>>,
    n: usize,
    make: impl FnOnce() -> Result<T, OperationError>,
) -> Result<Arc<T>, OperationError> {
    let cache = cache.get_or_init(Mutex::default);
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = cache.get(&n) {
        return Ok(found.clone());
    }
    let made = Arc::new(make()?);
    cache.insert(n, made.clone());
    Ok(made)
}

static FACES: OnceLock<Mutex<BTreeMap<usize, Arc<FaceTable>>>> = OnceLock::new();
static BACKS: OnceLock<Mutex<BTreeMap<usize, Arc<BackTable>>>> = OnceLock::new();
static GENERATORS: OnceLock<Mutex<BTreeMap<usize, Arc<Generators>>>> = OnceLock::new();

impl Cards {
    /// Creates the tokens of a first position: public ones with their faces, all others without ciphertexts.
    /// Uses tables of points that are cached in the process; the first call for a game computes them.
    ///
    /// # Errors
    ///
    /// Fails with `TooMany` if the game has more faces, backs or tokens than the cryptography supports.
    pub(crate) fn new(rules: &dyn AnyPosition) -> Result<Self, OperationError> {
        let (kinds, n) = (rules.kinds(), rules.token_count());
        let most_back = (0..kinds).map(|f| rules.back_of(f).0).max().unwrap_or(0);
        let faces = shared(&FACES, usize::from(kinds), || FaceTable::new(kinds.into()))?;
        let backs = shared(&BACKS, usize::from(most_back), || BackTable::new(u32::from(most_back) + 1))?;
        // A pile can be no larger than the game.
        let most = usize::from(n).max(1);
        let generators = shared(&GENERATORS, most, || Generators::new(most))?;
        let mut cards =
            Cards { slots: vec![Slot::default(); usize::from(n)], faces, backs, generators, digest: None };
        cards.follow_public(rules);
        Ok(cards)
    }

    /// Returns the cryptographic state of a token.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such token.
    pub(crate) fn slot(&self, t: Token) -> Result<&Slot, OperationError> {
        self.slots.get(t.index()).ok_or(OperationError::NoFace)
    }

    /// Returns the cryptographic state of a token for changes, and discards the cached digest, also on
    /// failure.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such token.
    pub(crate) fn slot_mut(&mut self, t: Token) -> Result<&mut Slot, OperationError> {
        self.digest = None;
        self.slots.get_mut(t.index()).ok_or(OperationError::NoFace)
    }

    /// Returns the ciphertext of a token as it lies on the table.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such token, or it has no ciphertext: it is a private die or a slip
    /// that was not laid.
    pub(crate) fn main(&self, t: Token) -> Result<&fair::CipherToken, OperationError> {
        self.slot(t)?.main.as_ref().ok_or(OperationError::NoFace)
    }

    /// Returns the point of the face with this number.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such face.
    pub(crate) fn face(&self, index: u8) -> Result<&FacePoint, OperationError> {
        self.faces.get(index.into()).ok_or(OperationError::NoFace)
    }

    /// Returns the points of a set of faces (bit i is face i), ascending.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if the game has no such face.
    pub(crate) fn menu(&self, set: u128) -> Result<Vec<FacePoint>, OperationError> {
        (0..128).filter(|i| set >> i & 1 != 0).map(|i| self.face(i).copied()).collect()
    }

    /// Makes the ciphertexts of tokens that have become public in this position trivial ones of their faces,
    /// and drops their backs, copies and private dice. Call it after every event. Tokens that are no longer
    /// public keep their ciphertext until they are issued again.
    pub(crate) fn follow_public(&mut self, rules: &dyn AnyPosition) {
        for (i, slot) in self.slots.iter_mut().enumerate() {
            let public = rules.token_info(Token(i as u16)).public;
            if public.is_some() && slot.shown != public {
                let face = public.and_then(|f| self.faces.get(f.into()));
                slot.main = face.map(fair::CipherToken::of_face);
                slot.back = None;
                slot.copies.clear();
                slot.die = None;
                slot.open = None;
                self.digest = None;
            }
            slot.shown = public;
        }
    }

    /// Returns the back of a token: the trivial ciphertext if the rules show it, otherwise the encrypted back
    /// if it is under exactly this lock or open. `None` if it has neither, or there is no such token.
    pub(crate) fn back(&self, rules: &dyn AnyPosition, t: Token, lock: Seats) -> Option<fair::CipherToken> {
        let fact = rules.token_info(t);
        let public = fact.public.map(|f| rules.back_of(f));
        let public = public.or((fact.back != Back::HIDDEN).then_some(fact.back));
        if let Some(back) = public {
            return self.backs.get(back.0.into()).map(fair::CipherToken::of_back);
        }
        self.slots.get(t.index())?.back.filter(|back| back.locks() == lock || back.locks().is_empty())
    }

    /// Returns a pile entry of a token's ciphertext `main` and its back under `lock`. `main` must be public
    /// or under `lock`: this is not checked here.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if the token has no back that is public or under `lock`.
    pub(crate) fn backed(
        &self,
        rules: &dyn AnyPosition,
        t: Token,
        main: &fair::CipherToken,
        lock: Seats,
    ) -> Result<Backed, OperationError> {
        let back = self.back(rules, t, lock).ok_or(OperationError::NoFace)?;
        Ok(Backed::rejoined(main, &back))
    }

    /// Issues a token again: it gets a new generation, ciphertext and back, and loses all copies, its private
    /// die and its open face. `None` as the back means that no back can be opened alone.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such token.
    pub(crate) fn reissue(
        &mut self,
        t: Token,
        main: &fair::CipherToken,
        back: Option<&fair::CipherToken>,
    ) -> Result<(), OperationError> {
        let slot = self.slot_mut(t)?;
        *slot = Slot {
            generation: slot.generation + 1,
            main: Some(*main),
            back: back.copied(),
            ..Slot::default()
        };
        Ok(())
    }

    /// Makes a token a private die: it gets a new generation, and loses its ciphertext, back, copies and open
    /// face.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such token.
    pub(crate) fn cast(&mut self, t: Token, die: Die) -> Result<(), OperationError> {
        let slot = self.slot_mut(t)?;
        *slot = Slot { generation: slot.generation + 1, die: Some(die), ..Slot::default() };
        Ok(())
    }

    /// Returns the tokens that are private dice of this seat, ascending; empty if it has none.
    pub(crate) fn dice_of(&self, seat: u8) -> Vec<Token> {
        let own = |(_, slot): &(u16, &Slot)| slot.die.is_some_and(|die| die.owner == seat);
        (0..).zip(&self.slots).filter(own).map(|(t, _)| Token(t)).collect()
    }

    /// Returns the number of the face of a token that all peers can read, although the rules may hide it: no
    /// lock is on it, or all peers have read it for a bot. `None` for other tokens, for a slip that was not
    /// laid, and if there is no such token.
    pub(crate) fn open_face(&self, t: Token) -> Option<u8> {
        let slot = self.slots.get(t.index())?;
        let read = || slot.main.as_ref()?.public()?.face(&self.faces).ok().map(|face| face.index() as u8);
        slot.open.or_else(read)
    }

    /// Notes the face of a token that all peers have read in `read`, an opened copy of it. The token keeps
    /// its ciphertext and locks.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if `read` still has locks, holds no face, or there is no such token. Nothing has
    /// changed then.
    pub(crate) fn note_open_face(
        &mut self,
        t: Token,
        read: &fair::CipherToken,
    ) -> Result<(), OperationError> {
        let face = read.public().ok_or(OperationError::NoFace)?.face(&self.faces)?.index() as u8;
        self.slot_mut(t)?.open = Some(face);
        Ok(())
    }

    /// Issues a token again with this face (a number) and without locks: the secret choice or the die of a
    /// seat that a bot plays, which all peers know.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such token or face.
    pub(crate) fn lay_open(&mut self, t: Token, face: u8) -> Result<(), OperationError> {
        let main = fair::CipherToken::of_face(self.face(face)?);
        self.reissue(t, &main, None)
    }

    /// Issues a token of a seat that a bot plays again, with a new generation and the ciphertext and back
    /// that it has: all peers know the order of the seat's tokens, so it stays. An open face stays known;
    /// copies are dropped.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such token.
    pub(crate) fn renew(&mut self, t: Token) -> Result<(), OperationError> {
        let face = self.open_face(t);
        let slot = self.slot_mut(t)?;
        slot.generation += 1;
        slot.open = face;
        slot.copies.clear();
        slot.shown = None;
        Ok(())
    }

    /// Drops the copies of all tokens that only these dropped seats could open. The tokens keep their own
    /// ciphertexts.
    pub(crate) fn forget_copies(&mut self, dropped: SeatSet) {
        for slot in &mut self.slots {
            slot.copies.retain(|copy| !dropped.has(Seat(copy.owner().index())));
        }
    }

    /// Lays a secret choice: issues the token again with the minted ciphertext, which only the owner of the
    /// ciphertext can open. The token gets a new generation and loses its back, its copies, its die and what
    /// was noted of its face. The caller must have checked that the token is a free slip, that the ciphertext
    /// belongs to the acting seat, and its proof.
    ///
    /// # Errors
    ///
    /// Fails with `NoFace` if there is no such token.
    pub(crate) fn lay(&mut self, t: Token, minted: &Private) -> Result<(), OperationError> {
        self.reissue(t, &fair::CipherToken::Private(*minted), None)
    }

    /// Returns the tokens in the form in which snapshots store them, by number. [`Cards::load`] reads it.
    pub(crate) fn save(&self) -> Vec<SavedSlot> {
        let saved = |slot: &Slot| SavedSlot {
            generation: slot.generation,
            main: slot.main.as_ref().filter(|_| slot.shown.is_none()).map(SavedToken::new),
            back: slot.back.as_ref().map(SavedToken::new),
            copies: slot
                .copies
                .iter()
                .map(|copy| SavedToken::new(&fair::CipherToken::Private(*copy)))
                .collect(),
            die: slot.die,
            open: slot.open,
            shown: slot.shown,
        };
        self.slots.iter().map(saved).collect()
    }

    /// Returns a copy of this table with the tokens that [`Cards::save`] returned. `None` if their number
    /// differs or one is invalid. `self` must be of the same game and options and does not change.
    pub(crate) fn load(&self, saved: &[SavedSlot]) -> Option<Self> {
        let token = |saved: &Option<SavedToken>| match saved {
            Some(saved) => saved.token().map(Some),
            None => Some(None),
        };
        let slot = |saved: &SavedSlot| {
            let copies = saved.copies.iter().map(|copy| copy.token()?.private().copied());
            Some(Slot {
                generation: saved.generation,
                main: match saved.shown {
                    Some(face) => Some(fair::CipherToken::of_face(self.faces.get(face.into())?)),
                    None => token(&saved.main)?,
                },
                back: token(&saved.back)?,
                copies: copies.collect::<Option<_>>()?,
                die: saved.die,
                open: saved.open,
                shown: saved.shown,
            })
        };
        let slots = saved.iter().map(slot).collect::<Option<Vec<_>>>()?;
        (slots.len() == self.slots.len()).then(|| Cards { slots, digest: None, ..self.clone() })
    }

    /// Returns the digest of all tokens: number, generation, locks or public face, ciphertext and back, or
    /// the private die. Slips that were not laid, private copies and noted open faces are not part of it. It
    /// is cached until a token changes.
    pub(crate) fn digest(&mut self) -> [u8; 32] {
        if let Some(digest) = self.digest {
            return digest;
        }
        let mut bytes = Vec::with_capacity(self.slots.len() * 80);
        for (i, slot) in self.slots.iter().enumerate() {
            if slot.main.is_none() && slot.die.is_none() {
                continue;
            }
            bytes.extend_from_slice(&(i as u16).to_le_bytes());
            bytes.extend_from_slice(&slot.generation.to_le_bytes());
            match (slot.shown, &slot.main, &slot.die) {
                (Some(face), ..) => bytes.extend_from_slice(&[0, face]),
                (None, None, die) => die.iter().for_each(|die| die.write(&mut bytes)),
                (None, Some(main), _) => {
                    let locks = main.locks().iter().fold(0u32, |bits, seat| bits | 1 << seat.index());
                    bytes.push(1);
                    bytes.extend_from_slice(&locks.to_le_bytes());
                    bytes.extend_from_slice(&main.to_bytes());
                }
            }
            match &slot.back {
                Some(back) => {
                    bytes.push(1);
                    bytes.extend_from_slice(&back.to_bytes());
                }
                None => bytes.push(0),
            }
        }
        let digest = hash("pentarchy tokens v1", &[&bytes]);
        self.digest = Some(digest);
        digest
    }
}
