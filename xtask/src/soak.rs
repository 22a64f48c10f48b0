//! Long runs: what is too slow for the test command and must still be run now and then, each by its name.

use std::process::{Command, ExitCode};
use std::time::Instant;

use crate::repo::Repo;
use crate::steps::Outcome;
use crate::{fresh, fuzz, new_game, planting, run, test};

/// One long run. To add one, add a row to `SOAKS`.
struct Soak {
    name: &'static str,
    help: &'static str,
    work: Work,
    /// Sizes; a variable that is already set keeps its value.
    env: &'static [(&'static str, &'static str)],
}

/// What a long run runs.
enum Work {
    /// What follows `cargo test --locked --release`.
    Cargo(&'static [&'static str]),
    /// An npm script of the TypeScript client, against the binary of the release profile.
    Npm(&'static str),
    /// What follows `parlor-load`, against the binary of the release profile.
    Load(&'static [&'static str]),
    /// A task of xtask itself.
    Task(fn(&Repo) -> Outcome),
    /// A task of xtask that may be told to do only what has a text in it: `--only TEXT`.
    Choosing(fn(&Repo, Option<&str>) -> Outcome),
}

const SOAKS: &[Soak] = &[
    Soak {
        name: "replay",
        help: "100,000 random matches of the probe games and oxo: replaying each log gives the same digest",
        work: Work::Cargo(&["-p", "parlor-testkit", "--test", "it", "--", "soak"]),
        env: &[("PARLOR_SOAK_MATCHES", "100000")],
    },
    Soak {
        name: "release",
        help: "the committed digests, checked in the release profile: it must agree with the debug one",
        work: Work::Cargo(&["-p", "parlor-testkit", "--test", "it", "digests"]),
        env: &[],
    },
    Soak {
        name: "riichi",
        help: "a million random riichi hands against the slow twins of shanten, waits and scoring",
        work: Work::Cargo(&["-p", "parlor-riichi"]),
        env: &[("PARLOR_SOAK_HANDS", "1000000")],
    },
    Soak {
        name: "hanchan",
        help: "100,000 random games of riichi: tiles and points conserved, every game ends, replays are equal",
        work: Work::Cargo(&["-p", "parlor-riichi", "--test", "it", "--", "--nocapture", "random_games_keep"]),
        env: &[("PARLOR_SOAK_HANCHAN", "100000")],
    },
    Soak {
        name: "poker",
        help: "a million random poker hands and 100,000 hand files, chips conserved in each",
        work: Work::Cargo(&["-p", "parlor-poker"]),
        env: &[("PARLOR_SOAK_HANDS", "1000000"), ("PARLOR_SOAK_FILES", "100000")],
    },
    Soak {
        name: "poker-tables",
        help: "200,000 hands of live tables against a slow model and over failing stores, 100,000 client states, 2,000 sit-and-gos, 100,000 hands of bots",
        work: Work::Cargo(&[
            "-p",
            "parlor-poker",
            "--test",
            "it",
            "--",
            "--nocapture",
            "live_tables",
            "mutated_states",
            "random_sit_and_gos",
            "the_tight_bot",
            "nobody_learns",
        ]),
        // With PARLOR_SOAK_DIR the first three go on where they were stopped.
        env: &[
            ("PARLOR_SOAK_HANDS", "200000"),
            ("PARLOR_SOAK_STATES", "100000"),
            ("PARLOR_SOAK_SIT_AND_GOS", "2000"),
            ("PARLOR_SOAK_BOTS", "100000"),
            ("PARLOR_SOAK_SECRETS", "600"),
            ("PARLOR_SOAK_DEATHS", "200000"),
        ],
    },
    Soak {
        name: "ring",
        help: "100,000 hands of cash tables over a failing store and dying servers: every chip is accounted for",
        work: Work::Cargo(&["-p", "parlor-server", "--test", "it", "--", "--nocapture", "ring_soak"]),
        // With PARLOR_SOAK_DIR it goes on where it was stopped.
        env: &[("PARLOR_SOAK_RING", "100000")],
    },
    Soak {
        name: "scripts",
        help: "100,000 random matches each of hearts, draft and sharing: replaying each log gives the same digest",
        work: Work::Cargo(&[
            "-p",
            "parlor-hearts",
            "-p",
            "parlor-draft",
            "-p",
            "parlor-sharing",
            "--test",
            "it",
            "replays",
        ]),
        env: &[("PARLOR_SOAK_MATCHES", "100000")],
    },
    Soak {
        name: "guide",
        help: "`parlor new` and docs/write-a-game.md as a stranger follows them: each state is built and tested by cargo",
        work: Work::Cargo(&["-p", "parlor-script", "--test", "it", "--", "--ignored", "cargo_builds"]),
        env: &[],
    },
    Soak {
        name: "embed",
        help: "a crate outside of this workspace that depends on `parlor` hosts hearts on its own sockets",
        work: Work::Cargo(&["-p", "parlor", "--test", "it", "--", "--ignored", "cargo_builds"]),
        env: &[],
    },
    Soak {
        name: "rulesets",
        help: "10,000 random logs of hearts and the battle as rulesets and as code, and 100,000 broken ruleset files",
        work: Work::Cargo(&["-p", "parlor-ruleset", "--test", "it", "--", "agree", "no_file"]),
        env: &[("PARLOR_SOAK_MATCHES", "10000"), ("PARLOR_SOAK_FILES", "100000")],
    },
    Soak {
        name: "publishing",
        help: "100,000 broken rulesets and 50 that are made to be expensive, published over REST: each refused or played",
        work: Work::Cargo(&["-p", "parlor-server", "--test", "it", "--", "--nocapture", "hostile_rulesets"]),
        env: &[("PARLOR_SOAK_RULESETS", "100000")],
    },
    Soak {
        name: "store",
        help: "100,000 random postings with retries and crashes: balances conserved, nothing twice",
        work: Work::Cargo(&["-p", "parlor-store", "-p", "parlor-store-sqlite", "conserved"]),
        env: &[("PARLOR_SOAK_POSTINGS", "100000")],
    },
    Soak {
        name: "ledger",
        help: "100,000 random stakes, pay-outs, refunds, burns, retries and deaths of the process: tokens conserved",
        work: Work::Cargo(&[
            "-p",
            "parlor-store",
            "-p",
            "parlor-store-sqlite",
            "stakes_and_pay_outs",
            "--",
            "--nocapture",
        ]),
        env: &[("PARLOR_SOAK_STAKES", "100000")],
    },
    Soak {
        name: "kill",
        help: "1,000 live tables under load, killed with -9 and started again 200 times: nothing accepted is lost",
        work: Work::Cargo(&["-p", "parlor-cli", "--test", "it", "kill_9", "--", "--nocapture"]),
        env: &[("PARLOR_SOAK_KILLS", "200"), ("PARLOR_SOAK_TABLES", "1000")],
    },
    Soak {
        name: "freeze",
        help: "the server's process is stopped 90 times for 1 to 60 s: no clock runs out, no match ends",
        work: Work::Cargo(&["-p", "parlor-cli", "--test", "it", "stood_still", "--", "--nocapture"]),
        env: &[("PARLOR_SOAK_FREEZES", "90")],
    },
    Soak {
        name: "frames",
        help: "100,000 random and mutated frames in both codecs: no panic, no effect on others",
        work: Work::Cargo(&["-p", "parlor-server", "rubbish"]),
        env: &[("PARLOR_SOAK_FRAMES", "100000")],
    },
    Soak {
        name: "crashes",
        help: "100,000 crashes of the host over a store that forgets: nothing confirmed is lost, nothing shown undone",
        work: Work::Cargo(&["-p", "parlor-testkit", "--test", "it", "crashes", "--", "--nocapture"]),
        env: &[("PARLOR_SOAK_CRASHES", "100000")],
    },
    Soak {
        name: "battle",
        help: "a million random battles: tokens conserved, one end each, rounds and streaks counted twice",
        work: Work::Cargo(&["-p", "parlor-battle"]),
        env: &[("PARLOR_SOAK_MATCHES", "1000000")],
    },
    Soak {
        name: "sdk",
        help: "1,000 network faults between TypeScript clients and the server: nothing lost, nothing twice, all views equal",
        work: Work::Npm("soak"),
        env: &[("PARLOR_SOAK_FAULTS", "1000")],
    },
    Soak {
        name: "hostile",
        help: "200 honest tables beside floods, silent and slow clients, frozen readers and churn that have half a core",
        work: Work::Load(&["hostile"]),
        env: &[],
    },
    Soak {
        name: "proxies",
        help: "the files for nginx and Caddy in docs/operate, each before the server with TLS (needs nginx, caddy, openssl)",
        work: Work::Npm("soak:proxies"),
        env: &[],
    },
    Soak {
        name: "screens",
        help: "every fixture in ten windows, both themes and three languages: nothing is cut, covered or too small",
        // With PARLOR_SOAK_DIR it goes on where it was stopped.
        work: Work::Task(test::screens_everywhere),
        env: &[],
    },
    Soak {
        name: "browser",
        help: "each browser test 20 times, two at a time beside a process that burns one core: none fails",
        // With PARLOR_SOAK_DIR it goes on where it was stopped; one run stops by itself after 95 minutes.
        work: Work::Task(test::browser_soak),
        env: &[("PARLOR_SOAK_TIMES", "20")],
    },
    Soak {
        name: "faults",
        help: "each fault of conformance/faults in a copy of the tree: the test that cites what it breaks must fail",
        // It goes on where it was stopped; one run stops by itself after 95 minutes.
        work: Work::Choosing(planting::run),
        env: &[],
    },
    Soak {
        name: "fresh",
        help: "both commands of the README in a bare Debian tree with Rust, Node.js and Python (as root, 40 minutes)",
        work: Work::Task(fresh::run),
        env: &[],
    },
    Soak {
        name: "fuzz",
        help: "15 minutes of input that nobody meant for each reader of bytes from outside (--target, --minutes): none panics, hangs or grows",
        // It goes on where it was stopped, with what it has found.
        work: Work::Task(fuzz::all),
        env: &[],
    },
    Soak {
        name: "new-game",
        help: "a game made by `parlor new --here` is played in a real browser and leaves no trace when removed",
        work: Work::Task(new_game::run),
        env: &[],
    },
];

