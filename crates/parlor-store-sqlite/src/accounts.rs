//! Accounts, histories, ratings and the audit log, as rows.

use parlor_core::MatchResult;
use parlor_store::driver::Stakes;
use parlor_store::{
    Append, AuditLine, Currency, HeadToHead, Owner, Played, PlayedMatch, Player, PlayerId, Points,
    ROWS_PER_PAGE_MAX, RatingRow, TableId, WriteError,
};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use crate::batch::Verdict;
use crate::fault::nonsense;
use crate::{journal, statement};

const PLAYER: &str = "SELECT id, name, token_hash, created_ms, language, avatar, renames, rights, deleted_ms, preferences FROM player";

fn player(row: &Row<'_>) -> Result<Player> {
    Ok(Player {
        id: PlayerId::new(&row.get::<_, String>(0)?).map_err(nonsense)?,
        name: row.get(1)?,
        token_hash: row.get(2)?,
        created_ms: row.get::<_, i64>(3)? as u64,
        language: row.get(4)?,
        avatar: row.get(5)?,
        renames: row.get(6)?,
        rights: row.get(7)?,
        deleted_ms: row.get::<_, Option<i64>>(8)?.map(|at| at as u64),
        preferences: row.get(9)?,
    })
}

fn player_where(conn: &Connection, is: &str, value: impl rusqlite::ToSql) -> Result<Option<Player>> {
    conn.prepare_cached(&format!("{PLAYER} WHERE {is} = ?1"))?.query_row([value], player).optional()
}

pub(crate) fn by_id(conn: &Connection, id: &PlayerId) -> Result<Option<Player>> {
    player_where(conn, "id", id.as_str())
}

pub(crate) fn by_token(conn: &Connection, token_hash: &[u8; 32]) -> Result<Option<Player>> {
    player_where(conn, "token_hash", token_hash)
}

pub(crate) fn by_name(conn: &Connection, name: &str) -> Result<Option<Player>> {
    player_where(conn, "name_key", name.to_lowercase())
}

/// What keeps this account from being written, if anything does.
pub(crate) fn taken(conn: &Connection, player: &Player) -> Result<Option<WriteError>> {
    let token = conn
        .prepare_cached("SELECT 1 FROM player WHERE token_hash = ?1 AND id <> ?2")?
        .exists(params![player.token_hash, player.id.as_str()])?;
    let name = conn
        .prepare_cached("SELECT 1 FROM player WHERE name_key = ?1 AND id <> ?2")?
        .exists(params![player.name_key(), player.id.as_str()])?;
    Ok(match (token, name) {
        (true, _) => Some(WriteError::KeyReused("token".to_owned())),
        (false, true) => Some(WriteError::NameTaken),
        (false, false) => None,
    })
}

/// Writes an account that is nobody else's.
pub(crate) fn register(conn: &Connection, player: &Player) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO player (id, name, token_hash, created_ms, name_key, language, avatar, renames, rights, deleted_ms,
           preferences)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT (id) DO UPDATE SET name = ?2, token_hash = ?3, created_ms = ?4, name_key = ?5, language = ?6,
           avatar = ?7, renames = ?8, rights = ?9, deleted_ms = ?10, preferences = ?11",
    )?
    .execute(params![
        player.id.as_str(),
        player.name,
        player.token_hash,
        player.created_ms as i64,
        player.name_key(),
        player.language,
        player.avatar,
        player.renames,
        player.rights,
        player.deleted_ms.map(|at| at as i64),
        player.preferences
    ])?;
    Ok(())
}

