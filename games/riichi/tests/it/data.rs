//! Where test data comes from.

use std::io::{Read, Write};
use std::path::PathBuf;

use flate2::read::GzDecoder;

/// The lines of a gzipped file of the data folder; none, loudly, where that folder is absent.
pub(crate) fn shared(path: &str) -> Option<String> {
    let folder = std::env::var_os("PARLOR_DATA_DIR").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let file = folder.join(path);
    match std::fs::read(&file) {
        Ok(bytes) => Some(unzip(&bytes)),
        Err(error) => {
            let required = std::env::var("PARLOR_DATA").is_ok_and(|value| value == "require");
            assert!(!required, "PARLOR_DATA=require, but {}: {error}", file.display());
            // Past the capture of the test runner, so that a run that skips something shows it.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {} is not there", file.display());
            None
        }
    }
}

pub(crate) fn unzip(bytes: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).expect("the file is gzipped text");
    text
}
