-- Schema 4, first half. Frozen: what changes later is a migration of its own. The code fills `leg` from `leg_3` before the
-- second half: a running balance is quicker counted than asked for.

-- A leg says why, and what both accounts held after it: a page of a statement is read without what lies before it.
DROP INDEX leg_to;
DROP INDEX leg_from;
ALTER TABLE leg RENAME TO leg_3;
CREATE TABLE leg (
  posting_no INTEGER NOT NULL,
  n INTEGER NOT NULL,
  from_no INTEGER NOT NULL,
  to_no INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  reason TEXT NOT NULL,
  from_after INTEGER NOT NULL,
  to_after INTEGER NOT NULL,
  PRIMARY KEY (posting_no, n)
) WITHOUT ROWID;