/// Notes the matches that end with an append.
pub(crate) fn note_played(conn: &Connection, append: &Append) -> Result<()> {
    for played in &append.played {
        let Played { player, match_no, game, seat, went, reason, points } = played;
        conn.prepare_cached(
            "INSERT INTO played (player, table_id, match_no, game, seat, went, reason, points, floor, at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            player.as_str(),
            append.table.as_str(),
            match_no,
            game,
            seat,
            went.word(),
            reason,
            points.map(|points| points.by),
            points.map(|points| points.floor),
            append.at_ms as i64
        ])?;
        if let Some(points) = points {
            let mut standing = standing(conn, player, game)?;
            standing.count(*went, *points);
            let RatingRow { points, won, lost, drawn, .. } = standing;
            conn.prepare_cached("INSERT OR REPLACE INTO standing VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                .execute(params![player.as_str(), game, points, won as i64, lost as i64, drawn as i64])?;
        }
    }
    Ok(())
}

fn standing_row(row: &Row<'_>) -> Result<RatingRow> {
    standing_from(row, 0)
}

/// The same from a row in which it begins at this column.
fn standing_from(row: &Row<'_>, first: usize) -> Result<RatingRow> {
    Ok(RatingRow {
        game: row.get(first)?,
        points: row.get(first + 1)?,
        won: row.get::<_, i64>(first + 2)? as u64,
        lost: row.get::<_, i64>(first + 3)? as u64,
        drawn: row.get::<_, i64>(first + 4)? as u64,
    })
}

fn standing(conn: &Connection, player: &PlayerId, game: &str) -> Result<RatingRow> {
    conn.prepare_cached(
        "SELECT game, points, won, lost, drawn FROM standing WHERE player = ?1 AND game = ?2",
    )?
    .query_row([player.as_str(), game], standing_row)
    .optional()
    .map(|found| found.unwrap_or_else(|| RatingRow { game: game.to_owned(), ..RatingRow::default() }))
}

pub(crate) fn standings(conn: &Connection, player: &PlayerId) -> Result<Vec<RatingRow>> {
    let sql = "SELECT game, points, won, lost, drawn FROM standing WHERE player = ?1 ORDER BY game";
    let mut statement = conn.prepare_cached(sql)?;
    statement.query_map([player.as_str()], standing_row)?.collect()
}

pub(crate) fn leaders(conn: &Connection, game: &str, limit: usize) -> Result<Vec<(Player, RatingRow)>> {
    let mut statement = conn.prepare_cached(
        "SELECT s.player, s.game, s.points, s.won, s.lost, s.drawn FROM standing s JOIN player p ON p.id = s.player
         WHERE s.game = ?1 AND p.deleted_ms IS NULL ORDER BY s.points DESC, s.player LIMIT ?2",
    )?;
    let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
    let rows = statement.query_map(params![game, limit], |row| {
        let id = PlayerId::new(&row.get::<_, String>(0)?).map_err(nonsense)?;
        Ok((id, standing_from(row, 1)?))
    })?;
    let rows: Vec<(PlayerId, RatingRow)> = rows.collect::<Result<_>>()?;
    rows.into_iter()
        .filter_map(|(id, row)| Some(by_id(conn, &id).transpose()?.map(|player| (player, row))))
        .collect()
}

pub(crate) fn head_to_head(conn: &Connection, id: &PlayerId, other: &PlayerId) -> Result<Vec<HeadToHead>> {
    let mut statement = conn.prepare_cached(
        "SELECT a.game, sum(a.went = ?3), sum(a.went = ?4), sum(a.went = ?5) FROM played a
         JOIN played b ON b.table_id = a.table_id AND b.match_no = a.match_no AND b.player = ?2
         WHERE a.player = ?1 AND a.went IN (?3, ?4, ?5) GROUP BY a.game ORDER BY a.game",
    )?;
    let [won, lost, drawn] = [MatchResult::Won, MatchResult::Lost, MatchResult::Drawn].map(MatchResult::word);
    let rows = statement.query_map(params![id.as_str(), other.as_str(), won, lost, drawn], |row| {
        let count = |n: usize| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(n)? as u64);
        Ok(HeadToHead { game: row.get(0)?, won: count(1)?, lost: count(2)?, drawn: count(3)? })
    })?;
    rows.collect()
}

