//! Accounts, histories, ratings and the audit log, as rows.

use parlor_core::MatchResult;
use parlor_store::driver::Stakes;
use parlor_store::{
    Append, AuditLine, Currency, HeadToHead, Owner, Played, PlayedMatch, Player, PlayerId, Points,
    ROWS_PER_PAGE_MAX, RatingRow, TableId, WriteError,
};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::conn::{Conn, Step, step};
use crate::fault::{Result, nonsense};
use crate::{journal, read, statement};

const PLAYER: &str =
    "SELECT p.id, p.name, p.token_hash, p.created_ms, p.language, p.avatar, p.renames, p.rights,
    p.deleted_ms, p.preferences FROM player p";

fn player(row: &Row) -> Result<Player> {
    let token: &[u8] = row.get(2);
    Ok(Player {
        id: PlayerId::new(row.get(0)).map_err(nonsense)?,
        name: row.get(1),
        token_hash: token.try_into().map_err(|_| nonsense("a token that is no hash"))?,
        created_ms: row.get::<_, i64>(3) as u64,
        language: row.get(4),
        avatar: row.get(5),
        renames: row.get::<_, i64>(6) as u32,
        rights: row.get::<_, i64>(7) as u32,
        deleted_ms: row.get::<_, Option<i64>>(8).map(|at| at as u64),
        preferences: row.get(9),
    })
}

async fn player_where(conn: &Conn, is: &str, value: &(dyn ToSql + Sync)) -> Result<Option<Player>> {
    conn.find(&format!("{PLAYER} WHERE {is} = $1"), &[value]).await?.as_ref().map(player).transpose()
}

pub(crate) async fn by_id(conn: &Conn, id: &PlayerId) -> Result<Option<Player>> {
    player_where(conn, "id", &id.as_str()).await
}

pub(crate) async fn by_token(conn: &Conn, token_hash: &[u8; 32]) -> Result<Option<Player>> {
    player_where(conn, "token_hash", &token_hash.as_slice()).await
}

pub(crate) async fn by_name(conn: &Conn, name: &str) -> Result<Option<Player>> {
    player_where(conn, "name_key", &name.to_lowercase()).await
}

/// What keeps this account from being written, if anything does.
pub(crate) async fn taken(conn: &Conn, player: &Player) -> Result<Option<WriteError>> {
    let sql = "SELECT EXISTS (SELECT 1 FROM player WHERE token_hash = $1 AND id <> $3),
                      EXISTS (SELECT 1 FROM player WHERE name_key = $2 AND id <> $3)";
    let values: [&(dyn ToSql + Sync); 3] =
        [&player.token_hash.as_slice(), &player.name_key(), &player.id.as_str()];
    let row = conn.find(sql, &values).await?;
    let (token, name) = row.map_or((false, false), |row| (row.get(0), row.get(1)));
    Ok(match (token, name) {
        (true, _) => Some(WriteError::KeyReused("token".to_owned())),
        (false, true) => Some(WriteError::NameTaken),
        (false, false) => None,
    })
}

/// Writes an account that is nobody else's.
pub(crate) async fn register(conn: &Conn, player: &Player) -> Result<()> {
    let sql =
        "INSERT INTO player (id, name, token_hash, created_ms, name_key, language, avatar, renames, rights,
                 deleted_ms, preferences) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
               ON CONFLICT (id) DO UPDATE SET name = $2, token_hash = $3, created_ms = $4, name_key = $5,
                 language = $6, avatar = $7, renames = $8, rights = $9, deleted_ms = $10, preferences = $11";
    let Player {
        id,
        name,
        token_hash,
        created_ms,
        language,
        avatar,
        renames,
        rights,
        deleted_ms,
        preferences,
    } = player;
    let values: [&(dyn ToSql + Sync); 11] = [
        &id.as_str(),
        name,
        &token_hash.as_slice(),
        &(*created_ms as i64),
        &player.name_key(),
        language,
        avatar,
        &i64::from(*renames),
        &i64::from(*rights),
        &deleted_ms.map(|at| at as i64),
        preferences,
    ];
    conn.execute(sql, &values).await.map(drop)
}

