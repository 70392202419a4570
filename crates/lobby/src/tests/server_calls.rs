//! Requests to the server of a table, with the responses of a server that is there, has no notifications or is away.

use super::*;
use pentarchy_net::{Invite, InviteKey, OwnerSecret};

fn invite() -> Invite {
    Invite {
        server: "https://example.org".into(),
        key: InviteKey([1; 16]),
        host: HostTag::of(&identity(0)),
        owner: OwnerSecret::new([2; 32]).tag(),
    }
}

/// Makes a request of the announcer and passes these responses on. Returns the reply, and the paths of the requests.
fn exchange(request: AnnounceRequest, responses: &[Option<(u16, &str)>]) -> (AnnounceReply, Vec<String>) {
    let mut exchange = AnnounceExchange::new(request, &invite());
    let mut paths = Vec::new();
    for response in responses {
        let call = exchange.call();
        paths.push(format!("{} {}", call.method, call.path));
        assert_eq!(
            call.authorization.is_empty(),
            call.path.ends_with("channels"),
            "the pass is for the turn"
        );
        let response = response.map(|(status, body)| (status, body.as_bytes()));
        if let Some(reply) = exchange.handle_response(response) {
            return (reply, paths);
        }
    }
    panic!("no reply after {paths:?}");
}

#[test]
fn a_server_is_asked_for_notifications_before_its_turn() {
    let turn = TurnAnnouncement { turn: 7, waiting: vec![1], deadline: None };
    let json = serde_json::to_string(&turn).unwrap();
    let path = format!("/api/notify/tables/{}/turn", invite().table());
    let (first, second) = ("GET /api/notify/channels".to_owned(), format!("GET {path}"));
    let look = |responses: &[Option<(u16, &str)>]| exchange(AnnounceRequest::Look, responses);
    let on = Some((200, "{}"));
    assert_eq!(look(&[on, Some((200, &json))]).0, AnnounceReply::Known(Some(turn.clone())));
    assert_eq!(look(&[on, Some((404, ""))]), (AnnounceReply::Known(None), vec![first.clone(), second]));
    assert_eq!(look(&[on, Some((503, ""))]).0, AnnounceReply::Failed);
    assert_eq!(look(&[on, Some((401, ""))]).0, AnnounceReply::Refused);
    assert_eq!(look(&[on, None]).0, AnnounceReply::Failed);
    assert_eq!(look(&[Some((404, ""))]), (AnnounceReply::Off, vec![first.clone()]));
    assert_eq!(look(&[Some((502, ""))]).0, AnnounceReply::Failed);
    assert_eq!(look(&[None]), (AnnounceReply::Failed, vec![first]));
    let announce = |response| exchange(AnnounceRequest::Announce(turn.clone()), &[response]);
    assert_eq!(announce(Some((200, ""))), (AnnounceReply::Taken, vec![format!("PUT {path}")]));
    assert_eq!(announce(Some((429, ""))).0, AnnounceReply::Failed);
    assert_eq!(announce(None).0, AnnounceReply::Failed);
}

#[test]
fn the_entry_of_a_table_is_renewed_until_the_match_starts() {
    let mut host = lobby(0, Some(setup(false)));
    host.start();
    let mut announcer = ListingAnnouncer::new(&invite(), "proof");
    let taken = |call: Option<ServerCall>| {
        let call = call.expect("a request is due");
        assert_eq!((call.method, call.authorization.as_str()), ("PUT", "Bearer proof"));
        assert_eq!(call.path, format!("/api/tables/{}", invite().table()));
        let entry: serde_json::Value = serde_json::from_str(&call.body).unwrap();
        assert_eq!((&entry["game"], &entry["host"]), (&"kuhn".into(), &"peer 0".into()));
        assert_eq!((&entry["seats"], &entry["key"]), (&2.into(), &invite().secret_part().into()));
        entry["taken"].as_u64().unwrap()
    };
    assert_eq!(taken(announcer.renew(&host, 0)), 1);
    assert_eq!(announcer.renew(&host, 29_999), None);
    assert_eq!(taken(announcer.renew(&host, 30_000)), 1);
    announcer.forget();
    assert_eq!(taken(announcer.renew(&host, 30_001)), 1);
    let bot = HostedBot {
        identity: secret(9),
        name: "Bot".into(),
        level: "random".into(),
        seed: SecretBytes::new([9; 32]),
    };
    assert!(host.seat_bot(1, bot));
    assert_eq!(taken(announcer.renew(&host, 30_002)), 2);
    host.start_match();
    assert!(host.session().is_some());
    announcer.forget();
    assert_eq!(announcer.renew(&host, 90_000), None);
    let (path, authorization) = (format!("/api/tables/{}", invite().table()), "Bearer proof".to_owned());
    assert_eq!(announcer.remove(), ServerCall { method: "DELETE", path, authorization, body: String::new() });
    assert_eq!(ListingAnnouncer::new(&invite(), "").renew(&lobby(1, None), 0), None, "a guest lists nothing");
}

#[test]
fn a_label_fits_and_has_no_control_characters() {
    assert_eq!(table_label("Kuhn", ["Ada", "B\no"].into_iter()), "Kuhn with Ada, Bo");
    let long = table_label("Kuhn", ["ä".repeat(90).as_str()].into_iter());
    assert!(long.len() <= 80 && long.len() > 77 && long.starts_with("Kuhn with ä"));
}
