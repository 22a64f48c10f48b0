-- Schema 1. Frozen: what changes later is a migration of its own.

-- Single numbers.
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('epoch', 0);

-- Numbers of tables are never used again: they are part of the keys of postings.
CREATE TABLE game_table (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  epoch INTEGER NOT NULL,
  state INTEGER NOT NULL,
  game TEXT NOT NULL,
  seats INTEGER NOT NULL,
  match_no INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  facts TEXT NOT NULL
);
CREATE INDEX game_table_finished ON game_table (changed_ms) WHERE state = 2;

-- Where each match begins, counted in entries of its table from 1.
CREATE TABLE game_match (
  table_no INTEGER NOT NULL,
  match_no INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  PRIMARY KEY (table_no, match_no)
) WITHOUT ROWID;

-- A table's entries of one flush. The place is the table's number times 2^32 plus the number of the first entry: one
-- tree, no index beside it, and a table's entries lie together. Nothing else is touched by an ordinary append.
CREATE TABLE chunk (
  place INTEGER PRIMARY KEY,
  entries INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  body BLOB NOT NULL
);

-- Balances follow from postings and legs, and are kept in the same transaction.
CREATE TABLE account (
  no INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  currency TEXT NOT NULL,
  balance INTEGER NOT NULL,
  UNIQUE (owner, currency)
);
CREATE TABLE posting (
  no INTEGER PRIMARY KEY,
  key TEXT UNIQUE,
  at_ms INTEGER NOT NULL
);
CREATE TABLE leg (
  posting_no INTEGER NOT NULL,
  n INTEGER NOT NULL,
  from_no INTEGER NOT NULL,
  to_no INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  PRIMARY KEY (posting_no, n)
) WITHOUT ROWID;

CREATE TABLE player (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash BLOB NOT NULL UNIQUE,
  created_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE snapshot (
  id TEXT PRIMARY KEY,
  match_no INTEGER NOT NULL,
  record_seq INTEGER NOT NULL,
  tag TEXT NOT NULL,
  crc INTEGER NOT NULL,
  bytes BLOB NOT NULL
);

-- Filled and emptied again to find out whether there is room.
CREATE TABLE probe (room BLOB NOT NULL);
