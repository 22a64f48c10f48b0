//! Matches that earlier builds have written replay to the same digests: the first edition is what they were played by.

use std::path::Path;

use parlor_core::logfile::LogFile;
use parlor_core::{Json, Match};
use parlor_ruleset::shipped;
use serde_json::json;

/// A log replays to the digest and the chain that were kept of it; says whether these rules play it at all.
fn replays(def: parlor_core::GameDef, path: &Path) -> bool {
    let Ok(text) = std::fs::read_to_string(path) else { return false };
    let LogFile { header, records, .. } = LogFile::parse(&text).expect("a golden log");
    let kept = std::fs::read_to_string(path.with_extension("replay.json")).expect("its replay");
    let kept: Json = serde_json::from_str(&kept).expect("JSON");
    let footer = match Match::replay(def, header, records) {
        Ok(played) => played.footer(),
        Err(error) if error.why.code().text() == "needs_rules" => return false,
        Err(error) => panic!("{}: {error}", path.display()),
    };
    assert_eq!(kept["digest"], json!(footer.digest), "{}", path.display());
    assert_eq!(kept["chain"], json!(footer.chain), "{}", path.display());
    true
}

#[test]
fn matches_of_the_shipped_rulesets_replay_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/golden");
    let versions = std::fs::read_dir(folder).expect("the golden files");
    let mut count = 0;
    for version in versions.map(|entry| entry.expect("a readable folder").path()) {
        for def in shipped::game_defs() {
            for kind in ["", ".bots", ".settings", ".killed", ".migrated"] {
                count += usize::from(replays(def, &version.join(format!("{}{kind}.jsonl", def.name))));
            }
        }
    }
    assert!(count >= 15, "golden logs are missing: {count}");
}
