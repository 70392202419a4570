//! Mail, webhooks, web push, and who may say what.

use crate::common::{TestServer, URL, now, pass, signature, table};
use crate::sinks::{http_server, mail_server};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use web_push_native::p256::SecretKey;
use web_push_native::p256::ecdsa::signature::Verifier as _;
use web_push_native::p256::ecdsa::{Signature, VerifyingKey};
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint as _;
use web_push_native::{Auth, decrypt};

/// Mail: nothing but the confirmation before the address is confirmed, a link that stops it, and an error that is shown if
/// there is no such address.
#[test]
fn mail_is_confirmed_first_and_can_be_stopped() {
    let (address, mails) = mail_server();
    let server = TestServer::start(Some(address), false);
    assert_eq!(server.subscribe(1, "mail", "Ada@Example.org")["state"], "unconfirmed");
    server.follow(1, 1, 0);
    assert_eq!(server.announce(1, &json!({ "turn": 1, "waiting": [0] })).0, 201);
    let confirm = mails.next();
    assert_eq!(confirm.to, "Ada@example.org");
    assert_eq!(confirm.header("Subject"), "Confirm notifications from play.example.org");
    assert!(!confirm.text.contains("Hegemony"), "nothing that a player has written");
    let link = confirm.link("confirm");
    // Opening the link changes nothing: programs that look at mails do so, too.
    let (status, page) = server.request("GET", &link, &[], "");
    assert!(status == 200 && page.contains("<form method=\"post\">"), "{page}");
    assert_eq!(server.player(1)["subscriptions"][0]["state"], "unconfirmed");
    assert_eq!(server.request("POST", &link, &[("origin", "https://evil.example")], "").0, 403);
    assert_eq!(server.request("POST", &link, &[], "").0, 200);
    assert_eq!(server.player(1)["subscriptions"][0]["state"], "active");
    let deadline = now() + 3 * 86_400 - 1800;
    assert_eq!(server.announce(1, &json!({ "turn": 2, "waiting": [0, 1], "deadline": deadline })).0, 201);
    let mail = mails.next();
    assert_eq!(mail.header("Subject"), "Your turn: Hegemony with Ada");
    assert!(mail.text.contains("2 days and 23 hours left"), "{}", mail.text);
    assert!(mail.text.contains(&format!("{URL}/t/{}", table(1))), "{}", mail.text);
    assert_eq!(mail.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    // Identifiers follow from messages, so a mail that is sent again has the same.
    let messages = server.player(1)["messages"].clone();
    let told = messages.as_array().unwrap().iter().find(|message| message["turn"] == 2).unwrap();
    assert_eq!(mail.header("Message-ID"), format!("<{}@example.org>", told["id"].as_str().unwrap()));
    let stop = mail.header("List-Unsubscribe");
    let stop = stop.trim_matches(['<', '>']).strip_prefix(URL).unwrap();
    assert_eq!(server.request("POST", stop, &[], "List-Unsubscribe=One-Click").0, 200);
    assert_eq!(server.player(1)["subscriptions"][0]["state"], "stopped");
    assert_eq!(server.announce(1, &json!({ "turn": 3, "waiting": [0] })).0, 201);
    server.subscribe(2, "mail", "nobody@example.org");
    let failed = server.wait_for(2, "failed");
    assert!(failed["error"].as_str().unwrap().contains("no such mailbox"), "{failed}");
    assert_eq!(server.player(2)["subscriptions"][0]["state"], "stopped");
    assert!(mails.is_empty(), "no other mail");
    assert_eq!(server.request("GET", "/api/notify/confirm/nothing", &[], "").0, 404);
}

/// A webhook gets signed JSON once for each turn, no matter how often it is announced; errors are shown.
#[test]
fn webhooks_get_signed_json_once() {
    let (address, requests) = http_server(|path| match path {
        "/busy" => "503 Busy".to_owned(),
        "/gone" => "410 Gone".to_owned(),
        "/away" => "302 Found\r\nlocation: http://127.0.0.1:1/".to_owned(),
        _ => "204 No Content".to_owned(),
    });
    let server = TestServer::start(None, true);
    let subscription = server.subscribe(1, "webhook", &format!("http://{address}/hook"));
    let key = subscription["key"].as_str().unwrap().strip_prefix("whsec_").unwrap();
    let key = BASE64.decode(key.as_bytes()).unwrap();
    server.follow(1, 1, 2);
    for _ in 0..3 {
        server.announce(1, &json!({ "turn": 7, "waiting": [2] }));
    }
    server.announce(1, &json!({ "turn": 6, "waiting": [2] }));
    let request = requests.next();
    let (id, time) = (request.header("webhook-id"), request.header("webhook-timestamp"));
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{id}.{time}.").as_bytes());
    mac.update(&request.body);
    let signature = format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()));
    assert_eq!(request.header("webhook-signature"), signature);
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!((&body["type"], &body["turn"], &body["seat"]), (&json!("turn"), &json!(7), &json!(2)));
    assert_eq!(body["table"], table(1).to_string());
    assert_eq!(body["label"], "Hegemony with Ada");
    server.wait_for(1, "sent");
    server.announce(1, &json!({ "turn": 8, "waiting": [2] }));
    let body: Value = serde_json::from_slice(&requests.next().body).unwrap();
    assert_eq!(body["turn"], 8, "turn 7 was told once, turn 6 was late");
    // A busy server is tried again; one that is gone, or elsewhere, is not.
    for (path, state, error) in [
        ("busy", "waiting", "503"),
        ("gone", "failed", "410"),
        ("away", "failed", "redirects are not followed"),
    ] {
        let player = 2 + path.len() as u8 * 7 + path.as_bytes()[0];
        let id = server.subscribe(player, "webhook", &format!("http://{address}/{path}"))["id"].clone();
        let test = format!("/api/notify/subscriptions/{}/test", id.as_str().unwrap());
        assert_eq!(server.signed(player, "POST", &test, &Value::Null).0, 202);
        requests.next();
        // A message waits before it is sent, too: then it has no error.
        let shown = loop {
            let shown = server.wait_for(player, state);
            if shown["error"] != "" {
                break shown;
            }
        };
        assert!(shown["error"].as_str().unwrap().contains(error), "{shown}");
        let stopped = if state == "failed" { "stopped" } else { "active" };
        assert_eq!(server.player(player)["subscriptions"][0]["state"], stopped);
    }
    assert!(requests.is_empty());
    let metrics = server.metrics();
    for line in [
        "pentarchy_notify_delivered_total 2",
        "pentarchy_notify_failed_total 2",
        "pentarchy_notify_turns_total 2",
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
}

