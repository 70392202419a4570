//! Announces turns to a server that notifies players who are away, and follows the seat of the player of this page.

use super::{Online, browser};
use crate::{clock, notify};
use pentarchy_net::Invite;
use wasm_bindgen_futures::spawn_local;

impl Online {
    /// Makes the request that the announcer of turns has due, in the background, and passes the reply to it:
    /// first a look whether the server announces turns, then whose turn it is, so that the server notifies
    /// players who are away. With `is_leaving` the player is about to leave the page: then the turn of players
    /// who are away is announced without the usual delay, and after each reply the next due request follows.
    /// The announcer handles errors of the server. Does nothing without a table or a due request.
    pub(super) fn announce_turn(self, is_leaving: bool) {
        let unix = (js_sys::Date::now() / 1000.0) as u64;
        let due = self.with_peer_state(|peer_state| {
            let awaited = peer_state.lobby.awaited_turn();
            let now = clock::now() as u64;
            let request = peer_state.announcer.next_request(awaited.as_ref(), now, unix, is_leaving)?;
            Some((request, peer_state.kept.link.parse::<Invite>().ok()?))
        });
        let Some((request, invite)) = due.flatten() else { return };
        spawn_local(async move {
            let reply = notify::announce(request, &invite).await;
            self.with_peer_state(|peer_state| peer_state.announcer.handle_reply(reply, clock::now() as u64));
            if is_leaving {
                self.announce_turn(true);
            }
        });
    }

    /// Asks the server in the background to notify the player of this page when it is their turn at this table,
    /// and sends it the current push subscription of this browser. Does nothing if this browser knows of no
    /// subscription of the player (`notify::is_wanted`), or the match is not running. Errors are ignored.
    pub fn follow_own_seat(self) {
        let kept = self.with_peer_state(|peer_state| {
            let is_running = peer_state.lobby.session().is_some() && !peer_state.lobby.is_over();
            (is_running && notify::is_wanted()).then(|| peer_state.kept.clone())
        });
        if let Some(kept) = kept.flatten() {
            spawn_local(notify::follow_table(kept));
        }
    }

    /// Opens the table of this page's address, which has no secret, as in the link of a notification: finds the
    /// link with the secret among the tables that this browser stores, in the background, and loads the page
    /// again with it. If the table is not stored, shows `why` (a sentence for the player) the address is not a
    /// valid invitation.
    pub fn open_known_table(self, app: crate::app::App, why: String) {
        let address = browser::href();
        let id = address.split_once("/t/").filter(|(_, id)| !id.contains('#')).map(|(_, id)| id.to_string());
        spawn_local(async move {
            let kept = match &id {
                Some(id) => browser::get_table(id).await.ok().flatten(),
                None => None,
            };
            match kept {
                Some(kept) => {
                    // Only the fragment changes, so the browser does not load the page by itself.
                    browser::go(&kept.link);
                    browser::reload();
                }
                None => self.reject_invitation(app, why),
            }
        });
    }
}
