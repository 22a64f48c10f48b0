//! What the test command needs from the machine: looked at before anything is built, installed where that can be done
//! without asking, and otherwise named with the line to type.
//!
//! On Debian as root, apt installs what is missing. Elsewhere a browser comes from the npm registry into the target folder.
//! Nothing else on the machine is changed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::repo::Repo;
use crate::run;

const NODE_MIN: u32 = 20;
const POSTGRES_MIN: u32 = 14;
/// The names under which a Chromium may be installed.
const BROWSERS: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge"];
/// Installs a browser and a font with Japanese characters on Debian.
const BROWSER_SCRIPT: &str = "web/install-browser.sh";

/// What a run needs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Needs {
    /// rustfmt, clippy, Python and PostgreSQL: the tests of the workspace.
    pub(crate) rust: bool,
    pub(crate) node: bool,
    pub(crate) browser: bool,
}

/// What there is.
#[derive(Clone, Default)]
struct Machine {
    rustfmt: bool,
    clippy: bool,
    /// The major version of Node.js, if that and npm can be started.
    node: Option<u32>,
    python: bool,
    /// Whether that Python can make an environment with pip in it.
    venv: bool,
    /// Whether a PostgreSQL can be started that is not too old.
    postgres: bool,
    browser: Option<PathBuf>,
    /// Whether a font has the Japanese characters, as far as that can be told.
    font: bool,
    /// Debian or a descendant of it, and we may install.
    apt: bool,
    /// The registry's browser runs here.
    fetch: bool,
}