/// Addresses of this machine and of private networks are refused when a message is sent, also if a name stands for them;
/// what is no public URL is refused at once.
#[test]
fn private_addresses_are_refused() {
    let (address, requests) = http_server(|_| "204 No Content".to_owned());
    let server = TestServer::start(None, false);
    let port = address.port();
    for (player, host) in
        ["127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "10.0.0.1"]
            .into_iter()
            .enumerate()
    {
        let player = player as u8 + 1;
        let id = server.subscribe(player, "webhook", &format!("https://{host}:{port}/"))["id"].clone();
        let test = format!("/api/notify/subscriptions/{}/test", id.as_str().unwrap());
        assert_eq!(server.signed(player, "POST", &test, &Value::Null).0, 202);
        let failed = server.wait_for(player, "failed");
        assert!(failed["error"].as_str().unwrap().contains("not public"), "{host}: {failed}");
    }
    for address in ["http://hooks.example/", "https://u:p@hooks.example/", "hooks", "file:///etc"] {
        let body = json!({ "channel": "webhook", "address": address });
        let (status, text) = server.signed(9, "POST", "/api/notify/subscriptions", &body);
        assert_eq!(status, 422, "{address}: {text}");
    }
    assert!(requests.is_empty());
}

/// A browser can decrypt what a push service gets, and the service can check who sends it. A subscription that is gone is
/// stopped.
#[test]
fn push_messages_are_encrypted_for_the_browser() {
    let (address, requests) = http_server(|path| match path {
        "/gone" => "404 Not Found".to_owned(),
        _ => "201 Created".to_owned(),
    });
    let mut server = TestServer::start(None, true);
    let browser = SecretKey::from_slice(&[7; 32]).unwrap();
    let auth = [9u8; 16];
    let keys = json!({
        "p256dh": BASE64URL_NOPAD.encode(browser.public_key().to_encoded_point(false).as_bytes()),
        "auth": BASE64URL_NOPAD.encode(&auth),
    });
    let subscribe = |server: &TestServer, player, path: &str, keys: &Value| {
        let body = json!({ "channel": "push", "address": format!("http://{address}{path}"), "keys": keys });
        server.signed(player, "POST", "/api/notify/subscriptions", &body)
    };
    assert_eq!(subscribe(&server, 1, "/device", &keys).0, 200);
    assert_eq!(subscribe(&server, 1, "/device", &json!({ "p256dh": "AAAA", "auth": "AAAA" })).0, 422);
    server.follow(1, 1, 0);
    let deadline = now() + 7200;
    server.announce(1, &json!({ "turn": 1, "waiting": [0], "deadline": deadline }));
    let request = requests.next();
    let payload = decrypt(request.body.clone(), &browser, &Auth::from(auth)).unwrap();
    let payload: Value = serde_json::from_slice(&payload).unwrap();
    assert_eq!(payload["web_push"], 8030);
    assert_eq!(payload["notification"]["title"], "Your turn: Hegemony with Ada");
    assert_eq!(payload["notification"]["navigate"], format!("{URL}/t/{}", table(1)));
    assert_eq!(request.header("content-encoding"), "aes128gcm");
    assert!(request.header("topic").len() <= 32);
    assert!((7000..=7200).contains(&request.header("ttl").parse::<u64>().unwrap()));
    let known = |server: &TestServer| {
        let (_, text) = server.request("GET", "/api/notify/channels", &[], "");
        serde_json::from_str::<Value>(&text).unwrap()["push_key"].as_str().unwrap().to_owned()
    };
    let key = known(&server);
    let (token, shown) =
        request.header("authorization").strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    assert_eq!(shown, key);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let verifier = VerifyingKey::from_sec1_bytes(&BASE64URL_NOPAD.decode(key.as_bytes()).unwrap()).unwrap();
    let signature = Signature::from_slice(&BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap()).unwrap();
    verifier.verify(signed.as_bytes(), &signature).unwrap();
    let claims = BASE64URL_NOPAD.decode(signed.split_once('.').unwrap().1.as_bytes()).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!(format!("http://{address}")), &json!(URL)));
    let id = subscribe(&server, 2, "/gone", &keys).1["id"].clone();
    server.signed(
        2,
        "POST",
        &format!("/api/notify/subscriptions/{}/test", id.as_str().unwrap()),
        &Value::Null,
    );
    assert!(server.wait_for(2, "failed")["error"].as_str().unwrap().contains("404"));
    assert_eq!(server.player(2)["subscriptions"][0]["state"], "stopped");
    server.stop();
    server.launch();
    assert_eq!(known(&server), key, "the key is drawn once");
}

