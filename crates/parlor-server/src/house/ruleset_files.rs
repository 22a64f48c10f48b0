//! Rulesets of the house that lie in files: they are served, and a file that is saved becomes the next version. A file
//! with a mistake changes nothing; what is wrong with it is told to whoever follows it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use parlor_wire::ruleset::{FindingLevel, RulesetFinding};
use tokio::sync::watch;

use super::rulesets::PublishError;
use crate::house::hub::{Hub, lock};
use crate::rulesets::{RulesetFile, RulesetFiles};

/// How often files are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How a file stands.
#[derive(Clone, Default, Debug)]
pub(crate) struct FileStatus {
    /// Counts its changes.
    pub(crate) v: u64,
    /// The version that is served.
    pub(crate) version: u32,
    /// What was found when it changed last; with an error among it, the version before is still served.
    pub(crate) findings: Vec<RulesetFinding>,
}

/// The files that are followed.
#[derive(Default)]
pub(crate) struct FollowedFiles(Mutex<Names>);

#[derive(Default)]
struct Names {
    /// The ruleset that a file had when it last compiled, by path.
    by_path: BTreeMap<String, String>,
    status: BTreeMap<String, watch::Sender<FileStatus>>,
}

impl FollowedFiles {
    /// How the file of this ruleset stands, now and from now on; none if it has no file.
    pub(crate) fn status(&self, name: &str) -> Option<watch::Receiver<FileStatus>> {
        lock(&self.0).status.get(name).map(watch::Sender::subscribe)
    }

    /// Notes what came of a file. `version` is none where the version before is still served.
    fn note(&self, path: &str, name: Option<&str>, version: Option<u32>, findings: Vec<RulesetFinding>) {
        let mut names = lock(&self.0);
        if let Some(name) = name {
            names.by_path.insert(path.to_owned(), name.to_owned());
        }
        let Some(name) = names.by_path.get(path).cloned() else { return };
        let status = names.status.entry(name).or_insert_with(|| watch::Sender::new(FileStatus::default()));
        status.send_modify(|status| {
            status.v += 1;
            status.version = version.unwrap_or(status.version);
            status.findings = findings;
        });
    }
}

/// Serves the files, and follows them until the server is gone.
pub(crate) async fn follow(hub: &Arc<Hub>, files: Box<dyn RulesetFiles>) {
    let mut files = look(Arc::downgrade(hub), files).await;
    let hub = Arc::downgrade(hub);
    tokio::spawn(async move {
        while let Some(following) = files.take() {
            tokio::time::sleep(LOOK_EVERY).await;
            if hub.upgrade().is_none_or(|hub| hub.stopping()) {
                return;
            }
            files = look(hub.clone(), following).await;
        }
    });
}

/// Looks at the files once, where files may be read; none if that failed.
async fn look(hub: Weak<Hub>, mut files: Box<dyn RulesetFiles>) -> Option<Box<dyn RulesetFiles>> {
    let looked = tokio::task::spawn_blocking(move || {
        let changed = files.changes();
        if let Some(hub) = hub.upgrade() {
            changed.into_iter().for_each(|file| hub.take_file(file));
        }
        files
    });
    looked.await.inspect_err(|error| tracing::error!(%error, "ruleset files are no longer followed")).ok()
}

impl Hub {
    /// Serves what a file says now, unless there is a mistake in it.
    fn take_file(&self, RulesetFile { path, compiled }: RulesetFile) {
        let compiled = match compiled {
            Ok(compiled) => compiled,
            Err(findings) => {
                let first = findings.iter().find(|finding| finding.level == FindingLevel::Error);
                let why = first.map_or("", |finding| finding.message.as_str());
                tracing::warn!(file = %path, %why, "a ruleset does not compile; what was served before stays");
                return self.ruleset_files.note(&path, None, None, findings);
            }
        };
        let built_in = self.games.find(&compiled.name).filter(|_| self.games.is_built_in(&compiled.name));
        if built_in.is_some_and(|def| def.identity == Some(compiled.identity)) {
            // The server has this very game already.
            return;
        }
        let (name, warnings) = (compiled.name.clone(), compiled.warnings.clone());
        match self.publish_for_house(compiled) {
            Ok(info) => {
                tracing::info!(file = %path, ruleset = %name, version = info.version, "ruleset served");
                self.ruleset_files.note(&path, Some(&name), Some(info.version), warnings);
            }
            Err(error) => {
                let finding = refused(&error);
                tracing::error!(file = %path, ruleset = %name, why = %finding.message, "ruleset not served");
                self.ruleset_files.note(&path, None, None, vec![finding]);
            }
        }
    }
}

/// A refusal, as what was found in the file.
fn refused(error: &PublishError) -> RulesetFinding {
    let (code, message) = error.words();
    RulesetFinding {
        level: FindingLevel::Error,
        code: code.text().to_owned(),
        file: None,
        line: 1,
        column: 1,
        pointer: String::new(),
        message: message.to_owned(),
        help: None,
    }
}
