//! `cargo xtask soak fresh`: the README's two commands on a machine that has nothing but its prerequisites.
//!
//! That machine is a bare Debian tree with a C compiler and Python, made anew for each run; this machine's Rust and Node.js are
//! bound into it, and so are its settings for the registries, from the user's files and the environment. The clone in it is
//! of the last commit. It needs root, and leaves nothing mounted.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::repo::Repo;
use crate::run;
use crate::steps::{Outcome, Steps};

const SUITE: &str = "bookworm";
/// What the README asks for, beside Rust and Node.js.
const PACKAGES: &str = "build-essential,ca-certificates,python3";
/// Where things are in the tree.
const CLONE: &str = "/root/parlor";
const RUST: &str = "/opt/rust";
const NODE: &str = "/opt/node";
/// How long the first build may take before the page answers.
const PLAY_TIMEOUT: Duration = Duration::from_secs(40 * 60);
/// Settings of registries and proxies, by the beginnings of their names.
const SETTINGS: [&str; 10] = [
    "CARGO_HTTP_",
    "CARGO_NET_",
    "CARGO_REGISTR",
    "CARGO_SOURCE_",
    "GIT_SSL_",
    "NODE_EXTRA_",
    "NPM_CONFIG_",
    "PIP_",
    "SSL_CERT_",
    "npm_config_registry",
];
const PROXIES: [&str; 4] = ["http_proxy", "https_proxy", "no_proxy", "all_proxy"];
/// Files and folders with settings, copied where they exist. `~` is the home folder.
const FILES: [&str; 14] = [
    "/etc/apt/apt.conf.d",
    "/etc/apt/keyrings",
    "/etc/apt/sources.list",
    "/etc/apt/sources.list.d",
    "/etc/apt/trusted.gpg.d",
    "/etc/hosts",
    "/etc/npmrc",
    "/etc/pip.conf",
    "/etc/resolv.conf",
    "/etc/ssl/certs",
    "~/.cargo/config.toml",
    "~/.config/pip/pip.conf",
    "~/.npmrc",
    "~/.pip/pip.conf",
];

/// Runs it all; the table is printed as for the test command.
pub(crate) fn run(repo: &Repo) -> Outcome {
    if !crate::prerequisites::is_root() {
        return Err("it makes a Debian tree and changes its root: run it as root".to_string());
    }
    let home = match std::env::var_os("PARLOR_SOAK_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => repo.target()?.join("fresh"),
    };
    let tree = Tree { root: home.join("tree"), settings: settings(std::env::vars()) };
    let mut steps = Steps::default();
    steps.run("tree", &[], || tree.make());
    steps.run("tools", &["tree"], || tree.bring_tools(repo));
    steps.run("clone", &["tree"], || tree.clone_of(repo));
    steps.run("play", &["tools", "clone"], || tree.play());
    steps.run("test", &["tools", "clone"], || tree.test());
    let summary = steps.summary();
    println!("{summary}");
    if !steps.all_well() {
        return Err(format!("see above; the tree is in {}", tree.root.display()));
    }
    fs::remove_dir_all(&home).map_err(|error| format!("{}: {error}", home.display()))?;
    Ok("both commands of the README work in a bare Debian".to_string())
}

/// The Debian tree.
struct Tree {
    root: PathBuf,
    /// What the environment says of registries and proxies.
    settings: Vec<(String, String)>,
}

impl Tree {
    /// Makes the tree with debootstrap, from the mirror that this machine uses.
    fn make(&self) -> Outcome {
        if !run::works(Command::new("debootstrap").arg("--version")) {
            crate::prerequisites::apt(&["debootstrap"])?;
        }
        // What is still mounted in an old tree is this machine's: then nothing is removed.
        let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
        let root = self.root.display().to_string();
        if mounts.contains(&root) {
            return Err(format!("something is still mounted in {root}; `umount` it"));
        }
        let _ = fs::remove_dir_all(&self.root);
        fs::create_dir_all(&self.root).map_err(|error| format!("{root}: {error}"))?;
        let mut command = Command::new("debootstrap");
        command.arg("--variant=minbase").arg(format!("--include={PACKAGES}")).arg(SUITE).arg(&self.root);
        command.args(mirror());
        run::show("debootstrap", &mut command)?;
        for path in FILES {
            self.copy(&at_home(path))?;
        }
        for (_, value) in &self.settings {
            self.copy(Path::new(value))?;
        }
        Ok(format!("{SUITE} with {PACKAGES}"))
    }

