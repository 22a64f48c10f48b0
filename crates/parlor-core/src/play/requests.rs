//! What one viewer's clients refer to: the ids of open requests, and the head.
//!
//! Both are counted for each seat separately: a common counter would reveal how many others were asked.

use crate::ask::{Ask, AskId, AskKind};
use crate::limits::ASKS_MAX;
use crate::record::{Counts, Header};
use crate::seat::{Seat, Seats, Viewer};

/// An open ask of one seat, with the id that the seat's clients know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenRequest {
    /// The game's own id; never leaves the server.
    pub ask: AskId,
    pub kind: AskKind,
    /// `inputId`: counted for this seat alone.
    pub input: u32,
    /// The seat's head when the request was opened: an answer may name any head since then.
    since: u32,
}

/// How an answer names its request (000/R3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnswerTarget {
    /// The request with this `inputId`.
    Input(u32),
    /// The request that was open when the sender saw this `branchId`.
    Head(u32),
    /// The request last sent to the sender's connection. Only the host knows it: a match by itself refuses this.
    Latest,
}

/// Why the open requests are updated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    Start,
    Answer {
        seat: Seat,
        ask: AskId,
        kind: AskKind,
    },
    Elapsed,
    Undo,
    /// Another seat asks for an undo; the game itself has not changed.
    Vote,
    /// A test looks at a twin: nothing has happened, so no id is renewed.
    World,
}

/// One viewer's open requests and counters.
#[derive(Clone, Debug, Default)]
pub(super) struct ViewerRequests {
    open_requests: Vec<OpenRequest>,
    counts: Counts,
    /// The ask in whose group this viewer already was before the current cause.
    in_group: Option<AskId>,
}

impl ViewerRequests {
    pub(super) fn open_requests(&self) -> &[OpenRequest] {
        &self.open_requests
    }

    pub(super) fn head(&self) -> u32 {
        self.counts.head
    }

    pub(super) fn answers(&self) -> u32 {
        self.counts.answers
    }

    fn count_answer(&mut self) {
        self.counts.answers += 1;
    }

    fn move_head(&mut self) {
        self.counts.head += 1;
        for open in &mut self.open_requests {
            // A request that was just opened was not there under any older head.
            if open.since == u32::MAX {
                open.since = self.counts.head;
            }
        }
    }

    /// Skips all numbers that `records` records can have used.
    fn skip(&mut self, records: u32) {
        self.counts.head += records + 1;
        self.counts.inputs += records * ASKS_MAX as u32 + 1;
        self.counts.answers += records;
    }

    /// Updates the open requests; returns whether anything changed for this seat.
    fn update(&mut self, seat: Seat, asks: &[Ask], cause: &Cause) -> bool {
        self.in_group = None;
        let mut open_requests = Vec::with_capacity(self.open_requests.len());
        for ask in asks.iter().filter(|ask| ask.seats.has(seat)) {
            let answered = matches!(cause, Cause::Answer { seat: by, ask: to, kind: AskKind::Request }
                if *by == seat && *to == ask.id);
            let old = self.open_requests.iter().find(|open| open.ask == ask.id && open.kind == ask.kind);
            match old {
                Some(old) if !answered && *cause != Cause::Undo => {
                    if matches!(cause, Cause::Answer { ask: to, .. } if *to == ask.id) {
                        self.in_group = Some(ask.id);
                    }
                    open_requests.push(*old);
                }
                _ => {
                    self.counts.inputs += 1;
                    open_requests.push(OpenRequest {
                        ask: ask.id,
                        kind: ask.kind,
                        input: self.counts.inputs,
                        since: u32::MAX,
                    });
                }
            }
        }
        let changed = open_requests != self.open_requests;
        self.open_requests = open_requests;
        changed
    }

    /// Whether an event to this viewer moves their head. Drafts, and offers that others answer, do not; nor does an
    /// answer inside a group in which this viewer is still asked: their own answer may be in transit and must stay
    /// valid.
    fn head_moves(&self, cause: &Cause) -> bool {
        match cause {
            Cause::Start | Cause::Elapsed | Cause::Undo => true,
            Cause::Answer { kind: AskKind::Request, .. } => self.in_group.is_none(),
            Cause::Answer { .. } | Cause::Vote | Cause::World => false,
        }
    }

