//! Creates tables, and opens them by their links.

use super::browser::{self, HostPlan, StoredBot, StoredTable};
use super::show::ShowState;
use super::{Input, Me, Online, PeerState, Stage, identity};
use crate::app::{App, NAMES, Screen};
use crate::boards::{self, GameListing};
use crate::play::PlayerKind;
use crate::{clock, page, store};
use leptos::prelude::*;
use pentarchy_engine::AnyGame;
use pentarchy_identity::IdentityKey;
use pentarchy_keys::{Entropy, SigningSecret};
use pentarchy_lobby::{
    HostedBot, ListingAnnouncer, Lobby, SeatRequest, SecretBytes, TableSetup, TurnAnnouncer,
};
use pentarchy_net::{BrowserTransport, HostTag, Invite, InviteError, InviteKey, OwnerSecret, StunServer};
use pentarchy_table::Recovery;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen_futures::spawn_local;

/// Interval between two ticks, in milliseconds.
const TICK: i32 = 100;
/// Maximum time that one tick can add. A longer gap means that the machine slept, and sleep is not counted as
/// silence.
const LONGEST_TICK: f64 = 1_000.0;

/// The set-up of a new table.
pub struct Order {
    /// The game.
    pub game: &'static GameListing,
    /// The host's name.
    pub name: String,
    /// The host's seat.
    pub seat: u8,
    /// For each seat but the host's, its bot, or `None` for a person.
    pub others: Vec<Option<PlayerKind>>,
    /// The options that differ from the defaults.
    pub options: Value,
    /// Whether the server lists the table publicly.
    pub listed: bool,
    /// Silence after which a seat counts as late, in milliseconds.
    pub stall_ms: u32,
    /// Whether a bot takes the seat of a player who left; else the match ends.
    pub takeover: bool,
    /// Whether the match starts automatically when all seats are taken and ready.
    pub at_once: bool,
    /// The tag of a table of a tournament, which the record of the match will carry.
    pub tag: Option<[u8; 16]>,
}

/// A table of the server's public list.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct PublicTable {
    /// Its id.
    pub id: String,
    /// Name of the game.
    pub game: String,
    /// Name of the host.
    pub host: String,
    /// Number of seats.
    pub seats: u8,
    /// Number of taken seats.
    pub taken: u8,
    /// The fragment of its invitation link.
    pub key: String,
}

/// Returns the tables of the server's public list, the newest first; none if it cannot be reached or its
/// reply cannot be parsed.
pub async fn open_tables() -> Vec<PublicTable> {
    #[derive(Deserialize)]
    struct TablesReply {
        tables: Vec<PublicTable>,
    }
    let text = browser::fetch_from_server("/api/tables").await.unwrap_or_default();
    serde_json::from_str::<TablesReply>(&text).map_or_else(|_| Vec::new(), |answer| answer.tables)
}

/// Requests the STUN servers that the operator has configured, at most [`StunServer::MAX`]. Returns an empty
/// list if the server does not respond; connections between networks go through the relay then.
async fn stun_servers() -> Vec<StunServer> {
    #[derive(Deserialize)]
    struct IceReply {
        servers: Vec<StunServer>,
    }
    let text = browser::fetch_from_server("/api/ice").await.unwrap_or_default();
    let mut servers =
        serde_json::from_str::<IceReply>(&text).map_or_else(|_| Vec::new(), |answer| answer.servers);
    servers.truncate(StunServer::MAX);
    servers
}

/// Returns the game of this name for calls without its types; `None` if the page has no board for it.
pub(super) fn find_game(name: &str) -> Option<&'static dyn AnyGame> {
    boards::find(name).ok().map(|game| game.any)
}

