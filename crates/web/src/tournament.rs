//! Requests about tournaments that the identity of this browser signs (`docs/club.md`), and tables that are opened for
//! them.

use crate::boards;
use crate::club::{self, ClubRequestError, bytes_from_hex, from_hex, list, number, text};
use crate::online::{self, Order, identity};
use pentarchy_identity::{PlayerRequest, SeedShare, tournament_commitment, tournament_seed};
use pentarchy_net::{HostTag, Invite};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};

thread_local! {
    /// The identifier of the club, which signatures cover, when it was asked for.
    static CLUB: RefCell<String> = const { RefCell::new(String::new()) };
    /// The time of the last signature, in seconds since 1970.
    static LAST: Cell<u64> = const { Cell::new(0) };
}

/// Returns the time for the next signature, in seconds since 1970: later than the last one, because the club refuses copies.
fn next_time() -> u64 {
    let time = ((js_sys::Date::now() / 1000.0) as u64).max(LAST.get() + 1);
    LAST.set(time);
    time
}

/// Sends a request below `/api/club/tournaments` that the identity of this browser signs, and returns the JSON of the
/// response. Creates an identity if there is none. `Value::Null` is no body.
///
/// # Errors
///
/// Fails if there is no identity, the server does not answer, has no club, or rejects the request.
pub async fn signed(verb: &str, path: &str, body: &Value) -> Result<Value, ClubRequestError> {
    let key = identity::own().await.map_err(ClubRequestError::Rejected)?;
    if CLUB.with_borrow(String::is_empty) {
        let found = club::get_json("/tournaments?before=0").await?;
        CLUB.set(text(&found, "club"));
    }
    let identifier = CLUB.with_borrow(String::clone);
    let path = format!("/tournaments{path}");
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let whole = format!("/api/club{path}");
    let request =
        PlayerRequest { public_url: &identifier, method: verb, path: &whole, body: body.as_bytes() };
    club::authorized(verb, &path, &request.authorization(&key, next_time()), body.as_bytes()).await
}

/// Lets the player of this browser enter the tournament with this identifier, and returns the tournament.
///
/// # Errors
///
/// Fails as [`signed`] does.
pub async fn enter(id: &str, name: &str) -> Result<Value, ClubRequestError> {
    let share = club::to_hex(&online::draw_bytes());
    signed("PUT", &format!("/{id}/entry"), &json!({ "name": name, "share": share })).await
}

/// A table of a tournament at which the player of this browser has a seat.
#[derive(Clone, PartialEq, Debug)]
pub struct OwnTable {
    /// The number of the round, from 1.
    pub round: usize,
    /// The place of the table in the round, from 1.
    pub place: usize,
    /// The seat of the player, from 0.
    pub seat: u8,
    /// The table, as the club describes it.
    pub table: Value,
}

impl OwnTable {
    /// Finds the table without a result of the player with this number.
    pub fn find(tournament: &Value, player: usize) -> Option<Self> {
        let rounds = list(tournament, "rounds");
        let round = rounds.last()?;
        let tables = list(round, "tables").iter().enumerate();
        let mut own = tables.filter_map(|(place, table)| {
            let seat = list(table, "seats").iter().position(|other| other.as_u64() == Some(player as u64))?;
            let has_result = table.get("result").is_some_and(|result| !result.is_null());
            (!has_result).then(|| OwnTable {
                round: rounds.len(),
                place: place + 1,
                seat: seat as u8,
                table: table.clone(),
            })
        });
        own.next()
    }

    /// Returns the seat whose player has opened the table; `None` if nobody has.
    pub fn hosted_by(&self) -> Option<u8> {
        self.table.get("hosted_by").and_then(Value::as_u64).and_then(|seat| u8::try_from(seat).ok())
    }

    /// Returns the path of the table's link, after that of the tournaments.
    fn link_path(&self, id: &str) -> String {
        format!("/{id}/tables/{}/{}/link", self.round, self.place)
    }