/// What is done about what is missing, in this order.
#[derive(Debug, PartialEq, Eq)]
enum Action {
    Apt(Vec<&'static str>),
    BrowserByApt,
    BrowserByNpm,
}

/// Looks for everything that is needed, installs what can be installed, and says which browser to use.
pub(crate) fn ready(repo: &Repo, needs: Needs) -> Result<Option<PathBuf>, String> {
    let machine = Machine::look(repo, needs);
    let mut browser = machine.browser.clone();
    for action in plan(&machine, needs).map_err(|lines| lines.join("\n"))? {
        match action {
            Action::Apt(packages) => apt(&packages)?,
            Action::BrowserByApt => browser = Some(browser_by_apt(repo, &machine)?),
            Action::BrowserByNpm => browser = Some(browser_by_npm(repo)?),
        }
    }
    Ok(browser)
}

/// What to do, or a line for each thing that only people can install: what is missing and what to type.
fn plan(machine: &Machine, needs: Needs) -> Result<Vec<Action>, Vec<String>> {
    let (mut actions, mut faults) = (Vec::new(), Vec::new());
    let components = [("rustfmt", machine.rustfmt), ("clippy", machine.clippy)];
    let components: Vec<&str> =
        components.iter().filter(|(_, found)| !found).map(|(name, _)| *name).collect();
    if needs.rust && !components.is_empty() {
        faults.push(format!("missing: {0}; type `rustup component add {0}`", components.join(" ")));
    }
    match machine.node {
        Some(version) if version >= NODE_MIN => {}
        _ if !needs.node && !needs.browser => {}
        Some(version) => {
            faults.push(format!(
                "Node.js {version} is too old: install {NODE_MIN} or later (https://nodejs.org)"
            ));
        }
        None => faults.push(format!("missing: Node.js {NODE_MIN} with npm; install it (https://nodejs.org)")),
    }
    if needs.rust && !(machine.python && machine.venv) {
        match (machine.apt, machine.python) {
            (true, false) => actions.push(Action::Apt(vec!["python3", "python3-venv"])),
            (true, true) => actions.push(Action::Apt(vec!["python3-venv"])),
            (false, false) => faults.push(
                "missing: Python 3; install it (Debian: `sudo apt-get install python3 python3-venv`)".into(),
            ),
            (false, true) => faults.push(
                "missing: Python's venv and pip; install them (Debian: `sudo apt-get install python3-venv`)"
                    .into(),
            ),
        }
    }
    if needs.rust && !machine.postgres {
        if machine.apt {
            actions.push(Action::Apt(vec!["postgresql"]));
        } else {
            faults.push(format!(
                "missing: PostgreSQL {POSTGRES_MIN} or later; install it (Debian: `sudo apt-get install postgresql`)"
            ));
        }
    }
    if needs.browser {
        match machine {
            Machine { apt: true, browser, font, .. } if browser.is_none() || !font => {
                actions.push(Action::BrowserByApt);
            }
            Machine { browser: Some(_), .. } => {}
            Machine { fetch: true, .. } => actions.push(Action::BrowserByNpm),
            _ => faults.push("missing: a browser; install Chromium, or set PARLOR_CHROMIUM to one".into()),
        }
    }
    if faults.is_empty() { Ok(actions) } else { Err(faults) }
}

impl Machine {
    fn look(repo: &Repo, needs: Needs) -> Self {
        let python = |code: &str| run::works(Command::new("python3").args(["-c", code]));
        let apt = is_root() && is_debian() && run::works(Command::new("apt-get").arg("--version"));
        Self {
            rustfmt: run::works(&mut repo.cargo(&["fmt", "--version"])),
            clippy: run::works(&mut repo.cargo(&["clippy", "--version"])),
            node: node(),
            python: python(""),
            venv: python("import ensurepip, venv"),
            postgres: needs.rust && postgres(),
            browser: needs.browser.then(browser).flatten(),
            font: !apt || installed("fonts-noto-cjk"),
            apt,
            fetch: cfg!(all(target_os = "linux", target_arch = "x86_64")),
        }
    }
}

/// The major version of Node.js, if it has npm beside it.
fn node() -> Option<u32> {
    if !run::works(Command::new("npm").arg("--version")) {
        return None;
    }
    let said = Command::new("node").arg("--version").output().ok()?;
    major(&String::from_utf8_lossy(&said.stdout))
}

/// `v20.20.2` is 20.
fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

/// Whether PostgreSQL's server is here, where the tests look for it too: Debian's folders, or beside `pg_config`.
fn postgres() -> bool {
    let folders = std::fs::read_dir("/usr/lib/postgresql").ok().into_iter().flatten().flatten();
    let mut debian =
        folders.filter_map(|folder| Some((folder.path(), folder.file_name().into_string().ok()?)));
    if debian.any(|(path, version)| is_new(&version) && path.join("bin/initdb").exists()) {
        return true;
    }
    let ask = |what: &str| {
        let said = Command::new("pg_config").arg(what).output().ok()?;
        String::from_utf8(said.stdout).ok()
    };
    let version = ask("--version").is_some_and(|said| said.split(' ').nth(1).is_some_and(is_new));
    version && ask("--bindir").is_some_and(|folder| Path::new(folder.trim()).join("initdb").exists())
}

/// Whether this version of PostgreSQL, such as `15.18`, will do.
fn is_new(version: &str) -> bool {
    major(version).is_some_and(|major| major >= POSTGRES_MIN)
}

/// The browser that was named, or one that can be found.
fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("PARLOR_CHROMIUM").map(PathBuf::from);
    if named.is_some() {
        return named;
    }
    let path = std::env::var_os("PATH")?;
    BROWSERS.iter().find_map(|name| {
        let mut found = std::env::split_paths(&path).map(|folder| folder.join(name));
        found.find(|program| program.is_file() && run::works(Command::new(program).arg("--version")))
    })
}

pub(crate) fn is_root() -> bool {
    let said = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    said.is_ok_and(|said| said.stdout.trim_ascii() == b"0")
}

fn is_debian() -> bool {
    Path::new("/etc/debian_version").exists()
}

/// Whether this Debian has a package.
fn installed(package: &str) -> bool {
    let said = Command::new("dpkg-query").args(["-W", "-f", "${Status}", package]).output();
    said.is_ok_and(|said| said.stdout == b"install ok installed")
}

/// Installs packages of Debian.
pub(crate) fn apt(packages: &[&str]) -> Result<(), String> {
    let apt = |args: &[&str]| {
        run::show("apt-get", Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], packages].concat())
}

/// By the script; where apt cannot do it, by npm.
fn browser_by_apt(repo: &Repo, machine: &Machine) -> Result<PathBuf, String> {
    let mut script = Command::new(repo.root.join(BROWSER_SCRIPT));
    let outcome = run::show("browser", script.env("DEBIAN_FRONTEND", "noninteractive"));
    match (outcome, browser()) {
        (Ok(()), Some(found)) => Ok(found),
        (Ok(()), None) => Err(format!("{BROWSER_SCRIPT} ended well, and there is still no browser")),
        (Err(why), found) => {
            run::say(&why);
            let fetched = || if machine.fetch { browser_by_npm(repo) } else { Err(why.clone()) };
            found.map_or_else(fetched, Ok)
        }
    }
}