/// Creates a table with fresh keys, stores it in this browser, and returns its link. Nothing is sent to the
/// server: the table begins to exist there when its page is opened. Also stores the player's name. Not
/// checked: that the host's seat is one of the seats.
///
/// # Errors
///
/// Fails with a text for the player if the page does not have the game, the game rejects the options, or the
/// identity or the table cannot be stored.
pub async fn create_table(order: Order) -> Result<String, String> {
    let (identity, owner) = (identity::own().await?, OwnerSecret::new(browser::draw_bytes()));
    let mut key = [0; 16];
    key.copy_from_slice(&browser::draw_bytes()[..16]);
    let invite = Invite {
        server: browser::server(),
        key: InviteKey(key),
        owner: owner.tag(),
        host: HostTag::of(&identity.public()),
    };
    let seats = order.others.len() as u8 + 1;
    let any = find_game(order.game.info.name).ok_or("This server does not have the game.")?;
    any.options(seats, &order.options, &[]).map_err(|e| e.to_string())?;
    let bots = (0..seats).filter(|seat| *seat != order.seat).zip(&order.others);
    let bots = bots.filter_map(|(seat, who)| Some(new_bot(seat, (*who)?)));
    let kept = StoredTable {
        name: order.name,
        wish: SeatRequest::Sit { seat: Some(order.seat), ready: true },
        hosted: Some(HostPlan {
            game: order.game.info.name.to_owned(),
            seats,
            options: order.options,
            bots: bots.collect(),
            owner: owner.proof(&invite.key).to_text(),
            listed: order.listed,
            stall_ms: order.stall_ms,
            takeover: order.takeover,
            at_once: order.at_once,
            tag: order.tag,
        }),
        game: order.game.info.name.to_owned(),
        ..StoredTable::new(&invite, &identity)
    };
    super::remember_name(&kept.name);
    browser::put_table(&kept).await?;
    Ok(kept.link)
}

/// Creates a bot of this kind with fresh keys for a seat of a new table. Its name follows from the seat.
pub(super) fn new_bot(seat: u8, who: PlayerKind) -> StoredBot {
    let name = NAMES[(usize::from(seat) + 5) % 6].to_owned();
    StoredBot {
        seat,
        name,
        level: who.level(),
        identity: browser::draw_secret(),
        seed: browser::draw_secret(),
    }
}

impl StoredTable {
    /// Creates the entry of a guest of this invitation without a seat, who will sit down as `identity`; with
    /// a fresh seed and the last used name. It is not stored.
    pub(super) fn new(invite: &Invite, identity: &IdentityKey) -> Self {
        StoredTable {
            id: invite.table().to_string(),
            link: invite.to_string(),
            name: super::own_name(),
            identity: SecretBytes::new(*identity.secret_bytes()),
            seed: browser::draw_secret(),
            wish: SeatRequest::Watch,
            confirmed: None,
            hosted: None,
            game: String::new(),
            players: Vec::new(),
            seat: None,
            over: false,
            when: js_sys::Date::now(),
            round: String::new(),
            my_turn: false,
            since: 0.0,
            due_by: 0.0,
            events: 0,
            awaited: Vec::new(),
            ended: String::new(),
            seen: Vec::new(),
            levels: Vec::new(),
            generation: None,
        }
    }
}

/// Returns the invitation in the page's address, or why it is not valid; `None` if the page was not opened by
/// one.
pub fn invitation() -> Option<Result<Invite, InviteError>> {
    page::is_at_table().then(|| browser::href().parse())
}

impl Online {
    /// Opens the table of an invitation in this page, in the background. Resumes it if this browser knows it,
    /// otherwise joins as a guest. Sets the stage to `Elsewhere` if another tab has it open, to `Lost` if
    /// another tab takes it over meanwhile, and to `Failed` after an error.
    pub fn open_table(self, app: App, invite: Invite) {
        super::pump::set_app(app);
        self.stage.set(Stage::Opening);
        self.link.set(invite.to_string());
        app.page.set(Screen::Waiting);
        spawn_local(async move {
            if store::is_elsewhere(&invite.table().to_string()).await {
                return self.stage.set(Stage::Elsewhere);
            }
            match self.connect_to_table(invite).await {
                Ok(()) => {}
                Err(what) if what == browser::STALE => self.stop_tab(),
                Err(what) => self.stage.set(Stage::Failed(what)),
            }
        });
    }

