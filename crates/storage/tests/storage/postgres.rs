//! PostgreSQL: a real server, which is started here.

use crate::common::{LIMITS, append, packet, read_all, table};
use crate::suite;
use pentarchy_storage::testing::PostgresServer;
use pentarchy_storage::{AppendOutcome, MailUsage, SqlStorage, Storage, StorageError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;

/// Longer than anything here takes, so that a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens the PostgreSQL database at an address. Panics if it cannot be opened.
async fn open(address: &str) -> SqlStorage {
    SqlStorage::open_postgres(address).await.unwrap()
}

#[tokio::test]
async fn a_server_gives_the_same_results_as_memory() {
    let Some(server) = PostgresServer::start() else { return };
    let address = server.database("model").await;
    suite::gives_the_same_results_as_memory(1, async |_| open(&address).await).await;
    suite::pages_are_bounded(&open(&server.database("pages").await).await).await;
    suite::a_clock_that_was_ahead_does_no_harm(&open(&server.database("clock").await).await).await;
    what_cannot_be_used_is_named_without_the_password(&server).await;
    processes_share_a_database(&server.database("shared").await).await;
}

/// Asserts that errors at the start have the right kind, and name the database and the reason but not the password.
async fn what_cannot_be_used_is_named_without_the_password(server: &PostgresServer) {
    let address = server.database("newer").await;
    let database = open(&address).await;
    database.pretend_newer().await.unwrap();
    database.close().await.unwrap();
    let error = |address: String| async move { SqlStorage::open_postgres(&address).await.err().unwrap() };
    assert!(matches!(error(address.clone()).await, StorageError::NewerSchema(_)));
    let missing = error(address.replace("pentarchy@", "pentarchy:secret@").replace("newer", "missing")).await;
    assert!(matches!(missing, StorageError::Rejected(_)), "{missing:?}");
    assert!(missing.to_string().contains("/missing: database"), "{missing}");
    assert!(!missing.to_string().contains("secret"), "{missing}");
    let malformed = error("postgres://[".into()).await;
    assert!(matches!(malformed, StorageError::Rejected(_)), "{malformed:?}");
    let stranger = error(address.replace("pentarchy@", "stranger@")).await;
    assert!(matches!(stranger, StorageError::Rejected(_)), "{stranger:?}");
}

/// Asserts that two storages that store at the same time, each with connections of its own, get numbers without gaps.
async fn processes_share_a_database(address: &str) {
    let (first, second) = (open(address).await, open(address).await);
    let store = async |storage: &SqlStorage, writer: u8| {
        for i in 0..40 {
            append(storage, packet(1, &format!("{writer} {i}"))).await;
        }
    };
    tokio::join!(store(&first, 1), store(&second, 2));
    let stored = read_all(&first, table(1)).await;
    assert!(stored.iter().map(|packet| packet.number).eq(1..=80));
    suite::open_tables_are_shared(&first, &second).await;
    suite::room_openings_are_ordered(&first, &second).await;
}

/// A process that listens is woken when another one opens a room, also after the server of the database was restarted.
#[tokio::test]
async fn a_listener_is_woken_also_after_a_restart() {
    let Some(mut server) = PostgresServer::start() else { return };
    let address = server.database("listen").await;
    let (listening, opening) = (open(&address).await, open(&address).await);
    let wake = Arc::new(Notify::new());
    let woken = Arc::clone(&wake);
    let task = tokio::spawn(async move { listening.listen(woken).await });
    wake.notified().await;
    for round in 0..2u64 {
        opening.open_rooms(round, vec![table(1)]).await.unwrap();
        timeout(PATIENCE, wake.notified()).await.expect("woken");
        server.crash();
        server.launch();
        timeout(PATIENCE, wake.notified()).await.expect("woken, because messages may be lost");
    }
    task.abort();
}

/// The server crashes while packets are stored, and comes back: operations fail with a clear error meanwhile, and everything
/// acknowledged is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_gone_and_back_loses_nothing_acknowledged() {
    let Some(mut server) = PostgresServer::start() else { return };
    let database = Arc::new(open(&server.database("crash").await).await);
    let writer = Arc::clone(&database);
    let (stop, mut stopped) = tokio::sync::oneshot::channel::<()>();
    let writing = tokio::spawn(async move {
        let (mut acknowledged, mut errors) = (Vec::new(), Vec::new());
        for i in 0.. {
            let text = format!("{i}");
            match writer.append_mail(vec![packet(1, &text)], LIMITS, 0).await {
                Ok(outcomes) => {
                    assert!(matches!(outcomes[..], [AppendOutcome::Stored(_)]));
                    acknowledged.push(text);
                }
                Err(error) => errors.push(error),
            }
            if stopped.try_recv().is_ok() {
                break;
            }
        }
        (acknowledged, errors)
    });
    let stored = async || match database.mail_usage().await {
        Ok(usage) => usage.packets,
        Err(_) => 0,
    };
    for round in 1..=3 {
        while stored().await < 40 * round {
            tokio::task::yield_now().await;
        }
        server.crash();
        if round == 3 {
            // Nobody answers: the error says so, within the time of an operation.
            let error = database.mail_usage().await.unwrap_err();
            assert!(matches!(error, StorageError::Unavailable(_)), "{error:?}");
            assert!(
                error.to_string().contains("the database does not answer: postgres://pentarchy@127.0.0.1:"),
                "{error}"
            );
        }
        server.launch();
    }
    while stored().await < 150 {
        tokio::task::yield_now().await;
    }
    stop.send(()).unwrap();
    let (acknowledged, errors) = writing.await.unwrap();
    assert!(errors.iter().all(|error| matches!(error, StorageError::Unavailable(_))), "{errors:?}");
    let texts: Vec<String> = read_all(&*database, table(1))
        .await
        .into_iter()
        .map(|packet| String::from_utf8(packet.sealed).unwrap())
        .collect();
    let mut rest = texts.iter();
    for text in &acknowledged {
        assert!(rest.any(|stored| stored == text), "{text} is lost or out of order");
    }
    assert_eq!(
        database.mail_usage().await.unwrap(),
        MailUsage {
            tables: 1,
            packets: texts.len() as u64,
            bytes: texts.iter().map(|text| text.len() as u64).sum(),
        }
    );
}