/// The bound of a page that ends before this row.
fn before_or_all(before: Option<u64>) -> i64 {
    before.and_then(|before| i64::try_from(before).ok()).unwrap_or(i64::MAX)
}

pub(crate) fn history(
    conn: &Connection,
    player: &PlayerId,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<PlayedMatch>> {
    let mut statement = conn.prepare_cached(
        "SELECT no, table_id, match_no, game, seat, went, reason, points, floor, at_ms FROM played
         WHERE player = ?1 AND no < ?2 ORDER BY no DESC LIMIT ?3",
    )?;
    let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
    let rows = statement.query_map(params![player.as_str(), before_or_all(before), limit], |row| {
        let (by, floor): (Option<i64>, Option<i64>) = (row.get(7)?, row.get(8)?);
        let went: String = row.get(5)?;
        let played = Played {
            player: player.clone(),
            match_no: row.get(2)?,
            game: row.get(3)?,
            seat: row.get(4)?,
            went: MatchResult::read(&went).ok_or_else(|| nonsense("an unknown end"))?,
            reason: row.get(6)?,
            points: by.zip(floor).map(|(by, floor)| Points { by, floor }),
        };
        let table = TableId::new(&row.get::<_, String>(1)?).map_err(nonsense)?;
        Ok(PlayedMatch {
            no: row.get::<_, i64>(0)? as u64,
            table,
            played,
            at_ms: row.get::<_, i64>(9)? as u64,
        })
    })?;
    rows.collect()
}

pub(crate) fn due(conn: &Connection, table: &TableId, currency: &Currency) -> Result<Vec<(PlayerId, i64)>> {
    let pot = Owner::Table(table.clone());
    let mut statement = conn.prepare_cached(
        "WITH pot AS (SELECT no FROM account WHERE owner = ?1 AND currency = ?2),
              side (posting, no, amount) AS (
                SELECT posting_no, from_no, amount FROM leg WHERE to_no = (SELECT no FROM pot)
                UNION ALL SELECT posting_no, to_no, -amount FROM leg WHERE from_no = (SELECT no FROM pot))
         SELECT side.posting, a.owner, side.amount, a.no FROM side JOIN account a ON a.no = side.no ORDER BY side.posting",
    )?;
    let mut stakes = Stakes::default();
    let mut rows = statement.query([pot.to_string().as_str(), currency.as_str()])?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        let posting: i64 = row.get(0)?;
        if last.replace(posting).is_some_and(|last| last != posting) {
            stakes.settle();
        }
        let owner = match journal::owner(&row.get::<_, String>(1)?)? {
            Owner::Hold(_) => statement::payer(conn, row.get(3)?, posting)?.0,
            owner => owner,
        };
        stakes.put(owner, row.get(2)?);
    }
    stakes.settle();
    Ok(stakes.due())
}

pub(crate) fn note_audit(conn: &Connection, line: &AuditLine) -> Result<Verdict> {
    conn.prepare_cached("INSERT INTO audit (at_ms, what, about) VALUES (?1, ?2, ?3)")?.execute(params![
        line.at_ms as i64,
        line.what,
        line.about.to_string()
    ])?;
    Ok(Ok(0))
}

pub(crate) fn audit_lines(
    conn: &Connection,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<(u64, AuditLine)>> {
    let sql = "SELECT no, at_ms, what, about FROM audit WHERE no < ?1 ORDER BY no DESC LIMIT ?2";
    let mut statement = conn.prepare_cached(sql)?;
    let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
    let rows = statement.query_map(params![before_or_all(before), limit], |row| {
        let about: String = row.get(3)?;
        let about = serde_json::from_str(&about).map_err(|_| nonsense("a line that does not decode"))?;
        let line = AuditLine { at_ms: row.get::<_, i64>(1)? as u64, what: row.get(2)?, about };
        Ok((row.get::<_, i64>(0)? as u64, line))
    })?;
    rows.collect()
}