    /// Makes the other tab that has this table open stop, and then reloads this page, which opens the table.
    /// Waits for the other tab in the background, at most 400 ms.
    pub fn take_over_table(self) {
        let invite = self.link.get_untracked().parse::<Invite>();
        spawn_local(async move {
            if let Ok(invite) = invite {
                store::stop_other_tabs(&invite.table().to_string()).await;
            }
            browser::reload();
        });
    }

    /// Stops this tab after another one has taken the table over: drops keys and connections, so that nothing
    /// is signed or sent any more, closes the dialog and shows the notice. Log items that are not stored are
    /// lost.
    pub(super) fn stop_tab(self) {
        let peer_state = self.peer_state.try_update_value(Option::take);
        // Dropped outside of the closure: closing the connections accesses `self.peer_state` again.
        drop(peer_state);
        self.stage.set(Stage::Lost);
        if let Some(app) = super::pump::app() {
            app.sheet.set(None);
            app.page.set(Screen::Waiting);
        }
    }

    /// Shows why the link of this page is not a valid invitation: sets the stage to `Failed` and opens the
    /// screen of the lobby. `why` is a sentence for the player.
    pub fn reject_invitation(self, app: App, why: String) {
        self.stage.set(Stage::Failed(why));
        app.page.set(Screen::Waiting);
    }

    /// Calls `act` with the transport. Does nothing before the connection is set up.
    pub(super) fn with_net(self, act: impl FnOnce(&BrowserTransport)) {
        // Not inside `with_value`: the transport may call back into this state.
        if let Some(net) = self
            .peer_state
            .with_value(|peer_state| peer_state.as_ref().and_then(|peer_state| peer_state.net.clone()))
        {
            act(&net);
        }
    }