/// Runs one long run by name; without a name, lists them.
pub(crate) fn run(repo: &Repo, names: &[&str]) -> ExitCode {
    let (name, only) = match names {
        [] => {
            print!("{}", list());
            return ExitCode::SUCCESS;
        }
        [name] => (name, None),
        [name, "--only", text] => (name, Some(*text)),
        _ => return crate::usage("soak takes one name"),
    };
    match SOAKS.iter().find(|soak| soak.name == *name) {
        Some(soak) if only.is_some() && !matches!(soak.work, Work::Choosing(_)) => {
            crate::usage(&format!("the long run `{name}` does all or nothing"))
        }
        Some(soak) => start(repo, soak, only),
        None => crate::usage(&format!("there is no long run `{name}`; `cargo xtask soak` lists them")),
    }
}

fn start(repo: &Repo, soak: &Soak, only: Option<&str>) -> ExitCode {
    println!("{}: {}\n{}", soak.name, soak.help, spell(soak));
    let started = Instant::now();
    let env: Vec<(&str, String)> =
        soak.env.iter().map(|(key, value)| (*key, std::env::var(key).unwrap_or(value.to_string()))).collect();
    let outcome = match soak.work {
        Work::Cargo(args) => cargo(repo, soak.name, args, &env),
        Work::Npm(script) => npm(repo, script, &env),
        Work::Load(args) => load(repo, args),
        Work::Task(task) => task(repo),
        Work::Choosing(task) => task(repo, only),
    };
    let seconds = started.elapsed().as_secs_f64();
    match outcome {
        Ok(note) => {
            println!("soak {}: ok, {seconds:.0} s, {note}", soak.name);
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("soak {}: FAILED, {seconds:.0} s, {why}", soak.name);
            ExitCode::FAILURE
        }
    }
}