/// Notes the matches that end with an append.
pub(crate) async fn note_played(conn: &Conn, append: &Append, steps: &mut Vec<Step>) -> Result<()> {
    for played in &append.played {
        let Played { player, match_no, game, seat, went, reason, points } = played;
        steps.push(step!(
            "INSERT INTO played (player, table_id, match_no, game, seat, went, reason, points, floor, at_ms)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            player.to_string(),
            append.table.to_string(),
            i64::from(*match_no),
            game.clone(),
            i16::from(*seat),
            went.word(),
            reason.clone(),
            points.map(|points| points.by),
            points.map(|points| points.floor),
            append.at_ms as i64
        ));
        if let Some(points) = points {
            count(conn, player, game, *went, *points).await?;
        }
    }
    Ok(())
}

/// Counts a match for a player's rating, under the lock of its row.
async fn count(conn: &Conn, player: &PlayerId, game: &str, went: MatchResult, by: Points) -> Result<()> {
    let open = "INSERT INTO standing VALUES ($1, $2, 0, 0, 0, 0) ON CONFLICT (player, game) DO NOTHING";
    conn.execute(open, &[&player.as_str(), &game]).await?;
    let sql =
        "SELECT game, points, won, lost, drawn FROM standing WHERE player = $1 AND game = $2 FOR UPDATE";
    let row = conn.find(sql, &[&player.as_str(), &game]).await?;
    let mut standing = row.map(|row| standing_from(&row, 0)).unwrap_or_default();
    standing.count(went, by);
    let RatingRow { points, won, lost, drawn, .. } = standing;
    let sql =
        "UPDATE standing SET points = $3, won = $4, lost = $5, drawn = $6 WHERE player = $1 AND game = $2";
    let values: [&(dyn ToSql + Sync); 6] =
        [&player.as_str(), &game, &points, &(won as i64), &(lost as i64), &(drawn as i64)];
    conn.execute(sql, &values).await.map(drop)
}

/// A rating from a row in which it begins at this column.
fn standing_from(row: &Row, first: usize) -> RatingRow {
    let count = |n: usize| row.get::<_, i64>(first + n) as u64;
    RatingRow {
        game: row.get(first),
        points: row.get(first + 1),
        won: count(2),
        lost: count(3),
        drawn: count(4),
    }
}

pub(crate) async fn standings(conn: &Conn, player: &PlayerId) -> Result<Vec<RatingRow>> {
    let sql = "SELECT game, points, won, lost, drawn FROM standing WHERE player = $1 ORDER BY game";
    Ok(conn.query(sql, &[&player.as_str()]).await?.iter().map(|row| standing_from(row, 0)).collect())
}

pub(crate) async fn leaders(conn: &Conn, game: &str, limit: usize) -> Result<Vec<(Player, RatingRow)>> {
    let columns = "p.preferences, s.game, s.points, s.won, s.lost, s.drawn FROM player p";
    let select = PLAYER.replace("p.preferences FROM player p", columns);
    let sql = format!(
        "{select} JOIN standing s ON s.player = p.id WHERE s.game = $1 AND p.deleted_ms IS NULL
         ORDER BY s.points DESC, s.player LIMIT $2"
    );
    let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
    let rows = conn.query(&sql, &[&game, &limit]).await?;
    rows.iter().map(|row| Ok((player(row)?, standing_from(row, 10)))).collect()
}

pub(crate) async fn head_to_head(conn: &Conn, id: &PlayerId, other: &PlayerId) -> Result<Vec<HeadToHead>> {
    let sql = "SELECT a.game, count(*) FILTER (WHERE a.went = $3), count(*) FILTER (WHERE a.went = $4),
                      count(*) FILTER (WHERE a.went = $5)
               FROM played a JOIN played b ON b.table_id = a.table_id AND b.match_no = a.match_no AND b.player = $2
               WHERE a.player = $1 AND a.went IN ($3, $4, $5) GROUP BY a.game ORDER BY a.game";
    let [won, lost, drawn] = [MatchResult::Won, MatchResult::Lost, MatchResult::Drawn].map(MatchResult::word);
    let rows = conn.query(sql, &[&id.as_str(), &other.as_str(), &won, &lost, &drawn]).await?;
    let read = |row: &Row| {
        let count = |n: usize| row.get::<_, i64>(n) as u64;
        HeadToHead { game: row.get(0), won: count(1), lost: count(2), drawn: count(3) }
    };
    Ok(rows.iter().map(read).collect())
}

