//! Which crate may depend on which. Dependencies point one way: towards the contract, away from sockets, disk and clock.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::repo::Repo;
use crate::steps::Outcome;

/// Stands for every crate under games/ in the table below.
const GAMES: &str = "games/*";

/// Every crate, and all it may depend on in the workspace. A crate without a row is refused.
const ARROWS: [(&str, &[&str]); 15] = [
    (
        "parlor-cli",
        &[
            "parlor-server",
            "parlor-store",
            "parlor-store-postgres",
            "parlor-store-sqlite",
            "parlor-host",
            "parlor-wire",
            "parlor-core",
            "parlor-script",
            "parlor-ruleset",
            "parlor-testkit",
            GAMES,
        ],
    ),
    ("parlor", &["parlor-host", "parlor-script", "parlor-wire", "parlor-core"]),
    ("parlor-server", &["parlor-host", "parlor-store", "parlor-wire", "parlor-core"]),
    ("parlor-host", &["parlor-wire", "parlor-core"]),
    ("parlor-store", &["parlor-core"]),
    ("parlor-store-postgres", &["parlor-store", "parlor-core"]),
    ("parlor-store-sqlite", &["parlor-store", "parlor-core"]),
    (GAMES, &["parlor-script", "parlor-wire", "parlor-core"]),
    ("parlor-ruleset", &["parlor-wire", "parlor-core"]),
    ("parlor-script", &["parlor-wire", "parlor-core"]),
    ("parlor-wire", &["parlor-core"]),
    ("parlor-testkit", &["parlor-host", "parlor-wire", "parlor-core"]),
    ("parlor-load", &["parlor-wire", "parlor-core"]),
    ("parlor-core", &[]),
    ("xtask", &[]),
];

/// All that parlor-core may name from outside, and why it is worth it.
const CORE_MAY_USE: [(&str, &str); 9] = [
    ("serde", "records, answers and views are data"),
    ("serde_json", "requests, answers and views as people and clients read them"),
    ("postcard", "records and checkpoints as bytes"),
    ("blake3", "digests, key derivation and the log's chain"),
    ("sha2", "viewHash is SHA-256 by contract"),
    ("rand_chacha", "the streams of luck; the shuffle over them is our own"),
    ("arrayvec", "what stands, without allocation"),
    ("schemars", "optional: the JSON Schemas of types that messages contain"),
    ("ts-rs", "optional: the TypeScript of types that views and events contain"),
];

/// Crates with a single home: all that reaches for sockets, clocks, the disk or the system's luck.
const HOMES: [(&str, &str); 14] = [
    ("tokio", "parlor-server"),
    ("tokio-tungstenite", "parlor-server"),
    ("axum", "parlor-server"),
    ("hyper", "parlor-server"),
    ("hyper-util", "parlor-server"),
    ("tungstenite", "parlor-server"),
    ("tower-http", "parlor-server"),
    ("rustls", "parlor-server"),
    ("rustls-webpki", "parlor-server"),
    ("tokio-rustls", "parlor-server"),
    ("getrandom", "parlor-server"),
    ("rand", "parlor-server"),
    ("rusqlite", "parlor-store-sqlite"),
    ("tokio-postgres", "parlor-store-postgres"),
];

/// Who else may name one of those crates, and what for.
const GUESTS: [(&str, &str, &str); 4] = [
    ("parlor-cli", "tokio", "it starts the server's runtime"),
    ("parlor-store-postgres", "tokio", "its connections are sockets"),
    ("parlor-load", "tokio", "it is a client of many sockets"),
    ("parlor-load", "tokio-tungstenite", "it is a client of many sockets"),
];

/// One `[dependencies]` line of a workspace crate.
struct Arrow<'a> {
    from: &'a str,
    to: &'a str,
    dev: bool,
}

/// Reads what cargo knows and compares it with the tables.
pub(crate) fn check(repo: &Repo) -> Outcome {
    // Without the dependencies' own metadata: that needs no network, and only our own arrows are judged.
    let metadata = repo.metadata(&["--no-deps"])?;
    let faults = faults(&metadata);
    if faults.is_empty() {
        let crates = metadata["packages"].as_array().map_or(0, Vec::len);
        return Ok(format!("{crates} crates, every arrow allowed"));
    }
    Err(format!("{} arrows that may not be\n{}", faults.len(), faults.join("\n")))
}

fn faults(metadata: &Value) -> Vec<String> {
    let crates = rows(metadata);
    let mut faults = Vec::new();
    for (name, row) in &crates {
        if !ARROWS.iter().any(|(known, _)| known == row) {
            faults.push(format!("{name}: has no row in the table of xtask/src/layering.rs; add it there"));
        }
    }
    for arrow in arrows(metadata) {
        faults.extend(fault(&arrow, &crates));
    }
    faults
}

/// What is wrong with one arrow, and what to do.
fn fault(arrow: &Arrow<'_>, crates: &BTreeMap<String, String>) -> Option<String> {
    let Arrow { from, to, dev } = *arrow;
    if dev {
        let message =
            format!("{from} -> {to} (dev): nothing may depend on the binary; move what it needs down");
        return (to == "parlor-cli").then_some(message);
    }
    if let Some(target) = crates.get(to) {
        let row = crates.get(from).map_or(from, String::as_str);
        let allowed = ARROWS.iter().find(|(name, _)| *name == row).map_or(&[][..], |(_, to)| to);
        let message = format!("{from} -> {to}: not allowed; {row} may depend on {}", list(allowed));
        return (!allowed.contains(&target.as_str())).then_some(message);
    }
    if let Some((_, home)) = HOMES.iter().find(|(name, _)| *name == to)
        && from != *home
        && !GUESTS.iter().any(|(guest, name, _)| (*guest, *name) == (from, to))
    {
        return Some(format!("{from} -> {to}: only {home} may name it"));
    }
    if from == "parlor-core" && !CORE_MAY_USE.iter().any(|(name, _)| *name == to) {
        let names: Vec<&str> = CORE_MAY_USE.iter().map(|(name, _)| *name).collect();
        return Some(format!("{from} -> {to}: the contract uses only {}", list(&names)));
    }
    None
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "nothing in the workspace".to_string() } else { names.join(", ") }
}

