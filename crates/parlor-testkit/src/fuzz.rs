//! Input that nobody meant, for whatever reads bytes from outside: kept inputs and mutations of them.
//!
//! With the tests a few thousand run, always the same ones. `cargo xtask soak fuzz` runs them for minutes, goes on with other
//! ones each time, keeps those that lead somewhere new, and writes an input to a file that makes the reader panic, hang,
//! or take much time or memory.

mod mutate;
mod watch;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use parlor_core::Rng;
use parlor_wire::Codec;

use crate::soak;
use crate::world::test_luck;
use mutate::Mutator;
use watch::Watch;

/// Inputs that run with the tests.
const SAMPLE: usize = 3000;
/// Inputs that led somewhere new, at most.
const FOUND_MAX: usize = 4096;
/// Inputs between two looks at the memory.
const BLOCK: usize = 64;
/// How much memory a block of inputs may take for a while.
const BLOCK_KIB_MAX: u64 = 256 * 1024;
/// How much more memory the process may have at its end than after its first inputs.
const GROWTH_KIB_MAX: u64 = 512 * 1024;
/// Inputs after which the memory is what it should stay.
const WARM: usize = 20_000;
/// CPU seconds that one input may take, in a long run.
const CPU_SECONDS_MAX: f64 = 1.0;
/// Faults after which a run ends.
const FAULTS_MAX: usize = 20;
/// How often a long run notes how far it is.
const NOTE_EVERY: Duration = Duration::from_secs(10);

/// What is read, and what its inputs are like.
pub struct Fuzz<'a> {
    /// The name of the reader; the corpus in `conformance/fuzz` has a folder of this name.
    pub name: &'a str,
    /// Good inputs, besides those in the corpus.
    pub seeds: Vec<Vec<u8>>,
    /// Pieces that mean something to the reader.
    pub words: &'a [&'a str],
    /// How inputs are encoded that are trees of values: then their values are mutated, too.
    pub codec: Option<Codec>,
    /// The largest input, in bytes.
    pub bytes_max: usize,
}

impl Fuzz<'_> {
    /// Reads the corpus and mutations of it. What `read` returns says what became of an input: an input with a new one is kept
    /// and mutated further.
    ///
    /// # Panics
    /// If the reader did on an input, hung, or took too much time or memory: with the file of the input.
    pub fn run(self, read: impl Fn(&[u8]) -> String) {
        let minutes = std::env::var("PARLOR_FUZZ_MINUTES").ok().map(|text| {
            text.parse::<f64>().unwrap_or_else(|_| panic!("PARLOR_FUZZ_MINUTES: {text} is not a number"))
        });
        let mut run = Run::new(&self, minutes.is_some());
        let until = minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
        let corpus = run.pool.clone();
        for input in &corpus {
            run.once(input.clone(), &read);
        }
        let (sample, mut done) = (soak::count("PARLOR_SOAK_INPUTS", SAMPLE), 0);
        while run.faults.len() < FAULTS_MAX && until.map_or(done < sample, |until| Instant::now() < until) {
            let mut rng = test_luck(run.next_seed());
            let input = run.mutant(&mut rng);
            run.once(input, &read);
            done += 1;
        }
        run.end(&read);
    }
}

/// The corpus of a reader: `conformance/fuzz/NAME`, by file name.
///
/// # Panics
/// If a file of it cannot be read.
#[must_use]
pub fn corpus(name: &str) -> Vec<Vec<u8>> {
    files(&Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/fuzz")).join(name))
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap_or_else(|why| panic!("{path:?}: {why}"))).collect()
}

/// A run in progress.
struct Run<'a> {
    name: &'a str,
    mutator: Mutator<'a>,
    pool: Vec<Vec<u8>>,
    outcomes: BTreeSet<String>,
    watch: Watch,
    /// Where a long run keeps what it finds and how far it is.
    folder: Option<PathBuf>,
    inputs: usize,
    before: Before,
    started: Instant,
    noted: Instant,
    block: Vec<Vec<u8>>,
    warm_kib: Option<u64>,
    faults: Vec<String>,
}

