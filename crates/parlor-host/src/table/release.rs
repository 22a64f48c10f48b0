//! Messages are made when their record is applied and leave when it is stored.

use std::sync::Arc;

use parlor_core::game::Reveal;
use parlor_core::view::changes;
use parlor_core::{Applied, AskKind, Body, Json, Record, Seat, Viewer};
use parlor_wire::message::Over;
use parlor_wire::{EncodedMessage, Prompt, ServerMessage, Update, UpdateBody};

use super::submit::refused;
use super::time::MatchTime;
use super::{Shared, Table};
use crate::command::{ConnId, Effect};
use crate::conns::Conn;

/// What waits for one record to be stored.
#[derive(Clone, Debug)]
pub(super) struct AwaitingStore {
    match_no: u32,
    seq: u32,
    /// Messages for whole streams.
    streams: Vec<(usize, Shared)>,
    /// How often each stream counted, listened to or not.
    counted: Vec<u64>,
    /// Answers to single clients, which must not overtake what they depend on.
    direct: Vec<(ConnId, Shared)>,
    pub(super) finished: bool,
}

/// What one viewer sees after a record. The next one often sees the same: then it is held and hashed once.
struct Shown<'a> {
    view: Arc<Json>,
    hash: String,
    told: Option<LastTold<'a>>,
}

/// What the last viewer was told who saw the same.
struct LastTold<'a> {
    /// What he saw before.
    before: Option<Arc<Json>>,
    events: Vec<&'a Json>,
    body: UpdateBody,
}

impl<'a> Shown<'a> {
    /// This view; the one before it, where that is the same.
    fn after(before: Option<Self>, view: Json) -> Self {
        before.filter(|shown| *shown.view == view).unwrap_or_else(|| {
            let hash = parlor_core::view::hash(&view);
            Self { hash, view: Arc::new(view), told: None }
        })
    }

    /// What happened, for somebody who saw `before` and is told these events: written anew only where the last one
    /// saw or was told something else.
    fn body(&mut self, before: Option<&Arc<Json>>, events: Vec<&'a Json>) -> &UpdateBody {
        let told = self.told.take().filter(|told| told.is_for(before, &events));
        let told = told.unwrap_or_else(|| {
            let patch = before.map(|before| changes(before, &self.view)).unwrap_or_default();
            let body = UpdateBody::new(&events, &patch, &self.hash);
            LastTold { before: before.cloned(), events, body }
        });
        &self.told.insert(told).body
    }
}

impl LastTold<'_> {
    fn is_for(&self, before: Option<&Arc<Json>>, events: &[&Json]) -> bool {
        let saw = match (&self.before, before) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let heard = |(one, other): (&&Json, &&Json)| std::ptr::eq(*one, *other);
        saw && self.events.len() == events.len() && self.events.iter().zip(events).all(heard)
    }
}

impl Table {
    /// Makes the messages of one record, for each viewer whom it concerns.
    pub(super) fn queue_messages(&mut self, record: Option<&Record>, applied: &Applied) {
        let mut streams = Vec::new();
        let mut shown = None;
        for viewer in Viewer::all(self.seats()) {
            let n = viewer.index(self.seats());
            if !concerns(record, applied, viewer) {
                continue;
            }
            let v = self.streams[n].count();
            if !self.streams[n].listens() {
                continue;
            }
            let encoded: EncodedMessage = match record.map(|record| &record.body) {
                Some(Body::Chat { name, text, .. }) => {
                    ServerMessage::Chat { v, player_name: name.clone(), text: text.clone() }.into()
                }
                Some(Body::Note { .. }) => ServerMessage::Seats { v, seats: self.seat_infos() }.into(),
                Some(Body::Pause { why }) => ServerMessage::Paused { v, why: Some(why.clone()) }.into(),
                Some(Body::Resume) => ServerMessage::Paused { v, why: None }.into(),
                Some(_) if !applied.undone => {
                    let now = Shown::after(shown.take(), self.current.view(viewer));
                    self.update(viewer, v, applied, shown.insert(now))
                }
                _ => {
                    self.streams[n].listen(Arc::new(self.current.view(viewer)));
                    self.snapshot_at(viewer, v).into()
                }
            };
            streams.push((n, Arc::new(encoded)));
        }
        self.pending.push_back(AwaitingStore {
            match_no: self.current.header().match_no,
            seq: applied.seq,
            streams,
            counted: self.streams.iter().map(super::Stream::v).collect(),
            direct: Vec::new(),
            finished: false,
        });
    }