    /// The open request that an answer is for. `has_title` says whether a request has the answer's title; it is asked only
    /// where a head leaves a choice.
    pub(super) fn resolve(&self, target: AnswerTarget, has_title: impl Fn(AskId) -> bool) -> Option<AskId> {
        let found = match target {
            AnswerTarget::Input(input) => self.open_requests.iter().find(|open| open.input == input),
            AnswerTarget::Head(head) => self.under_head(head, has_title),
            AnswerTarget::Latest => None,
        };
        found.map(|open| open.ask)
    }

    /// The request that was open when this head was seen. An old offer or draft does not stand in for a request that came
    /// after the head: it must be named by its title.
    fn under_head(&self, head: u32, has_title: impl Fn(AskId) -> bool) -> Option<&OpenRequest> {
        let is_request = |open: &&OpenRequest| open.kind == AskKind::Request;
        let request = self.open_requests.iter().find(is_request);
        let meant = match self.open_requests.as_slice() {
            [only] => Some(only),
            all => {
                let titled = all.iter().filter(|open| has_title(open.ask));
                titled.min_by_key(|open| open.kind != AskKind::Request).or(request)
            }
        };
        meant.filter(|open| (open.since..=self.counts.head).contains(&head))
    }
}

/// The open requests and counters of all viewers: each seat's, then the gallery's.
#[derive(Clone, Debug)]
pub(super) struct Requests(Vec<ViewerRequests>);

impl Requests {
    /// For a match that starts from this header: continues counting where the previous match ended.
    pub(super) fn of(header: &Header) -> Self {
        let counts = |n: usize| header.counts.get(n).copied().unwrap_or_default();
        let requests = |viewer: Viewer| ViewerRequests {
            counts: counts(viewer.index(header.seats)),
            ..ViewerRequests::default()
        };
        Self(Viewer::all(header.seats).map(requests).collect())
    }

    fn seats(&self) -> u8 {
        // One is the gallery's, and a table has few seats.
        (self.0.len() - 1) as u8
    }

    pub(super) fn of_seat(&self, seat: Seat) -> &ViewerRequests {
        &self.0[seat.index()]
    }

    /// For a seat from outside; none if there is no such seat.
    pub(super) fn named(&self, seat: Seat) -> Option<&ViewerRequests> {
        self.0.get(seat.index()).filter(|_| seat.index() < self.seats() as usize)
    }

    /// The heads of all viewers, in order.
    pub(super) fn heads(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(ViewerRequests::head)
    }

    pub(super) fn head(&self, viewer: Viewer) -> u32 {
        self.0[viewer.index(self.seats())].head()
    }

    /// The counters of all viewers, for the next match.
    pub(super) fn counts(&self) -> Vec<Counts> {
        self.0.iter().map(|requests| requests.counts).collect()
    }

    /// Skips all numbers that `records` records can have used.
    pub(super) fn skip(&mut self, records: u32) {
        self.0.iter_mut().for_each(|requests| requests.skip(records));
    }

    /// Updates the open requests of all viewers, after something that this audience got an event for; returns the
    /// seats whose requests changed.
    pub(super) fn update(&mut self, asks: &[Ask], cause: &Cause, audience: Seats) -> Seats {
        let seats = self.seats();
        let mut requests_changed = Seats::NONE;
        for (viewer, requests) in Viewer::all(seats).zip(&mut self.0) {
            let changed = viewer.seat().is_some_and(|seat| requests.update(seat, asks, cause));
            if let (true, Some(seat)) = (changed, viewer.seat()) {
                requests_changed = requests_changed.with(seat);
            }
            if changed || (audience.sees(viewer) && requests.head_moves(cause)) {
                requests.move_head();
            }
            if let (Cause::Answer { seat, kind: AskKind::Request, .. }, Some(mine)) = (cause, viewer.seat())
                && *seat == mine
            {
                requests.count_answer();
            }
        }
        requests_changed
    }

    /// Replaces the open requests by a twin's, with the same ids if a seat is asked in both. No head moves: nothing
    /// has happened.
    pub(super) fn update_as_twin(&mut self, asks: &[Ask]) {
        let seats = self.seats();
        for (n, requests) in self.0.iter_mut().enumerate().take(seats as usize) {
            requests.update(Seat::new(n as u8), asks, &Cause::World);
        }
    }
}
