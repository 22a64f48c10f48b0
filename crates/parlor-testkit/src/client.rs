//! A test client: it knows only the messages it was sent, and folds them.

use parlor_core::{Json, Viewer, view};
use parlor_wire::{Prompt, SeatInfo, ServerMessage};

/// The state of one client.
#[derive(Clone, Debug)]
pub struct Client {
    pub viewer: Viewer,
    /// The version of its view.
    pub v: u64,
    /// The head it would send with an answer.
    pub head: u32,
    pub view: Json,
    pub requests: Vec<Prompt>,
    pub seats: Vec<SeatInfo>,
    /// Why the table is paused.
    pub paused: Option<String>,
    pub over: bool,
    /// Retry keys of accepted answers.
    pub accepted: Vec<String>,
    /// Codes of refusals.
    pub refused: Vec<String>,
}

impl Client {
    /// A client that was sent nothing yet.
    #[must_use]
    pub fn new(viewer: Viewer) -> Self {
        Self {
            viewer,
            v: 0,
            head: 0,
            view: Json::Null,
            requests: Vec::new(),
            seats: Vec::new(),
            paused: None,
            over: false,
            accepted: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Folds one message.
    ///
    /// # Errors
    /// The message does not fit the client's state.
    pub fn fold(&mut self, message: &ServerMessage) -> Result<(), String> {
        if let Some(v) = message.v() {
            let fresh = matches!(message, ServerMessage::Snapshot { .. });
            if !fresh && v != self.v + 1 {
                return Err(format!("{} has version {} and is sent {v}", self.viewer, self.v));
            }
            self.v = v;
        }
        match message {
            ServerMessage::Snapshot { branch_id, view, requests, seats, paused, over, .. } => {
                self.head = *branch_id;
                self.view = view.clone();
                self.requests.clone_from(requests);
                self.seats.clone_from(seats);
                self.paused.clone_from(paused);
                self.over = over.is_some();
            }
            ServerMessage::Update { branch_id, patch, view_hash, requests, over, .. } => {
                self.head = *branch_id;
                self.view = view::patch(&self.view, patch).ok_or("a patch does not fit")?;
                if let Some(requests) = requests {
                    self.requests.clone_from(requests);
                }
                self.over |= over.is_some();
                if view::hash(&self.view) != *view_hash {
                    return Err(format!("{}: the folded view has another hash", self.viewer));
                }
            }
            ServerMessage::Seats { seats, .. } => self.seats.clone_from(seats),
            ServerMessage::Paused { why, .. } => self.paused.clone_from(why),
            ServerMessage::Accepted { request_key, branch_id, .. } => {
                self.head = self.head.max(*branch_id);
                self.accepted.extend(request_key.clone());
            }
            ServerMessage::Refused { code, .. } => self.refused.push(code.text().to_owned()),
        }
        Ok(())
    }

    /// Compares the folded state with a fresh snapshot.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare(&self, fresh: &ServerMessage) -> Result<(), String> {
        let ServerMessage::Snapshot { v, branch_id, view, view_hash, requests, seats, paused, over, .. } =
            fresh
        else {
            return Err("not a snapshot".to_owned());
        };
        if view::has_fraction(view) {
            return Err("a view holds a number that is not an integer".to_owned());
        }
        let same = [
            ("version", self.v == *v),
            ("head", self.head == *branch_id),
            ("view", self.view == *view),
            ("hash", view::hash(&self.view) == *view_hash),
            ("requests", self.requests == *requests),
            ("seats", self.seats == *seats),
            ("pause", self.paused == *paused),
            ("result", self.over == over.is_some()),
        ];
        match same.iter().find(|(_, same)| !same) {
            None => Ok(()),
            Some(("view", _)) => {
                let patch = Json::Array(view::diff(&self.view, view));
                Err(format!(
                    "the folded view differs from a fresh one, although the viewer was told nothing: {patch}"
                ))
            }
            Some((what, _)) => Err(format!("the folded {what} differs: {self:?} against {fresh:?}")),
        }
    }
}
