//! Builds the messages of a record when it is applied. They leave when it is stored (`delivery.rs`).

use std::sync::Arc;

use parlor_core::game::Reveal;
use parlor_core::view::{canonical, hash_text};
use parlor_core::{Applied, AskKind, Body, Json, PauseReason, Record, Seat, Unpacked, ViewText, Viewer};
use parlor_wire::message::Over;
use parlor_wire::{EncodedMessage, Prompt, PromptKind, ServerMessage, Update, UpdateBody};

use super::Table;
use super::delivery::AwaitingStore;

/// One viewer's view after a record. The next viewer often has the same view: then it is kept and hashed once.
struct Shown<'a> {
    view: Json,
    text: String,
    kept: ViewText,
    hash: String,
    told: Option<LastTold<'a>>,
}

/// The texts of views before and after a record that were last unpacked.
#[derive(Default)]
struct Texts {
    before: Unpacked,
    after: Unpacked,
}

/// What was sent to the last viewer with the same view.
struct LastTold<'a> {
    /// That viewer's view before the record.
    before: Option<ViewText>,
    events: Vec<&'a Json>,
    body: UpdateBody,
}

impl<'a> Shown<'a> {
    /// Uses the last viewer's, if the view is the same.
    fn after(before: Option<Self>, view: Json, texts: &mut Texts) -> Self {
        let text = canonical(&view);
        let kept = match before {
            Some(shown) if shown.text == text => return shown,
            Some(shown) => shown.kept.of_other(&text, &mut texts.after),
            None => ViewText::of_text(&text),
        };
        Self { hash: hash_text(&text), view, text, kept, told: None }
    }

    /// The update for a viewer who had the view `before` and gets these events. It is built again only if the last
    /// viewer's view or events differed.
    fn body(&mut self, before: Option<&ViewText>, events: Vec<&'a Json>, texts: &mut Texts) -> &UpdateBody {
        let told = self.told.take().filter(|told| told.is_for(before, &events));
        let told = told.unwrap_or_else(|| {
            let changes = |before: &ViewText| before.changes(&self.view, &mut texts.before);
            let patch = before.map(changes).unwrap_or_default();
            let body = UpdateBody::new(&events, &patch, &self.hash);
            LastTold { before: before.cloned(), events, body }
        });
        &self.told.insert(told).body
    }
}

