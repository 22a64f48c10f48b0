-- Schema 7. Frozen: what changes later is a migration of its own.

-- What players have set for themselves alone; the server reads and writes it.
ALTER TABLE player ADD COLUMN preferences TEXT NOT NULL DEFAULT '';
