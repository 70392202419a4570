//! The file format in which a client stores a seat: numbered items, each with a checksum. It does no I/O, so that the
//! terminal client and the simulation use the same code.
//!
//! A record is a header and the item. The header has the length of the item, its number, the number of items that were
//! durable when it was written (four bytes each, little-endian), and the first eight bytes of a hash of these fields and
//! the item.
//!
//! After a crash of the machine, records that were not synced may be missing, truncated, zero, or garbage, in any order.
//! Nothing that depends on them was sent, so [`recover`] drops them. Durable items must never be dropped: a seat that
//! forgets what it has signed signs a second time, which proves that it cheated. So a file is rejected if an item is
//! damaged that a later record counts as durable.

/// Bytes of the header of a record.
const HEAD: usize = 20;
/// Maximum bytes of an item: a message of a session and what is stored around it.
pub const MAX_ITEM: usize = 4 << 20;

/// Returns the checksum of a record: the first 8 bytes of a hash of `head`, the encoded header fields before the
/// checksum (12 bytes), and the item.
fn checksum(head: &[u8], item: &[u8]) -> [u8; 8] {
    let mut hasher = blake3::Hasher::new_derive_key("pentarchy journal v2");
    hasher.update(head).update(item);
    let mut sum = [0; 8];
    sum.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    sum
}

/// Encodes the record of an item, to be appended to the file. `number` counts from 0 and must be the number
/// of items before it; the first `durable` items are known to be on the disk.
///
/// # Errors
///
/// Fails if the item is longer than [`MAX_ITEM`]: [`recover`] would take its record for a damaged one.
pub fn record(number: u32, durable: u32, item: &[u8]) -> Result<Vec<u8>, ItemTooLongError> {
    if item.len() > MAX_ITEM {
        return Err(ItemTooLongError { bytes: item.len() });
    }
    let mut bytes = Vec::with_capacity(HEAD + item.len());
    for field in [item.len() as u32, number, durable] {
        bytes.extend_from_slice(&field.to_le_bytes());
    }
    let sum = checksum(&bytes, item);
    bytes.extend_from_slice(&sum);
    bytes.extend_from_slice(item);
    Ok(bytes)
}

/// An item is longer than [`MAX_ITEM`] and cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes where an item has at most {MAX_ITEM}")]
pub struct ItemTooLongError {
    /// The length of the item.
    pub bytes: usize,
}

/// The contents of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredItems {
    /// The items, in order.
    pub items: Vec<Vec<u8>>,
    /// The bytes of their records. Everything after them was never durable and must be truncated.
    pub valid_bytes: usize,
}

/// A durable item is damaged. The file must not be used: its seat would sign a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("item {item} of the file is damaged, although it was safely written")]
pub struct SeatJournalError {
    /// The number of the item, from 0.
    pub item: usize,
}

struct ParsedRecord<'a> {
    number: u32,
    durable: u32,
    item: &'a [u8],
}

/// Parses the record at the start of `bytes`. Returns `None` if it is incomplete, its item is longer than
/// [`MAX_ITEM`], its checksum is wrong, or `plausible` returns `false` for its number and its durable count (in this
/// order). They are tested before the checksum, which is expensive.
fn parse(bytes: &[u8], plausible: impl Fn(u32, u32) -> bool) -> Option<ParsedRecord<'_>> {
    let (head, rest) = bytes.split_at_checked(HEAD)?;
    let field = |i: usize| head[4 * i..].first_chunk().map_or(0, |field| u32::from_le_bytes(*field));
    let (len, number, durable) = (field(0) as usize, field(1), field(2));
    let item = rest.get(..len).filter(|_| len <= MAX_ITEM && plausible(number, durable))?;
    (checksum(&head[..12], item) == head[12..]).then_some(ParsedRecord { number, durable, item })
}

/// Returns the items of a file with the content `bytes`, up to the first record that is missing or damaged.
/// Before you append, truncate the file to `valid_bytes`. An empty file has no items.
///
/// # Errors
///
/// Fails if a damaged or missing item was durable by what a later record says. Damage to the items of the
/// last sync is detected only if a later record was written.
pub fn recover(bytes: &[u8]) -> Result<RecoveredItems, SeatJournalError> {
    let (mut items, mut good) = (Vec::new(), 0);
    while let Some(found) = parse(&bytes[good..], |number, _| number as usize == items.len()) {
        good += HEAD + found.item.len();
        items.push(found.item.to_vec());
    }
    let lost = |found: &ParsedRecord<'_>| found.durable as usize > items.len();
    let later = |number: u32, durable: u32| number as usize >= items.len() && durable <= number;
    let mut rest = (good..bytes.len()).filter_map(|at| parse(&bytes[at..], later));
    if rest.any(|found| found.number as usize >= items.len() && lost(&found)) {
        return Err(SeatJournalError { item: items.len() });
    }
    Ok(RecoveredItems { items, valid_bytes: good })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six items; after the third and after the fifth everything was synced.
    fn file() -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let items: Vec<Vec<u8>> = (0..6u8).map(|i| vec![i; usize::from(i) * 7]).collect();
        let durable = [0, 0, 0, 3, 3, 5];
        let records = (0..).zip(&items).map(|(i, item)| record(i, durable[i as usize], item).unwrap());
        (items.clone(), records.collect())
    }

    #[test]
    fn items_round_trip_and_a_tail_that_was_never_durable_is_left_out() {
        let (items, records) = file();
        let whole = records.concat();
        assert_eq!(recover(&whole), Ok(RecoveredItems { items: items.clone(), valid_bytes: whole.len() }));
        let five = records[..5].concat();
        for cut in five.len()..whole.len() {
            assert_eq!(
                recover(&whole[..cut]),
                Ok(RecoveredItems { items: items[..5].to_vec(), valid_bytes: five.len() })
            );
        }
        for tail in [vec![0; 300], vec![0xff; 90], [&[0; 40], &records[5][..30]].concat()] {
            let read = recover(&[five.clone(), tail].concat());
            assert_eq!(read, Ok(RecoveredItems { items: items[..5].to_vec(), valid_bytes: five.len() }));
        }
        // The third of those that were not synced arrived, the second did not.
        let hole =
            [records[..3].concat(), vec![0; records[3].len()], record(4, 3, &items[4]).unwrap()].concat();
        assert_eq!(recover(&hole).map(|read| read.items.len()), Ok(3));
    }

    #[test]
    fn damage_to_a_durable_item_is_refused_wherever_it_is() {
        let (items, records) = file();
        let whole = records.concat();
        let durable = records[..5].concat().len();
        for at in 0..durable {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            let read = recover(&bytes);
            assert!(read.is_err(), "byte {at}: {read:?}");
        }
        assert_eq!(items.len(), 6);
    }

    #[test]
    fn an_item_is_recorded_exactly_if_it_can_be_recovered() {
        let longest = vec![7; MAX_ITEM];
        let file = record(0, 0, &longest).unwrap();
        assert_eq!(recover(&file).map(|read| read.items), Ok(vec![longest.clone()]));
        let too_long = [longest, vec![7]].concat();
        assert_eq!(record(0, 0, &too_long), Err(ItemTooLongError { bytes: MAX_ITEM + 1 }));
    }
}
