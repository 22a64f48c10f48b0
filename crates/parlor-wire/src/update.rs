//! [`ServerMessage::Update`](crate::ServerMessage::Update), written in MessagePack without being made: what all who are
//! told the same have in common is written once for all of them.

use parlor_core::Json;
use parlor_core::view::Change;
use serde::Serialize;

use crate::message::{Over, Prompt};
use crate::pack;

/// Bytes that most updates fit into: room for them is made at once.
const UPDATE_BYTES_USUAL: usize = 1024;
/// Bytes that most of what happens fits into.
const UPDATE_BODY_BYTES_USUAL: usize = 256;

/// What happened: the same bytes for everybody who is told the same.
#[derive(Clone, Debug)]
pub struct UpdateBody(Vec<u8>);

/// How many entries of an update [`UpdateBody`] is.
const UPDATE_BODY_ENTRIES: usize = 3;

impl UpdateBody {
    /// These events, in order, which changed a view so that it has this hash now.
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
    /// The version this brings the client to.
    pub v: u64,
    /// The lock for the next answer.
    pub branch_id: u32,
    /// What happened.
    pub body: &'a UpdateBody,
    /// What stands for him now; absent when that has not changed.
    pub requests: Option<&'a [Prompt]>,
    /// The result, once there is one.
    pub over: Option<&'a Over>,
}

impl Update<'_> {
    pub(crate) fn packed(&self) -> Vec<u8> {
        let optional = usize::from(self.requests.is_some()) + usize::from(self.over.is_some());
        let mut out = Vec::with_capacity(UPDATE_BYTES_USUAL);
        pack::write_map(&mut out, 3 + UPDATE_BODY_ENTRIES + optional);
        entry(&mut out, "type", "update");
        entry(&mut out, "v", &self.v);
        entry(&mut out, "branchId", &self.branch_id);
        out.extend_from_slice(&self.body.0);
        if let Some(requests) = self.requests {
            entry(&mut out, "requests", requests);
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
