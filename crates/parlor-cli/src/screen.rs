//! What one viewer at the terminal knows: a client that only reads the table's messages, as one on a socket does.

use std::rc::Rc;

use parlor_core::{Json, Viewer, view};
use parlor_host::ConnId;
use parlor_wire::message::Over;
use parlor_wire::{Prompt, SeatInfo, ServerMessage};

use crate::render;
use crate::sheet::Sheet;
use crate::shell::Failure;

/// Lines of the log that are shown before a question: with the table and the choices they fit on a screen.
const NEWS_LINES_MAX: usize = 16;

/// One viewer's screen.
pub(crate) struct Screen {
    pub(crate) conn: ConnId,
    pub(crate) viewer: Viewer,
    pub(crate) view: Json,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) over: Option<Over>,
    /// The match this view belongs to; `None` before the first snapshot.
    match_no: Option<u32>,
    names: Vec<String>,
    news: Vec<String>,
    /// The words of a ruleset for what is seen and told.
    sheet: Option<Rc<Sheet>>,
}

impl Screen {
    pub(crate) fn new(conn: ConnId, viewer: Viewer, sheet: Option<Rc<Sheet>>) -> Self {
        Self {
            conn,
            viewer,
            view: Json::Null,
            prompts: Vec::new(),
            over: None,
            match_no: None,
            names: Vec::new(),
            news: Vec::new(),
            sheet,
        }
    }

    /// What this viewer sees, as text.
    pub(crate) fn table(&self) -> String {
        match &self.sheet {
            Some(sheet) => sheet.view(&self.view, &self.names),
            None => render::view(&self.view, "  "),
        }
    }

    /// An event in words; nothing for what nobody needs to read.
    fn told(&self, event: &Json) -> Option<String> {
        let line = match &self.sheet {
            Some(sheet) => sheet.event(event, &self.names)?,
            None => render::event(event, &self.names),
        };
        Some(format!("· {line}"))
    }

    /// The name in this viewer's seat.
    pub(crate) fn name(&self) -> &str {
        self.viewer.seat().and_then(|seat| self.names.get(seat.index())).map_or("", String::as_str)
    }

    /// What happened since the last call, line by line.
    pub(crate) fn take_news(&mut self) -> Vec<String> {
        let mut news = std::mem::take(&mut self.news);
        if self.sheet.is_some() && news.len() > NEWS_LINES_MAX {
            let before = news.len() - NEWS_LINES_MAX + 1;
            news.splice(..before, [format!("· … {before} lines before that")]);
        }
        news
    }

    /// Applies a message from the table.
    pub(crate) fn hear(&mut self, message: &ServerMessage) -> Result<(), Failure> {
        match message {
            ServerMessage::Snapshot { match_no, view, requests, seats, paused, over, .. } => {
                self.news.extend(match self.match_no.replace(*match_no) {
                    None => None,
                    Some(before) if before == *match_no => Some("· the match was rewound".to_owned()),
                    Some(_) => Some(format!("· match {match_no} begins")),
                });
                self.view = view.clone();
                self.prompts.clone_from(requests);
                self.sit(seats);
                self.stand_still(paused.as_deref());
                self.over.clone_from(over);
            }
            ServerMessage::Update { events, patch, view_hash, requests, over, .. } => {
                self.view = patched(&self.view, patch, view_hash)?;
                let told: Vec<String> = events.iter().filter_map(|event| self.told(event)).collect();
                self.news.extend(told);
                if let Some(requests) = requests {
                    self.prompts.clone_from(requests);
                }
                if over.is_some() {
                    self.over.clone_from(over);
                }
            }
            ServerMessage::Seats { seats, .. } => self.sit(seats),
            ServerMessage::Paused { why: None, .. } => self.news.push("The table resumes.".to_owned()),
            ServerMessage::Paused { why, .. } => self.stand_still(why.as_deref()),
            ServerMessage::Accepted { .. } => {}
            ServerMessage::Refused { faults, .. } => {
                self.news.push("Refused:".to_owned());
                self.news.extend(faults.iter().map(|fault| format!("  - {fault}")));
            }
        }
        Ok(())
    }

    fn sit(&mut self, seats: &[SeatInfo]) {
        self.names = seats.iter().map(|seat| seat.name.clone()).collect();
    }

    fn stand_still(&mut self, why: Option<&str>) {
        self.news.extend(why.map(|why| format!("The table is paused: {why}")));
    }
}

/// The view after this patch, checked against its hash as every client should do.
fn patched(old: &Json, patch: &[Json], hash: &str) -> Result<Json, Failure> {
    view::patch(old, patch)
        .filter(|view| view::hash(view) == hash)
        .ok_or_else(|| Failure::failed("the patched view does not match its hash; this is a bug in parlor"))
}