    fn update<'a>(
        &mut self,
        viewer: Viewer,
        v: u64,
        applied: &'a Applied,
        shown: &mut Shown<'a>,
    ) -> EncodedMessage {
        let n = viewer.index(self.seats());
        let told = applied.events.iter().filter(|(to, _)| to.sees(viewer));
        let events: Vec<&Json> = told.map(|(_, event)| event).collect();
        let stood = viewer.seat().filter(|seat| applied.requests_changed.has(*seat));
        let requests = stood.map(|seat| self.prompts(seat));
        let over = applied.outcome.as_ref().and_then(|_| self.over());
        let encoded = EncodedMessage::from(Update {
            v,
            branch_id: self.current.head(viewer),
            body: shown.body(self.streams[n].view(), events),
            requests: requests.as_deref(),
            over: over.as_ref(),
        });
        self.streams[n].listen(shown.view.clone());
        encoded
    }

    pub(super) fn snapshot_at(&self, viewer: Viewer, v: u64) -> ServerMessage {
        let view = self.current.view(viewer);
        ServerMessage::Snapshot {
            v,
            branch_id: self.current.head(viewer),
            match_no: self.current.header().match_no,
            view_hash: parlor_core::view::hash(&view),
            view,
            requests: viewer.seat().map(|seat| self.prompts(seat)).unwrap_or_default(),
            seats: self.seat_infos(),
            commitment: self.current.header().commitment.clone(),
            paused: self.current.paused().map(str::to_owned),
            over: self.over(),
        }
    }

    fn prompts(&self, seat: Seat) -> Vec<Prompt> {
        let prompt = |stand: &parlor_core::play::OpenRequest| {
            let mut selector = self.current.request(seat, stand.ask);
            selector.actor = Some(self.chairs[seat.index()].who.name().to_owned());
            let kind = match stand.kind {
                _ if stand.ask == parlor_core::AskId::UNDO => "undo",
                AskKind::Request => "request",
                AskKind::Offer => "offer",
                AskKind::Draft => "draft",
            };
            let until = self.clocks.until(seat, stand.ask);
            Prompt { input_id: stand.input, kind: kind.to_owned(), selector, until }
        };
        self.current.open_requests(seat).iter().map(prompt).collect()
    }

    fn over(&self) -> Option<Over> {
        let outcome = self.current.outcome()?.clone();
        let names: Vec<&str> = self.chairs.iter().map(|chair| chair.who.name()).collect();
        let text = outcome.text(&names);
        let seed = (self.def.reveal == Reveal::Public).then(|| self.current.header().seed.to_hex());
        Some(Over { outcome, text, seed })
    }

    /// Says something to one client, behind everything that is not stored yet.
    pub(super) fn reply(&mut self, conn: ConnId, message: ServerMessage) {
        let message: Shared = Arc::new(message.into());
        match self.pending.back_mut() {
            Some(pending) => pending.direct.push((conn, message)),
            None => self.out.push(Effect::Send { conn, message }),
        }
    }

    /// A client looks: it gets what it misses, or everything.
    pub(super) fn send_current_state(&mut self, now: u64, conn: ConnId, viewer: Viewer, last_v: Option<u64>) {
        let n = viewer.index(self.seats());
        // While nobody listens nothing is made for a stream: after a restart even a client that misses nothing must be
        // shown everything once, or it would never hear of anything again.
        let last_v = last_v.filter(|_| self.streams[n].listens());
        let missing = last_v.and_then(|last_v| self.streams[n].since(last_v, self.released[n]));
        let resumed = missing.is_some();
        let from_v = if resumed { self.released[n] } else { self.streams[n].v() };
        // A client that only catches up still knows the request it was shown; for "the latest" it counts as shown now.
        let known = resumed.then(|| viewer.seat().and_then(|seat| first_request(&self.prompts(seat))));
        self.conns.insert(conn, Conn::new(viewer, from_v, known.map(|input| (now, input))));
        match missing {
            Some(messages) => {
                for message in messages {
                    self.send(now, conn, message);
                }
            }
            None => {
                if !self.streams[n].listens() {
                    self.streams[n].listen(Arc::new(self.current.view(viewer)));
                }
                let snapshot: Shared = Arc::new(self.snapshot_at(viewer, from_v).into());
                match self.pending.back_mut() {
                    Some(pending) => pending.direct.push((conn, snapshot)),
                    None => self.send(now, conn, snapshot),
                }
            }
        }
    }

    fn send(&mut self, now: u64, conn: ConnId, message: Shared) {
        if let (Some(to), Some(first)) = (self.conns.get_mut(conn), message.asks()) {
            to.show(now, first);
        }
        self.out.push(Effect::Send { conn, message });
    }

    /// Records up to this one are stored: what they caused may leave.
    pub(super) fn appended(&mut self, now: u64, match_no: u32, seq: u32) {
        self.stored = self.stored.max((match_no, seq));
        if self.before.is_some() && self.stored.0 == self.current.header().match_no {
            self.before = None;
        }
        while self.pending.front().is_some_and(|p| (p.match_no, p.seq) <= (match_no, seq)) {
            let Some(pending) = self.pending.pop_front() else { break };
            for (n, message) in pending.streams {
                let v = message.version().unwrap_or_default();
                self.streams[n].keep(v, &message);
                let to: Vec<ConnId> = self
                    .conns
                    .iter()
                    .filter(|(_, conn)| conn.viewer.index(self.seats()) == n && conn.from_v < v)
                    .map(|(id, _)| *id)
                    .collect();
                for conn in to {
                    self.send(now, conn, message.clone());
                }
            }
            self.released.clone_from(&pending.counted);
            for (conn, message) in pending.direct {
                self.send(now, conn, message);
            }
            if pending.finished {
                self.out.push(Effect::Finished);
            }
        }
    }

    /// What was not stored has not happened: the state is made again from what was, and the senders are told.
    pub(super) fn append_failed(&mut self, now: u64) {
        let lost: Vec<(ConnId, Shared)> = self.pending.drain(..).flat_map(|pending| pending.direct).collect();
        let (match_no, seq) = self.stored;
        let (header, mut records) = match self.before.take() {
            Some(before) if match_no < self.current.header().match_no => before,
            _ => (self.current.header().clone(), self.current.records()),
        };
        records.truncate(seq as usize);
        let conns = std::mem::take(&mut self.conns);
        let away = self.away.clone();
        match Self::load(self.def, self.root.clone(), header, records, now) {
            Ok((mut table, _)) => {
                table.pending.clear();
                table.out.clear();
                table.stalled = true;
                table.time = MatchTime::resume(table.last_at(), now, true);
                table.away = away;
                *self = table;
            }
            Err(error) => {
                self.record_by_house(now, Body::Pause { why: error.to_string() });
                self.stalled = true;
            }
        }
        let why = parlor_core::Refusal::of("not_stored", "the store did not take it; nothing has changed");
        for (conn, message) in lost {
            if let ServerMessage::Accepted { request_key, .. } = &**message {
                let refusal = refused(request_key.clone(), &why, 0);
                self.out.push(Effect::Send { conn, message: Arc::new(refusal.into()) });
            }
        }
        for (id, conn) in conns {
            self.send_current_state(now, id, conn.viewer, None);
        }
    }
}

fn first_request(prompts: &[Prompt]) -> Option<u32> {
    prompts.iter().find(|prompt| prompt.kind == "request").map(|prompt| prompt.input_id)
}

/// Whether a record says anything to this viewer. What he is not concerned with moves none of his numbers.
fn concerns(record: Option<&Record>, applied: &Applied, viewer: Viewer) -> bool {
    let of_the_house = match record.map(|record| &record.body) {
        None => true,
        Some(
            Body::Chat { .. } | Body::Note { .. } | Body::Pause { .. } | Body::Resume | Body::Kill { .. },
        ) => true,
        Some(_) => false,
    };
    of_the_house
        || applied.undone
        || applied.outcome.is_some()
        || applied.events.iter().any(|(to, _): &(_, Json)| to.sees(viewer))
        || viewer.seat().is_some_and(|seat| applied.requests_changed.has(seat))
}
