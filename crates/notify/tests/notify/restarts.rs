//! Workers that die, and servers that start again, with both databases.

use crate::common::{LEASE, TestServer, now, table};
use crate::sinks::{PATIENCE, Received, ReceivedRequest, http_server};
use data_encoding::HEXLOWER;
use pentarchy_storage::notify::{
    MAX_ATTEMPTS, NotifyChannel, NotifyLimits, SendResult, TurnNotice, TurnOutcome, TurnSeats,
};
use pentarchy_storage::testing::PostgresServer;
use pentarchy_storage::{DatabaseLocation, StorageError};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Returns the turn that a request tells about.
fn turn(request: &ReceivedRequest) -> u64 {
    serde_json::from_slice::<Value>(&request.body).unwrap()["turn"].as_u64().unwrap()
}

/// Announces a turn of table 1 while no server runs, and takes the message as a worker does that dies then. Returns the
/// identifier of the message.
fn take_and_die(database: &DatabaseLocation, turn: u64) -> Result<String, StorageError> {
    database.run(async |storage| {
        let notice = TurnNotice { table: table(1), turn, waiting: TurnSeats::from_bits(1), deadline: 0 };
        let outcome = storage.put_turn(notice, NotifyLimits::default(), now()).await?;
        assert_eq!(outcome, TurnOutcome::Stored(1));
        let taken = storage.take_messages(NotifyChannel::Webhook, 10, LEASE.as_secs(), now()).await?;
        assert_eq!((taken.len(), taken[0].turn), (1, turn));
        Ok(HEXLOWER.encode(&taken[0].id))
    })?
}

/// Announces a turn of table 1 while no server runs, and lets all attempts but the last one to send the message fail.
/// The last one is due.
fn use_up_attempts(database: &DatabaseLocation, turn: u64) -> Result<(), StorageError> {
    database.run(async |storage| {
        let notice = TurnNotice { table: table(1), turn, waiting: TurnSeats::from_bits(1), deadline: 0 };
        storage.put_turn(notice, NotifyLimits::default(), now()).await?;
        for attempt in 1..MAX_ATTEMPTS {
            let taken = storage.take_messages(NotifyChannel::Webhook, 10, LEASE.as_secs(), now()).await?;
            assert_eq!((taken.len(), taken[0].attempts), (1, attempt));
            // A result of long ago: the pause after it is over.
            let busy = SendResult::Retry("busy".to_owned());
            assert!(storage.finish_message(taken[0].id, attempt, busy, 0).await?);
        }
        Ok(())
    })?
}

/// Asserts that what was taken and not stored is sent by the next server, with the same identifier, and that what was stored
/// as sent is not sent again.
fn nothing_is_lost(mut server: TestServer) {
    let (address, requests): (_, Received<ReceivedRequest>) = http_server(|_| "204 No Content".to_owned());
    server.subscribe(1, "webhook", &format!("http://{address}/"));
    server.follow(1, 1, 0);
    server.announce(1, &json!({ "turn": 1, "waiting": [0] }));
    assert_eq!(turn(&requests.next()), 1);
    server.wait_for(1, "sent");
    server.stop();
    // Between taking and sending, or between sending and storing: nobody can tell the difference.
    let id = take_and_die(&server.database, 2).unwrap();
    server.launch();
    let again = requests.next();
    assert_eq!((turn(&again), again.header("webhook-id")), (2, id.as_str()));
    server.wait_for(1, "sent");
    assert_eq!(server.player(1)["messages"][0]["attempts"], 2);
    // The turn passes while the message is with a dead worker: it is not sent any more.
    server.stop();
    take_and_die(&server.database, 3).unwrap();
    server.launch();
    server.announce(1, &json!({ "turn": 4, "waiting": [0] }));
    assert_eq!(turn(&requests.next()), 4);
    for _ in 0..2 {
        server.stop();
        server.launch();
        server.announce(1, &json!({ "turn": 4, "waiting": [0] }));
    }
    let obsolete = || {
        let messages = server.player(1)["messages"].clone();
        messages.as_array().unwrap().iter().any(|one| one["turn"] == 3 && one["state"] == "obsolete")
    };
    let begin = Instant::now();
    while !obsolete() {
        assert!(begin.elapsed() < PATIENCE, "{}", server.player(1));
        std::thread::sleep(Duration::from_millis(20));
    }
    server.announce(1, &json!({ "turn": 5, "waiting": [0] }));
    assert_eq!(turn(&requests.next()), 5, "turn 4 was told once");
    assert!(requests.is_empty());
}

#[test]
fn nothing_is_lost_with_sqlite() {
    nothing_is_lost(TestServer::start(None, true));
}

#[test]
fn nothing_is_lost_with_postgres() {
    let Some(postgres) = PostgresServer::start() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let address = runtime.block_on(postgres.database("notify"));
    nothing_is_lost(TestServer::with_database(DatabaseLocation::Postgres(address), true));
}

/// A message whose last attempt fails counts as given up, not as repeated.
#[test]
fn the_last_attempt_that_fails_gives_a_message_up() {
    let (address, requests) = http_server(|_| "503 Busy".to_owned());
    let mut server = TestServer::start(None, true);
    server.subscribe(1, "webhook", &format!("http://{address}/"));
    server.follow(1, 1, 0);
    server.stop();
    use_up_attempts(&server.database, 1).unwrap();
    server.launch();
    assert_eq!(turn(&requests.next()), 1);
    let shown = server.wait_for(1, "failed");
    assert_eq!(shown["attempts"], MAX_ATTEMPTS);
    let metrics = server.metrics();
    for line in ["pentarchy_notify_failed_total 1", "pentarchy_notify_retried_total 0"] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
}

/// Two servers on one database send each message once.
#[test]
fn two_servers_share_an_outbox() {
    let Some(postgres) = PostgresServer::start() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let location = DatabaseLocation::Postgres(runtime.block_on(postgres.database("shared")));
    let (address, requests) = http_server(|_| "204 No Content".to_owned());
    let servers =
        [TestServer::with_database(location.clone(), true), TestServer::with_database(location, true)];
    servers[0].subscribe(1, "webhook", &format!("http://{address}/"));
    servers[0].follow(1, 1, 0);
    for number in 1..=20 {
        for server in &servers {
            server.announce(1, &json!({ "turn": number, "waiting": [0] }));
        }
        assert_eq!(turn(&requests.next()), number);
    }
    assert!(requests.is_empty());
}
