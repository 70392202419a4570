//! A server with several processes: PostgreSQL, nginx with the configuration of docs/deploy.md, three processes with the
//! command line of its service, and 120 tables. One process is killed and comes back.
//!
//! The test is skipped where PostgreSQL or nginx are not installed. With `PENTARCHY_DEPLOY_TEST` in the environment it fails
//! there, plays 1,000 tables, and all of them must be back within 10 seconds. Without it the time is printed, because the
//! machine may be busy.

use crate::cluster::{self, Cluster};
use crate::member::{self, Orders, TableProgress, play_table};
use pentarchy_net::MailCursor;
use pentarchy_storage::testing::PostgresServer;
use pentarchy_storage::{SqlStorage, Storage};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::sleep;

/// The number of tables beside other tests, and on demand.
const TABLES: [u16; 2] = [120, 1_000];
/// How long tables may be interrupted when a process dies.
const INTERRUPTION: Duration = Duration::from_secs(10);
/// Longer than anything here takes, so that the test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns whether the test runs on demand, so that nothing may be skipped.
fn is_strict() -> bool {
    std::env::var_os("PENTARCHY_DEPLOY_TEST").is_some()
}

/// Waits until every table has exchanged a message that was sent after now. Returns how long that took. Panics if it takes
/// longer than [`PATIENCE`].
async fn all_answer(what: &str, tables: &[Arc<TableProgress>]) -> Duration {
    let (start, since) = (Instant::now(), member::now_ms());
    let is_silent = |table: &&Arc<TableProgress>| table.last_asked.load(Relaxed) <= since;
    loop {
        let silent = tables.iter().filter(is_silent).count();
        if silent == 0 {
            println!("{what}: all tables answer after {:.1} s", start.elapsed().as_secs_f64());
            return start.elapsed();
        }
        assert!(start.elapsed() < PATIENCE, "{what}: {silent} tables do not answer");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Checks the mailboxes of all tables in the database: numbers without gaps, no packet twice, and each acknowledged packet
/// at the place that was acknowledged. Returns the number of packets.
async fn check_mail(database: &SqlStorage, tables: &[Arc<TableProgress>]) -> usize {
    let mut count = 0;
    for table in tables {
        let (mut stored, mut after) = (BTreeMap::new(), MailCursor::default());
        loop {
            let page = database.read_mail(table.table(), after).await.unwrap();
            let Some(last) = page.packets.last() else { break };
            after = MailCursor { mailbox: page.mailbox, number: last.number };
            for packet in page.packets {
                assert_eq!(packet.number as usize, stored.len() + 1, "a gap");
                let again = stored.insert(packet.sealed, packet.number);
                assert_eq!(again, None, "a packet is stored twice");
            }
        }
        for mail in table.mail.lock().unwrap().iter() {
            for (sealed, number) in &mail.acknowledged {
                assert_eq!(stored.get(sealed), Some(number), "an acknowledged packet is lost or moved");
            }
            assert_eq!(mail.cursor.number as usize, stored.len(), "a member has not got all mail");
        }
        count += stored.len();
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_survive_the_death_of_a_process() {
    cluster::raise_descriptors();
    let (Some(nginx), Some(postgres)) = (cluster::find_nginx(), PostgresServer::start()) else {
        assert!(!is_strict(), "PostgreSQL or nginx is missing");
        return eprintln!("skipped: install the packages `postgresql` and `nginx-light`");
    };
    let address = postgres.database("processes").await;
    let mut cluster = Cluster::start(&nginx, &address);
    let (orders, ordered) = watch::channel(Orders { posts: true, visit: 0, ends: false });
    let count = TABLES[usize::from(is_strict())];
    let tables: Vec<Arc<TableProgress>> = (0..count).map(|i| Arc::new(TableProgress::new(i))).collect();
    let playing: Vec<_> =
        tables.iter().flat_map(|table| play_table(Arc::clone(table), cluster.proxy(), &ordered)).collect();
    all_answer("start", &tables).await;
    cluster.check_open_tables(&tables[0]);

    let places = tables.iter().map(|table| table.connections.load(Relaxed)).collect::<Vec<_>>();
    cluster.kill(0);
    let back = all_answer("a process was killed", &tables).await;
    let moved = tables.iter().zip(&places).filter(|(table, old)| table.connections.load(Relaxed) > **old);
    let moved = moved.count();
    println!("{moved} of {count} tables were there");
    assert!(
        (tables.len() / 10..tables.len() * 7 / 10).contains(&moved),
        "tables are spread over the processes"
    );

    // It comes back. As soon as one member of a table connects again, the other one has to follow it.
    cluster.restart(0);
    sleep(cluster::FAIL_TIMEOUT + Duration::from_secs(1)).await;
    cluster.ask_about(&tables[..40]);
    let entered = cluster.members(0);
    orders.send_modify(|orders| orders.visit += 1);
    all_answer("the process is back", &tables).await;
    println!("its rooms have {entered} members before that, {} after it", cluster.members(0));
    assert!(cluster.members(0) >= 2 * moved as u64 * 9 / 10, "tables return to their process");

    orders.send_modify(|orders| orders.posts = false);
    let start = Instant::now();
    while tables.iter().any(|table| table.waiting.load(Relaxed) > 0) {
        assert!(start.elapsed() < PATIENCE, "packets are not acknowledged");
        sleep(Duration::from_millis(50)).await;
    }
    // Everything is stored; a last fetch gives every member the rest.
    orders.send_modify(|orders| orders.visit += 1);
    all_answer("all connect again", &tables).await;
    orders.send_modify(|orders| orders.ends = true);
    for member in playing {
        member.await.unwrap();
    }
    let database = SqlStorage::open_postgres(&address).await.unwrap();
    println!("{} packets, none lost, none twice", check_mail(&database, &tables).await);
    database.close().await.unwrap();
    if is_strict() {
        assert!(back <= INTERRUPTION, "{back:?}");
    }
}
