//! `parlor riichi games`, `sessions`, `export`, `import` and `replay`: recorded games, in and out. The work is done by
//! `parlor_riichi`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use flate2::bufread::MultiGzDecoder;
use parlor_riichi::dialect;
use parlor_riichi::game::log::{play_log, seat_names};
use parlor_riichi::game::replay;
use parlor_riichi::table::script::{GameRun, RoundScript, play};
use parlor_riichi::table::tenhou6::{self, Heading};
use parlor_riichi::table::{Settings, Standing, games, mjai, mjlog, sessions};
use serde_json::{Value, json};

/// The rules to play by, and the file.
#[derive(clap::Args)]
pub(super) struct Played {
    /// A file, plain or gzipped; standard input if omitted or `-`
    file: Option<PathBuf>,
    /// The rules: ronin, tenhou, soul or ema
    #[arg(long, default_value = "tenhou")]
    preset: String,
    /// What differs from the preset, as JSON: '{"game_type": "east"}'
    #[arg(long, value_name = "JSON", default_value = "{}")]
    settings: String,
    /// Accepted for uniformity: these commands always print JSON
    #[arg(long)]
    json: bool,
}

/// What `export` writes.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Target {
    /// tenhou.net/6: one object per round
    Tenhou6,
    /// One event per line
    Mjai,
    /// The document's events, all hands open
    Ronin,
}

/// What `import` reads.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Source {
    Tenhou6,
    Mjlog,
    Mjai,
}

/// Arguments of `parlor riichi export`.
#[derive(clap::Args)]
pub(super) struct Export {
    #[command(flatten)]
    played: Played,
    /// The notation
    #[arg(long)]
    to: Target,
}

/// Arguments of `parlor riichi import`.
#[derive(clap::Args)]
pub(super) struct Import {
    #[command(flatten)]
    played: Played,
    /// The notation; found out by itself if omitted
    #[arg(long)]
    from: Option<Source>,
}

/// Arguments of `parlor riichi replay`.
#[derive(clap::Args)]
pub(super) struct Replay {
    /// A file with {schema_version, seed, names, bots, actions, wall?}; standard input if omitted or `-`
    file: Option<PathBuf>,
}

/// Why nothing more is printed.
enum Failure {
    Io(io::Error),
    Input(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self::Input(text)
    }
}

/// Whether everything agreed.
type Agreement = Result<bool, Failure>;

fn exit(done: Agreement) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("parlor riichi: the record and the rules disagree; see \"disagrees\"");
            ExitCode::FAILURE
        }
        // A reader that closes the pipe early, such as `head`, is not an error.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => {
            eprintln!("parlor riichi: {error}");
            ExitCode::FAILURE
        }
        Err(Failure::Input(text)) => {
            eprintln!("parlor riichi: {text}");
            ExitCode::FAILURE
        }
    }
}

/// The whole text of a file, decompressed if it is gzipped.
fn read(file: Option<&Path>) -> Result<String, Failure> {
    let name = file.map_or("standard input".to_owned(), |file| file.display().to_string());
    let whole = || -> io::Result<String> {
        let mut input: Box<dyn BufRead> = match file {
            Some(file) if file != Path::new("-") => Box::new(BufReader::new(File::open(file)?)),
            _ => Box::new(BufReader::new(io::stdin())),
        };
        let mut text = String::new();
        if input.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
            MultiGzDecoder::new(input).read_to_string(&mut text)?;
        } else {
            input.read_to_string(&mut text)?;
        }
        Ok(text)
    };
    whole().map_err(|error| Failure::Input(format!("{name}: {error}")))
}

impl Played {
    fn settings(&self) -> Result<Settings, Failure> {
        let given: Value =
            serde_json::from_str(&self.settings).map_err(|error| format!("--settings: {error}"))?;
        let Value::Object(mut given) = given else {
            return Err(Failure::Input("--settings: an object is needed".to_owned()));
        };
        given.entry("preset").or_insert_with(|| json!(self.preset));
        Settings::read(&Value::Object(given)).map_err(|error| Failure::Input(error.to_string()))
    }

    fn text(&self) -> Result<String, Failure> {
        read(self.file.as_deref())
    }
}

/// Lines that are not empty, each with its number.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}

fn numbered(number: usize) -> impl Fn(String) -> Failure {
    move |fault| Failure::Input(format!("line {number}: {fault}"))
}

/// `parlor riichi games`.
pub(super) fn games(args: &Played) -> ExitCode {
    exit(played_games(args, &mut BufWriter::new(io::stdout().lock())))
}

fn played_games(args: &Played, output: &mut impl Write) -> Agreement {
    let (settings, text) = (args.settings()?, args.text()?);
    let mut agrees = true;
    for (number, line) in lines(&text) {
        let (out, run) = games::play_line(line, settings).map_err(numbered(number))?;
        agrees &= run.agrees();
        for line in out {
            writeln!(output, "{line}")?;
        }
    }
    output.flush()?;
    Ok(agrees)
}

/// `parlor riichi sessions`.
pub(super) fn sessions(args: &Played) -> ExitCode {
    exit(followed_sessions(args, &mut BufWriter::new(io::stdout().lock())))
}