/// Turns are announced with the room pass, everything of a player is signed, and each error says what is wrong.
#[test]
fn requests_need_a_pass_or_a_signature() {
    let server = TestServer::start(None, true);
    let path = format!("/api/notify/tables/{}/turn", table(1));
    let body = json!({ "turn": 1, "waiting": [0] });
    let put = |pass: &str, body: &Value| {
        server.request("PUT", &path, &[("authorization", pass)], &body.to_string()).0
    };
    let mine = format!("Bearer {}", pass(1).to_text());
    assert_eq!(put("", &body), 401);
    assert_eq!(put("Bearer nonsense", &body), 401);
    assert_eq!(put(&format!("Bearer {}", pass(2).to_text()), &body), 403);
    assert_eq!(put(&mine, &json!({ "turn": 1 })), 400);
    assert_eq!(put(&mine, &json!({ "turn": 0, "waiting": [] })), 422);
    assert_eq!(put(&mine, &json!({ "turn": 1, "waiting": [32] })), 422);
    assert_eq!(put(&mine, &json!({ "turn": 1, "waiting": [0], "deadline": now() + 401 * 86_400 })), 422);
    assert_eq!(server.request("GET", &path, &[("authorization", &mine)], "").0, 404);
    assert_eq!(put(&mine, &body), 201);
    assert_eq!(put(&mine, &body), 200);
    let (status, turn) = server.request("GET", &path, &[("authorization", &mine)], "");
    let turn: Value = serde_json::from_str(&turn).unwrap();
    assert_eq!((status, &turn["turn"], &turn["waiting"]), (200, &json!(1), &json!([0])));
    assert_eq!(server.request("GET", &path, &[], "").0, 401);
    let site = [("authorization", mine.as_str()), ("origin", "https://evil.example")];
    assert_eq!(server.request("PUT", &path, &site, &body.to_string()).0, 403);

    let get = |header: &str| server.request("GET", "/api/notify/player", &[("authorization", header)], "").0;
    let sign = |url, method, path, time| signature(1, url, method, path, "", time);
    assert_eq!(get(&sign(URL, "GET", "/api/notify/player", now())), 200);
    for header in [
        sign("https://other.example.org", "GET", "/api/notify/player", now()),
        sign(URL, "DELETE", "/api/notify/player", now()),
        sign(URL, "GET", "/api/notify/other", now()),
        sign(URL, "GET", "/api/notify/player", now() - 400),
        sign(URL, "GET", "/api/notify/player", now() + 400),
        "Pentarchy 00 1 00".to_owned(),
        mine,
    ] {
        assert_eq!(get(&header), 401, "{header}");
    }
    // The seat of a table needs its pass, too.
    let body = json!({ "pass": pass(2).to_text() });
    assert_eq!(server.signed(1, "PUT", &format!("/api/notify/seats/{}/0", table(1)), &body).0, 403);
    server.follow(1, 1, 0);
    assert_eq!(server.player(1)["seats"][0]["waiting"], json!([0]));
    assert_eq!(server.player(2)["seats"], json!([]));
    let seat = format!("/api/notify/seats/{}/0", table(1));
    assert_eq!(server.signed(2, "DELETE", &seat, &Value::Null).0, 404);
    assert_eq!(server.signed(1, "DELETE", &seat, &Value::Null).0, 200);
    // Nobody removes or tests the subscription of another player.
    let id = server.subscribe(1, "webhook", "http://127.0.0.1:1/")["id"].as_str().unwrap().to_owned();
    assert_eq!(server.signed(2, "DELETE", &format!("/api/notify/subscriptions/{id}"), &Value::Null).0, 404);
    assert_eq!(
        server.signed(2, "POST", &format!("/api/notify/subscriptions/{id}/test"), &Value::Null).0,
        409
    );
    assert_eq!(server.signed(1, "DELETE", &format!("/api/notify/subscriptions/{id}"), &Value::Null).0, 200);
    let body = json!({ "channel": "mail", "address": "ada@example.org" });
    assert_eq!(server.signed(1, "POST", "/api/notify/subscriptions", &body).0, 422, "no mail here");
}