/// From the npm registry into the target folder.
fn browser_by_npm(repo: &Repo) -> Result<PathBuf, String> {
    let folder = repo.target()?.join("browser");
    run::say("no browser here: one comes from the npm registry (70 MB)");
    let mut command = Command::new("node");
    command.current_dir(&repo.root).arg("web/fetch-browser.mjs").arg(&folder);
    let found = run::note("browser", &mut command, "browser: ").map_err(|why| {
        format!(
            "no browser: install Chromium, or set PARLOR_CHROMIUM to one; the npm registry gave none: {why}"
        )
    })?;
    Ok(PathBuf::from(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Needs = Needs { rust: true, node: true, browser: true };

    /// A machine that has everything and where nothing can be installed.
    fn full() -> Machine {
        let browser = Some(PathBuf::from("/usr/bin/chromium"));
        Machine {
            browser,
            rustfmt: true,
            clippy: true,
            node: Some(20),
            python: true,
            venv: true,
            postgres: true,
            font: true,
            apt: false,
            fetch: false,
        }
    }

    #[test]
    fn a_machine_that_has_everything_is_left_alone() {
        assert_eq!(plan(&full(), ALL), Ok(vec![]));
        assert_eq!(plan(&Machine { apt: true, fetch: true, ..full() }, ALL), Ok(vec![]));
    }

    #[test]
    fn debian_as_root_gets_what_it_lacks_from_apt() {
        let bare = Machine { browser: None, font: false, venv: false, postgres: false, apt: true, ..full() };
        let installed =
            [Action::Apt(vec!["python3-venv"]), Action::Apt(vec!["postgresql"]), Action::BrowserByApt];
        assert_eq!(plan(&bare, ALL), Ok(installed.into()));
        let no_font = Machine { font: false, apt: true, ..full() };
        assert_eq!(plan(&no_font, ALL), Ok(vec![Action::BrowserByApt]));
        let no_python = Machine { python: false, venv: false, apt: true, ..full() };
        assert_eq!(plan(&no_python, ALL), Ok(vec![Action::Apt(vec!["python3", "python3-venv"])]));
    }

    #[test]
    fn elsewhere_the_browser_comes_from_npm_if_it_runs_here() {
        let none = Machine { browser: None, fetch: true, ..full() };
        assert_eq!(plan(&none, ALL), Ok(vec![Action::BrowserByNpm]));
        let faults = plan(&Machine { fetch: false, ..none }, ALL).unwrap_err();
        assert_eq!(faults, ["missing: a browser; install Chromium, or set PARLOR_CHROMIUM to one"]);
    }

    #[test]
    fn everything_that_people_must_install_is_named_at_once() {
        let nothing = Machine::default();
        assert_eq!(
            plan(&nothing, ALL).unwrap_err(),
            [
                "missing: rustfmt clippy; type `rustup component add rustfmt clippy`",
                "missing: Node.js 20 with npm; install it (https://nodejs.org)",
                "missing: Python 3; install it (Debian: `sudo apt-get install python3 python3-venv`)",
                "missing: PostgreSQL 14 or later; install it (Debian: `sudo apt-get install postgresql`)",
                "missing: a browser; install Chromium, or set PARLOR_CHROMIUM to one",
            ]
        );
        let old = Machine { node: Some(18), venv: false, ..full() };
        assert_eq!(
            plan(&old, ALL).unwrap_err(),
            [
                "Node.js 18 is too old: install 20 or later (https://nodejs.org)",
                "missing: Python's venv and pip; install them (Debian: `sudo apt-get install python3-venv`)",
            ]
        );
    }

    #[test]
    fn a_stage_asks_only_for_what_it_uses() {
        let node_only = Machine { node: Some(20), ..Machine::default() };
        assert_eq!(plan(&node_only, Needs { node: true, ..Needs::default() }), Ok(vec![]));
        assert_eq!(plan(&Machine::default(), Needs::default()), Ok(vec![]));
    }

    #[test]
    fn a_version_is_read() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("what?"), None);
        assert!(is_new("15.18") && is_new("14") && !is_new("13.21") && !is_new("devel"));
    }
}