    /// Opens the table of an invitation: claims it for this tab, loads or creates the stored table, restores
    /// the log, connects to the relay, and shows a match that was running. Then, until the page is left, a
    /// timer queues ticks, and handlers reconnect when the network, the page or the window is back and announce
    /// the turn when the page is left; the warm-up for a match in the lobby runs in the background. Stops this
    /// tab when another one takes the table over.
    ///
    /// # Errors
    ///
    /// Fails with [`browser::STALE`] if another tab takes the table over meanwhile. Fails with a sentence for
    /// the player if the database fails, the stored table or log is damaged, the game is unknown, or no
    /// connection can be created. The claim stays.
    async fn connect_to_table(self, invite: Invite) -> Result<(), String> {
        let id = invite.table().to_string();
        store::lock_for_tab(&id, move || self.stop_tab());
        let generation = browser::claim_table(&id).await?;
        // Also stops a tab that was opened at the same moment, before it writes.
        let other = id.clone();
        spawn_local(async move { store::stop_other_tabs(&other).await });
        let mut kept = match browser::get_table(&id).await? {
            Some(kept) => kept,
            None => StoredTable::new(&invite, &identity::own().await?),
        };
        kept.generation = Some(generation);
        self.load_book();
        let left = kept.when;
        kept.when = js_sys::Date::now();
        browser::put_table(&kept).await?;
        let log = browser::load_log(&id).await?;
        let stored = log.len() as u32;
        let identity = || SigningSecret::from_bytes(&kept.identity);
        let mut lobby = create_lobby(&kept, &invite)?;
        if !log.is_empty() {
            lobby
                .restore(log.into_iter())
                .map_err(|e| format!("This browser's copy of the game is damaged: {e}."))?;
        }
        let mine = *identity().public().bytes();
        self.me.set(Me { identity: mine, name: kept.name.clone(), host: kept.hosted.is_some() });
        let listed = kept.hosted.as_ref().filter(|plan| plan.listed);
        let listing = listed.map(|plan| ListingAnnouncer::new(&invite, &plan.owner));
        let inbox = Rc::new(RefCell::new(VecDeque::from([Input::Start])));
        let heard = inbox.clone();
        let identity = identity();
        self.peer_state.set_value(Some(PeerState {
            kept,
            lobby,
            net: None,
            inbox,
            busy: false,
            stored,
            unsaved: Vec::new(),
            peers: BTreeMap::new(),
            record: None,
            updates: VecDeque::new(),
            show: ShowState::Idle,
            listing,
            left,
            announcer: TurnAnnouncer::default(),
        }));
        self.stage.set(Stage::Waiting);
        let stun = stun_servers().await;
        let net = BrowserTransport::connect(&invite, &identity, browser::draw_bytes(), &stun, move |event| {
            heard.borrow_mut().push_back(Input::Event(event));
            self.run_inbox();
        });
        let net = Rc::new(net.map_err(|e| page::error_text(&e))?);
        self.peer_state.update_value(|peer_state| {
            if let Some(peer_state) = peer_state {
                peer_state.net = Some(net);
            }
        });
        self.resume_match();
        self.run_inbox();
        // After sleep or a network failure, reconnect without waiting for the next attempt.
        window_event_listener_untyped("online", move |_| self.with_net(|net| net.reconnect()));
        window_event_listener_untyped("pageshow", move |_| self.with_net(|net| net.retry_now()));
        // A player who has just moved may leave before the turn of the next one is announced.
        window_event_listener_untyped("pagehide", move |_| self.announce_turn(true));
        window_event_listener_untyped("focus", move |_| self.with_net(|net| net.retry_now()));
        spawn_local(self.warm_up());
        spawn_local(async move {
            // Time in which the machine slept must not count as silence.
            let (mut before, mut time) = (clock::now(), 1.0);
            loop {
                page::sleep(TICK).await;
                let now = clock::now();
                time += (now - before).clamp(0.0, LONGEST_TICK);
                before = now;
                self.push_input(Input::Tick(time as u64));
            }
        });
        Ok(())
    }
}

/// Converts a stored bot to the form that the lobby takes, with the same keys.
pub(super) fn to_hosted(bot: &StoredBot) -> HostedBot {
    let identity = SigningSecret::from_bytes(&bot.identity);
    HostedBot { identity, name: bot.name.clone(), level: bot.level.clone(), seed: bot.seed.clone() }
}

/// Creates the lobby peer of a stored table, with its seat request, confirmed terms and hosted bots; a bot
/// whose seat is not free is left out. Nothing is sent yet.
///
/// # Errors
///
/// Fails with a sentence for the player if the page does not have the game of a hosted table.
fn create_lobby(kept: &StoredTable, invite: &Invite) -> Result<Lobby, String> {
    let setup = match &kept.hosted {
        Some(plan) => Some(TableSetup {
            game: find_game(&plan.game).ok_or("This server does not have the game.")?,
            options: plan.options.clone(),
            seats: plan.seats,
            // Recovery needs the shares of all other machines; the lobby adjusts the number for bots.
            recovery: if plan.takeover { Recovery::for_machines(plan.seats) } else { Recovery::End },
            stall_ms: plan.stall_ms,
            starts_automatically: plan.at_once,
            tag: plan.tag,
        }),
        None => None,
    };
    let identity = SigningSecret::from_bytes(&kept.identity);
    let entropy = Entropy::new(browser::draw_bytes());
    let mut lobby = Lobby::new(find_game, identity, &kept.name, invite.host, setup, *kept.seed, entropy);
    lobby.request_seat(&kept.name, kept.wish);
    if let Some(confirmed) = &kept.confirmed {
        lobby.confirm_terms(confirmed.clone());
    }
    for bot in kept.hosted.iter().flat_map(|plan| &plan.bots) {
        lobby.seat_bot(bot.seat, to_hosted(bot));
    }
    Ok(lobby)
}
