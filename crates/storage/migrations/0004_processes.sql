-- What the processes of a server share besides mail and the club. It lasts for minutes, so it is not in backups. Times are
-- seconds since 1970.

CREATE TABLE open_tables (
    table_id BLOB NOT NULL PRIMARY KEY,
    -- The address that listed it: 64 bits, read as a signed integer.
    source BIGINT NOT NULL,
    game TEXT NOT NULL,
    -- The description by the host, in JSON.
    listing TEXT NOT NULL,
    -- How many members its room had when the entry was last renewed.
    members BIGINT NOT NULL,
    listed BIGINT NOT NULL,
    expires BIGINT NOT NULL
);

CREATE INDEX open_tables_by_source ON open_tables (source);

-- Which process has opened the room of a table, in the order in which they did. The last one of a table has its room.
CREATE TABLE room_openings (
    number BIGINT NOT NULL PRIMARY KEY,
    table_id BLOB NOT NULL,
    -- A random number of the process: 64 bits, read as a signed integer.
    process BIGINT NOT NULL
);
