//! Serialisation of tokens: readable in JSON, canonical in the digest. The order of bytes within a group
//! carries no information, so only the sorted multiset is written.

use crate::face::{Bits, Face};
use crate::seat::Known;
use crate::size::Size;
use crate::token::{Back, Token, Zone};
use crate::tokens::{NONE, Tokens};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The serialised form of a table of tokens.
#[derive(Serialize, Deserialize)]
// The name by which an encoder knows it (`encode/walk.rs`); no format writes it.
#[serde(bound = "", rename = "pentarchy tokens")]
struct Data<F: Face> {
    /// The tokens of each zone from top to bottom.
    zones: Vec<Vec<Token>>,
    /// For each token in a zone, ascending: who knows it, its back, its possible faces.
    known: Vec<Known>,
    backs: Vec<Back>,
    may: Vec<May>,
    /// The marked tokens, ascending.
    marked: Vec<Token>,
    /// Each group with its tokens and the sorted multiset of their faces.
    groups: Vec<(Vec<Token>, Vec<Name<F>>)>,
    /// The faces of public tokens, by ascending token.
    faces: Vec<(Token, Name<F>)>,
}

/// A set of faces: a hexadecimal number in readable formats, 16 bytes otherwise.
struct May(u128);

impl Serialize for May {
    /// Writes a hexadecimal number in readable formats, 16 bytes otherwise.
    ///
    /// # Errors
    ///
    /// Fails if the serializer does.
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() {
            s.collect_str(&format_args!("{:x}", self.0))
        } else {
            s.serialize_u128(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for May {
    /// Reads a hexadecimal number in readable formats, 16 bytes otherwise.
    ///
    /// # Errors
    ///
    /// Fails if the input is no such number.
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        if !d.is_human_readable() {
            return u128::deserialize(d).map(May);
        }
        let text = String::deserialize(d)?;
        u128::from_str_radix(&text, 16).map(May).map_err(D::Error::custom)
    }
}

/// A face: its word in readable formats, its number otherwise.
struct Name<F>(F);

impl<F: Face> Serialize for Name<F> {
    /// Writes the word of the face in readable formats, its number otherwise.
    ///
    /// # Errors
    ///
    /// Fails if the serializer does.
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() { s.collect_str(&self.0) } else { s.serialize_u8(self.0.index()) }
    }
}

impl<'de, F: Face> Deserialize<'de> for Name<F> {
    /// Reads the word of a face in readable formats, its number otherwise.
    ///
    /// # Errors
    ///
    /// Fails if the game has no such face.
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        if d.is_human_readable() {
            return String::deserialize(d)?.parse().map(Name).map_err(D::Error::custom);
        }
        let index = u8::deserialize(d)?;
        if usize::from(index) >= F::KINDS {
            return Err(D::Error::custom(format_args!("there is no face number {index}")));
        }
        Ok(Name(F::nth(index)))
    }
}

impl<F: Face, S: Size> Serialize for Tokens<F, S> {
    /// Writes the public knowledge about all tokens in canonical order; equal tables give equal bytes
    /// whatever the arrangement within groups.
    ///
    /// # Errors
    ///
    /// Fails if the serializer does.
    fn serialize<Ser: Serializer>(&self, serializer: Ser) -> Result<Ser::Ok, Ser::Error> {
        let mut groups: Vec<(u16, Vec<Token>, Vec<u8>)> = Vec::new();
        for t in self.all() {
            let (group, face) = (self.group[t.index()], self.face[t.index()]);
            if group == NONE {
                continue;
            }
            match groups.iter_mut().find(|(g, ..)| *g == group) {
                Some((_, members, faces)) => {
                    members.push(t);
                    faces.push(face);
                }
                None => groups.push((group, vec![t], vec![face])),
            }
        }
        let groups = groups.into_iter().map(|(_, members, mut faces)| {
            faces.sort_unstable();
            (members, faces.into_iter().map(|f| Name(F::nth(f))).collect())
        });
        let data = Data {
            zones: (0..S::ZONES).map(|z| self.iter(Zone(z as u8)).collect()).collect(),
            known: self.all().map(|t| self.known(t)).collect(),
            backs: self.all().map(|t| self.back(t)).collect(),
            may: self.all().map(|t| May(self.may[t.index()].wide())).collect(),
            marked: self.all().filter(|&t| self.is_marked(t)).collect(),
            groups: groups.collect(),
            faces: self.all().filter_map(|t| Some((t, Name(self.public_face(t)?)))).collect(),
        };
        data.serialize(serializer)
    }
}

