-- Schema 4, second half. Frozen as the first.

DROP TABLE leg_3;
-- Each has the primary key behind it: an account's legs in the order in which they were entered.
CREATE INDEX leg_to ON leg (to_no);
CREATE INDEX leg_from ON leg (from_no);

-- The holds that have something, and no others.
CREATE TABLE open_hold (
  id TEXT NOT NULL,
  currency TEXT NOT NULL,
  account_no INTEGER NOT NULL,
  PRIMARY KEY (id, currency)
) WITHOUT ROWID;
INSERT INTO open_hold SELECT substr(owner, 6), currency, no FROM account WHERE owner GLOB 'hold:*' AND balance > 0;

-- The names of tables that were swept and with whose entries tokens moved: statements outlive them. Of those swept
-- before, the books still name the ones on which tokens lay.
CREATE TABLE swept_table (no INTEGER PRIMARY KEY, id TEXT NOT NULL);
INSERT OR IGNORE INTO swept_table
  SELECT CAST(substr(p.key, 3) AS INTEGER), substr(a.owner, 7) FROM account a
  JOIN posting p ON p.no = (SELECT min(l.posting_no) FROM leg l WHERE l.to_no = a.no)
  WHERE a.owner GLOB 'table:*' AND p.key GLOB 't/*'
    AND NOT EXISTS (SELECT 1 FROM game_table t WHERE t.no = CAST(substr(p.key, 3) AS INTEGER));
