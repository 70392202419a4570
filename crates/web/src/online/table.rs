//! Opening a table for others, and joining one by its link.

use super::browser::{self, HostPlan, HostedBot, StoredTable};
use super::{Input, Me, Online, PeerState, Stage, identity};
use crate::app::{App, NAMES, Screen};
use crate::boards::{self, GameListing};
use crate::play::PlayerKind;
use crate::{clock, page, store};
use leptos::prelude::*;
use pentarchy_engine::AnyGame;
use pentarchy_fair::{Entropy, SigningSecret};
use pentarchy_identity::IdentityKey;
use pentarchy_net::{
    BadInvite, Browser, HostTag, Hosted, Invite, InviteKey, OwnerSecret, Party, SecretBytes, Setup, Stun,
    Wish,
};
use pentarchy_table::Recovery;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen_futures::spawn_local;

/// How often the table hears the time.
const TICK: i32 = 100;
/// More than this at once is no time that passed here: the machine slept.
const LONGEST_TICK: f64 = 1_000.0;

/// A table as somebody wants it.
pub struct Order {
    /// The game.
    pub game: &'static GameListing,
    /// The player's name.
    pub name: String,
    /// The player's seat.
    pub seat: u8,
    /// By seat, without the player's: a bot, or nobody yet.
    pub others: Vec<Option<PlayerKind>>,
    /// The options that differ from the defaults.
    pub options: Value,
    /// Whether anybody may find it in the lobby.
    pub listed: bool,
    /// After so many milliseconds of silence a seat is said to stall.
    pub stall_ms: u32,
    /// Whether a bot takes the seat of a player who left; else the game ends.
    pub takeover: bool,
    /// Whether the game starts by itself when all seats are taken and ready.
    pub at_once: bool,
}

/// A table in the lobby.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Open {
    /// Its name.
    pub id: String,
    /// The game.
    pub game: String,
    /// Who opened it.
    pub host: String,
    /// How many seats there are.
    pub seats: u8,
    /// How many of them are taken.
    pub taken: u8,
    /// What stands behind the `#` of the invitation.
    pub key: String,
}

/// The tables that anybody may join.
pub async fn open_tables() -> Vec<Open> {
    #[derive(Deserialize)]
    struct ThinkReply {
        tables: Vec<Open>,
    }
    let text = browser::ask("GET", "/api/tables", "", "").await.unwrap_or_default();
    serde_json::from_str::<ThinkReply>(&text).map_or_else(|_| Vec::new(), |answer| answer.tables)
}

/// The servers that the operator has named, so that pages in different networks find direct ways to each other. Where there
/// are none, or none are told in time, the relay carries what finds no way.
async fn stun_servers() -> Vec<Stun> {
    #[derive(Deserialize)]
    struct ThinkReply {
        servers: Vec<Stun>,
    }
    let text = browser::ask("GET", "/api/ice", "", "").await.unwrap_or_default();
    let mut servers =
        serde_json::from_str::<ThinkReply>(&text).map_or_else(|_| Vec::new(), |answer| answer.servers);
    servers.truncate(Stun::MOST);
    servers
}

/// A game without its types, if there is a board for it.
pub(super) fn find(name: &str) -> Option<&'static dyn AnyGame> {
    boards::find(name).ok().map(|game| game.any)
}

/// Opens a table: it is kept in this browser, and its page is where its link leads.
pub async fn create(order: Order) -> Result<String, String> {
    let (identity, owner) = (identity::own().await?, OwnerSecret::new(browser::random()));
    let mut key = [0; 16];
    key.copy_from_slice(&browser::random()[..16]);
    let invite = Invite {
        server: browser::server(),
        key: InviteKey(key),
        owner: owner.tag(),
        host: HostTag::of(&identity.public()),
    };
    let seats = order.others.len() as u8 + 1;
    let any = find(order.game.info.name).ok_or("This server does not have the game.")?;
    any.options(seats, &order.options, &[]).map_err(|e| e.to_string())?;
    let bots = (0..seats).filter(|seat| *seat != order.seat).zip(&order.others);
    let bots = bots.filter_map(|(seat, who)| Some(bot(seat, (*who)?)));
    let kept = StoredTable {
        name: order.name,
        wish: Wish::Sit { seat: Some(order.seat), ready: true },
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
        }),
        game: order.game.info.name.to_owned(),
        ..StoredTable::new(&invite, &identity)
    };
    super::remember_name(&kept.name);
    browser::put(&kept).await?;
    Ok(kept.link)
}

