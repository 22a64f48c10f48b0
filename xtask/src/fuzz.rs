//! `cargo xtask soak fuzz`: each reader of bytes from outside gets input that nobody meant, for minutes. What was found, and
//! how long each was fuzzed in all, is kept in a folder, and the next run goes on from there.

use std::path::Path;
use std::process::ExitCode;

use crate::repo::Repo;
use crate::run;
use crate::steps::Outcome;

/// A reader, and the test that fuzzes it.
struct Target {
    name: &'static str,
    package: &'static str,
    /// Which of the package's test programs.
    program: &'static str,
    test: &'static str,
}

const fn target(
    name: &'static str,
    package: &'static str,
    program: &'static str,
    test: &'static str,
) -> Target {
    Target { name, package, program, test }
}

const LIBRARY: &str = "--lib";
const IT: &str = "--test=it";

const TARGETS: [Target; 7] = [
    target("frames", "parlor-server", LIBRARY, "the_frame_reader_takes_any_bytes"),
    target("messagepack", "parlor-server", LIBRARY, "messagepack_takes_any_bytes"),
    target("json", "parlor-server", LIBRARY, "json_takes_any_bytes"),
    target("phh", "parlor-poker", IT, "phh_takes_any_bytes"),
    target("pokerstars", "parlor-poker", IT, "pokerstars_takes_any_bytes"),
    target("tenhou6", "parlor-riichi", IT, "tenhou6_takes_any_bytes"),
    target("rulesets", "parlor-ruleset", IT, "the_compiler_takes_any_bytes"),
];

/// How long each is fuzzed, in minutes.
const MINUTES: &str = "15";

/// What a run is asked for.
struct Order<'a> {
    targets: Vec<&'static Target>,
    minutes: &'a str,
}

impl<'a> Order<'a> {
    fn of(mut options: &[&'a str]) -> Result<Self, String> {
        let (mut targets, mut minutes) = (Vec::new(), MINUTES);
        while let [option, value, rest @ ..] = options {
            match *option {
                "--target" => {
                    let names = || TARGETS.map(|target| target.name).join(", ");
                    let found = TARGETS.iter().find(|target| target.name == *value);
                    targets.push(
                        found.ok_or_else(|| {
                            format!("there is no target `{value}`; targets are {}", names())
                        })?,
                    );
                }
                "--minutes" if value.parse().is_ok_and(|minutes: f64| minutes > 0.0) => minutes = value,
                "--minutes" => return Err(format!("`{value}` is no number of minutes")),
                other => return Err(format!("fuzz has no option `{other}`")),
            }
            options = rest;
        }
        if let [odd] = options {
            return Err(format!("fuzz takes --target NAME and --minutes N, not `{odd}`"));
        }
        if targets.is_empty() {
            targets.extend(&TARGETS);
        }
        Ok(Self { targets, minutes })
    }
}

/// All targets, as long as usual.
pub(crate) fn all(repo: &Repo) -> Outcome {
    fuzz(repo, &Order::of(&[])?)
}

/// Those that the options name.
pub(crate) fn run(repo: &Repo, options: &[&str]) -> ExitCode {
    match Order::of(options) {
        Ok(order) => crate::report("soak fuzz", fuzz(repo, &order)),
        Err(why) => crate::usage(&why),
    }
}

fn fuzz(repo: &Repo, order: &Order<'_>) -> Outcome {
    let folder = match std::env::var_os("PARLOR_SOAK_DIR") {
        Some(folder) => folder.into(),
        None => repo.target()?.join("soak"),
    };
    let mut failed = Vec::new();
    for target in &order.targets {
        let mut command = repo.cargo(&["test", "--locked", "--release"]);
        command.args(["-p", target.package, target.program, "--", "--nocapture", target.test]);
        command.env("PARLOR_FUZZ_MINUTES", order.minutes).env("PARLOR_SOAK_DIR", &folder);
        let (counts, outcome) = run::count_tests(target.name, &mut command);
        if outcome.is_err() || counts.passed == 0 {
            failed.push(target.name);
        }
    }
    let (table, hours) = progress(&folder);
    println!("{table}");
    if failed.is_empty() {
        Ok(format!("no fault; {hours:.1} hours in all so far"))
    } else {
        Err(format!("{}; the inputs are in {}", failed.join(", "), folder.join("fuzz").display()))
    }
}

/// What each target has had in all runs, and the hours together.
fn progress(folder: &Path) -> (String, f64) {
    let mut table = String::from("target         inputs    minutes");
    let mut seconds = 0.0;
    for target in &TARGETS {
        let text = std::fs::read_to_string(folder.join("fuzz").join(target.name).join("progress"));
        let numbers: Vec<f64> =
            text.unwrap_or_default().split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let [inputs, spent] = numbers.try_into().unwrap_or([0.0, 0.0]);
        table += &format!("\n{:<12} {inputs:>9.0} {:>10.1}", target.name, spent / 60.0);
        seconds += spent;
    }
    (table, seconds / 3600.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(options: &[&str]) -> Result<(Vec<&'static str>, String), String> {
        let order = Order::of(options)?;
        Ok((order.targets.iter().map(|target| target.name).collect(), order.minutes.to_owned()))
    }

    #[test]
    fn a_run_is_for_all_or_for_those_that_are_named() {
        assert_eq!(names(&[]).expect("all").0.len(), TARGETS.len());
        let two = names(&["--target", "phh", "--minutes", "0.5", "--target", "frames"]);
        assert_eq!(two, Ok((vec!["phh", "frames"], "0.5".to_owned())));
        for (bad, said) in [
            (&["--target", "none"][..], "targets are frames"),
            (&["--minutes", "soon"], "no number of minutes"),
            (&["--minutes", "-1"], "no number of minutes"),
            (&["--for", "1"], "no option"),
            (&["phh"], "takes --target"),
            (&["--target"], "takes --target"),
        ] {
            assert!(names(bad).is_err_and(|why| why.contains(said)), "{bad:?}");
        }
    }

    #[test]
    fn each_target_is_a_test_that_there_is() {
        let repo = Repo::here();
        for target in &TARGETS {
            let wanted = format!("fn {}() {{", target.test);
            let files = ["crates", "games"].map(|folder| repo.files(folder, &["rs"])).concat();
            let found = files.iter().any(|file| repo.read(file).is_ok_and(|text| text.contains(&wanted)));
            assert!(found, "{}: there is no test {}", target.name, target.test);
        }
    }
}