impl LastTold<'_> {
    fn is_for(&self, before: Option<&ViewText>, events: &[&Json]) -> bool {
        let saw = match (&self.before, before) {
            (Some(one), Some(other)) => one.is_copy_of(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        let heard = |(one, other): (&&Json, &&Json)| std::ptr::eq(*one, *other);
        saw && self.events.len() == events.len() && self.events.iter().zip(events).all(heard)
    }
}

impl Table {
    /// Builds the messages of one record, for each viewer whom it concerns.
    pub(super) fn queue_messages(&mut self, record: Option<&Record>, applied: &Applied) {
        let mut streams = Vec::new();
        let clocks = self.clocks.public();
        let clocks_changed = clocks != self.told_clocks;
        if clocks_changed {
            self.told_clocks = clocks;
        }
        let (mut shown, mut texts) = (None, Texts::default());
        for viewer in Viewer::all(self.seats()) {
            let n = viewer.index(self.seats());
            if !(clocks_changed || concerns(record, applied, viewer)) {
                continue;
            }
            let v = self.streams[n].count();
            if !self.streams[n].listens() {
                continue;
            }
            let encoded: EncodedMessage = match record.map(|record| &record.body) {
                // Chat is counted where an old log has it, so that every number after it stays the same.
                Some(Body::Note { .. } | Body::Chat { .. }) => {
                    ServerMessage::Seats { v, seats: self.seat_infos() }.into()
                }
                Some(Body::Pause { why }) => ServerMessage::Paused { v, why: Some(why.to_string()) }.into(),
                Some(Body::Resume) => ServerMessage::Paused { v, why: None }.into(),
                Some(_) if !applied.undone => {
                    let now = Shown::after(shown.take(), self.current.view(viewer), &mut texts);
                    self.update((viewer, v), applied, clocks_changed, shown.insert(now), &mut texts)
                }
                _ => {
                    let now = Shown::after(shown.take(), self.current.view(viewer), &mut texts);
                    let now = shown.insert(now);
                    self.streams[n].listen(now.kept.clone());
                    self.snapshot_of(viewer, v, now.view.clone(), now.hash.clone()).into()
                }
            };
            streams.push((n, encoded));
        }
        EncodedMessage::pack_together(&mut streams, |(_, message)| message);
        let streams = streams.into_iter().map(|(n, message)| (n, Arc::new(message))).collect();
        self.pending.push_back(AwaitingStore {
            match_no: self.current.header().match_no,
            seq: applied.seq,
            streams,
            counted: self.streams.iter().map(super::Stream::v).collect(),
            direct: Vec::new(),
            said: Vec::new(),
            funds: None,
            finished: false,
        });
    }

    fn update<'a>(
        &mut self,
        (viewer, v): (Viewer, u64),
        applied: &'a Applied,
        clocks_changed: bool,
        shown: &mut Shown<'a>,
        texts: &mut Texts,
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
            body: shown.body(self.streams[n].view(), events, texts),
            requests: requests.as_deref(),
            clocks: clocks_changed.then_some(&self.told_clocks[..]),
            over: over.as_ref(),
        });
        self.streams[n].listen(shown.kept.clone());
        encoded
    }

    pub(super) fn snapshot_at(&self, viewer: Viewer, v: u64) -> ServerMessage {
        let view = self.current.view(viewer);
        let view_hash = parlor_core::view::hash(&view);
        self.snapshot_of(viewer, v, view, view_hash)
    }

    fn snapshot_of(&self, viewer: Viewer, v: u64, view: Json, view_hash: String) -> ServerMessage {
        ServerMessage::Snapshot {
            v,
            branch_id: self.current.head(viewer),
            match_no: self.current.header().match_no,
            view_hash,
            view,
            requests: viewer.seat().map(|seat| self.prompts(seat)).unwrap_or_default(),
            seats: self.seat_infos(),
            clocks: self.clocks.public(),
            commitment: self.current.header().commitment.clone(),
            paused: self.current.paused().map(PauseReason::to_string),
            over: self.over(),
        }
    }

    pub(super) fn prompts(&self, seat: Seat) -> Vec<Prompt> {
        let prompt = |stand: &parlor_core::play::OpenRequest| {
            let mut selector = self.current.request(seat, stand.ask);
            selector.actor = Some(self.chairs[seat.index()].who.name().to_owned());
            let kind = match stand.kind {
                _ if stand.ask == parlor_core::AskId::UNDO => PromptKind::Undo,
                AskKind::Request => PromptKind::Request,
                AskKind::Offer => PromptKind::Offer,
                AskKind::Draft => PromptKind::Draft,
            };
            let until = self.clocks.until(seat, stand.ask);
            Prompt { input_id: stand.input, kind, selector, until }
        };
        self.current.open_requests(seat).iter().map(prompt).collect()
    }

    fn over(&self) -> Option<Over> {
        let outcome = self.current.outcome()?.clone();
        let names: Vec<&str> = self.chairs.iter().map(|chair| chair.who.name()).collect();
        let text = outcome.text(&names);
        let seed = (self.current.def().reveal == Reveal::Public).then(|| self.current.header().seed.to_hex());
        Some(Over { outcome, text, seed })
    }
}

pub(super) fn first_request(prompts: &[Prompt]) -> Option<u32> {
    prompts.iter().find(|prompt| prompt.kind == PromptKind::Request).map(|prompt| prompt.input_id)
}

/// Whether a record concerns this viewer. A record that does not concern them changes none of their numbers.
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
