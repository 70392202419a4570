//! A rematch: one player creates a new table with the same game, rules and seats, and sends its link to the others over
//! the encrypted channel of the old table. A player who accepts goes there.
//!
//! The messages are lines of chat, so that players at a terminal can read them: `Rematch: LINK`, `Rematch: yes`,
//! `Rematch: no`.

use super::Online;
use super::browser::{self, StoredTable};
use super::pump::app;
use super::table::{Order, create_table};
use crate::boards;
use crate::play::PlayerKind;
use leptos::prelude::*;
use pentarchy_lobby::SeatRequest;
use pentarchy_net::Invite;
use pentarchy_table::Recovery;
use serde_json::Value;
use std::collections::BTreeMap;
use wasm_bindgen_futures::spawn_local;

const MARK: &str = "Rematch: ";
/// Longest wait for the last message to reach the others before the page is left, in milliseconds.
const LONGEST_FLUSH: i32 = 5_000;

/// An offer to play again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rematch {
    /// The seat that made the offer.
    pub by: u8,
    /// The link of the new table.
    pub link: String,
    /// Whether the player of this page made it.
    pub mine: bool,
    /// For each seat that has replied, whether it accepts.
    pub answers: BTreeMap<u8, bool>,
    /// Whether this page is on its way to the new table.
    pub leaving: bool,
}

impl Online {
    /// Creates a table for a rematch in the background and sends its link to the others; the page goes there
    /// when those who are connected have replied and one accepts, or no other person is left. If there is an
    /// offer, also one that comes meanwhile, accepts that instead, and a table that was created is deleted from
    /// this browser. Does nothing for spectators, before the match, and if the page does not have the game.
    /// Shows a message if the table cannot be created.
    pub fn offer_rematch(self) {
        if self.rematch.with_untracked(Option::is_some) {
            return self.accept_rematch();
        }
        let (Some(app), Some(order)) = (app(), self.rematch_order()) else { return };
        let Some(by) = self.own_seat() else { return };
        spawn_local(async move {
            match create_table(order).await {
                // Another player was faster: go to their table.
                Ok(link) if self.rematch.with_untracked(Option::is_some) => {
                    discard_table(&link);
                    self.accept_rematch();
                }
                Ok(link) => {
                    let offer = Rematch { by, link, mine: true, answers: BTreeMap::new(), leaving: false };
                    self.rematch.set(Some(offer));
                    self.resend_offer();
                    self.leave_when_answered();
                }
                Err(what) => app.show_message(format!("The new table could not be created: {what}")),
            }
        });
    }

    /// Returns the order of a new, unlisted table with the same game, options, time limit, seats and bots,
    /// which starts automatically. A bot of unknown level becomes a Captain. `None` for spectators, before
    /// the match, and if the page does not have the game.
    fn rematch_order(self) -> Option<Order> {
        self.peer_state.with_value(|peer_state| {
            let peer_state = peer_state.as_ref()?;
            let session = peer_state.lobby.session()?;
            let (seat, descriptor) = (session.seat()?, session.descriptor());
            let others = (0u8..).zip(&descriptor.players).filter(|(other, _)| *other != seat);
            let others = others.map(|(other, player)| {
                let level = peer_state.kept.levels.get(usize::from(other)).cloned().flatten();
                player.host.map(|_| PlayerKind::of_level(level.as_deref().unwrap_or("captain")))
            });
            let game = boards::find(&descriptor.game).ok()?;
            let all = serde_json::from_str::<Value>(&descriptor.options).ok()?;
            Some(Order {
                game,
                name: peer_state.kept.name.clone(),
                seat,
                others: others.collect(),
                options: Value::Object(game.changed_options(&all)),
                listed: false,
                stall_ms: descriptor.stall_ms,
                takeover: descriptor.recovery != Recovery::End,
                at_once: true,
                tag: None,
            })
        })
    }

    /// Sends the own offer of a rematch to all again, for players who come back later. Does nothing if there is
    /// no offer or another player made it.
    pub(super) fn resend_offer(self) {
        let link = self.rematch.with_untracked(|r| r.as_ref().filter(|r| r.mine).map(|r| r.link.clone()));
        if let Some(link) = link {
            self.send_rematch_message(&link);
        }
    }