/// A bot for a seat of a new table.
pub(super) fn bot(seat: u8, who: PlayerKind) -> HostedBot {
    let name = NAMES[(usize::from(seat) + 5) % 6].to_owned();
    HostedBot { seat, name, level: who.level(), identity: browser::secret(), seed: browser::secret() }
}

impl StoredTable {
    /// A guest of a table, who has no seat yet.
    pub(super) fn new(invite: &Invite, identity: &IdentityKey) -> Self {
        StoredTable {
            id: invite.table().to_string(),
            link: invite.to_string(),
            name: super::own_name(),
            identity: SecretBytes::new(*identity.secret_bytes()),
            seed: browser::secret(),
            wish: Wish::Watch,
            confirmed: None,
            hosted: None,
            game: String::new(),
            players: Vec::new(),
            over: false,
            when: js_sys::Date::now(),
            round: String::new(),
            my_turn: false,
            awaited: Vec::new(),
            ended: String::new(),
            seen: Vec::new(),
            levels: Vec::new(),
            generation: None,
        }
    }
}

/// The invitation by which this page was opened, if it was.
pub fn invitation() -> Option<Result<Invite, BadInvite>> {
    page::at_table().then(|| browser::href().parse())
}

impl Online {
    /// Sits down at the table of an invitation: again, or for the first time.
    pub fn sit(self, app: App, invite: Invite) {
        super::pump::set_app(app);
        self.stage.set(Stage::Opening);
        self.link.set(invite.to_string());
        app.page.set(Screen::Waiting);
        spawn_local(async move {
            if store::is_elsewhere(&invite.table().to_string()).await {
                return self.stage.set(Stage::Elsewhere);
            }
            match self.take_place(invite).await {
                Ok(()) => {}
                Err(what) if what == browser::STALE => self.lose(),
                Err(what) => self.stage.set(Stage::Failed(what)),
            }
        });
    }

    /// Opens the table in this tab; the tab in which it is open stops.
    pub fn take_over(self) {
        let invite = self.link.get_untracked().parse::<Invite>();
        spawn_local(async move {
            if let Ok(invite) = invite {
                store::take(&invite.table().to_string()).await;
            }
            browser::reload();
        });
    }

    /// Another tab has opened the table: this one signs and sends nothing any more.
    pub(super) fn lose(self) {
        let desk = self.desk.try_update_value(Option::take);
        // It closes the connections, which tell the desk so.
        drop(desk);
        self.stage.set(Stage::Lost);
        if let Some(app) = super::pump::app() {
            app.sheet.set(None);
            app.page.set(Screen::Waiting);
        }
    }

    /// The link is no invitation.
    pub fn refuse(self, app: App, why: String) {
        self.stage.set(Stage::Failed(why));
        app.page.set(Screen::Waiting);
    }

    pub(super) fn with_net(self, act: impl FnOnce(&Browser)) {
        // Outside of the desk, for what comes of it is told to the desk.
        if let Some(net) = self.desk.with_value(|desk| desk.as_ref().and_then(|desk| desk.net.clone())) {
            act(&net);
        }
    }

