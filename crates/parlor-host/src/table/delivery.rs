//! What leaves the table: replies, the state sent to a client that connects, and the messages that waited for the
//! store.
//!
//! A message that belongs to a record never leaves before the store has that record.

use std::sync::Arc;

use parlor_core::view::canonical;
use parlor_core::{Body, HouseCode, Unpacked, ViewText, Viewer};
use parlor_wire::{CloseReason, FirstRequest, ServerMessage};

use super::messages::first_request;
use super::submit::refused;
use super::time::MatchTime;
use super::{Shared, Table};
use crate::command::{ConnId, Effect};
use crate::conns::Conn;
use crate::stream::Stream;

/// The output of one record that is not stored yet.
#[derive(Clone, Debug)]
pub(super) struct AwaitingStore {
    pub(super) match_no: u32,
    pub(super) seq: u32,
    /// Messages for whole streams.
    pub(super) streams: Vec<(usize, Shared)>,
    /// The newest number of each stream, whether any client listens or not.
    pub(super) counted: Vec<u64>,
    /// Replies to single clients, which must not overtake the messages they depend on.
    pub(super) direct: Vec<(ConnId, Shared)>,
    /// What was said meanwhile.
    pub(super) said: Vec<Effect>,
    /// The reservation that pays for the record.
    pub(super) funds: Option<u64>,
    pub(super) finished: bool,
}

impl Table {
    /// Sends a reply to one client, after everything that is not stored yet.
    pub(super) fn reply(&mut self, conn: ConnId, message: ServerMessage) {
        let message: Shared = Arc::new(message.into());
        match self.pending.back_mut() {
            Some(pending) => pending.direct.push((conn, message)),
            None => self.out.push(Effect::Send { conn, message }),
        }
    }

    /// Sends a client that connects what it is missing, or a snapshot.
    pub(super) fn send_current_state(&mut self, now: u64, conn: ConnId, viewer: Viewer, last_v: Option<u64>) {
        let n = viewer.index(self.seats());
        // While no client listens, a stream makes no messages. After a restart, even a client that is missing nothing
        // therefore needs a snapshot once, or it would never get another message.
        let last_v = last_v.filter(|_| self.streams[n].listens());
        let missing = last_v.and_then(|last_v| self.streams[n].since(last_v, self.released[n]));
        let resumed = missing.is_some();
        let from_v = if resumed { self.released[n] } else { self.streams[n].v() };
        // A client that only catches up still knows the request it was sent; for "the latest" it counts as sent now.
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
                    let kept = self.view_text(viewer);
                    self.streams[n].listen(kept);
                }
                let snapshot: Shared = Arc::new(self.snapshot_at(viewer, from_v).into());
                match self.pending.back_mut() {
                    Some(pending) => pending.direct.push((conn, snapshot)),
                    None => self.send(now, conn, snapshot),
                }
            }
        }
    }

    /// What is kept of a viewer's view who begins to listen.
    fn view_text(&self, viewer: Viewer) -> ViewText {
        let view = self.current.view(viewer);
        match self.streams.iter().find_map(Stream::view) {
            Some(other) => other.of_other(&canonical(&view), &mut Unpacked::default()),
            None => ViewText::new(&view),
        }
    }

    fn send(&mut self, now: u64, conn: ConnId, message: Shared) {
        if let Some(to) = self.conns.get_mut(conn) {
            match message.first_request() {
                FirstRequest::Unchanged => {}
                FirstRequest::None => to.show(now, None),
                FirstRequest::Input(input) => to.show(now, Some(input)),
            }
        }
        self.out.push(Effect::Send { conn, message });
    }

    /// The store has the records up to this one: releases what they caused.
    pub(super) fn appended(&mut self, now: u64, match_no: u32, seq: u32) {
        self.stored = self.stored.max((match_no, seq));
        let linked = self.before.is_some() && self.stored.0 == self.current.header().match_no;
        if linked {
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
            self.out.extend(pending.said);
            if pending.finished {
                self.out.push(Effect::Finished);
            }
        }
        if linked {
            // The match that was linked to may be over by now.
            self.link(now);
        }
    }

    /// A record that was not stored has not happened: rebuilds the state from the stored ones, and notifies the
    /// senders.
    pub(super) fn append_failed(&mut self, now: u64) {
        let mut lost: Vec<(ConnId, Shared)> = Vec::new();
        let mut unpaid: Vec<u64> = Vec::new();
        let mut said: Vec<Effect> = Vec::new();
        for pending in self.pending.drain(..) {
            lost.extend(pending.direct);
            said.extend(pending.said);
            unpaid.extend(pending.funds);
        }
        let (match_no, seq) = self.stored;
        let (header, mut records) = match self.before.take() {
            Some(before) if match_no < self.current.header().match_no => {
                (before.header().clone(), before.records())
            }
            _ => (self.current.header().clone(), self.current.records()),
        };
        let keys = std::mem::take(&mut self.keys).before(header.match_no);
        records.truncate(seq as usize);
        let conns = std::mem::take(&mut self.conns);
        let away = self.away.clone();
        match Self::restore(*self.current.def(), self.root.clone(), header, records, keys, now) {
            Ok(mut table) => {
                table.stalled = true;
                table.time = MatchTime::resume(table.last_at(), now, true);
                table.away = away;
                table.note_losses_again();
                // What waits for the store was not applied, so it is not lost either.
                table.reservations = std::mem::take(&mut self.reservations);
                *self = table;
            }
            Err(error) => {
                self.record_by_house(now, Body::Pause { why: error.to_string().into() });
                self.stalled = true;
            }
        }
        let why =
            parlor_core::Refusal::of(HouseCode::NotStored, "the store did not take it; nothing has changed");
        for (conn, message) in lost {
            // A refusal may rest on what was not stored: a client that waits for one is answered all the same.
            if let ServerMessage::Accepted { request_key, .. } | ServerMessage::Refused { request_key, .. } =
                &**message
            {
                let refusal = refused(request_key.clone(), &why, 0);
                self.out.push(Effect::Send { conn, message: Arc::new(refusal.into()) });
            }
        }
        // What was said was said: no record holds it.
        self.out.extend(said);
        self.out.extend(unpaid.into_iter().map(|id| Effect::Release { id }));
        for (id, conn) in conns {
            if conn.viewer.seat().is_some_and(|seat| !self.chairs[seat.index()].is_client()) {
                // They sat down, and that was not stored: their connection belongs to no seat.
                self.out.push(Effect::Close { conn: id, reason: CloseReason::NotStored });
                continue;
            }
            self.send_current_state(now, id, conn.viewer, None);
        }
    }
}