    /// Copies a file or folder of this machine to the same place in the tree, if it is there.
    fn copy(&self, path: &Path) -> Result<(), String> {
        if !path.is_absolute() || path == Path::new("/") || !path.exists() {
            return Ok(());
        }
        let to = self.inside(path);
        let parent = to.parent().unwrap_or(&self.root).to_path_buf();
        fs::create_dir_all(&parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        // Links are followed: what they lead to may not be in the tree. Those that lead nowhere are left out.
        let copied = Command::new("cp").args(["-rLT", "--preserve=mode"]).arg(path).arg(&to).output();
        match copied {
            Ok(_) if to.exists() => Ok(()),
            Ok(said) => Err(format!("{}: {}", path.display(), String::from_utf8_lossy(&said.stderr))),
            Err(error) => Err(format!("cp: {error}")),
        }
    }

    fn inside(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Notes what is bound into the tree, and makes the places for it.
    fn bring_tools(&self, repo: &Repo) -> Outcome {
        let node = first_line(Command::new("node").args(["-p", "process.execPath"]))?;
        let npm = first_line(Command::new("npm").args(["root", "-g"]))? + "/npm";
        let rust = first_line(Command::new("rustc").current_dir(&repo.root).args(["--print", "sysroot"]))?;
        let bin = self.root.join("opt/node/bin");
        for folder in
            [self.root.join("opt/rust"), self.root.join("opt/node/lib/node_modules/npm"), bin.clone()]
        {
            fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let write = |name: &str, text: &str| {
            fs::write(self.root.join(name), text).map_err(|error| format!("{name}: {error}"))
        };
        write("opt/node/bin/node", "")?;
        write(
            "opt/enter",
            &enter(&self.root, &[(&rust, RUST), (&npm, &npm_in(NODE)), (&node, &node_in(NODE))]),
        )?;
        for name in ["npm", "npx"] {
            let link = bin.join(name);
            let program = format!("../lib/node_modules/npm/bin/{name}-cli.js");
            let _ = fs::remove_file(&link);
            std::os::unix::fs::symlink(program, &link).map_err(|error| format!("{name}: {error}"))?;
        }
        let versions = "cargo --version && node --version && npm --version && python3 --version";
        run::show("versions", &mut self.command("/root", versions)).map(|()| String::new())
    }

    fn clone_of(&self, repo: &Repo) -> Outcome {
        let to = self.inside(Path::new(CLONE));
        let mut command = Command::new("git");
        command.args(["clone", "--quiet", "--depth", "1"]);
        command.arg(format!("file://{}", repo.root.display())).arg(&to);
        run::show("git clone", &mut command)?;
        first_line(Command::new("git").arg("-C").arg(&to).args(["log", "-1", "--format=%h %s"]))
    }

    /// A command in the tree, with processes and mounts of its own: when it ends, they do.
    fn command(&self, folder: &str, line: &str) -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--kill-child", "sh"]).arg(self.root.join("opt/enter"));
        command.args([folder, line]).env_clear().envs(self.settings.iter().map(|(key, value)| (key, value)));
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/root").env("LANG", "C.UTF-8");
        command.stdin(Stdio::null());
        command
    }

    /// `cargo run --release -- play`, until its page answers.
    fn play(&self) -> Outcome {
        let started = Instant::now();
        let mut command = self.command(CLONE, "cargo run --release -- play");
        let child = command.stdout(Stdio::piped()).spawn().map_err(|error| format!("unshare: {error}"))?;
        let mut running = Running(child);
        let said = running.0.stdout.take().ok_or("no output")?;
        let (send, lines) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(said).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        while let Ok(line) = lines.recv_timeout(PLAY_TIMEOUT.saturating_sub(started.elapsed())) {
            println!("{line}");
            if let Some(addr) = line.trim().strip_prefix("parlor plays at http://") {
                let page = get(addr).map_err(|error| format!("http://{addr}: {error}"))?;
                return has_client(&page).then(|| format!("http://{addr} answers")).ok_or(page);
            }
        }
        let ended = running.0.try_wait().ok().flatten();
        Err(match ended {
            Some(status) => format!("`cargo run --release -- play` ended with {status} and showed no page"),
            None => "`cargo run --release -- play` showed no page".to_string(),
        })
    }

    /// `cargo xtask test`, whose last line says how it went.
    fn test(&self) -> Outcome {
        run::note("cargo xtask test", &mut self.command(CLONE, "cargo xtask test"), "steps: ")
    }
}

/// A process that ends when it is no longer wanted; what it has started ends with it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn npm_in(node: &str) -> String {
    format!("{node}/lib/node_modules/npm")
}

fn node_in(node: &str) -> String {
    format!("{node}/bin/node")
}

/// The script that goes into the tree: it mounts what belongs there, in a namespace of its own, and runs a line.
fn enter(tree: &Path, binds: &[(&str, &str)]) -> String {
    let tree = tree.display();
    let mut text = format!("set -eu\nmount --make-rprivate /\nmount -t proc proc '{tree}/proc'\n");
    text += &format!("mount --rbind /dev '{tree}/dev'\nmount --rbind /sys '{tree}/sys'\n");
    for (from, to) in binds {
        text += &format!("mount --bind '{from}' '{tree}{to}'\n");
    }
    text += &format!("export PATH={RUST}/bin:{NODE}/bin:$PATH\n");
    text + &format!("exec chroot '{tree}' sh -c 'cd \"$1\" && exec sh -c \"$2\"' sh \"$1\" \"$2\"\n")
}

/// What an environment says of registries and proxies.
fn settings(vars: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let wanted = |name: &str| {
        SETTINGS.iter().any(|begins| name.starts_with(begins))
            || PROXIES.contains(&name.to_ascii_lowercase().as_str())
    };
    vars.filter(|(name, _)| wanted(name)).collect()
}

fn at_home(path: &str) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(rest) => PathBuf::from("/root").join(rest),
        None => PathBuf::from(path),
    }
}