    async fn take_place(self, invite: Invite) -> Result<(), String> {
        let id = invite.table().to_string();
        store::hold(&id, move || self.lose());
        let generation = browser::claim(&id).await?;
        // A tab that was opened at the same time stops at once, and not only when it writes.
        let other = id.clone();
        spawn_local(async move { store::take(&other).await });
        let mut kept = match browser::get(&id).await? {
            Some(kept) => kept,
            None => StoredTable::new(&invite, &identity::own().await?),
        };
        kept.generation = Some(generation);
        self.read_book();
        let left = kept.when;
        kept.when = js_sys::Date::now();
        browser::put(&kept).await?;
        let log = browser::log(&id).await?;
        let stored = log.len() as u32;
        let identity = || SigningSecret::from_bytes(&kept.identity);
        let mut party = party(&kept, &invite)?;
        if !log.is_empty() {
            party
                .resume(log.into_iter())
                .map_err(|e| format!("This browser's copy of the game is damaged: {e}."))?;
        }
        let mine = *identity().public().bytes();
        self.me.set(Me { identity: mine, name: kept.name.clone(), host: kept.hosted.is_some() });
        let inbox = Rc::new(RefCell::new(VecDeque::from([Input::Start])));
        let heard = inbox.clone();
        let identity = identity();
        self.desk.set_value(Some(PeerState {
            kept,
            party,
            net: None,
            inbox,
            busy: false,
            stored,
            unsaved: Vec::new(),
            peers: BTreeMap::new(),
            record: None,
            showing: false,
            listed: 0.0,
            left,
        }));
        self.stage.set(Stage::Waiting);
        let stun = stun_servers().await;
        let net = Browser::connect(&invite, &identity, browser::random(), &stun, move |event| {
            heard.borrow_mut().push_back(Input::Event(event));
            self.work();
        });
        let net = Rc::new(net.map_err(|e| page::said(&e))?);
        self.desk.update_value(|desk| {
            if let Some(desk) = desk {
                desk.net = Some(net);
            }
        });
        self.resumed();
        self.work();
        // After a night, or a tunnel, nobody waits for the next attempt.
        window_event_listener_untyped("online", move |_| self.with_net(|net| net.renew()));
        window_event_listener_untyped("pageshow", move |_| self.with_net(|net| net.hurry()));
        window_event_listener_untyped("focus", move |_| self.with_net(|net| net.hurry()));
        spawn_local(self.get_ready());
        spawn_local(async move {
            // Time in which the machine slept is nobody's silence.
            let (mut before, mut time) = (clock::now(), 1.0);
            loop {
                page::sleep(TICK).await;
                let now = clock::now();
                time += (now - before).clamp(0.0, LONGEST_TICK);
                before = now;
                self.push(Input::Tick(time as u64));
            }
        });
        Ok(())
    }
}

/// A bot as the party knows it.
pub(super) fn hosted(bot: &HostedBot) -> Hosted {
    let identity = SigningSecret::from_bytes(&bot.identity);
    Hosted { identity, name: bot.name.clone(), level: bot.level.clone(), seed: bot.seed.clone() }
}

/// The peer that was kept, with its bots.
fn party(kept: &StoredTable, invite: &Invite) -> Result<Party, String> {
    let setup = match &kept.hosted {
        Some(plan) => Some(Setup {
            game: find(&plan.game).ok_or("This server does not have the game.")?,
            options: plan.options.clone(),
            seats: plan.seats,
            // All other machines together open what a player held who is gone, and nobody less than all. The party
            // takes the bots into account.
            recovery: if plan.takeover { Recovery::for_machines(plan.seats) } else { Recovery::End },
            stall_ms: plan.stall_ms,
            at_once: plan.at_once,
        }),
        None => None,
    };
    let identity = SigningSecret::from_bytes(&kept.identity);
    let entropy = Entropy::new(browser::random());
    let mut party = Party::new(find, identity, &kept.name, invite.host, setup, *kept.seed, entropy);
    party.wish(&kept.name, kept.wish);
    if let Some(confirmed) = &kept.confirmed {
        party.confirm(confirmed.clone());
    }
    for bot in kept.hosted.iter().flat_map(|plan| &plan.bots) {
        party.seat_bot(bot.seat, hosted(bot));
    }
    Ok(party)
}
