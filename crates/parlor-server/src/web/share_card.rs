//! What a link to a table says where it is pasted: the game, the players and the result, in the head of its page.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};
use parlor_store::{TableId, TableInfo, TableState};

use super::guards;
use crate::house::accounts::Trouble;
use crate::house::hub::Hub;
use crate::house::sessions::{TableFacts, TableResult};

/// The title and one line below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ShareCard {
    title: String,
    line: String,
}

/// The card of a table; none for one that is unknown, private or still waiting.
pub(super) async fn of(hub: &Arc<Hub>, id: &str) -> Option<ShareCard> {
    let id = TableId::new(id).ok()?;
    let card = hub.blocking(move |hub| {
        let Some(info) = hub.store.table(&id)? else { return Ok::<_, Trouble>(None) };
        let facts = serde_json::from_value::<TableFacts>(info.facts.0.clone()).ok();
        Ok(facts.filter(|facts| facts.invite.is_none()).map(|facts| ShareCard::about(hub, &info, &facts)))
    });
    card.await.ok()?
}

impl ShareCard {
    /// Blocks on the store.
    fn about(hub: &Hub, info: &TableInfo, facts: &TableFacts) -> Self {
        let game = hub.def(&info.game).map_or(info.game.as_str(), |def| def.title).to_owned();
        let result = facts.told_result(info.updated_ms, hub.wall_ms());
        let names = hub.names_at(facts, info.seats, result);
        let line = match result {
            Some(result) => told(&names, result),
            None if info.state == TableState::Finished => "The match is over.".to_owned(),
            None => "Watch this table live.".to_owned(),
        };
        let names: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
        let title = if names.is_empty() { game } else { format!("{game}: {}", names.join(", ")) };
        Self { title, line }
    }

    /// The client's page with this card in its head.
    pub(super) fn put_into(&self, page: &str) -> Response {
        let (title, line) = (escaped(&self.title), escaped(&self.line));
        let head = format!(
            "<meta property=\"og:site_name\" content=\"Parlor\" />\
             <meta property=\"og:type\" content=\"website\" />\
             <meta property=\"og:title\" content=\"{title}\" />\
             <meta property=\"og:description\" content=\"{line}\" />\
             <meta name=\"twitter:card\" content=\"summary\" /></head>"
        );
        let mut response = Body::from(page.replacen("</head>", &head, 1)).into_response();
        let headers = response.headers_mut();
        for (name, value) in guards() {
            headers.insert(name, HeaderValue::from_static(value));
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }
}

/// Who won, and what everybody had, by their places.
fn told(names: &[Option<String>], result: &TableResult) -> String {
    let mut seats: Vec<(u8, &str, Option<i64>)> = Vec::new();
    for (seat, name) in names.iter().enumerate() {
        let (Some(name), Some(place)) = (name, result.places.get(seat)) else { continue };
        let score = result.scores.as_ref().and_then(|scores| scores.get(seat)).copied();
        seats.push((*place, name, score));
    }
    seats.sort_by_key(|(place, ..)| *place);
    let winners: Vec<&str> =
        seats.iter().filter(|(place, ..)| *place == 1).map(|(_, name, _)| *name).collect();
    let one = !winners.is_empty() && result.places.iter().any(|place| *place != 1);
    let mut line = if one { format!("{} won.", winners.join(" and ")) } else { "A tie.".to_owned() };
    let scores: Vec<String> =
        seats.iter().filter_map(|(_, name, score)| Some(format!("{name}: {}", (*score)?))).collect();
    if !scores.is_empty() {
        line = format!("{line} {}", scores.join(", "));
    }
    line
}

/// Text as the value of an attribute.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_told_by_places() {
        let told = |places: &[u8], scores| {
            let players = vec![Some("Ann".into()), None, Some("Bob".into())];
            let (places, reason) = (places.to_vec(), String::new());
            told(&players.clone(), &TableResult { players, places, reason, scores })
        };
        assert_eq!(told(&[2, 3, 1], None), "Bob won.");
        assert_eq!(told(&[2, 3, 1], Some(vec![4, 0, 9])), "Bob won. Bob: 9, Ann: 4");
        assert_eq!(told(&[1, 3, 1], None), "Ann and Bob won.");
        assert_eq!(told(&[1, 1, 1], None), "A tie.");
        assert_eq!(told(&[2, 2, 2], None), "A tie.", "nobody has the first place");
    }

    #[test]
    fn nothing_that_a_player_calls_themselves_becomes_markup() {
        assert_eq!(escaped("<b>\"&\""), "&lt;b&gt;&quot;&amp;&quot;");
    }
}