fn cargo(repo: &Repo, name: &str, args: &[&str], env: &[(&str, String)]) -> Outcome {
    let mut command = repo.cargo(&["test", "--locked", "--release"]);
    command.args(args).envs(env.iter().map(|(key, value)| (key, value)));
    crate::test::with_data(repo, &mut command)?;
    let (counts, outcome) = run::count_tests(name, &mut command);
    // A filter that matches nothing ends well by itself; a long run that ran nothing has shown nothing.
    match outcome {
        Ok(()) if counts.passed == 0 => Err("no test ran: the tests this run names do not exist".to_string()),
        other => other.map(|()| counts.note()),
    }
}

/// Vitest fails by itself where it finds no test.
fn npm(repo: &Repo, script: &str, env: &[(&str, String)]) -> Outcome {
    let npm = |args: &[&str], env: &[(&str, &str)]| test::npm(repo, test::TYPESCRIPT, "npm", args, env);
    test::npm_install(repo)?;
    let binary = test::release_binary(repo)?;
    let mut all: Vec<(&str, &str)> = env.iter().map(|(key, value)| (*key, value.as_str())).collect();
    all.push(("PARLOR_BIN", &binary));
    npm(&["run", script], &all)
}

fn load(repo: &Repo, args: &[&str]) -> Outcome {
    let binary = test::release_binary(repo)?;
    run::show("parlor-load", &mut repo.cargo(&["build", "--locked", "--release", "-p", "parlor-load"]))?;
    let mut command = Command::new(repo.target()?.join("release/parlor-load"));
    run::show("parlor-load", command.args(args).args(["--server", &binary]))?;
    Ok("every line was kept".to_string())
}

