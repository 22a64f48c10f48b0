//! What one viewer's clients hold on to: the ids of standing requests, and the head.
//!
//! Both are counted for each seat by itself: a common counter would tell how many others were asked.

use crate::ask::{Ask, AskId, Kind};
use crate::limits::ASKS_MAX;
use crate::record::{Counts, Header};
use crate::seat::{Seat, Seats, Viewer};

/// One ask that stands for a seat, with the id its clients know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stand {
    /// The game's own name of it; stays on the server.
    pub ask: AskId,
    /// Whether the game waits for it.
    pub kind: Kind,
    /// `inputId`: counted for this seat alone.
    pub input: u32,
    /// The seat's head when the request first stood: every head since then is accepted with an answer.
    since: u32,
}

/// How a submission says what it answers (000/R3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The request with this `inputId`.
    Input(u32),
    /// Whatever the sender was asked when he saw this `branchId`.
    Head(u32),
}

/// What made the books change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    Start,
    Answer {
        seat: Seat,
        ask: AskId,
        kind: Kind,
    },
    Elapsed,
    Undo,
    /// Another seat's question to the house; the game itself has not moved.
    Vote,
    /// A test looks at another world: nothing has happened, so no id is renewed.
    World,
}

/// One viewer's counters.
#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    stands: Vec<Stand>,
    counts: Counts,
    /// The ask in whose open group this viewer already was before the present cause.
    in_group: Option<AskId>,
}

impl Book {
    pub(super) fn stands(&self) -> &[Stand] {
        &self.stands
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
        for stand in &mut self.stands {
            // A request that has just come up was not there under any older head.
            if stand.since == u32::MAX {
                stand.since = self.counts.head;
            }
        }
    }

    /// Numbers past everything that `records` records can have used.
    fn skip(&mut self, records: u32) {
        self.counts.head += records + 1;
        self.counts.inputs += records * ASKS_MAX as u32 + 1;
        self.counts.answers += records;
    }

    /// Brings the standing requests up to date; says whether anything changed for this seat.
    fn restand(&mut self, seat: Seat, asks: &[Ask], cause: &Cause) -> bool {
        self.in_group = None;
        let mut stands = Vec::with_capacity(self.stands.len());
        for ask in asks.iter().filter(|ask| ask.seats.has(seat)) {
            let answered = matches!(cause, Cause::Answer { seat: by, ask: to, kind: Kind::Request }
                if *by == seat && *to == ask.id);
            let old = self.stands.iter().find(|stand| stand.ask == ask.id && stand.kind == ask.kind);
            match old {
                Some(old) if !answered && *cause != Cause::Undo => {
                    if matches!(cause, Cause::Answer { ask: to, .. } if *to == ask.id) {
                        self.in_group = Some(ask.id);
                    }
                    stands.push(*old);
                }
                _ => {
                    self.counts.inputs += 1;
                    stands.push(Stand {
                        ask: ask.id,
                        kind: ask.kind,
                        input: self.counts.inputs,
                        since: u32::MAX,
                    });
                }
            }
        }
        let changed = stands != self.stands;
        self.stands = stands;
        changed
    }

    /// Whether being told something moves this viewer's head. Drafts and offers taken up by others do not, nor does
    /// an answer inside a group in which this viewer is still asked: his own submission under way must stay good.
    fn head_moves(&self, cause: &Cause) -> bool {
        match cause {
            Cause::Start | Cause::Elapsed | Cause::Undo => true,
            Cause::Answer { kind: Kind::Request, .. } => self.in_group.is_none(),
            Cause::Answer { .. } | Cause::Vote | Cause::World => false,
        }
    }

    pub(super) fn resolve(&self, target: Target) -> Option<AskId> {
        let mut stands = self.stands.iter();
        let found = match target {
            Target::Input(input) => stands.find(|stand| stand.input == input),
            Target::Head(head) => {
                let current = |stand: &&Stand| (stand.since..=self.counts.head).contains(&head);
                stands.filter(current).min_by_key(|stand| stand.kind != Kind::Request)
            }
        };
        found.map(|stand| stand.ask)
    }
}

/// The books of all viewers: each seat's, then the gallery's.
#[derive(Clone, Debug)]
pub(super) struct Books(Vec<Book>);

impl Books {
    /// The books of a match that starts from this header: they go on counting where the match before has ended.
    pub(super) fn of(header: &Header) -> Self {
        let counts = |n: usize| header.counts.get(n).copied().unwrap_or_default();
        let book = |viewer: Viewer| Book { counts: counts(viewer.index(header.seats)), ..Book::default() };
        Self(Viewer::all(header.seats).map(book).collect())
    }

    fn seats(&self) -> u8 {
        // One is the gallery's, and a table has few seats.
        (self.0.len() - 1) as u8
    }

    pub(super) fn of_seat(&self, seat: Seat) -> &Book {
        &self.0[seat.index()]
    }

    /// The book of a seat that somebody names; none where there is no such seat.
    pub(super) fn named(&self, seat: Seat) -> Option<&Book> {
        self.0.get(seat.index()).filter(|_| seat.index() < self.seats() as usize)
    }

    /// The heads of all, in order.
    pub(super) fn heads(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter().map(Book::head)
    }

    pub(super) fn head(&self, viewer: Viewer) -> u32 {
        self.0[viewer.index(self.seats())].head()
    }

    /// Where all of them stand, for the match that follows.
    pub(super) fn counts(&self) -> Vec<Counts> {
        self.0.iter().map(|book| book.counts).collect()
    }

    /// Numbers past everything that `records` records can have used.
    pub(super) fn skip(&mut self, records: u32) {
        self.0.iter_mut().for_each(|book| book.skip(records));
    }

    /// Brings all books up to date with what stands now, after something that this audience was told of; says whose
    /// requests changed.
    pub(super) fn restand(&mut self, asks: &[Ask], cause: &Cause, audience: Seats) -> Seats {
        let seats = self.seats();
        let mut stood = Seats::NONE;
        for (viewer, book) in Viewer::all(seats).zip(&mut self.0) {
            let changed = viewer.seat().is_some_and(|seat| book.restand(seat, asks, cause));
            if let (true, Some(seat)) = (changed, viewer.seat()) {
                stood = stood.with(seat);
            }
            if changed || (audience.sees(viewer) && book.head_moves(cause)) {
                book.move_head();
            }
            if let (Cause::Answer { seat, kind: Kind::Request, .. }, Some(mine)) = (cause, viewer.seat())
                && *seat == mine
            {
                book.count_answer();
            }
        }
        stood
    }

    /// The requests of another world stand in place of this one's, under the same ids where a seat is asked in both.
    /// No head moves: nothing has happened.
    pub(super) fn restand_in_world(&mut self, asks: &[Ask]) {
        let seats = self.seats();
        for (n, book) in self.0.iter_mut().enumerate().take(seats as usize) {
            book.restand(Seat::new(n as u8), asks, &Cause::World);
        }
    }
}