/// The bound of a page that ends before this row.
fn before_or_all(before: Option<u64>) -> i64 {
    before.and_then(|before| i64::try_from(before).ok()).unwrap_or(i64::MAX)
}

pub(crate) async fn history(
    conn: &Conn,
    player: &PlayerId,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<PlayedMatch>> {
    let sql = "SELECT no, table_id, match_no, game, seat, went, reason, points, floor, at_ms FROM played
               WHERE player = $1 AND no < $2 ORDER BY no DESC LIMIT $3";
    let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
    let rows = conn.query(sql, &[&player.as_str(), &before_or_all(before), &limit]).await?;
    let read = |row: &Row| {
        let (by, floor): (Option<i64>, Option<i64>) = (row.get(7), row.get(8));
        let played = Played {
            player: player.clone(),
            match_no: row.get::<_, i64>(2) as u32,
            game: row.get(3),
            seat: row.get::<_, i16>(4) as u8,
            went: MatchResult::read(row.get(5)).ok_or_else(|| nonsense("an unknown end"))?,
            reason: row.get(6),
            points: by.zip(floor).map(|(by, floor)| Points { by, floor }),
        };
        let table = TableId::new(row.get(1)).map_err(nonsense)?;
        Ok(PlayedMatch { no: row.get::<_, i64>(0) as u64, table, played, at_ms: row.get::<_, i64>(9) as u64 })
    };
    rows.iter().map(read).collect()
}

pub(crate) async fn due(conn: &Conn, table: &TableId, currency: &Currency) -> Result<Vec<(PlayerId, i64)>> {
    read::at_one_instant(conn, due_now(conn, table, currency)).await
}

async fn due_now(conn: &Conn, table: &TableId, currency: &Currency) -> Result<Vec<(PlayerId, i64)>> {
    let sql = "WITH pot AS (SELECT no FROM account WHERE owner = $1 AND currency = $2),
                    side (posting, no, amount) AS (
                      SELECT posting_no, from_no, amount FROM leg WHERE to_no = (SELECT no FROM pot)
                      UNION ALL SELECT posting_no, to_no, -amount FROM leg WHERE from_no = (SELECT no FROM pot))
               SELECT side.posting, a.owner, side.amount, a.no FROM side JOIN account a ON a.no = side.no
               ORDER BY side.posting";
    let rows = conn.query(sql, &[&Owner::Table(table.clone()).to_string(), &currency.as_str()]).await?;
    let (mut stakes, mut last) = (Stakes::default(), None);
    for row in rows {
        let posting: i64 = row.get(0);
        if last.replace(posting).is_some_and(|last| last != posting) {
            stakes.settle();
        }
        let owner = match journal::owner(row.get(1))? {
            Owner::Hold(_) => statement::payer(conn, row.get(3), posting).await?.0,
            owner => owner,
        };
        stakes.put(owner, row.get(2));
    }
    stakes.settle();
    Ok(stakes.due())
}

pub(crate) fn note_audit(line: &AuditLine) -> Step {
    step!(
        "INSERT INTO audit (at_ms, what, about) VALUES ($1, $2, $3)",
        line.at_ms as i64,
        line.what.clone(),
        line.about.to_string()
    )
}

pub(crate) async fn audit_lines(
    conn: &Conn,
    before: Option<u64>,
    limit: usize,
) -> Result<Vec<(u64, AuditLine)>> {
    let sql = "SELECT no, at_ms, what, about FROM audit WHERE no < $1 ORDER BY no DESC LIMIT $2";
    let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
    let rows = conn.query(sql, &[&before_or_all(before), &limit]).await?;
    let read = |row: &Row| {
        let about = serde_json::from_str(row.get(3)).map_err(|_| nonsense("a line that does not decode"))?;
        let line = AuditLine { at_ms: row.get::<_, i64>(1) as u64, what: row.get(2), about };
        Ok((row.get::<_, i64>(0) as u64, line))
    };
    rows.iter().map(read).collect()
}
