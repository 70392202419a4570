-- Whose turn it is at tables, and notifications about it. Times are seconds since 1970.

CREATE TABLE notify_tables (
    table_id BLOB NOT NULL PRIMARY KEY,
    -- The number of the turn; 0 before the first one is announced.
    turn BIGINT NOT NULL,
    -- The seats that the table waits for: bit 0 is seat 0.
    waiting BIGINT NOT NULL,
    -- When the turn was announced.
    since BIGINT NOT NULL,
    -- 0 if there is none.
    deadline BIGINT NOT NULL,
    last_used BIGINT NOT NULL
);

CREATE INDEX notify_tables_by_age ON notify_tables (last_used);

-- Who wants to know when a table waits for a seat.
CREATE TABLE notify_seats (
    table_id BLOB NOT NULL,
    seat BIGINT NOT NULL,
    identity BLOB NOT NULL,
    -- How messages to this player name the table.
    label TEXT NOT NULL,
    PRIMARY KEY (table_id, seat, identity)
);

CREATE INDEX notify_seats_by_player ON notify_seats (identity);

CREATE TABLE notify_subscriptions (
    subscription_id BLOB NOT NULL PRIMARY KEY,
    identity BLOB NOT NULL,
    -- mail, webhook or push.
    channel TEXT NOT NULL,
    -- A mail address, or the URL of a webhook or push service.
    address TEXT NOT NULL,
    -- The only table to tell about; empty for all tables of the player.
    table_id BLOB NOT NULL,
    -- Of a webhook: the key that signs. Of a push service: public key and secret of the browser. Else empty.
    secret BLOB NOT NULL,
    -- Whether to remind before a deadline.
    reminders BIGINT NOT NULL,
    -- unconfirmed, active or stopped.
    state TEXT NOT NULL,
    -- Why the last message was not delivered; empty if it was.
    error TEXT NOT NULL,
    -- The secret of the links in mails.
    token BLOB NOT NULL,
    created BIGINT NOT NULL,
    last_used BIGINT NOT NULL,
    -- When a message was last delivered; 0 if none was.
    last_sent BIGINT NOT NULL
);

CREATE UNIQUE INDEX notify_subscriptions_by_player ON notify_subscriptions (identity, channel, address, table_id);
CREATE INDEX notify_subscriptions_by_address ON notify_subscriptions (channel, address);
CREATE INDEX notify_subscriptions_by_token ON notify_subscriptions (token);

-- How many confirmations were sent to a mail address, by its hash, since a time.
CREATE TABLE notify_confirmations (
    address BLOB NOT NULL PRIMARY KEY,
    sent BIGINT NOT NULL,
    since BIGINT NOT NULL
);

-- Messages: each key is sent once.
CREATE TABLE notify_outbox (
    -- Empty for messages that concern no table.
    table_id BLOB NOT NULL,
    seat BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    -- turn, half, tenth, confirm or test.
    event TEXT NOT NULL,
    subscription_id BLOB NOT NULL,
    -- By which the recipient recognizes a message that is sent again.
    message_id BLOB NOT NULL,
    channel TEXT NOT NULL,
    -- waiting, sending, sent, failed or obsolete.
    state TEXT NOT NULL,
    -- When it is sent next; while it is being sent, when another worker may take it.
    due BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    error TEXT NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (table_id, seat, turn, event, subscription_id)
);

CREATE UNIQUE INDEX notify_outbox_by_message ON notify_outbox (message_id);
CREATE INDEX notify_outbox_by_due ON notify_outbox (channel, state, due);
CREATE INDEX notify_outbox_by_subscription ON notify_outbox (subscription_id, created);

-- Secrets of the server that are drawn once.
CREATE TABLE notify_keys (
    name TEXT NOT NULL PRIMARY KEY,
    secret BLOB NOT NULL
);
