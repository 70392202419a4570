//! Profiles in a database.

use crate::club::{CLUB_PAGE, ClubProfile, PlayerKey};
use crate::sql::{SqlConnection, SqlRow, SqlTransaction, values};

/// Returns a name as it is compared: the bytes of its Unicode lower case.
fn folded(name: &str) -> Vec<u8> {
    name.to_lowercase().into_bytes()
}

/// Converts a row with the columns identity, name, time and signature to a profile.
///
/// # Errors
///
/// Fails with a decoding error if a column has another type or length.
fn from_row(row: &SqlRow) -> Result<ClubProfile, sqlx::Error> {
    Ok(ClubProfile {
        identity: row.array(0)?,
        name: row.text(1)?,
        signed_at: row.unsigned(2)?,
        signature: row.array(3)?,
    })
}

/// Stores a profile, in place of an earlier one, unless one with the same or a later time is stored. Returns whether it
/// is the player's profile now; `true` also if exactly this one was stored before. The caller must commit.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn put(write: &mut SqlTransaction, profile: ClubProfile) -> Result<bool, sqlx::Error> {
    let old = get(write, &profile.identity).await?;
    if let Some(old) = &old
        && (old.signed_at >= profile.signed_at)
    {
        return Ok(*old == profile);
    }
    let ClubProfile { identity, name, signed_at, signature } = &profile;
    let change = if old.is_some() {
        "UPDATE club_profiles SET name = $2, folded = $3, signed_at = $4, signature = $5 WHERE identity = $1"
    } else {
        "INSERT INTO club_profiles (identity, name, folded, signed_at, signature) VALUES ($1, $2, $3, $4, $5)"
    };
    write.execute(change, values![identity, name.as_str(), &folded(name)[..], *signed_at, signature]).await?;
    Ok(true)
}

/// Reads the profile of a player; `None` if there is none.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn get(
    read: &mut SqlConnection,
    identity: &PlayerKey,
) -> Result<Option<ClubProfile>, sqlx::Error> {
    let find = "SELECT identity, name, signed_at, signature FROM club_profiles WHERE identity = $1";
    read.row(find, values![identity]).await?.map(|row| from_row(&row)).transpose()
}

/// Reads the profiles whose names begin like this in lower case, in the order of those names, then of the keys; at most
/// [`CLUB_PAGE`]. All profiles for an empty name.
///
/// # Errors
///
/// Fails if the database does.
pub(super) async fn find(read: &mut SqlConnection, name: &str) -> Result<Vec<ClubProfile>, sqlx::Error> {
    let from = folded(name);
    // No byte of UTF-8 is as large: every name that begins like this is smaller.
    let to = [&from[..], &[0xff]].concat();
    let find = "SELECT identity, name, signed_at, signature FROM club_profiles
        WHERE folded >= $1 AND folded < $2 ORDER BY folded, identity LIMIT $3";
    let rows = read.rows(find, values![&from[..], &to[..], CLUB_PAGE]).await?;
    rows.iter().map(from_row).collect()
}
