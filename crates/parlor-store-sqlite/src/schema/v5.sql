-- Schema 5. Frozen: what changes later is a migration of its own.

-- The newest tables, of all games or of one.
CREATE INDEX game_table_by_state ON game_table (state, no);
CREATE INDEX game_table_by_game ON game_table (game, state, no);
-- Who leads in a game.
CREATE INDEX standing_by_points ON standing (game, points);
-- The matches that two players have both played.
CREATE INDEX played_at ON played (table_id, match_no);