    /// Opens the table with the terms of the tournament, posts its link for the others, and returns the link.
    ///
    /// # Errors
    ///
    /// Fails with sentences for the player if this page does not have the game, the table cannot be stored, or the club
    /// rejects the link.
    pub async fn open(&self, tournament: &Value, name: String) -> Result<String, String> {
        let game =
            boards::find(&text(tournament, "game")).map_err(|_| "This page does not have the game.")?;
        let tag = bytes_from_hex(&text(&self.table, "tag")).ok_or("The tournament cannot be read.")?;
        let seats = list(&self.table, "seats").len();
        let order = Order {
            game,
            name,
            seat: self.seat,
            others: vec![None; seats.saturating_sub(1)],
            options: tournament.get("options").cloned().unwrap_or_default(),
            listed: false,
            stall_ms: number(tournament, "stall_ms") as u32,
            takeover: false,
            at_once: true,
            tag: Some(tag),
        };
        let link = online::create_table(order).await?;
        let path = self.link_path(&text(tournament, "id"));
        match signed("PUT", &path, &json!({ "link": link })).await {
            Ok(_) => Ok(link),
            Err(why) => {
                if let Ok(invite) = link.parse::<Invite>() {
                    online::forget_table(&invite.table().to_string()).await;
                }
                Err(why.text())
            }
        }
    }

    /// Returns the link to the table that a player has opened.
    ///
    /// # Errors
    ///
    /// Fails with sentences for the player if the club rejects the request, there is no link, or it does not lead to a
    /// table of this server that the player who posted it hosts.
    pub async fn link(&self, tournament: &Value) -> Result<String, String> {
        let path = self.link_path(&text(tournament, "id"));
        let answer = signed("GET", &path, &Value::Null).await.map_err(|why| why.text())?;
        let link = text(&answer, "link");
        if link.is_empty() {
            return Err("Nobody has opened the table yet.".to_string());
        }
        // A player has written it: nothing but a table of this server and this player is opened.
        let player = list(&self.table, "seats").get(number(&answer, "seat") as usize).and_then(Value::as_u64);
        let player = player.and_then(|player| list(tournament, "players").get(player as usize));
        let host = player.and_then(|player| from_hex(&text(player, "identity"))).map(|key| HostTag::of(&key));
        match link.parse::<Invite>() {
            Ok(invite) if invite.server == online::server() && Some(invite.host) == host => Ok(link),
            _ => Err("The link that was posted does not lead to a table of that player at this server."
                .to_string()),
        }
    }
}

/// Checks the seed of a tournament that has started, and returns what was checked, as a sentence.
///
/// # Errors
///
/// Fails with a sentence if the hash of the server's share is not the one from the beginning, or the seed does not follow
/// from the shares.
pub fn check_seed(tournament: &Value) -> Result<String, String> {
    const UNREADABLE: &str = "The tournament cannot be read.";
    let bytes = |object: &Value, name: &str| bytes_from_hex::<32>(&text(object, name)).ok_or(UNREADABLE);
    let secret = bytes(tournament, "secret")?;
    if tournament_commitment(&secret) != bytes(tournament, "commitment")? {
        return Err(
            "The server’s share does not have the hash that was published at the beginning.".to_string()
        );
    }
    let players = list(tournament, "players");
    let shares = players
        .iter()
        .map(|player| Ok(SeedShare { identity: bytes(player, "identity")?, share: bytes(player, "share")? }))
        .collect::<Result<Vec<SeedShare>, &str>>()?;
    if tournament_seed(&secret, &bytes(tournament, "id")?, &shares) != bytes(tournament, "seed")? {
        return Err("The seed does not follow from the shares.".to_string());
    }
    Ok(format!(
        "Correct: the server’s share has the hash that was published before anybody entered, and the seed follows from it and from the shares of {} players.",
        shares.len()
    ))
}
