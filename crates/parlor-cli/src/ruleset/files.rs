//! Files of rulesets for a server, which follows them while they are edited.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use parlor_ruleset::compile_for_server;
use parlor_server::{RulesetFile, RulesetFiles};

use super::{beside, rulesets};

/// Files of rulesets, or folders of them.
pub(crate) struct Files {
    paths: Vec<PathBuf>,
    /// When each file was last changed, and its size.
    seen: BTreeMap<PathBuf, (Option<SystemTime>, u64)>,
}

impl Files {
    /// Follows these files, and every ruleset in these folders.
    pub(crate) fn new(paths: Vec<PathBuf>) -> Self {
        Self { paths, seen: BTreeMap::new() }
    }

    /// Whether a file was changed since the last look.
    fn is_new(&mut self, path: &Path) -> bool {
        let Ok(facts) = std::fs::metadata(path) else { return false };
        let stamp = (facts.modified().ok(), facts.len());
        self.seen.insert(path.to_path_buf(), stamp) != Some(stamp)
    }
}

impl RulesetFiles for Files {
    fn changes(&mut self) -> Vec<RulesetFile> {
        // A folder that is empty or gone has no rulesets now; it may have some later.
        let files = self.paths.clone().into_iter().flat_map(|path| rulesets(&[path]).unwrap_or_default());
        let changed: Vec<PathBuf> = files.filter(|path| self.is_new(path)).collect();
        let one = |path: PathBuf| {
            // A file that an editor is just writing anew is looked at again when it is there.
            let text = std::fs::read_to_string(&path).ok()?;
            let compiled = compile_for_server(&text, &|name| beside(&path, name));
            Some(RulesetFile { path: path.display().to_string(), compiled })
        };
        changed.into_iter().filter_map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUEL: &str =
        r#"{"ir": "parlor-ir/1", "id": "tiny-duel", "name": "Tiny duel", "players": {"min": 2, "max": 2}}"#;

    #[test]
    fn a_file_is_looked_at_again_when_it_was_saved() {
        let folder = std::env::temp_dir().join(format!("parlor-files-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut files = Files::new(vec![folder.clone()]);
        assert!(files.changes().is_empty(), "nothing is there yet");
        let path = folder.join("duel.json");
        std::fs::write(&path, "{").expect("it can be written");
        let found = files.changes();
        assert_eq!(found.len(), 1);
        let Err(findings) = &found[0].compiled else { panic!("it does not compile") };
        assert_eq!((findings[0].level, findings[0].line), (parlor_wire::ruleset::FindingLevel::Error, 1));
        assert!(files.changes().is_empty(), "it was not saved since");
        std::fs::write(&path, DUEL).expect("it can be written");
        assert_eq!(files.changes().len(), 1);
        std::fs::remove_dir_all(&folder).expect("it was there");
    }
}
