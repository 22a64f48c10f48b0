//! `parlor play`, alone or with a ruleset: a local server and its page in the browser. It stores nothing on disk.

use std::io::{self, IsTerminal, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use parlor_server::{Config, Server};
use parlor_store::{MemoryLog, Syncs};

use crate::registry;
use crate::ruleset::files::Files;
use crate::shell::{Done, Failure};

/// The address to try first, so that it stays the same from one run to the next.
const USUAL: &str = "127.0.0.1:8001";
/// Programs that open an address in a browser, by system.
const OPENERS: [(&str, &[&str]); 3] = [("xdg-open", &[]), ("open", &[]), ("cmd", &["/c", "start"])];

/// Serves the page until the process is asked to stop. With a ruleset in a file, the page opens a table of it, and a new
/// one whenever the file is saved.
pub(crate) fn run(listen: Option<String>, ruleset: Option<&Path>) -> Done {
    // A mistake is told here, before anything is opened.
    let name = ruleset.map(crate::ruleset::program).transpose()?.map(|program| program.id.clone());
    if let Some(name) =
        name.as_ref().filter(|name| registry::registrations().iter().any(|each| each.def.name == **name))
    {
        let text = format!("the id {name} is that of a game that comes with Parlor");
        return Err(Failure::failed(text).hint("give the ruleset an `id` of its own"));
    }
    has_pages(parlor_server::web_missing())?;
    let listen = listen.unwrap_or_else(free);
    let config = Config { listen, admin_listen: String::new(), ..Config::default() };
    let started = |addr| {
        let url = match &name {
            Some(name) => format!("http://{addr}/try/{name}"),
            None => format!("http://{addr}"),
        };
        // The server runs even if stdout is closed.
        let _ = writeln!(
            io::stdout(),
            "parlor plays at {url}\nMatches are kept in memory only. Press Ctrl-C to stop."
        );
        if io::stdout().is_terminal() {
            show(&url);
        }
    };
    let store = Arc::new(MemoryLog::new(Syncs::AtOnce));
    let files = ruleset.map(Path::to_path_buf).into_iter().collect();
    Server::builder(config, registry::registrations(), store)
        .rulesets(Arc::new(parlor_ruleset::ServerCompiler))
        .ruleset_files(Box::new(Files::new(files)))
        .run(started, || {})
        .map_err(Failure::failed)
}

/// Fails when the binary has no pages, instead of opening a browser on an error page.
fn has_pages(missing: Option<&str>) -> Done {
    let Some(why) = missing else { return Ok(()) };
    Err(Failure::failed(format!("this binary was built without its web pages: {why}")).hint(
        "install Node.js 20 and run `PARLOR_WEB=require cargo run --release -- play`; \
         `parlor play --terminal` plays without pages",
    ))
}

/// The usual address if its port is free, else any free port; never an address that other machines can reach.
fn free() -> String {
    let taken = TcpListener::bind(USUAL).is_err();
    if taken { "127.0.0.1:0".to_owned() } else { USUAL.to_owned() }
}

/// Opens an address in the browser, if there is one. The address was printed before in any case.
fn show(url: &str) {
    for (program, args) in OPENERS {
        let run = Command::new(program)
            .args(args)
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        if run.is_ok() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_without_pages_says_why_and_what_to_type() {
        let Err(failure) = has_pages(Some("npm cannot be run")) else { panic!("it would have been started") };
        assert!(matches!(failure, Failure::Failed(_)), "exit code 1");
        let text = format!("{failure:?}");
        assert!(text.contains("built without its web pages: npm cannot be run"), "{text}");
        assert!(text.contains("PARLOR_WEB=require cargo run --release -- play"), "{text}");
        assert!(has_pages(None).is_ok());
    }
}
