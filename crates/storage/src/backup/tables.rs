//! The tables of a backup.

/// A table of the database.
pub(super) struct BackupTable {
    pub(super) name: &'static str,
    /// All columns, those of the primary key first.
    pub(super) columns: &'static [&'static str],
    /// How many columns the primary key has.
    pub(super) key: usize,
    /// How many rows are read at once: few if they are large.
    page: u32,
    /// For a table with one row of totals: the condition that something was counted.
    pub(super) only_used: &'static str,
}

/// Describes a table with small rows, which is read 500 rows at a time and has no totals. The first `key` of `columns`
/// are the primary key.
const fn small(name: &'static str, key: usize, columns: &'static [&'static str]) -> BackupTable {
    BackupTable { name, columns, key, page: 500, only_used: "" }
}

/// All tables. A test compares them with the database.
pub(super) const TABLES: &[BackupTable] = &[
    small("mailboxes", 1, &["table_id", "mailbox", "packets", "bytes", "last_stored"]),
    BackupTable { page: 32, ..small("mail", 2, &["table_id", "number", "packet_id", "bytes", "sealed"]) },
    BackupTable {
        only_used: "WHERE newest > 0 OR packets > 0",
        ..small("mail_totals", 1, &["row_number", "packets", "bytes", "newest"])
    },
    small("club_profiles", 1, &["identity", "name", "folded", "signed_at", "signature"]),
    small(
        "club_games",
        1,
        &["number", "game_id", "game", "seats", "rules", "events", "ending", "unrated", "published", "bytes"],
    ),
    BackupTable { page: 4, ..small("club_records", 1, &["number", "record"]) },
    small(
        "club_seats",
        2,
        &["number", "seat", "identity", "name", "result", "rank", "score", "is_bot", "has_left"],
    ),
    small("club_ratings", 3, &["game", "seats", "identity", "mean", "deviation", "floor", "games", "wins"]),
    small("club_rating_history", 4, &["identity", "game", "seats", "number", "mean", "deviation"]),
    small("club_moves", 2, &["position", "action", "games", "wins", "points"]),
    BackupTable {
        only_used: "WHERE newest > 0 OR games > 0",
        ..small("club_totals", 1, &["row_number", "games", "bytes", "newest"])
    },
    BackupTable {
        page: 16,
        ..small(
            "club_tournaments",
            1,
            &[
                "tournament_id",
                "number",
                "request",
                "organiser",
                "phase",
                "version",
                "summary",
                "state",
                "changed",
            ],
        )
    },
    small("club_tournament_players", 2, &["identity", "tournament_id"]),
    small("club_tournament_tables", 1, &["tag", "tournament_id"]),
    small("notify_tables", 1, &["table_id", "turn", "waiting", "since", "deadline", "last_used"]),
    small("notify_seats", 3, &["table_id", "seat", "identity", "label"]),
    small(
        "notify_subscriptions",
        1,
        &[
            "subscription_id",
            "identity",
            "channel",
            "address",
            "table_id",
            "secret",
            "reminders",
            "state",
            "error",
            "token",
            "created",
            "last_used",
            "last_sent",
        ],
    ),
    small("notify_confirmations", 1, &["address", "sent", "since"]),
    small(
        "notify_outbox",
        5,
        &[
            "table_id",
            "seat",
            "turn",
            "event",
            "subscription_id",
            "message_id",
            "channel",
            "state",
            "due",
            "attempts",
            "error",
            "created",
            "changed",
        ],
    ),
    small("notify_keys", 1, &["name", "secret"]),
];

impl BackupTable {
    /// Returns the query for the first page of rows in the order of the primary key, as many as the table
    /// reads at once. With `after` it is the page after the row whose primary key is given as parameters
    /// `$1`, `$2`, ….
    pub(super) fn page_sql(&self, after: bool) -> String {
        let (columns, name) = (self.columns.join(", "), self.name);
        let key = self.columns[..self.key].join(", ");
        let parameters: Vec<String> = (1..=self.key).map(|i| format!("${i}")).collect();
        let rest = match after {
            true => format!("WHERE ({key}) > ({}) ", parameters.join(", ")),
            false => String::new(),
        };
        format!("SELECT {columns} FROM {name} {rest}ORDER BY {key} LIMIT {}", self.page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// What lasts for minutes is not in a backup.
    const SHORT_LIVED: [&str; 2] = ["open_tables", "room_openings"];

    /// Every other table and column of the migrations is in a backup.
    #[test]
    fn all_tables_are_backed_up() {
        let mut found = BTreeMap::new();
        for (_, _, sql) in crate::sql::MIGRATIONS {
            for table in sql.split("CREATE TABLE ").skip(1) {
                let (name, rest) = table.split_once(" (").unwrap();
                let body = rest.split("\n);").next().unwrap();
                let lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
                let columns = lines.filter(|line| !line.starts_with("--") && !line.starts_with("PRIMARY"));
                let mut names: Vec<&str> = columns.map(|line| line.split(' ').next().unwrap()).collect();
                names.sort_unstable();
                found.insert(name, names);
            }
        }
        for name in SHORT_LIVED {
            assert!(found.remove(name).is_some(), "{name}");
        }
        let listed: BTreeMap<&str, Vec<&str>> = TABLES
            .iter()
            .map(|table| {
                let mut names = table.columns.to_vec();
                names.sort_unstable();
                (table.name, names)
            })
            .collect();
        assert_eq!(listed, found);
    }
}
