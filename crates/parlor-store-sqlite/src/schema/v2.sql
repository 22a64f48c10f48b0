-- Schema 2. Frozen: what changes later is a migration of its own.

-- A flush of many tables in one row: a row for each would cost a page for each. Its entries are carried over into each
-- table's own rows later, those of many flushes at once; until then they are nowhere else. The directory says whose
-- entries they are, and where in the body they lie.
CREATE TABLE flush (
  no INTEGER PRIMARY KEY,
  crc INTEGER NOT NULL,
  directory BLOB NOT NULL,
  body BLOB NOT NULL
);
