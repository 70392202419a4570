//! The changes of a tournament: entries, start, tables, results, and the next round.

use super::state::{
    EntryRequest, HostedLink, SignedRequest, StateResult, StateRound, StateTable, TournamentEntrant,
    TournamentState, TournamentSystem,
};
use super::{TournamentRound, group_round, round_robin, swiss_round};
use data_encoding::HEXLOWER;
use pentarchy_identity::{REQUEST_CLOCK_SKEW, RequestSigner};
use pentarchy_storage::club::ArchivedGame;
use pentarchy_storage::tournament::{TableTag, TournamentPhase};
use pentarchy_table::Descriptor;

/// Maximum number of players of a Swiss tournament.
pub(crate) const SWISS_PLAYERS: usize = 64;
/// Maximum number of players of a round robin.
pub(crate) const ROUND_ROBIN_PLAYERS: usize = 24;
/// Maximum bytes of a link.
const MAX_LINK: usize = 300;
/// Maximum number of withdrawals that are remembered.
const MAX_WITHDRAWN: usize = 256;

/// Why a tournament is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TournamentChangeError {
    /// This player may not do it.
    #[error("{0}")]
    Forbidden(&'static str),
    /// It is not possible now.
    #[error("{0}")]
    Conflict(&'static str),
    /// What was sent cannot be used.
    #[error("{0}")]
    Invalid(&'static str),
    /// There is no such table.
    #[error("{0}")]
    Missing(&'static str),
}

use TournamentChangeError::{Conflict, Forbidden, Invalid, Missing};

/// The result of a change.
type Change<T> = Result<T, TournamentChangeError>;

/// A request that is not later than an earlier one of its signer may be a copy of it.
const STALE: TournamentChangeError =
    Conflict("a request of this second or later is stored: sign the request again");

impl TournamentState {
    /// Returns the maximum number of players of the tournament's system: 24 for a round robin, 64 for the
    /// Swiss system.
    pub fn most_players(&self) -> usize {
        match self.terms.system {
            TournamentSystem::RoundRobin => ROUND_ROBIN_PLAYERS,
            TournamentSystem::Swiss => SWISS_PLAYERS,
        }
    }

    /// Returns the minimum number of players: as many as a table has seats, at least 2.
    pub fn least_players(&self) -> usize {
        usize::from(self.terms.seats).max(2)
    }

    /// Checks that the tournament is in this phase.
    ///
    /// # Errors
    ///
    /// Fails with `Conflict` and a sentence about the phase in which it is.
    fn check_phase(&self, phase: TournamentPhase) -> Change<()> {
        if self.phase == phase {
            return Ok(());
        }
        Err(Conflict(match self.phase {
            TournamentPhase::Open => "the tournament has not started",
            TournamentPhase::Running => "the tournament has started",
            TournamentPhase::Finished => "the tournament is over",
            TournamentPhase::Cancelled => "the tournament was cancelled",
        }))
    }

    /// Checks that the organiser has signed a request and that it is later than their last one, and stores
    /// its time as that of the last one. It stays stored if the change then fails for another reason; the
    /// caller must drop the state then.
    ///
    /// # Errors
    ///
    /// Fails if another identity has signed the request, or it is not later, so that it may be a copy.
    /// Nothing is changed then.
    fn check_organiser(&mut self, signer: &RequestSigner) -> Change<()> {
        if signer.identity != self.organiser {
            return Err(Forbidden("only the organiser can do this"));
        }
        if signer.time <= self.organiser_time {
            return Err(STALE);
        }
        self.organiser_time = signer.time;
        Ok(())
    }

    /// Adds a player at the time `now` (seconds since 1970), with the signed body `body` that `entry` was
    /// read from. Starts the tournament if that makes it complete, and returns the tags of its tables then;
    /// otherwise an empty list. The caller must have checked the name and the signature.
    ///
    /// # Errors
    ///
    /// Fails if the tournament is not open or full, the identity has entered, the share is malformed, or
    /// the request is not later than the player's last withdrawal. Nothing is changed then.
    pub fn enter(
        &mut self,
        signer: &RequestSigner,
        entry: EntryRequest,
        body: &[u8],
        now: u64,
    ) -> Change<Vec<TableTag>> {
        self.check_phase(TournamentPhase::Open)?;
        if self.player(&signer.identity).is_some() {
            return Err(Conflict("you have entered"));
        }
        let hex = HEXLOWER.encode(&signer.identity);
        if self.withdrawn.iter().any(|(identity, time)| *identity == hex && *time >= signer.time) {
            return Err(STALE);
        }
        if self.players.len() >= self.most_players() {
            return Err(Conflict("the tournament is full"));
        }
        let share = HEXLOWER.decode(entry.share.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
        let share: [u8; 32] = share.ok_or(Invalid("a share has 64 hexadecimal digits"))?;
        self.players.push(TournamentEntrant {
            identity: signer.identity,
            name: entry.name,
            share,
            signed: SignedRequest::new(signer, body),
        });
        match usize::from(self.terms.start_players) {
            players if players > 0 && self.players.len() >= players => Ok(self.begin(now)),
            _ => Ok(Vec::new()),
        }
    }

    /// Removes a player before the start, at the time `now` (seconds since 1970). Players after them move
    /// up by one number. The time of the request is remembered, so that a copy of the player's entry is
    /// refused.
    ///
    /// # Errors
    ///
    /// Fails if the tournament is not open, the identity has not entered, the request is not later than the
    /// entry, or too many players have withdrawn within the last minutes.
    pub fn withdraw(&mut self, signer: &RequestSigner, now: u64) -> Change<()> {
        self.check_phase(TournamentPhase::Open)?;
        let player = self.player(&signer.identity).ok_or(Conflict("you have not entered"))?;
        if self.players.get(player).is_some_and(|player| player.signed.time >= signer.time) {
            return Err(STALE);
        }
        // Older requests are refused because of their times.
        self.withdrawn.retain(|(_, time)| time + 2 * REQUEST_CLOCK_SKEW >= now);
        if self.withdrawn.len() >= MAX_WITHDRAWN {
            return Err(Conflict("too many players have withdrawn: try again in ten minutes"));
        }
        self.withdrawn.push((HEXLOWER.encode(&signer.identity), signer.time));
        self.players.remove(player);
        Ok(())
    }

    /// Starts the tournament for the organiser at the time `now` (seconds since 1970): draws the first
    /// round, and returns the tags of its tables.
    ///
    /// # Errors
    ///
    /// Fails if the request is not of the organiser or a copy of an earlier one, the tournament is not
    /// open, or there are not enough players for a table.
    pub fn start(&mut self, signer: &RequestSigner, now: u64) -> Change<Vec<TableTag>> {
        self.check_organiser(signer)?;
        self.check_phase(TournamentPhase::Open)?;
        if self.players.len() < self.least_players() {
            return Err(Conflict("there are not enough players for a table"));
        }
        Ok(self.begin(now))
    }

    /// Cancels a tournament for the organiser that is open or running. Entries, rounds and results stay;
    /// the links to tables are removed.
    ///
    /// # Errors
    ///
    /// Fails if the request is not of the organiser or a copy of an earlier one, or the tournament is over.
    pub fn cancel(&mut self, signer: &RequestSigner) -> Change<()> {
        self.check_organiser(signer)?;
        if self.phase != TournamentPhase::Open {
            self.check_phase(TournamentPhase::Running)?;
        }
        self.phase = TournamentPhase::Cancelled;
        self.rounds.iter_mut().flat_map(|round| &mut round.tables).for_each(|table| table.link = None);
        Ok(())
    }

    /// Makes the tournament running, forgets who has withdrawn, draws the first round, and returns the tags
    /// of its tables. Checks nothing.
    fn begin(&mut self, now: u64) -> Vec<TableTag> {
        self.phase = TournamentPhase::Running;
        self.withdrawn.clear();
        self.draw_round(now)
    }

    /// Draws the next round, which begins at the time `now`, and returns the tags of its tables. Finishes
    /// the tournament instead, and returns no tags, if all rounds were played, or if at tables of two no
    /// pairing is left that was not played. The caller must have checked that the last round is over.
    fn draw_round(&mut self, now: u64) -> Vec<TableTag> {
        let (number, players, seed) = (self.rounds.len(), self.players.len(), self.seed());
        let seats = usize::from(self.terms.seats);
        let drawn: Option<TournamentRound> = match self.terms.system {
            _ if number >= self.planned_rounds() => None,
            TournamentSystem::RoundRobin => round_robin(players, &seed).into_iter().nth(number),
            TournamentSystem::Swiss if seats == 2 => swiss_round(players, &self.played_rounds(), &seed).ok(),
            TournamentSystem::Swiss => Some(group_round(players, seats, &self.played_rounds(), &seed)),
        };
        let Some(drawn) = drawn else {
            self.phase = TournamentPhase::Finished;
            return Vec::new();
        };
        let tables = drawn.tables.into_iter().enumerate();
        let tables: Vec<StateTable> = tables
            .map(|(place, pairing)| StateTable {
                seats: pairing.seats,
                tag: table_tag(&seed, number, place),
                link: None,
                result: None,
            })
            .collect();
        let tags = tables.iter().map(|table| table.tag).collect();
        self.rounds.push(StateRound { started: now, tables, byes: drawn.byes });
        tags
    }

    /// Returns the table of this round and place, both counted from 1, to be changed.
    ///
    /// # Errors
    ///
    /// Fails with `Missing` if there is none.
    fn table_mut(&mut self, round: usize, place: usize) -> Change<&mut StateTable> {
        let round = round.checked_sub(1).and_then(|round| self.rounds.get_mut(round));
        let table = round.and_then(|round| round.tables.get_mut(place.checked_sub(1)?));
        table.ok_or(Missing("there is no such table"))
    }

    /// Returns the seat (from 0) of the player with this identity at a table, and the table. `round` and
    /// `place` count from 1.
    ///
    /// # Errors
    ///
    /// Fails if there is no such table, or the identity does not play at it.
    fn own_table(
        &mut self,
        identity: &[u8; 32],
        round: usize,
        place: usize,
    ) -> Change<(u8, &mut StateTable)> {
        let player = self.player(identity);
        let table = self.table_mut(round, place)?;
        let seat = table.seats.iter().position(|other| Some(*other) == player);
        let seat = seat.and_then(|seat| u8::try_from(seat).ok());
        Ok((seat.ok_or(Forbidden("only the players of this table can do this"))?, table))
    }

    /// Stores the link to a table that one of its players has opened, in place of an earlier one. `round`
    /// and `place` of the table count from 1. The link is at most 300 bytes of printable ASCII that begins
    /// with `http` and contains `/t/`; its host is not checked.
    ///
    /// # Errors
    ///
    /// Fails if the tournament is not running, there is no such table, the identity does not play at it, it
    /// has a result, the text is no link, or the stored link is not older than this request.
    pub fn host_link(
        &mut self,
        signer: &RequestSigner,
        round: usize,
        place: usize,
        link: String,
    ) -> Change<()> {
        self.check_phase(TournamentPhase::Running)?;
        let (seat, table) = self.own_table(&signer.identity, round, place)?;
        if table.result.is_some() {
            return Err(Conflict("the table has a result"));
        }
        let is_link = link.len() <= MAX_LINK
            && link.bytes().all(|byte| byte.is_ascii_graphic())
            && link.starts_with("http")
            && link.contains("/t/");
        if !is_link {
            return Err(Invalid("this is not the link to a table"));
        }
        if table.link.as_ref().is_some_and(|stored| stored.time >= signer.time) {
            return Err(STALE);
        }
        table.link = Some(HostedLink { link, seat, time: signer.time });
        Ok(())
    }

    /// Returns the link to a table for one of its players; `None` if nobody has posted it, or the table has
    /// a result. `round` and `place` count from 1. Changes nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no such table, or the identity does not play at it.
    pub fn link_for(
        &mut self,
        identity: &[u8; 32],
        round: usize,
        place: usize,
    ) -> Change<Option<HostedLink>> {
        Ok(self.own_table(identity, round, place)?.1.link.clone())
    }

    /// Declares for the organiser that the seats `absent` (from 0) of a table were absent: all others have
    /// beaten them, and share the first place. `round` and `place` of the table count from 1. `body` is the
    /// signed body, which is stored with the result. Draws the next round, which begins at the time `now`,
    /// if this was the last result of the round, and returns the tags of its tables; otherwise an empty
    /// list.
    ///
    /// # Errors
    ///
    /// Fails if the request is not of the organiser or a copy of an earlier one, the tournament is not
    /// running, there is no such table, it has a result, or `absent` is empty or names a seat twice or one
    /// that does not exist.
    pub fn forfeit(
        &mut self,
        signer: &RequestSigner,
        round: usize,
        place: usize,
        absent: &[usize],
        body: &[u8],
        now: u64,
    ) -> Change<Vec<TableTag>> {
        self.check_organiser(signer)?;
        self.check_phase(TournamentPhase::Running)?;
        let table = self.table_mut(round, place)?;
        if table.result.is_some() {
            return Err(Conflict("the table has a result"));
        }
        let mut ranks = vec![1; table.seats.len()];
        for seat in absent {
            match ranks.get_mut(*seat) {
                Some(rank @ 1) => *rank = 0,
                _ => return Err(Invalid("name each absent seat once, from 0")),
            }
        }
        if absent.is_empty() {
            return Err(Invalid("name the absent seats, from 0"));
        }
        let forfeit = Some(SignedRequest::new(signer, body));
        table.result = Some(StateResult { ranks, game: None, forfeit });
        table.link = None;
        Ok(self.go_on(now))
    }

    /// Enters the result of an archived game, whose verified record has this descriptor, at the table whose
    /// tag it carries. Draws the next round, which begins at the time `now`, if this was the last result of
    /// the round. Returns the tags of its tables, empty without a new round; `None` if nothing has changed,
    /// because the game was entered before.
    ///
    /// # Errors
    ///
    /// Fails if no table has the tag, the tournament is not running, the game is not rated, game, options,
    /// time limit or players (in the order of seats) differ from those of the table, or the table has
    /// another result.
    pub fn enter_result(
        &mut self,
        descriptor: &Descriptor,
        game: &ArchivedGame,
        now: u64,
    ) -> Change<Option<Vec<TableTag>>> {
        let tag = descriptor.tag();
        let terms = self.terms.clone();
        let players: Vec<[u8; 32]> = self.players.iter().map(|player| player.identity).collect();
        let running = self.check_phase(TournamentPhase::Running);
        let mut tables = self.rounds.iter_mut().flat_map(|round| &mut round.tables);
        let table = tables.find(|table| table.tag == tag).ok_or(Missing("there is no such table"))?;
        let id = HEXLOWER.encode(&game.id);
        match &table.result {
            Some(StateResult { game: Some(entered), .. }) if *entered == id => return Ok(None),
            Some(_) => return Err(Conflict("the table has another result")),
            None => running?,
        }
        if descriptor.game != terms.game || descriptor.options != terms.options {
            return Err(Conflict("the game or its options are not those of the tournament"));
        }
        if descriptor.stall_ms != terms.stall_ms {
            return Err(Conflict("the time per move is not that of the tournament"));
        }
        let seats = table.seats.iter().map(|player| players.get(*player).copied());
        if !seats.eq(game.seats.iter().map(|seat| Some(seat.identity))) {
            return Err(Conflict("the players are not those of the table, in the order of its seats"));
        }
        if !game.unrated.is_empty() {
            return Err(Conflict("the game was not played to its end by its players: the organiser decides"));
        }
        let ranks = game.seats.iter().map(|seat| seat.rank).collect();
        table.result = Some(StateResult { ranks, game: Some(id), forfeit: None });
        table.link = None;
        Ok(Some(self.go_on(now)))
    }

    /// Draws the next round if all tables of the last one have a result, and returns the tags of its
    /// tables; an empty list if it is not over, or if the tournament ends.
    fn go_on(&mut self, now: u64) -> Vec<TableTag> {
        match self.rounds.last().is_some_and(StateRound::is_over) {
            true => self.draw_round(now),
            false => Vec::new(),
        }
    }
}

/// Derives the tag of a table from the seed of the tournament: nobody knows it before the seed is public. `round` and
/// `place` are from 0.
fn table_tag(seed: &[u8; 32], round: usize, place: usize) -> TableTag {
    let mut hash = blake3::Hasher::new_derive_key("pentarchy tournament table v1");
    hash.update(seed).update(&(round as u64).to_le_bytes()).update(&(place as u64).to_le_bytes());
    let mut tag = TableTag::default();
    hash.finalize_xof().fill(&mut tag);
    tag
}
