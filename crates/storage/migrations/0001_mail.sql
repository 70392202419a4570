-- Sealed packets for absent members of tables. Times are seconds since 1970.

CREATE TABLE mailboxes (
    table_id BLOB NOT NULL PRIMARY KEY,
    -- A random number that says which mailbox a cursor belongs to: 64 bits, read as a signed integer.
    mailbox BIGINT NOT NULL,
    -- The number of packets, which is also the number of the last one.
    packets BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    last_stored BIGINT NOT NULL
);

CREATE INDEX mailboxes_by_age ON mailboxes (last_stored);

CREATE TABLE mail (
    table_id BLOB NOT NULL,
    number BIGINT NOT NULL,
    -- The hash by which a packet is recognized that is stored again.
    packet_id BLOB NOT NULL,
    bytes BIGINT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (table_id, number)
);

CREATE UNIQUE INDEX mail_by_packet ON mail (table_id, packet_id);

-- One row: the sums over all mailboxes, and the time of the newest packet ever stored.
CREATE TABLE mail_totals (
    row_number BIGINT NOT NULL PRIMARY KEY CHECK (row_number = 1),
    packets BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    newest BIGINT NOT NULL
);

INSERT INTO mail_totals (row_number, packets, bytes, newest) VALUES (1, 0, 0, 0);
