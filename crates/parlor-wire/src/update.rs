//! Encodes [`ServerMessage::Update`](crate::ServerMessage::Update) in MessagePack without building it: the part that
//! several viewers have in common is encoded once for all of them.

use parlor_core::Json;
use parlor_core::view::Change;
use serde::Serialize;

use crate::message::{Over, Prompt, SeatClock};
use crate::pack;

/// Most updates fit into this many bytes, which are reserved at once.
const UPDATE_BYTES_USUAL: usize = 1024;
/// Most bodies fit into this many bytes.
const UPDATE_BODY_BYTES_USUAL: usize = 256;

/// The encoded events, patch and hash of an update: the same bytes for all viewers who get the same.
#[derive(Clone, Debug)]
pub struct UpdateBody(Vec<u8>);

/// The number of an update's entries that [`UpdateBody`] contains.
const UPDATE_BODY_ENTRIES: usize = 3;

impl UpdateBody {
    /// These events, in order, with the patch of the view and the view's hash after it.
    #[must_use]
    pub fn new(events: &[&Json], patch: &[Change<'_>], view_hash: &str) -> Self {
        let mut out = Vec::with_capacity(UPDATE_BODY_BYTES_USUAL);
        entry(&mut out, "events", events);
        entry(&mut out, "patch", patch);
        entry(&mut out, "viewHash", view_hash);
        Self(out)
    }
}

/// An update for one viewer.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// The client's version after this message.
    pub v: u64,
    /// The viewer's head. The table refuses an answer that names another.
    pub branch_id: u32,
    pub body: &'a UpdateBody,
    /// The viewer's open requests; none if they have not changed.
    pub requests: Option<&'a [Prompt]>,
    /// How long each player is waited for; none if that has not changed.
    pub clocks: Option<&'a [SeatClock]>,
    pub over: Option<&'a Over>,
}

impl Update<'_> {
    pub(crate) fn packed(&self) -> Vec<u8> {
        let given = [self.requests.is_some(), self.clocks.is_some(), self.over.is_some()];
        let optional = given.into_iter().filter(|given| *given).count();
        let mut out = Vec::with_capacity(UPDATE_BYTES_USUAL);
        pack::write_map(&mut out, 3 + UPDATE_BODY_ENTRIES + optional);
        entry(&mut out, "type", "update");
        entry(&mut out, "v", &self.v);
        entry(&mut out, "branchId", &self.branch_id);
        out.extend_from_slice(&self.body.0);
        if let Some(requests) = self.requests {
            entry(&mut out, "requests", requests);
        }
        if let Some(clocks) = self.clocks {
            entry(&mut out, "clocks", clocks);
        }
        if let Some(over) = self.over {
            entry(&mut out, "over", over);
        }
        out
    }
}

fn entry(out: &mut Vec<u8>, name: &str, value: &(impl Serialize + ?Sized)) {
    pack::write_entry(out, name, value).expect("an update is plain data");
}
