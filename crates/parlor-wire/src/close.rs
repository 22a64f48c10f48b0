//! Why the server closes a connection.

/// Why the server closes a connection. The close frame has it as a code, which tells a client whether to come back, and as
/// a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CloseReason {
    /// The client closed first.
    Closed,
    /// The player asked to leave.
    Left,
    /// Nothing came for too long.
    HeartbeatTimeout,
    /// The client sent what no honest one can send.
    Forged,
    /// It was told that it sends too much, and went on.
    RateLimited,
    /// Another process has the table now.
    Moved,
    /// The server stops.
    ServerRestarting,
    /// The player's seat was not stored.
    NotStored,
    /// A newer connection has taken over the seat: the client must not come back by itself.
    TakenOver,
    /// It joined nothing in time.
    JoinTimeout,
    /// The player has left this seat, or was removed from it.
    SeatLeft,
    /// Too many frames in a row could not be read.
    BadFrames,
    /// The account has another token now.
    SignedOut,
    /// The client does not read what it is sent.
    TooSlow,
}

impl CloseReason {
    /// Every reason.
    pub const ALL: [Self; 14] = [
        Self::Closed,
        Self::Left,
        Self::HeartbeatTimeout,
        Self::Forged,
        Self::RateLimited,
        Self::Moved,
        Self::ServerRestarting,
        Self::NotStored,
        Self::TakenOver,
        Self::JoinTimeout,
        Self::SeatLeft,
        Self::BadFrames,
        Self::SignedOut,
        Self::TooSlow,
    ];

    /// The code and the word in the close frame.
    #[must_use]
    pub const fn frame(self) -> (u16, &'static str) {
        match self {
            Self::Closed => (1000, "closed"),
            Self::Left => (1000, "left"),
            Self::HeartbeatTimeout => (1000, "heartbeat_timeout"),
            Self::Forged => (1008, "forged"),
            Self::RateLimited => (1008, "rate_limited"),
            Self::Moved => (1012, "moved"),
            Self::ServerRestarting => (1012, "server_restarting"),
            Self::NotStored => (1013, "not_stored"),
            Self::TakenOver => (4000, "taken_over"),
            Self::JoinTimeout => (4001, "join_timeout"),
            Self::SeatLeft => (4002, "left"),
            Self::BadFrames => (4004, "bad_frames"),
            Self::SignedOut => (4005, "signed_out"),
            Self::TooSlow => (4008, "too_slow"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_in_the_page_about_the_wire() {
        let page = include_str!("../../../docs/wire.md");
        let closing = page.split("## Closing").nth(1).expect("the page has such a part");
        for reason in CloseReason::ALL {
            let (code, word) = reason.frame();
            let after = closing.split(&code.to_string()).nth(1);
            assert!(after.is_some_and(|text| text.contains(&format!("`{word}`"))), "{code} {word}");
        }
    }
}