    /// Accepts the offer: answers in the chat, stores the confirmed terms for the new table, and navigates to
    /// it in the background. A spectator goes there to watch. With an own offer it only navigates. Does
    /// nothing without an offer. Errors of the database are ignored: the page of the new table reports them.
    pub fn accept_rematch(self) {
        let Some(Rematch { link, mine, .. }) = self.rematch.get_untracked() else { return };
        if mine {
            return self.go_to(link);
        }
        let seat = self.own_seat();
        // Accepting confirms the terms of this table for the next one; other terms are asked about again.
        let confirmed = self
            .with_peer_state(|peer_state| peer_state.lobby.session().map(|s| s.descriptor().clone()))
            .flatten();
        self.send_rematch_message("yes");
        spawn_local(async move {
            if let Ok(invite) = link.parse::<Invite>() {
                let name = self.me.with_untracked(|me| me.name.clone());
                let wish = seat
                    .map_or(SeatRequest::Watch, |seat| SeatRequest::Sit { seat: Some(seat), ready: true });
                let known = match browser::get_table(&invite.table().to_string()).await {
                    Ok(None) => {
                        super::identity::own().await.ok().map(|identity| StoredTable::new(&invite, &identity))
                    }
                    other => other.ok().flatten(),
                };
                // An entry that cannot be parsed is not overwritten; the page of the table reports it.
                if let Some(known) = known {
                    let _ = browser::put_table(&StoredTable { name, wish, confirmed, ..known }).await;
                }
            }
            self.go_to(link);
        });
    }

    /// Declines the offer: answers in the chat, and removes the offer from the page. Without an offer it only
    /// answers. The table of an own offer is not deleted.
    pub fn decline_rematch(self) {
        self.send_rematch_message("no");
        self.rematch.set(None);
    }

    /// Queues a message about a rematch to all players, as a line of chat: `what` is the link of a new table,
    /// `yes` or `no`. It is not shown in the own chat.
    fn send_rematch_message(self, what: &str) {
        let text = format!("{MARK}{what}");
        self.call_lobby(move |lobby| lobby.send_chat(&text));
    }

    /// Navigates to the link of the new table, as soon as the others have the last message, at most after
    /// [`LONGEST_FLUSH`]. Does nothing if that has begun, or without an offer.
    fn go_to(self, link: String) {
        let first = self.rematch.try_update(|r| r.as_mut().map(|r| !std::mem::replace(&mut r.leaving, true)));
        if first != Some(Some(true)) {
            return;
        }
        spawn_local(async move {
            self.flush(LONGEST_FLUSH).await;
            browser::go(&link);
        });
    }

    /// Handles a chat text of a seat if it is an offer of a rematch or a reply. A reply is noted with the
    /// current offer, if there is one; the player who made the offer goes to the new table when all have
    /// replied. Returns whether the text was one of them; then it must not be shown as chat.
    pub(super) fn handle_rematch_message(self, seat: u8, text: &str) -> bool {
        let Some(text) = text.strip_prefix(MARK) else { return false };
        match text {
            "yes" | "no" => {
                self.rematch.update(|rematch| {
                    if let Some(rematch) = rematch {
                        rematch.answers.insert(seat, text == "yes");
                    }
                });
                self.leave_when_answered();
            }
            link => self.hear_offer(seat, link),
        }
        true
    }

    /// Handles a rematch offer of a seat. Ignores malformed links and those to other servers. It replaces an
    /// earlier offer of others. If both players made an offer, that of the lower seat counts: it is sent
    /// again, and the other player discards the own table and accepts it.
    fn hear_offer(self, seat: u8, link: &str) {
        // Only tables at this server: a link must not lead anywhere else.
        let Ok(invite) = link.parse::<Invite>() else { return };
        if invite.server != browser::server() {
            return;
        }
        let offer = Rematch {
            by: seat,
            link: link.to_string(),
            mine: false,
            answers: BTreeMap::new(),
            leaving: false,
        };
        let before = self.rematch.get_untracked();
        match before {
            // Not a yes yet: a page that left now could take the only copy of its own offer with it.
            Some(before) if before.mine && before.by < seat => self.resend_offer(),
            Some(before) if before.mine => {
                discard_table(&before.link);
                self.rematch.set(Some(offer));
                self.accept_rematch();
            }
            Some(before) if before.link == link => {}
            _ => self.rematch.set(Some(offer)),
        }
    }

    /// Navigates the player who made the offer to the new table when everybody who is connected has replied
    /// and at least one accepts, or no other person is left. Does nothing without an own offer.
    fn leave_when_answered(self) {
        let Some(rematch) = self.rematch.get_untracked().filter(|r| r.mine) else { return };
        let people: Vec<u8> = (0..8).filter(|seat| self.is_person(*seat)).collect();
        let open = people
            .iter()
            .any(|seat| untrack(|| self.is_connected(*seat)) && !rematch.answers.contains_key(seat));
        let accepted = rematch.answers.values().any(|yes| *yes);
        if people.is_empty() || accepted && !open {
            self.go_to(rematch.link);
        }
    }
}

/// Deletes this page's entry of a table that it has created and will not use, in the background. Does nothing
/// if the link is malformed; errors of the database are ignored.
fn discard_table(link: &str) {
    let Ok(invite) = link.parse::<Invite>() else { return };
    spawn_local(async move { browser::forget_table(&invite.table().to_string()).await });
}
