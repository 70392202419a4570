//! The whole archive as one download.

use super::Club;
use super::games::file_name;
use super::responses::{ClubError, ClubResult, file_response};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use futures_util::stream;
use pentarchy_storage::StorageError;
use pentarchy_storage::club::{ArchivedGame, ClubStorage as _};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// Bytes of a block of a tar file.
const BLOCK: usize = 512;

/// A download in progress.
struct Download {
    club: Club,
    /// The number of the last game that was sent; `None` after the end.
    after: Option<u64>,
    _permit: OwnedSemaphorePermit,
}

impl Download {
    /// Returns the next part of the file, and the download that continues after it: the record after the
    /// last one sent as a tar entry, or the end of the file (two blocks of zeros) if there is none. `None`
    /// once the end was returned. Records that are archived during the download are included.
    ///
    /// # Errors
    ///
    /// Fails if the storage does.
    async fn next_part(mut self) -> Result<Option<(Bytes, Self)>, StorageError> {
        let Some(after) = self.after else { return Ok(None) };
        let part = match self.club.storage.next_record(after).await? {
            Some((game, record)) => {
                self.after = Some(game.number);
                tar_entry(&game, &record)
            }
            None => {
                self.after = None;
                vec![0; 2 * BLOCK]
            }
        };
        Ok(Some((Bytes::from(part), self)))
    }
}

/// Answers `GET /api/club/archive` with all signed records in one tar file, in the order in which they were archived.
/// It is read from the storage while it is sent. If the storage fails, the file breaks off.
///
/// # Errors
///
/// Fails with 503 if [`ClubLimits::downloads`](super::ClubLimits) such downloads are in progress. A download counts
/// until its file is sent or the client is gone.
pub(super) async fn download(State(club): State<Club>) -> ClubResult {
    let busy =
        |_| ClubError::new(StatusCode::SERVICE_UNAVAILABLE, "others download the archive: try again later");
    let permit = Arc::clone(&club.downloads).try_acquire_owned().map_err(busy)?;
    let parts = stream::try_unfold(Download { club, after: Some(0), _permit: permit }, Download::next_part);
    Ok(file_response(Body::from_stream(parts), "application/x-tar", "archive.tar"))
}

/// Returns a record as an entry of a tar file (POSIX ustar): header, contents, and zeros up to a whole block. The
/// entry has the name that [`file_name`] gives to the game, is readable by all, and is dated at its publication
/// (seconds modulo 2³³).
fn tar_entry(game: &ArchivedGame, record: &[u8]) -> Vec<u8> {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, &file_name(game));
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{:011o}", record.len()));
    put(136, &format!("{:011o}", game.published & 0o777_7777_7777));
    // The checksum counts itself as spaces.
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\0");
    put(263, "00");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    let mut entry = header.to_vec();
    entry.extend_from_slice(record);
    entry.resize(entry.len().next_multiple_of(BLOCK), 0);
    entry
}
