//! Requests that wait until a viewer has a newer version: long polling, for clients without sockets.

use parlor_core::Viewer;
use parlor_host::Table;
use tokio::sync::oneshot;

/// Requests that may wait at one table.
const WATCHERS_MAX: usize = 64;

/// The requests that wait.
#[derive(Default)]
pub(super) struct Watchers(Vec<(Viewer, u64, oneshot::Sender<()>)>);

impl Watchers {
    /// Lets a request wait until the viewer's version is no longer `v`. A request too many is answered at once, and so is
    /// one that names a version nobody has.
    pub(super) fn add(&mut self, viewer: Viewer, v: u64, tell: oneshot::Sender<()>) {
        self.0.retain(|(_, _, tell)| !tell.is_closed());
        if self.0.len() < WATCHERS_MAX {
            self.0.push((viewer, v, tell));
        }
    }

    /// Answers those whose viewer has something new. Everything that happened is stored.
    pub(super) fn notify(&mut self, table: &Table) {
        if self.0.is_empty() {
            return;
        }
        let over = table.finished();
        for (viewer, v, tell) in std::mem::take(&mut self.0) {
            if over || table.version(viewer) != v {
                let _ = tell.send(());
            } else {
                self.0.push((viewer, v, tell));
            }
        }
    }
}
