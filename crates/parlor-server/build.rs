//! Puts the built web client into the binary.
//!
//! A fresh build in `web/dist` is used as it is; fresh means built from exactly these sources, by their hash.
//! Otherwise npm builds it, if this is a clone with sources and npm is installed. Otherwise the binary gets a plain
//! page that says what to do, and cargo warns. `PARLOR_WEB` decides: `auto` (the default) does all this, `skip` uses
//! the plain page at once, `require` fails instead of using it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use sha2::{Digest, Sha256};

/// Lists the client's sources: one path per line, relative to the root of the repository, in which `*` stands for any one
/// name. Vite reads it too.
const SOURCES: &str = "web/sources.txt";
const PLAIN_PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Parlor</title>\
    <h1>Parlor runs here</h1><p>This binary was built without its web client. Build it with Node.js 20 installed: \
    <code>PARLOR_WEB=require cargo build --release</code>.</p><p>Programs can connect all the same: see \
    <code>docs/wire.md</code>.</p></html>";

fn main() {
    println!("cargo:rerun-if-env-changed=PARLOR_WEB");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../..");
    let mode = env::var("PARLOR_WEB").unwrap_or_else(|_| "auto".to_owned());
    assert!(["auto", "skip", "require"].contains(&mode.as_str()), "PARLOR_WEB is auto, skip or require");
    // The lock file changes with every new game: its pages are then among the sources. A folder that `*` stands for is
    // not watched itself, because cargo would watch all that lies in it, rules too.
    let lock = root.join("Cargo.lock");
    for source in sources(&root).iter().map(|source| root.join(source)).chain(lock.exists().then_some(lock)) {
        println!("cargo:rerun-if-changed={}", source.display());
    }
    let dist = if mode == "skip" { Err("PARLOR_WEB=skip".to_owned()) } else { fresh_dist(&root) };
    let files = out.join("web");
    let _ = fs::remove_dir_all(&files);
    fs::create_dir_all(&files).expect("OUT_DIR can be written");
    // The reason goes into the binary too: the person who starts it may never have seen the warning.
    let missing = format!("{:?}", dist.as_ref().err());
    fs::write(out.join("web_missing.rs"), missing).expect("OUT_DIR can be written");
    match dist {
        Ok(dist) => copy(&dist, &files).expect("the build can be copied"),
        Err(why) => {
            assert!(mode != "require", "the web client is missing: {why}");
            if mode == "auto" {
                println!("cargo:warning=the web client is not in this binary: {why}");
            }
            fs::write(files.join("index.html"), PLAIN_PAGE).expect("OUT_DIR can be written");
        }
    }
    fs::write(out.join("web_files.rs"), table(&files)).expect("OUT_DIR can be written");
}

/// The folder of a build from these sources; builds it if necessary.
fn fresh_dist(root: &Path) -> Result<PathBuf, String> {
    let web = root.join("web");
    if !web.join("package.json").is_file() {
        return Err("there are no sources of it here".to_owned());
    }
    let dist = web.join("dist");
    let wanted = hash_of_sources(root).map_err(|error| error.to_string())?;
    let fresh = || fs::read_to_string(dist.join(".sources")).is_ok_and(|found| found.trim() == wanted);
    if fresh() {
        return Ok(dist);
    }
    if !root.join(".git").exists() {
        return Err("web/dist was not made from these sources, and this is no clone to make it in".to_owned());
    }
    if !installed(root) {
        npm(root, &["ci", "--no-audit", "--no-fund", "--fetch-retries=1"])?;
    }
    npm(&web, &["run", "build"])?;
    if fresh() { Ok(dist) } else { Err("npm run build left no build of these sources".to_owned()) }
}

/// Whether the packages were installed after the lock file was last written.
fn installed(root: &Path) -> bool {
    let written = |path: &str| fs::metadata(root.join(path)).and_then(|file| file.modified()).ok();
    written("node_modules/.package-lock.json") >= written("package-lock.json")
}

fn npm(folder: &Path, args: &[&str]) -> Result<(), String> {
    let run = Command::new("npm").args(args).current_dir(folder).stdin(Stdio::null()).output();
    let output = run.map_err(|error| format!("npm cannot be run ({error}); install Node.js 20"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
    Err(format!("npm {} failed: {line}", args.join(" ")))
}

/// The paths that `SOURCES` stands for and that there are; empty if there are no sources.
fn sources(root: &Path) -> Vec<PathBuf> {
    let list = fs::read_to_string(root.join(SOURCES)).unwrap_or_default();
    list.lines().filter(|line| !line.is_empty()).flat_map(|line| expand(root, line)).collect()
}

/// The paths that a pattern stands for: `*` is any one name.
fn expand(root: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::new()];
    for part in pattern.split('/') {
        paths = paths.iter().flat_map(|path| named(root, path, part)).collect();
    }
    paths
}

/// What is in a folder under a name, or under any name.
fn named(root: &Path, folder: &Path, part: &str) -> Vec<PathBuf> {
    let entries = || fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let names = match part {
        "*" => entries().map(|entry| entry.file_name()).collect(),
        _ => vec![part.into()],
    };
    names.into_iter().map(|name| folder.join(name)).filter(|path| root.join(path).exists()).collect()
}

/// SHA-256 of the paths and contents of all sources, in the order of their paths.
fn hash_of_sources(root: &Path) -> std::io::Result<String> {
    let mut files = Vec::new();
    for source in sources(root) {
        gather(root, &source, &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.as_bytes());
        hash.update([0]);
        hash.update(fs::read(root.join(&file))?);
        hash.update([0]);
    }
    Ok(hex(&hash.finalize()))
}

/// Adds a file, or every file of a folder, by its path from the root with forward slashes.
fn gather(root: &Path, path: &Path, files: &mut Vec<String>) -> std::io::Result<()> {
    if root.join(path).is_dir() {
        for entry in fs::read_dir(root.join(path))? {
            gather(root, &path.join(entry?.file_name()), files)?;
        }
    } else if root.join(path).is_file() {
        files.push(path.to_string_lossy().replace('\\', "/"));
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The files as a Rust table: path, content, the same compressed in two ways, and an ETag.
fn table(folder: &Path) -> String {
    let mut files = Vec::new();
    gather(folder, Path::new(""), &mut files).expect("OUT_DIR can be read");
    files.sort();
    let mut rows = String::from("&[\n");
    let included = |path: &str| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/web/{path}\"))");
    let is_packed = |file: &str| file.ends_with(".gz") || file.ends_with(".br");
    for file in files.iter().filter(|file| !is_packed(file) && !file.starts_with('.')) {
        let packed = |ending: &str| {
            let packed = format!("{file}.{ending}");
            match files.contains(&packed) {
                true => format!("Some({})", included(&packed)),
                false => "None".to_owned(),
            }
        };
        let (gzip, brotli) = (packed("gz"), packed("br"));
        let content = fs::read(folder.join(file)).expect("OUT_DIR can be read");
        let tag = &hex(&Sha256::digest(content))[..16];
        let plain = included(file);
        writeln!(
            rows,
            "    File {{ path: \"{file}\", plain: {plain}, gzip: {gzip}, brotli: {brotli}, tag: \"\\\"{tag}\\\"\" }},"
        )
        .expect("text can be written to");
    }
    rows + "]\n"
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text can be written to");
        text
    })
}
