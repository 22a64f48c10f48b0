-- Schema 1. Frozen once it is released: what changes later is a step of its own.

-- The last epoch that was given out, one for all nodes.
INSERT INTO meta VALUES ('epoch', 0);

-- Who writes. Every flush raises its node's number in the same transaction: after a commit in doubt it tells whether
-- the flush is there. The instance is the process that has the node now.
CREATE TABLE node (
  no INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL UNIQUE,
  instance UUID NOT NULL,
  flush BIGINT NOT NULL,
  serving BOOLEAN NOT NULL,
  seen_at TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 50);

-- Numbers of tables are never used again: they are part of the keys of postings.
CREATE SEQUENCE table_no;
-- A flush updates its tables' rows and no index: what an ordinary append changes is in none.
CREATE TABLE game_table (
  no BIGINT PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  match_no BIGINT NOT NULL,
  record_seq BIGINT NOT NULL,
  touched_ms BIGINT NOT NULL,
  state SMALLINT NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  seats SMALLINT NOT NULL,
  created_ms BIGINT NOT NULL,
  changed_ms BIGINT NOT NULL,
  facts TEXT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX game_table_finished ON game_table (changed_ms) WHERE state = 2;
CREATE INDEX game_table_by_state ON game_table (state, no);
CREATE INDEX game_table_by_game ON game_table (game, state, no);

-- Where each match begins, counted in entries of its table from 1.
CREATE TABLE game_match (
  table_no BIGINT NOT NULL,
  match_no BIGINT NOT NULL,
  first_seq BIGINT NOT NULL,
  PRIMARY KEY (table_no, match_no)
);

-- A table's entries of one flush.
CREATE TABLE chunk (
  table_no BIGINT NOT NULL,
  first_seq BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  crc BIGINT NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (table_no, first_seq)
);

-- Balances follow from postings and legs, and are kept in the same transaction. What all nodes move (house, mint, burn)
-- has a row for each node, so that they do not wait for one another; their sum counts. All others have node 0.
CREATE SEQUENCE account_no;
CREATE TABLE account (
  no BIGINT PRIMARY KEY,
  owner TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  node INTEGER NOT NULL,
  balance BIGINT NOT NULL,
  UNIQUE (owner, currency, node)
) WITH (fillfactor = 50);
-- Numbers have gaps. Those of one account's postings rise: they are drawn under its lock.
CREATE SEQUENCE posting_no;
CREATE TABLE posting (
  no BIGINT PRIMARY KEY,
  key TEXT COLLATE "C" UNIQUE,
  table_no BIGINT,
  at_ms BIGINT NOT NULL
);
CREATE TABLE leg (
  posting_no BIGINT NOT NULL,
  n BIGINT NOT NULL,
  from_no BIGINT NOT NULL,
  to_no BIGINT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount > 0),
  reason TEXT NOT NULL,
  from_after BIGINT NOT NULL,
  to_after BIGINT NOT NULL,
  PRIMARY KEY (posting_no, n)
);
CREATE INDEX leg_to ON leg (to_no, posting_no, n);
CREATE INDEX leg_from ON leg (from_no, posting_no, n);
-- The holds that have something, and no others.
CREATE TABLE open_hold (
  id TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  account_no BIGINT NOT NULL,
  PRIMARY KEY (id, currency)
);
-- The names of tables that were swept and with whose entries tokens moved: statements outlive them.
CREATE TABLE swept_table (no BIGINT PRIMARY KEY, id TEXT COLLATE "C" NOT NULL);

CREATE TABLE player (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT COLLATE "C",
  token_hash BYTEA NOT NULL UNIQUE,
  created_ms BIGINT NOT NULL,
  language TEXT NOT NULL,
  avatar TEXT NOT NULL,
  renames BIGINT NOT NULL,
  rights BIGINT NOT NULL,
  deleted_ms BIGINT,
  preferences TEXT NOT NULL
);
CREATE UNIQUE INDEX player_name ON player (name_key) WHERE name_key IS NOT NULL;

CREATE TABLE standing (
  player TEXT COLLATE "C" NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  points BIGINT NOT NULL,
  won BIGINT NOT NULL,
  lost BIGINT NOT NULL,
  drawn BIGINT NOT NULL,
  PRIMARY KEY (player, game)
);
CREATE INDEX standing_by_points ON standing (game, points DESC, player);

CREATE TABLE played (
  no BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  player TEXT COLLATE "C" NOT NULL,
  table_id TEXT COLLATE "C" NOT NULL,
  match_no BIGINT NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  seat SMALLINT NOT NULL,
  went TEXT NOT NULL,
  reason TEXT NOT NULL,
  points BIGINT,
  floor BIGINT,
  at_ms BIGINT NOT NULL
);
CREATE INDEX played_by ON played (player, no);
CREATE INDEX played_at ON played (table_id, match_no);

CREATE TABLE room (id TEXT COLLATE "C" PRIMARY KEY, body TEXT NOT NULL);

CREATE TABLE audit (
  no BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at_ms BIGINT NOT NULL,
  what TEXT NOT NULL,
  about TEXT NOT NULL
);

CREATE TABLE ruleset (
  name TEXT COLLATE "C" PRIMARY KEY,
  author TEXT COLLATE "C",
  state SMALLINT NOT NULL,
  version BIGINT NOT NULL
);
CREATE TABLE ruleset_version (
  name TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  identity BYTEA NOT NULL,
  author TEXT COLLATE "C",
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (name, version)
);
CREATE INDEX ruleset_by_identity ON ruleset_version (name, identity);
CREATE INDEX ruleset_by_author ON ruleset_version (author, at_ms);

-- Filled and emptied again to find out whether there is room; kept as it is, or it would take none.
CREATE TABLE probe (room BYTEA NOT NULL);
ALTER TABLE probe ALTER room SET STORAGE EXTERNAL;
