//! Match logs on disk: one file per match, written while the match is played.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parlor_core::logfile::{LogFile, line};
use parlor_core::sim::Job;
use parlor_core::{Ask, Body, By, GameDef, Header, Match, Record, Refusal, Rng, Seed};
use parlor_host::RecordWrite;

use crate::shell::Failure;

/// Records after which a sample match that does not end is cut off.
const SAMPLE_RECORDS_MAX: usize = 100_000;

/// Writes a whole log.
pub(crate) fn write(path: &Path, log: &LogFile) -> Result<(), Failure> {
    std::fs::write(path, log.write()).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot write {}: {error}", path.display()))
}

/// Writes the log of a table while it is played: each record is in the file before its effects are shown.
pub(crate) struct Recorder {
    def: GameDef,
    path: PathBuf,
    open: Option<Opened>,
}

/// The file of the match being played.
struct Opened {
    path: PathBuf,
    file: File,
    log: LogFile,
}

impl Recorder {
    /// A recorder that writes to this file; later matches of the same table go into files beside it.
    pub(crate) fn new(def: GameDef, path: PathBuf) -> Self {
        Self { def, path, open: None }
    }

    /// Writes a record, and opens a new file where it starts a match.
    pub(crate) fn append(&mut self, append: &RecordWrite) -> Result<(), Failure> {
        if let Some(header) = &append.opens {
            self.close()?;
            let path = self.path_of(append.match_no);
            let mut file = File::create(&path).map_err(|error| cannot_write(&path, &error))?;
            write_line(&mut file, &path, &line(header))?;
            let log = LogFile { header: *header.clone(), records: Vec::new(), footer: None };
            self.open = Some(Opened { path, file, log });
        }
        if let (Some(record), Some(open)) = (&append.record, &mut self.open) {
            write_line(&mut open.file, &open.path, &line(&**record))?;
            open.log.records.push(Record::clone(record));
        }
        Ok(())
    }

    /// Ends the file with the footer that a replay of it gives.
    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let played = Match::replay(self.def, open.log.header, open.log.records)
            .map_err(|error| Failure::failed(format!("{} does not replay: {error}", open.path.display())))?;
        write_line(&mut open.file, &open.path, &line(&played.footer()))
    }

    /// `match.jsonl`, then `match.2.jsonl` and so on.
    fn path_of(&self, match_no: u32) -> PathBuf {
        if match_no == 1 {
            return self.path.clone();
        }
        let extension = self.path.extension().and_then(|extension| extension.to_str()).unwrap_or("jsonl");
        self.path.with_extension(format!("{match_no}.{extension}"))
    }
}

fn write_line(file: &mut File, path: &Path, line: &str) -> Result<(), Failure> {
    file.write_all(line.as_bytes()).map_err(|error| cannot_write(path, &error))
}

/// One match as in a simulation, but with a log: seeded, waits elapse at their minimum, and answers take no time.
pub(crate) fn sample_match(def: GameDef, job: &Job, seed: &Seed) -> Result<LogFile, Refusal> {
    let header = Header::seeded(&def, job.seats, job.settings.clone(), seed.of_match(1));
    let mut rng = Rng::fast(job.seed);
    let (mut played, _) = Match::start(def, header)?;
    let mut at = 0;
    while let Some(ask) = next_ask(&played)
        && played.record_count() < SAMPLE_RECORDS_MAX
    {
        let Some(seat) = ask.seats.lowest() else {
            at += u64::from(ask.min_ms);
            played.apply(at, By::Clock, None, Body::Elapsed { ask: ask.id, seat: None })?;
            continue;
        };
        let answer = match job.bots {
            true => played.bot(seat, ask.id, &parlor_core::BotChoice::default())?,
            false => played.sample(seat, ask.id, &mut rng)?,
        };
        played.apply(at, By::Bot, None, Body::Answer { seat, ask: ask.id, answer })?;
    }
    Ok(LogFile::of(&played))
}

/// The next ask to answer: requests come before waits, and offers are ignored, as in a simulation.
fn next_ask(played: &Match) -> Option<Ask> {
    let asks = played.open_asks();
    let blocking = || asks.iter().filter(|ask| ask.blocks());
    blocking().find(|ask| !ask.seats.is_empty()).or_else(|| blocking().next()).copied()
}