/// What earlier runs have done.
#[derive(Default)]
struct Before {
    inputs: usize,
    seconds: f64,
}

impl<'a> Run<'a> {
    fn new(fuzz: &'a Fuzz<'_>, long: bool) -> Self {
        let folder = std::env::var_os("PARLOR_SOAK_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
        let folder = long.then(|| folder.join("fuzz").join(fuzz.name));
        let mut pool = corpus(fuzz.name);
        assert!(!pool.is_empty() || !fuzz.seeds.is_empty(), "{}: there is nothing to begin with", fuzz.name);
        pool.extend(fuzz.seeds.iter().cloned());
        let (mut before, mut faults) = (Before::default(), Vec::new());
        if let Some(folder) = &folder {
            for part in ["found", "faults"] {
                std::fs::create_dir_all(folder.join(part)).expect("the folder is writable");
            }
            pool.extend(files(&folder.join("found")));
            let text = std::fs::read_to_string(folder.join("progress")).unwrap_or_default();
            let mut numbers = text.split_whitespace();
            before.inputs = numbers.next().and_then(|number| number.parse().ok()).unwrap_or(0);
            before.seconds = numbers.next().and_then(|number| number.parse().ok()).unwrap_or(0.0);
            let last = std::fs::read(folder.join("running")).unwrap_or_default();
            if let Some(last) = watch::interrupted(&last) {
                faults.push(format!("the process ended during {}", keep(folder, "faults", "end", last)));
            }
        }
        let watch = Watch::new(fuzz.name, folder.as_deref());
        let now = Instant::now();
        Self {
            name: fuzz.name,
            mutator: Mutator { words: fuzz.words, codec: fuzz.codec, bytes_max: fuzz.bytes_max },
            pool,
            outcomes: BTreeSet::new(),
            watch,
            folder,
            inputs: 0,
            before,
            started: now,
            noted: now,
            block: Vec::new(),
            warm_kib: None,
            faults,
        }
    }

    fn next_seed(&self) -> u64 {
        let name = self.name.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        name.wrapping_add((self.before.inputs + self.inputs) as u64)
    }

    fn mutant(&self, rng: &mut Rng) -> Vec<u8> {
        // What was found last leads further more often than what was there at first.
        let newest = self.pool.len().saturating_sub(64);
        let from = if rng.below(2) == 0 { newest } else { 0 };
        let pick = |rng: &mut Rng, from: usize| {
            &self.pool[from + rng.below((self.pool.len() - from) as u32) as usize]
        };
        let (base, other) = (pick(rng, from), pick(rng, 0));
        self.mutator.mutant(base, other, rng)
    }

    /// Reads one input and looks at what became of it.
    fn once(&mut self, input: Vec<u8>, read: &impl Fn(&[u8]) -> String) {
        self.watch.begin(&input);
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&input)));
        let elapsed = started.elapsed();
        self.watch.end();
        self.inputs += 1;
        match outcome {
            Ok(outcome) => {
                let new = self.outcomes.len() < FOUND_MAX && self.outcomes.insert(kind_of(&outcome));
                if new && self.inputs > self.pool.len() {
                    if let Some(folder) = &self.folder {
                        keep(folder, "found", "input", &input);
                    }
                    self.pool.push(input.clone());
                }
            }
            Err(panic) => {
                let said = panic.downcast_ref::<String>().map(String::as_str);
                let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
                self.fault("panic", &format!("{}: {said}", watch::panicked_at()), &input);
            }
        }
        if self.folder.is_some() {
            self.measure(input, elapsed, read);
        }
    }

    /// What a long run looks at beside panics: time and memory.
    fn measure(&mut self, input: Vec<u8>, elapsed: Duration, read: &impl Fn(&[u8]) -> String) {
        if elapsed.as_secs_f64() > CPU_SECONDS_MAX {
            // Perhaps the machine was busy.
            let again = crate::cpu::Stopwatch::start();
            let _ = catch_unwind(AssertUnwindSafe(|| read(&input)));
            let seconds = again.cpu_seconds();
            if seconds > CPU_SECONDS_MAX {
                self.fault("slow", &format!("{seconds:.1} s of CPU time"), &input);
            }
        }
        self.block.push(input);
        if self.block.len() == BLOCK {
            self.measure_block(read);
        }
        if self.noted.elapsed() > NOTE_EVERY {
            self.note();
        }
    }

    fn measure_block(&mut self, read: &impl Fn(&[u8]) -> String) {
        let block = std::mem::take(&mut self.block);
        let (Some(peak), Some(now)) = (watch::peak_kib(), watch::now_kib()) else { return };
        if peak > now + BLOCK_KIB_MAX {
            let worst = block.iter().max_by_key(|input| {
                watch::forget_peak();
                let _ = catch_unwind(AssertUnwindSafe(|| read(input)));
                watch::peak_kib()
            });
            let worst = worst.expect("a block has inputs").clone();
            self.fault("memory", &format!("{} MiB for a while", (peak - now) / 1024), &worst);
        }
        watch::forget_peak();
        if self.inputs >= WARM && self.warm_kib.is_none() {
            self.warm_kib = Some(now);
        }
    }

    /// Notes a fault, of each kind one.
    fn fault(&mut self, kind: &str, what: &str, input: &[u8]) {
        // Where it was, if it is a panic, tells two of them apart that say the same.
        let place = what.split_once(": ").map_or("", |(place, _)| place);
        let told = format!("{kind}: {place}: {}", kind_of(what));
        if self.faults.iter().any(|known| known.starts_with(&told)) {
            return;
        }
        let folder = self.folder.clone().unwrap_or_else(|| std::env::temp_dir().join("parlor-fuzz"));
        let file = keep(&folder, "faults", kind, input);
        println!("{}: {what}: {file}", self.name);
        self.faults.push(format!("{told}: {file}"));
    }

    fn note(&mut self) {
        self.noted = Instant::now();
        let Some(folder) = &self.folder else { return };
        let (inputs, seconds) =
            (self.before.inputs + self.inputs, self.before.seconds + self.started.elapsed().as_secs_f64());
        std::fs::write(folder.join("progress"), format!("{inputs} {seconds:.0}\n")).expect("it is writable");
    }

    fn end(mut self, read: &impl Fn(&[u8]) -> String) {
        if self.folder.is_some() {
            self.measure_block(read);
            self.note();
            if let (Some(warm), Some(now)) = (self.warm_kib, watch::now_kib())
                && now > warm + GROWTH_KIB_MAX
            {
                self.faults.push(format!("the memory has grown by {} MiB", (now - warm) / 1024));
            }
        }
        self.watch.close();
        let Self { name, inputs, outcomes, faults, before, started, .. } = &self;
        println!(
            "{name}: {inputs} inputs with {} outcomes in {:.0} s, after {} inputs in {:.0} s before",
            outcomes.len(),
            started.elapsed().as_secs_f64(),
            before.inputs,
            before.seconds,
        );
        assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
    }
}

/// An outcome or a message without what differs from input to input: numbers, and what is quoted.
fn kind_of(text: &str) -> String {
    let mut kind = String::new();
    let mut quoted = None;
    for letter in text.chars().take(400) {
        match (quoted, letter) {
            (Some(end), _) if letter == end => quoted = None,
            (Some(_), _) => {}
            (None, '`' | '"') => quoted = Some(letter),
            (None, '0'..='9') => {}
            (None, _) => kind.push(letter),
        }
        if kind.len() > 160 {
            break;
        }
    }
    kind
}

/// Writes an input to a file that is named by what is in it; the path.
fn keep(folder: &Path, part: &str, kind: &str, input: &[u8]) -> String {
    // FNV-1a: files of one content have one name.
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let folder = folder.join(part);
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    let path = folder.join(format!("{kind}-{hash:016x}"));
    std::fs::write(&path, input).expect("the folder is writable");
    path.display().to_string()
}
