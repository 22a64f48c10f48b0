-- Schema 6. Frozen: what changes later is a migration of its own.

-- Published rulesets, and every version of each: matches are replayed under the version they were begun with.
CREATE TABLE ruleset (
  name TEXT PRIMARY KEY,
  author TEXT,
  state INTEGER NOT NULL,
  version INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE ruleset_version (
  no INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  identity BLOB NOT NULL,
  author TEXT,
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  UNIQUE (name, version)
);
-- The rules of a match, and how much an author has published of late.
CREATE INDEX ruleset_by_identity ON ruleset_version (name, identity);
CREATE INDEX ruleset_by_author ON ruleset_version (author, at_ms);