fn followed_sessions(args: &Played, output: &mut impl Write) -> Agreement {
    let (settings, text) = (args.settings()?, args.text()?);
    let mut agrees = true;
    for (number, line) in lines(&text) {
        for round in sessions::play_line(line, settings).map_err(numbered(number))? {
            agrees &= round["disagrees"].as_array().is_none_or(Vec::is_empty);
            writeln!(output, "{round}")?;
        }
    }
    output.flush()?;
    Ok(agrees)
}

/// `parlor riichi export`.
pub(super) fn export(args: &Export) -> ExitCode {
    exit(exported(args, &mut BufWriter::new(io::stdout().lock())))
}

fn exported(args: &Export, output: &mut impl Write) -> Agreement {
    let text = args.played.text()?;
    let first: Value =
        text.lines().next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    let mut agrees = true;
    if first.get("rounds").is_none() {
        let played = play_log(&text)?;
        let heading = Heading::of_settings(&played.settings);
        write_game(&json!(null), &played.run, &heading, args.to, output)?;
    } else {
        let settings = args.played.settings()?;
        for (number, line) in lines(&text) {
            let game: Value =
                serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
            let run = games::play_value(&game, settings).map_err(numbered(number))?;
            agrees &= run.agrees();
            let heading = game["go_type"].as_u64().map(Heading::of_type);
            let heading = heading.unwrap_or_else(|| Heading::of_settings(&settings));
            write_game(&game["id"], &run, &heading, args.to, output)?;
        }
    }
    output.flush()?;
    Ok(agrees)
}

fn write_game(
    id: &Value,
    run: &GameRun,
    heading: &Heading,
    to: Target,
    output: &mut impl Write,
) -> io::Result<()> {
    match to {
        Target::Tenhou6 => {
            let rounds: Vec<Value> =
                run.rounds.iter().filter_map(|round| tenhou6::export_round(round, heading)).collect();
            writeln!(output, "{}", json!({"id": id, "tenhou6_rounds": rounds}))
        }
        Target::Mjai => {
            mjai::export(run, &seat_names()).iter().try_for_each(|line| writeln!(output, "{line}"))
        }
        Target::Ronin => {
            let events = dialect::record(run, &seat_names());
            writeln!(output, "{}", json!({"id": id, "events": events}))
        }
    }
}

/// `parlor riichi import`.
pub(super) fn import(args: &Import) -> ExitCode {
    exit(imported(args, &mut BufWriter::new(io::stdout().lock())))
}

/// Rounds with where they start from.
type Rounds = Vec<(Standing, RoundScript)>;

fn imported(args: &Import, output: &mut impl Write) -> Agreement {
    let (settings, text) = (args.played.settings()?, args.played.text()?);
    let mut agrees = true;
    for (id, rounds) in read_games(&text, args.from)? {
        for (index, (standing, script)) in rounds.into_iter().enumerate() {
            let run = play(settings, standing, &[script])?;
            agrees &= run.agrees();
            for mut line in games::lines(&id, &run) {
                // Each round is played by itself: its number is its place in the file, and the end of a game is not known.
                if line.get("final").is_none() {
                    line["round"] = json!(index);
                    writeln!(output, "{line}")?;
                }
            }
        }
    }
    output.flush()?;
    Ok(agrees)
}

fn read_games(text: &str, from: Option<Source>) -> Result<Vec<(Value, Rounds)>, Failure> {
    let source = from.unwrap_or_else(|| {
        let start = text.trim_start();
        let first: Value =
            start.lines().next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
        match first.get("type") {
            _ if start.starts_with('<') => Source::Mjlog,
            Some(_) => Source::Mjai,
            None => Source::Tenhou6,
        }
    });
    match source {
        Source::Mjlog => Ok(vec![(Value::Null, mjlog::import(text)?)]),
        Source::Mjai => {
            let parsed: Result<Vec<Value>, String> = lines(text)
                .map(|(n, line)| serde_json::from_str(line).map_err(|error| format!("line {n}: {error}")))
                .collect();
            Ok(vec![(Value::Null, mjai::import(&parsed?)?)])
        }
        Source::Tenhou6 => {
            // One object over several lines, or one on each line.
            if let Ok(one) = serde_json::from_str::<Value>(text) {
                return Ok(vec![tenhou6_game(&one)?]);
            }
            let game = |(n, line): (usize, &str)| {
                let value: Value =
                    serde_json::from_str(line).map_err(|error| format!("line {n}: {error}"))?;
                tenhou6_game(&value).map_err(|fault| format!("line {n}: {fault}"))
            };
            lines(text).map(|line| game(line).map_err(Failure::Input)).collect()
        }
    }
}

/// A file as the viewer has it, or wrapped with an id: `tenhou6`, or one file per round in `tenhou6_rounds`.
fn tenhou6_game(value: &Value) -> Result<(Value, Rounds), String> {
    let id = value["id"].clone();
    if let Some(files) = value["tenhou6_rounds"].as_array() {
        let mut rounds = Rounds::new();
        for file in files {
            rounds.extend(tenhou6::import(file)?);
        }
        return Ok((id, rounds));
    }
    let file = value.get("tenhou6").unwrap_or(value);
    Ok((id, tenhou6::import(file)?))
}

/// `parlor riichi replay`.
pub(super) fn replay(args: &Replay) -> ExitCode {
    let traced = || -> Agreement {
        let text = read(args.file.as_deref())?;
        let input: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let trace = replay::trace(&input)?;
        let mut output = io::stdout().lock();
        writeln!(output, "{trace}")?;
        Ok(true)
    };
    exit(traced())
}
