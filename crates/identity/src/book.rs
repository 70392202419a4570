//! The address book: whom the player of this device has met, under which name, and at which tables. It holds
//! public keys only, and it never leaves the device by itself.

use crate::name::short_name;
use serde::{Deserialize, Serialize};

/// Upper bound on entries. For one more, the entry that was not met for longest is removed, cheaters last.
const MAX_CONTACTS: usize = 2_000;
/// Upper bound on tables that an entry counts.
const MAX_TABLES: usize = 1_000;
/// Version of the stored format.
const VERSION: u32 = 1;

/// All players whom this device has met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressBook {
    /// Version of the stored format.
    version: u32,
    /// At most [`MAX_CONTACTS`] entries, one per key, in no order.
    contacts: Vec<Contact>,
}

impl Default for AddressBook {
    /// Returns an empty address book of the current version.
    fn default() -> Self {
        Self { version: VERSION, contacts: Vec::new() }
    }
}

/// A player whom this device has met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// The public key.
    pub key: [u8; 32],
    /// The name that the player used last.
    pub name: String,
    /// The tables at which they played together.
    pub tables: Vec<String>,
    /// When they last met, in milliseconds since 1970.
    pub last_ms: u64,
    /// Valid evidence against this identity.
    pub cheated: Option<CheatMark>,
}

/// Evidence against an identity that this device has checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheatMark {
    /// When the evidence was seen, in milliseconds since 1970.
    pub when_ms: u64,
    /// What it proves, in words.
    pub what: String,
}

/// What the address book knows about a player at the table.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Standing {
    /// At how many tables they have played together before, this one not counted.
    pub tables: usize,
    /// The name that the same identity used before, if it was another one.
    pub former_name: Option<String>,
    /// The short name of another identity that used this name before.
    pub namesake: Option<String>,
    /// Evidence of cheating.
    pub cheated: Option<CheatMark>,
}

/// Why a stored address book cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum AddressBookError {
    /// It is not what was stored.
    #[error("the address book is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
    /// It was written by a newer version of the program.
    #[error("the address book has version {0}, and this program reads version {VERSION}: update the program")]
    UnknownVersion(u32),
}

impl AddressBook {
    /// Reads what [`AddressBook::to_json`] wrote. The bounds on contacts and tables are not checked.
    ///
    /// # Errors
    ///
    /// Fails with `Damaged` if the text is no address book, and with `UnknownVersion` if its version is
    /// another one than this program writes.
    pub fn from_json(text: &str) -> Result<Self, AddressBookError> {
        /// What every version of the format begins with.
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        match serde_json::from_str::<Head>(text)?.version {
            VERSION => Ok(serde_json::from_str(text)?),
            other => Err(AddressBookError::UnknownVersion(other)),
        }
    }

    /// Encodes the address book as JSON for storage.
    ///
    /// # Errors
    ///
    /// Fails if the serializer does, for which there is no known reason.
    pub fn to_json(&self) -> Result<String, AddressBookError> {
        Ok(serde_json::to_string(self)?)
    }

    /// Returns all contacts, in no order.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// Compares a player who sits at `table` under `name` with the address book: earlier tables (this one not
    /// counted), a former name, a namesake, a mark as a cheater. A former name differs in any character; a
    /// namesake's name differs at most in case and spaces. Of several namesakes it names the one met at most
    /// tables. A player who keeps the name of their entry has no namesake, and an empty name has neither a
    /// former name nor a namesake. For a player who was never met only the namesake can be set. Changes
    /// nothing.
    pub fn assess(&self, key: &[u8; 32], name: &str, table: &str) -> Standing {
        let known = self.contacts.iter().find(|contact| contact.key == *key);
        let named = !folded(name).is_empty();
        let former_name = known
            .filter(|contact| named && !contact.name.is_empty() && contact.name != name)
            .map(|contact| contact.name.clone());
        let same_name = |contact: &&Contact| contact.key != *key && folded(&contact.name) == folded(name);
        // Somebody who keeps their name is not suspected because a stranger has taken it, too.
        let is_old = known.is_some_and(|contact| folded(&contact.name) == folded(name));
        let namesake = self.contacts.iter().filter(|_| named && !is_old).filter(same_name);
        Standing {
            tables: known.map_or(0, |contact| contact.tables.iter().filter(|other| *other != table).count()),
            former_name,
            namesake: namesake
                .max_by_key(|contact| contact.tables.len())
                .map(|contact| short_name(&contact.key)),
            cheated: known.and_then(|contact| contact.cheated.clone()),
        }
    }

    /// Records that the player sits at a table whose match has begun: creates or updates the entry with the
    /// time and, if it is not empty, the name. Counts a table once. At most 1,000 tables of a player are
    /// kept; later ones are not counted. If the book is full, the contact not met for longest is removed for
    /// a new entry, cheaters last.
    pub fn meet(&mut self, key: &[u8; 32], name: &str, table: &str, now_ms: u64) {
        let contact = self.update_contact(key, name, now_ms);
        if !contact.tables.iter().any(|other| other == table) && contact.tables.len() < MAX_TABLES {
            contact.tables.push(table.to_owned());
        }
    }

    /// Marks an identity as a cheater; creates or updates the entry with the time and, if it is not empty,
    /// the name. `what` says in words what the evidence proves, which the caller must have judged. If the
    /// identity is marked already, the first mark stays. If the book is full, the contact not met for longest
    /// is removed for a new entry, cheaters last.
    pub fn mark_cheat(&mut self, key: &[u8; 32], name: &str, what: &str, now_ms: u64) {
        let contact = self.update_contact(key, name, now_ms);
        contact.cheated.get_or_insert_with(|| CheatMark { when_ms: now_ms, what: what.to_owned() });
    }

