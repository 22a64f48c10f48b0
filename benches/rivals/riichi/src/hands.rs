//! The hands both are measured on.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;

/// The lines of a gzipped file of vectors.
pub(crate) fn lines(path: &Path) -> Vec<Value> {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzipped text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON lines")).collect()
}

/// The tile ids of a field.
pub(crate) fn ids(field: &Value) -> Vec<u8> {
    field.as_array().expect("a list of tiles").iter().map(|id| id.as_u64().expect("a tile") as u8).collect()
}
