-- The tournaments of the club. The club knows what a state means. Times are seconds since 1970.

CREATE TABLE club_tournaments (
    tournament_id BLOB NOT NULL PRIMARY KEY,
    -- 1, 2, 3, … in the order in which they were created. Numbers of removed ones may be missing.
    number BIGINT NOT NULL,
    -- The hash of the signed request that created it: a request counts once.
    request BLOB NOT NULL,
    organiser BLOB NOT NULL,
    -- open, running, finished or cancelled.
    phase TEXT NOT NULL,
    -- Increases with every change.
    version BIGINT NOT NULL,
    -- What lists show, in JSON.
    summary TEXT NOT NULL,
    -- Everything, in JSON.
    state TEXT NOT NULL,
    changed BIGINT NOT NULL
);

CREATE UNIQUE INDEX club_tournaments_by_number ON club_tournaments (number);
CREATE UNIQUE INDEX club_tournaments_by_request ON club_tournaments (request);
CREATE INDEX club_tournaments_by_phase ON club_tournaments (phase, number);
CREATE INDEX club_tournaments_by_organiser ON club_tournaments (organiser, phase);

CREATE TABLE club_tournament_players (
    identity BLOB NOT NULL,
    tournament_id BLOB NOT NULL,
    PRIMARY KEY (identity, tournament_id)
);

CREATE INDEX club_tournament_players_by_tournament ON club_tournament_players (tournament_id);

-- The tables of all rounds, by the tag that their records carry.
CREATE TABLE club_tournament_tables (
    tag BLOB NOT NULL PRIMARY KEY,
    tournament_id BLOB NOT NULL
);

CREATE INDEX club_tournament_tables_by_tournament ON club_tournament_tables (tournament_id);