    /// Updates the entry of a player to the time and, if it is not empty, the name, and returns it. Creates
    /// the entry if there is none, for which another may be removed.
    fn update_contact(&mut self, key: &[u8; 32], name: &str, now_ms: u64) -> &mut Contact {
        let at = match self.contacts.iter().position(|contact| contact.key == *key) {
            Some(at) => at,
            None => {
                self.make_room();
                let (name, tables) = (String::new(), Vec::new());
                self.contacts.push(Contact { key: *key, name, tables, last_ms: 0, cheated: None });
                self.contacts.len() - 1
            }
        };
        let contact = &mut self.contacts[at];
        if !name.is_empty() {
            name.clone_into(&mut contact.name);
        }
        contact.last_ms = now_ms;
        contact
    }

    /// Makes room for one more contact if the book is full (2,000 contacts): removes the one that was not met
    /// for longest, contacts marked as cheaters last. Otherwise changes nothing.
    fn make_room(&mut self) {
        if self.contacts.len() >= MAX_CONTACTS {
            let oldest =
                self.contacts.iter().enumerate().min_by_key(|(_, c)| (c.cheated.is_some(), c.last_ms));
            if let Some(at) = oldest.map(|(at, _)| at) {
                self.contacts.swap_remove(at);
            }
        }
    }
}

/// Returns a name for comparison: in lower case, with single spaces. Empty if it has only spaces.
fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: [u8; 32] = [1; 32];
    const BOB: [u8; 32] = [2; 32];

    #[test]
    fn a_stranger_has_no_standing() {
        assert_eq!(AddressBook::default().assess(&ADA, "Ada", "t1"), Standing::default());
    }

    #[test]
    fn tables_are_counted_once_and_without_the_present_one() {
        let mut book = AddressBook::default();
        for table in ["t1", "t2", "t1", "t2", "t3"] {
            book.meet(&ADA, "Ada", table, 5);
        }
        assert_eq!(book.assess(&ADA, "Ada", "t3").tables, 2);
        assert_eq!(book.assess(&ADA, "Ada", "t4").tables, 3);
        assert_eq!(book.assess(&BOB, "Bob", "t3").tables, 0);
    }

    #[test]
    fn a_changed_name_of_a_known_identity_is_pointed_out() {
        let mut book = AddressBook::default();
        book.meet(&ADA, "Ada", "t1", 5);
        assert_eq!(book.assess(&ADA, "Eve", "t2").former_name.as_deref(), Some("Ada"));
        assert_eq!(book.assess(&ADA, "Ada", "t2").former_name, None);
        // A guest who has not chosen a name yet has not changed it.
        assert_eq!(book.assess(&ADA, "", "t2"), Standing { tables: 1, ..Standing::default() });
        book.meet(&ADA, "Eve", "t2", 6);
        assert_eq!(book.assess(&ADA, "Eve", "t3").former_name, None);
    }

    #[test]
    fn a_known_name_with_another_identity_is_pointed_out() {
        let mut book = AddressBook::default();
        book.meet(&ADA, "Ada", "t1", 5);
        for name in ["Ada", "ada", " ADA "] {
            assert_eq!(book.assess(&BOB, name, "t2").namesake, Some(short_name(&ADA)), "{name}");
        }
        assert_eq!(book.assess(&ADA, "Ada", "t2").namesake, None);
        assert_eq!(book.assess(&BOB, "Adam", "t2").namesake, None);
        assert_eq!(book.assess(&BOB, "", "t2").namesake, None);
        // The impostor does not make the first one suspect.
        book.meet(&BOB, "Ada", "t2", 6);
        assert_eq!(book.assess(&ADA, "Ada", "t3").namesake, None);
    }

    #[test]
    fn evidence_lasts_and_the_first_is_kept() {
        let mut book = AddressBook::default();
        book.mark_cheat(&ADA, "Ada", "a forged die", 100);
        book.mark_cheat(&ADA, "Ada", "something else", 200);
        book.meet(&ADA, "Anna", "t9", 300);
        let mark = CheatMark { when_ms: 100, what: "a forged die".into() };
        assert_eq!(book.assess(&ADA, "Anna", "t10").cheated, Some(mark));
        assert_eq!(book.assess(&BOB, "Bob", "t10").cheated, None);
    }

    #[test]
    fn the_book_is_bounded_and_keeps_cheats() {
        let mut book = AddressBook::default();
        book.mark_cheat(&[0; 32], "Mallory", "a forged die", 0);
        for i in 0..3_000u32 {
            let mut key = [9; 32];
            key[..4].copy_from_slice(&i.to_le_bytes());
            book.meet(&key, "Guest", "t", u64::from(i) + 1);
        }
        assert_eq!(book.contacts().len(), MAX_CONTACTS);
        assert!(book.assess(&[0; 32], "Mallory", "t").cheated.is_some());
        assert_eq!(book.contacts().iter().filter(|c| c.last_ms > 3_000 - 1_999).count(), MAX_CONTACTS - 1);
    }

    #[test]
    fn what_is_stored_is_read_again_and_other_texts_are_refused() {
        let mut book = AddressBook::default();
        book.meet(&ADA, "Ada", "t1", 5);
        book.mark_cheat(&BOB, "Bob", "a forged die", 7);
        let text = book.to_json().unwrap();
        assert_eq!(AddressBook::from_json(&text).unwrap(), book);
        assert!(matches!(AddressBook::from_json("{}"), Err(AddressBookError::Damaged(_))));
        assert!(matches!(AddressBook::from_json(&text[..30]), Err(AddressBookError::Damaged(_))));
        let newer = text.replacen("\"version\":1", "\"version\":2", 1);
        assert!(matches!(AddressBook::from_json(&newer), Err(AddressBookError::UnknownVersion(2))));
    }
}