/// The mirror in this machine's own list of sources; debootstrap has a default of its own.
fn mirror() -> Option<String> {
    let list = |path: PathBuf| fs::read_to_string(path).unwrap_or_default();
    let more = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = more.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "sources" || kind == "list"));
    paths.push(PathBuf::from("/etc/apt/sources.list"));
    paths.into_iter().find_map(|path| mirror_in(&list(path)))
}

/// The first address of a Debian archive in a list of sources, in either of apt's formats. Security updates are no archive.
fn mirror_in(list: &str) -> Option<String> {
    let uris = list.lines().filter(|line| !line.trim_start().starts_with('#'));
    let uris = uris.filter(|line| line.starts_with("deb ") || line.starts_with("URIs:"));
    let mut words = uris.flat_map(|line| line.split_whitespace());
    words
        .find(|word| word.contains("://") && word.trim_end_matches('/').ends_with("/debian"))
        .map(str::to_string)
}

fn first_line(command: &mut Command) -> Outcome {
    let said = command.output().map_err(|error| format!("{}: {error}", run::spell(command)))?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let line = text.lines().next().map(str::to_string).filter(|line| !line.is_empty());
    line.ok_or_else(|| format!("{}: {}", run::spell(command), String::from_utf8_lossy(&said.stderr)))
}

fn get(addr: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(addr)?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n")?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    Ok(reply)
}

/// Whether this is the page of the client, not the plain one that says that there is none.
fn has_client(page: &str) -> bool {
    page.starts_with("HTTP/1.1 200") && page.contains("<script")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_of_registries_and_proxies_go_along() {
        let vars =
            ["PIP_CERT", "HTTPS_PROXY", "npm_config_registry", "HOME", "CARGO_TARGET_DIR", "PARLOR_WEB"];
        let kept = settings(vars.iter().map(|name| (name.to_string(), "x".to_string())));
        let names: Vec<&str> = kept.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["PIP_CERT", "HTTPS_PROXY", "npm_config_registry"]);
    }

    #[test]
    fn the_mirror_is_this_machines_own() {
        let new = "Types: deb\n# URIs: http://old.example/debian\nURIs: http://mirror.example/debian/\nSuites: bookworm\n";
        assert_eq!(mirror_in(new).as_deref(), Some("http://mirror.example/debian/"));
        let old = "deb http://x.example/debian-security bookworm-security main\n\
            deb [arch=amd64] http://y.example/debian bookworm main\n";
        assert_eq!(mirror_in(old).as_deref(), Some("http://y.example/debian"));
        assert_eq!(mirror_in("# nothing\n"), None);
    }

    #[test]
    fn the_tree_is_entered_with_everything_bound_in() {
        let script = enter(Path::new("/a/tree"), &[("/host/rust", "/opt/rust")]);
        assert!(script.contains("mount --bind '/host/rust' '/a/tree/opt/rust'\n"), "{script}");
        assert!(script.contains("mount -t proc proc '/a/tree/proc'\n"), "{script}");
        assert!(
            script.lines().last().is_some_and(|line| line.starts_with("exec chroot '/a/tree' ")),
            "{script}"
        );
    }

    #[test]
    fn a_page_that_is_only_a_sorry_is_no_page() {
        assert!(has_client("HTTP/1.1 200 OK\r\n\r\n<script type=\"module\" src=\"/a.js\"></script>"));
        assert!(!has_client("HTTP/1.1 200 OK\r\n\r\n<h1>Parlor runs here</h1>"));
        assert!(!has_client("HTTP/1.1 404 Not Found\r\n\r\n<script>"));
    }
}
