-- The club: profiles, the archive of verified records, ratings and the explorer. Times are seconds since 1970.

CREATE TABLE club_profiles (
    identity BLOB NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    -- The name in lower case, as bytes: both databases order them alike.
    folded BLOB NOT NULL,
    signed_at BIGINT NOT NULL,
    signature BLOB NOT NULL
);

CREATE INDEX club_profiles_by_name ON club_profiles (folded);

CREATE TABLE club_games (
    -- 1, 2, 3, … in the order in which they were archived, which is that of their ratings.
    number BIGINT NOT NULL PRIMARY KEY,
    -- The identifier of the table: a game is archived once.
    game_id BLOB NOT NULL,
    game TEXT NOT NULL,
    seats BIGINT NOT NULL,
    rules BIGINT NOT NULL,
    events BIGINT NOT NULL,
    -- played: to its end. dropped: without some seats.
    ending TEXT NOT NULL,
    -- Why the game is not rated; empty if it is.
    unrated TEXT NOT NULL,
    published BIGINT NOT NULL,
    bytes BIGINT NOT NULL
);

CREATE UNIQUE INDEX club_games_by_id ON club_games (game_id);
CREATE INDEX club_games_by_game ON club_games (game, seats, number);
CREATE INDEX club_games_by_time ON club_games (published);

-- The signed records, apart from what searches read.
CREATE TABLE club_records (
    number BIGINT NOT NULL PRIMARY KEY,
    record BLOB NOT NULL
);

CREATE TABLE club_seats (
    number BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    identity BLOB NOT NULL,
    name TEXT NOT NULL,
    -- won, lost, draw, or none if the game has no result.
    result TEXT NOT NULL,
    -- 1 is best; 0 if the game has no result.
    rank BIGINT NOT NULL,
    score BIGINT NOT NULL,
    is_bot BIGINT NOT NULL,
    has_left BIGINT NOT NULL,
    PRIMARY KEY (number, seat)
);

CREATE INDEX club_seats_by_player ON club_seats (identity, number);

-- Means and deviations are in millionths.
CREATE TABLE club_ratings (
    game TEXT NOT NULL,
    seats BIGINT NOT NULL,
    identity BLOB NOT NULL,
    mean BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    -- mean - 3 * deviation, by which leaderboards are ordered.
    floor BIGINT NOT NULL,
    games BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    PRIMARY KEY (game, seats, identity)
);

CREATE INDEX club_ratings_by_floor ON club_ratings (game, seats, floor);
CREATE INDEX club_ratings_by_player ON club_ratings (identity);

-- The rating of a player after each rated game.
CREATE TABLE club_rating_history (
    identity BLOB NOT NULL,
    game TEXT NOT NULL,
    seats BIGINT NOT NULL,
    number BIGINT NOT NULL,
    mean BIGINT NOT NULL,
    deviation BIGINT NOT NULL,
    PRIMARY KEY (identity, game, seats, number)
);

-- What was played in a public position. Points are thousandths of a win.
CREATE TABLE club_moves (
    position BLOB NOT NULL,
    action TEXT NOT NULL,
    games BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    points BIGINT NOT NULL,
    PRIMARY KEY (position, action)
);

-- One row: the sums over all games, and the time of the newest one.
CREATE TABLE club_totals (
    row_number BIGINT NOT NULL PRIMARY KEY CHECK (row_number = 1),
    games BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    newest BIGINT NOT NULL
);

INSERT INTO club_totals (row_number, games, bytes, newest) VALUES (1, 0, 0, 0);