/// Every workspace crate and the row of the table that speaks of it.
fn rows(metadata: &Value) -> BTreeMap<String, String> {
    // From the root: the checkout itself may lie in somebody's folder of games.
    let root = text(&metadata["workspace_root"]);
    let mut rows = BTreeMap::new();
    for package in packages(metadata) {
        let name = text(&package["name"]);
        let path = text(&package["manifest_path"]).strip_prefix(root).unwrap_or("").replace('\\', "/");
        let is_game = path.starts_with("/games/");
        rows.insert(name.to_string(), if is_game { GAMES } else { name }.to_string());
    }
    rows
}

fn arrows(metadata: &Value) -> Vec<Arrow<'_>> {
    let mut arrows = Vec::new();
    for package in packages(metadata) {
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let dev = dependency["kind"] == "dev";
            arrows.push(Arrow { from: text(&package["name"]), to: text(&dependency["name"]), dev });
        }
    }
    arrows
}

fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A workspace of the usual crates in which `from` names `to` as a dependency of `kind`.
    fn planted(from: &str, to: &str, kind: Value) -> Vec<String> {
        let names = [
            "crates/parlor-cli",
            "crates/parlor-server",
            "crates/parlor-host",
            "crates/parlor-store",
            "crates/parlor-store-postgres",
            "crates/parlor-store-sqlite",
            "crates/parlor-wire",
            "crates/parlor-core",
            "crates/parlor-script",
            "crates/parlor-ruleset",
            "crates/parlor-testkit",
            "games/poker",
            "games/riichi",
            "xtask",
        ];
        let packages: Vec<Value> = names
            .iter()
            .map(|path| {
                let name = path.replace("games/", "crates/parlor-").replace("crates/", "");
                let name = name.as_str();
                let dependencies = if name == from { json!([{"name": to, "kind": kind}]) } else { json!([]) };
                let manifest = format!("/games/checkout/{path}/Cargo.toml");
                json!({"name": name, "manifest_path": manifest, "dependencies": dependencies})
            })
            .collect();
        faults(&json!({"workspace_root": "/games/checkout", "packages": packages}))
    }

    #[test]
    fn the_workspace_has_no_other_arrow() {
        check(&Repo::here()).unwrap();
    }

    #[test]
    fn the_arrows_of_the_design_are_allowed() {
        for (from, to) in [
            ("parlor-cli", "parlor-poker"),
            ("parlor-cli", "parlor-testkit"),
            ("parlor-server", "parlor-store"),
            ("parlor-cli", "parlor-store-sqlite"),
            ("parlor-cli", "parlor-store-postgres"),
            ("parlor-store-postgres", "tokio"),
            ("parlor-poker", "parlor-script"),
            ("parlor-testkit", "parlor-host"),
            ("parlor-server", "tokio"),
            ("parlor-core", "serde"),
        ] {
            assert_eq!(planted(from, to, Value::Null), Vec::<String>::new(), "{from} -> {to}");
        }
    }

    #[test]
    fn planted_arrows_are_caught_as_normal_and_build_dependencies() {
        for (from, to) in [
            ("parlor-host", "parlor-store"),
            ("parlor-poker", "parlor-host"),
            ("parlor-poker", "parlor-store"),
            ("parlor-poker", "parlor-server"),
            ("parlor-poker", "parlor-riichi"),
            ("parlor-core", "parlor-wire"),
            ("parlor-wire", "parlor-host"),
            ("parlor-server", "parlor-poker"),
            ("parlor-server", "parlor-store-sqlite"),
            ("parlor-server", "parlor-store-postgres"),
            ("parlor-testkit", "parlor-cli"),
            ("xtask", "parlor-core"),
        ] {
            for kind in [Value::Null, json!("build")] {
                let faults = planted(from, to, kind);
                assert_eq!(faults.len(), 1, "{from} -> {to}");
                assert!(faults[0].starts_with(&format!("{from} -> {to}: not allowed; ")), "{faults:?}");
            }
        }
    }

    #[test]
    fn test_dependencies_are_free_below_the_binary() {
        assert!(planted("parlor-core", "parlor-testkit", json!("dev")).is_empty());
        assert!(planted("parlor-host", "tokio", json!("dev")).is_empty());
        let faults = planted("parlor-testkit", "parlor-cli", json!("dev"));
        assert!(faults[0].contains("nothing may depend on the binary"), "{faults:?}");
    }

    #[test]
    fn outside_crates_have_their_homes() {
        for (name, home) in HOMES {
            assert!(planted(home, name, Value::Null).is_empty());
            let faults = planted("parlor-host", name, Value::Null);
            assert_eq!(faults, [format!("parlor-host -> {name}: only {home} may name it")]);
        }
        assert!(planted("parlor-core", "chrono", Value::Null)[0].contains("the contract uses only serde"));
    }

    #[test]
    fn a_crate_without_a_row_is_refused() {
        let metadata =
            json!({"packages": [{"name": "parlor-new", "manifest_path": "/c/crates/parlor-new/Cargo.toml"}]});
        assert!(faults(&metadata)[0].starts_with("parlor-new: has no row"));
    }
}
