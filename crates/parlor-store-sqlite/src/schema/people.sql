-- People: what an account says of its player, his matches and ratings; rooms that wait; what operators did.

ALTER TABLE player ADD COLUMN name_key TEXT;
ALTER TABLE player ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE player ADD COLUMN avatar TEXT NOT NULL DEFAULT '';
ALTER TABLE player ADD COLUMN renames INTEGER NOT NULL DEFAULT 0;
ALTER TABLE player ADD COLUMN rights INTEGER NOT NULL DEFAULT 0;
ALTER TABLE player ADD COLUMN deleted_ms INTEGER;
-- Names are one player's only. Those of older builds are compared from the next time they are written.
CREATE UNIQUE INDEX player_name ON player (name_key) WHERE name_key IS NOT NULL;

CREATE TABLE standing (
  player TEXT NOT NULL,
  game TEXT NOT NULL,
  points INTEGER NOT NULL,
  won INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  drawn INTEGER NOT NULL,
  PRIMARY KEY (player, game)
) WITHOUT ROWID;

CREATE TABLE played (
  no INTEGER PRIMARY KEY,
  player TEXT NOT NULL,
  table_id TEXT NOT NULL,
  match_no INTEGER NOT NULL,
  game TEXT NOT NULL,
  seat INTEGER NOT NULL,
  went TEXT NOT NULL,
  reason TEXT NOT NULL,
  points INTEGER,
  floor INTEGER,
  at_ms INTEGER NOT NULL
);
CREATE INDEX played_by ON played (player, no);

CREATE TABLE room (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE audit (no INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL);

-- Who paid to whom: what lies on a table is given back to those who put it there.
CREATE INDEX leg_to ON leg (to_no);
CREATE INDEX leg_from ON leg (from_no);