/// The command as one would type it.
fn spell(soak: &Soak) -> String {
    let env: Vec<String> = soak.env.iter().map(|(key, value)| format!("{key}={value} ")).collect();
    match soak.work {
        Work::Cargo(args) => format!("{}cargo test --locked --release {}", env.concat(), args.join(" ")),
        Work::Npm(script) => format!("{}npm --prefix {} run {script}", env.concat(), test::TYPESCRIPT),
        Work::Load(args) => format!("parlor-load {} --server target/release/parlor", args.join(" ")),
        Work::Task(_) | Work::Choosing(_) => format!("{}cargo xtask soak {}", env.concat(), soak.name),
    }
}

fn list() -> String {
    let mut text = String::from("cargo xtask soak NAME: long runs, in the release profile\n\n");
    for soak in SOAKS {
        let command = spell(soak);
        text += &format!("  {:<10} {}\n  {:<10} {command}\n\n", soak.name, soak.help, "");
    }
    text + "A size that you set yourself wins: PARLOR_SOAK_MATCHES=1000 cargo xtask soak replay\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_teaches_every_run() {
        let list = list();
        for soak in SOAKS {
            assert!(list.contains(soak.name) && list.contains(soak.help), "{}", soak.name);
        }
        assert!(list.contains("PARLOR_SOAK_MATCHES=100000 cargo test --locked --release -p parlor-testkit"));
    }

    #[test]
    fn names_are_not_used_twice() {
        for (at, soak) in SOAKS.iter().enumerate() {
            assert!(SOAKS[at + 1..].iter().all(|other| other.name != soak.name), "{}", soak.name);
        }
    }
}