impl<'de, F: Face, S: Size> Deserialize<'de> for Tokens<F, S> {
    /// Reads tokens and checks that their parts fit together.
    ///
    /// # Errors
    ///
    /// Fails if the parts contradict each other or do not fit the game.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Data::<F>::deserialize(deserializer)?.build().map_err(D::Error::custom)
    }
}

impl<F: Face> Data<F> {
    /// Builds the tokens from their serialised form. Possible faces beyond the kinds of the game are dropped.
    ///
    /// # Errors
    ///
    /// Fails with a sentence if the number of zones or entries does not fit the game, a token lies in two
    /// zones or is named without lying in one, a group has no tokens, a public or shared token or a wrong
    /// number of faces, or `faces` does not list exactly the public tokens with possible faces.
    fn build<S: Size>(self) -> Result<Tokens<F, S>, String> {
        let mut tokens = Tokens::<F, S>::new();
        if self.zones.len() != S::ZONES {
            return Err(format!("there must be {} zones, not {}", S::ZONES, self.zones.len()));
        }
        for (z, zone) in self.zones.into_iter().enumerate() {
            for t in zone {
                if t.index() >= S::TOKENS || tokens.zone(t) != Zone::NOWHERE {
                    return Err(format!("{t} is no token or lies in two places"));
                }
                tokens.put(t, Zone(z as u8));
            }
        }
        let all: Vec<Token> = tokens.all().collect();
        if [self.known.len(), self.backs.len(), self.may.len()] != [all.len(); 3] {
            return Err(format!("`known`, `backs` and `may` must have {} entries each", all.len()));
        }
        for (i, t) in all.iter().map(|t| t.index()).enumerate() {
            tokens.known[t] = self.known[i];
            tokens.back[t] = self.backs[i];
            tokens.may[t] = F::Bits::narrow(self.may[i].0).and(F::Bits::below(F::KINDS));
        }
        let exists = |t: Token| if all.contains(&t) { Ok(t) } else { Err(format!("{t} lies nowhere")) };
        for t in self.marked {
            tokens.mark(exists(t)?);
        }
        // Groups are disjoint and not empty, so there are at most as many as tokens, and no name is `NONE`.
        for (name, (members, faces)) in (0_u16..NONE).zip(self.groups) {
            if members.is_empty() {
                return Err(format!("group {name} has no tokens"));
            }
            if members.len() != faces.len() {
                return Err(format!("group {name} has {} tokens and {} faces", members.len(), faces.len()));
            }
            for (t, Name(face)) in members.into_iter().zip(faces) {
                if tokens.is_public(exists(t)?) {
                    return Err(format!("{t} is public and in a group"));
                }
                if tokens.group[t.index()] != NONE {
                    return Err(format!("{t} is in two groups"));
                }
                tokens.group[t.index()] = name;
                tokens.groups = name + 1;
                tokens.face[t.index()] = face.index();
            }
        }
        let public: Vec<Token> = all.iter().copied().filter(|&t| tokens.is_public(t)).collect();
        if !self.faces.iter().map(|&(t, _)| t).eq(public) {
            return Err("`faces` must tell the faces of the public tokens and of no other".to_string());
        }
        for (t, Name(face)) in self.faces {
            if !tokens.may(t).has(face) {
                return Err(format!("{t} is {face} and may not be"));
            }
            tokens.face[t.index()] = face.index();
        }
        Ok(tokens)
    }
}
