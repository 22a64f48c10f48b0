//! Refusals as HTTP responses.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use parlor_core::{Code, HouseCode, Json, Refusal};
use serde::Serialize;

use super::types::{Done, ProblemBody, ProblemStatus};
use crate::house::accounts::Trouble;

/// A refusal as problem+json, with the members that the documents name.
pub(crate) struct Problem(pub(crate) StatusCode, pub(crate) Box<ProblemBody>);

impl Problem {
    /// A refusal by the house.
    pub(crate) fn new(status: StatusCode, code: HouseCode, message: &str) -> Self {
        Self::with(status, code.into(), message)
    }

    /// A refusal by the house or by a game.
    pub(crate) fn with(status: StatusCode, code: Code, message: &str) -> Self {
        let body = ProblemBody {
            kind: format!("urn:parlor:{code}"),
            title: message.to_owned(),
            status: ProblemStatus::Code(status.as_u16()),
            code,
            message: message.to_owned(),
            error: message.to_owned(),
            branch_id: None,
            faults: None,
            findings: None,
        };
        Self(status, Box::new(body))
    }

    pub(crate) fn malformed(message: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, HouseCode::Malformed, message)
    }

    pub(crate) fn of(refusal: &Refusal) -> Self {
        use HouseCode as C;
        let status = match refusal.house_code() {
            Some(C::Exists | C::AlreadyQueued | C::PeopleMissing | C::TooManyTables | C::Ended) => {
                StatusCode::CONFLICT
            }
            Some(C::IdempotencyKeyReused) => StatusCode::UNPROCESSABLE_ENTITY,
            Some(C::RateLimited) => StatusCode::TOO_MANY_REQUESTS,
            Some(C::NotEnoughTokens) => StatusCode::PAYMENT_REQUIRED,
            Some(C::AtCapacity | C::Busy | C::Draining | C::NotStored) => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        Self::with(status, refusal.code().clone(), &refusal.to_string())
    }

    /// Why somebody does not get a seat.
    pub(crate) fn of_seat(refusal: &Refusal) -> Self {
        use HouseCode as C;
        let status = match refusal.house_code() {
            Some(C::NotStored | C::Busy) => StatusCode::SERVICE_UNAVAILABLE,
            Some(C::BuyIn) => StatusCode::UNPROCESSABLE_ENTITY,
            Some(C::InvalidName | C::InvalidMessage) => StatusCode::BAD_REQUEST,
            Some(C::NotInvited | C::PlayersOnly | C::Kicked) => StatusCode::FORBIDDEN,
            Some(C::NotEnoughTokens) => StatusCode::PAYMENT_REQUIRED,
            _ => StatusCode::CONFLICT,
        };
        Self::with(status, refusal.code().clone(), &refusal.to_string())
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, HouseCode::GameNotFound, "Game does not exist")
    }

    pub(crate) fn not_started() -> Self {
        Self::new(StatusCode::CONFLICT, HouseCode::NotStarted, "this table waits for its players")
    }

    pub(crate) fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, HouseCode::Forbidden, "that is not yours to do")
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            HouseCode::Unauthorized,
            "send your token as `Authorization: Bearer …`",
        )
    }

    pub(crate) fn busy() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            HouseCode::Busy,
            "this table has too much to do; try again",
        )
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::of(&refusal)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.0, [(header::CONTENT_TYPE, "application/problem+json")], plain(&self.1).to_string())
            .into_response()
    }
}

/// A reply as JSON, its fields in the order of their names.
pub(crate) fn plain(value: &impl Serialize) -> Json {
    serde_json::to_value(value).expect("a reply is plain data")
}

pub(crate) fn json_ok(value: &impl Serialize) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], plain(value).to_string()).into_response()
}

/// The reply to what has been done.
pub(crate) fn done() -> Response {
    json_ok(&Done { success: true })
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Self {
        let status = match trouble {
            Trouble::Unauthorized => StatusCode::UNAUTHORIZED,
            Trouble::InvalidNickname | Trouble::InvalidLanguage | Trouble::InvalidAvatar => {
                StatusCode::BAD_REQUEST
            }
            Trouble::NicknameTaken | Trouble::Seated => StatusCode::CONFLICT,
            Trouble::NotEnoughTokens => StatusCode::PAYMENT_REQUIRED,
            Trouble::NoSuchPlayer => StatusCode::NOT_FOUND,
            Trouble::TooManyGuests => StatusCode::TOO_MANY_REQUESTS,
            Trouble::Busy => StatusCode::SERVICE_UNAVAILABLE,
        };
        let (code, message) = trouble.words();
        Self::new(status, code, message)
    }
}

/// Turns refusals by axum (a body that is too big, a path that is not UTF-8) into problem+json.
pub(crate) async fn in_our_words(response: Response) -> Response {
    let plain = |kind: &header::HeaderValue| kind.as_bytes().starts_with(b"text/plain");
    let foreign = response.status().is_client_error()
        && response.headers().get(header::CONTENT_TYPE).is_some_and(plain);
    if !foreign {
        return response;
    }
    let status = response.status();
    let code = if status == StatusCode::PAYLOAD_TOO_LARGE { HouseCode::TooBig } else { HouseCode::Malformed };
    let said = axum::body::to_bytes(response.into_body(), 1024).await.unwrap_or_default();
    Problem::new(status, code, &String::from_utf8_lossy(&said)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_code_of_the_house_has_a_status_of_its_own() {
        let ours = Refusal::of(HouseCode::Busy, "later");
        let theirs = Refusal::of("busy", "later");
        assert_eq!(Problem::of(&ours).0, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(Problem::of(&theirs).0, StatusCode::BAD_REQUEST);
        assert_eq!(Problem::of_seat(&ours).0, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(Problem::of_seat(&theirs).0, StatusCode::CONFLICT);
        assert_eq!(plain(&Problem::of(&theirs).1)["code"], plain(&Problem::of(&ours).1)["code"]);
    }
}
