//! `parlor poker merge`, `next`, `auto` and `personalize`: what a table does with a hand in the notation, without a server.

use std::io::Write;
use std::path::{Path, PathBuf};

use parlor_poker::notation::{Record, Value, json, phh, seed};
use parlor_poker::table::{self, Settings};
use serde_json::Map;

use super::{Failure, files, print};

/// Take a player's state of a hand into the table's state
///
/// Of the new state only the author's own column and own actions count. Everything else is listed with its path and the
/// reason, and the exit code is 0 even if all was ignored. JSON in gives {"hand", "ignored"} out; PHH in gives the hand
/// in PHH, with what was ignored on standard error.
///
/// Examples:
///   parlor poker merge hand.json proposal.json --author Alice
///   parlor poker merge hand.phh proposal.json --author Alice --set newcomers=postBigBlind
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Merge {
    /// The table's state
    old: PathBuf,
    /// The player's state
    new: PathBuf,
    /// The player who sends it
    #[arg(long)]
    author: String,
    #[command(flatten)]
    rules: Rules,
}

/// Make the hand that follows a hand that is over
///
/// Who leaves is removed, who waited comes in, blinds and button move on, missed blinds are counted. With a seed the
/// cards follow from it.
///
/// Examples:
///   parlor poker next hand.json
///   parlor poker next hand.phh --seed 7 --balances balances.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Next {
    /// A hand that is over
    hand: PathBuf,
    /// The seed to write into the new hand
    #[arg(long)]
    seed: Option<String>,
    /// A JSON object of names and chips; a stack above what its player owns is lowered to it
    #[arg(long)]
    balances: Option<PathBuf>,
    #[command(flatten)]
    rules: Rules,
}

/// Act for the player whose time is up
///
/// Checks if it is free, otherwise folds; at the showdown shows a winning hand and mucks a losing one. The hand is
/// printed with that line, or as it is if nobody, or somebody else, is to act.
///
/// Examples:
///   parlor poker auto hand.json
///   parlor poker auto hand.json --player 2 --set timeoutAction=fold
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Auto {
    /// A hand in play
    hand: PathBuf,
    /// Only for this player, counted from 1
    #[arg(long)]
    player: Option<usize>,
    #[command(flatten)]
    rules: Rules,
}

/// Hide what a viewer may not see
///
/// A viewer without a name, or with one that does not sit there, sees nobody's cards. No seed is printed.
///
/// Examples:
///   parlor poker personalize hand.json --viewer Alice
///   parlor poker personalize hand.phh
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Personalize {
    /// A hand
    hand: PathBuf,
    /// Whose view of it
    #[arg(long)]
    viewer: Option<String>,
}

// The rules of the table, where a hand does not say them. Not a doc comment: it would stand in the commands' help.
#[derive(clap::Args)]
pub(super) struct Rules {
    /// Set a rule of the table, such as newcomers=postBigBlind
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
}

impl Rules {
    fn settings(&self) -> Result<Settings, Failure> {
        let mut given = Map::new();
        for pair in &self.set {
            let Some((name, text)) = pair.split_once('=') else {
                return Err(Failure::Usage(format!("--set {pair}: expected NAME=VALUE")));
            };
            let value = serde_json::from_str(text).unwrap_or_else(|_| text.into());
            given.insert(name.to_owned(), value);
        }
        Settings::from_json(&given).map_err(|error| Failure::Usage(format!("--set {error}")))
    }
}

/// A hand with the notation that it was read from.
struct Read {
    record: Record,
    is_phh: bool,
}

impl Read {
    fn of(path: &Path) -> Result<Self, Failure> {
        let text = files::text(path)?;
        let failed = |problem: String| Failure::Failed(format!("{}: {problem}", path.display()));
        let mut hands = files::records(&text).map_err(|error| failed(error.to_string()))?;
        if hands.len() != 1 {
            return Err(failed(format!("expected one hand, got {}", hands.len())));
        }
        let is_phh = !is_json(&text);
        Ok(Self { record: hands.remove(0).1, is_phh })
    }

    fn write(&self, record: &Record) -> String {
        if self.is_phh { phh::write(record) } else { seed::write(record) }
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '['])
}

/// Any state, as the notation's own value: a proposal need not be a legal hand.
fn proposal(path: &Path) -> Result<Value, Failure> {
    let text = files::text(path)?;
    if is_json(&text) {
        let failed = |error| Failure::Failed(format!("{}: {error}", path.display()));
        let all = json::read_all(&text).map_err(failed)?;
        return all.into_iter().next().ok_or_else(|| Failure::Failed("expected a state".into()));
    }
    Ok(Value::Table(seed::to_fields(&Read::of(path)?.record)))
}

fn out(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    print(&mut stdout, text.trim_end())?;
    stdout.flush().map_err(|error| Failure::Io("standard output".into(), error))
}

pub(super) fn merge(args: &Merge) -> Result<(), Failure> {
    let old = Read::of(&args.old)?;
    let new = proposal(&args.new)?;
    let merged = table::merge(&old.record, &new, &args.author, &args.rules.settings()?, None);
    if old.is_phh {
        for one in &merged.ignored {
            eprintln!("{}: {}", one.path, one.reason);
        }
        return out(&old.write(&merged.hand));
    }
    let ignored = serde_json::to_string(&merged.ignored).map_err(|e| Failure::Failed(e.to_string()))?;
    out(&format!("{{\"hand\":{},\"ignored\":{ignored}}}", seed::write(&merged.hand).trim_end()))
}

pub(super) fn next(args: &Next) -> Result<(), Failure> {
    let mut hand = Read::of(&args.hand)?;
    if let Some(path) = &args.balances {
        lower_stacks(&mut hand.record, path)?;
    }
    let next = table::next(&hand.record, &args.rules.settings()?, args.seed.as_deref());
    let next = next.map_err(|error| Failure::Failed(error.to_string()))?;
    out(&hand.write(&next))
}

/// Lowers the stacks of those who have not played yet to what they own.
fn lower_stacks(record: &mut Record, path: &Path) -> Result<(), Failure> {
    let failed = |problem: &str| Failure::Failed(format!("{}: {problem}", path.display()));
    let all = json::read_all(&files::text(path)?).map_err(|error| failed(&error.to_string()))?;
    let Some(Value::Table(owned)) = all.into_iter().next() else {
        return Err(failed("expected an object of names and chips"));
    };
    let scale = parlor_poker::Scale::new(parlor_poker::DECIMALS_MAX);
    for column in (0..record.players()).filter(|&column| record.sits_out(column)).collect::<Vec<_>>() {
        let name = record.name(column);
        let Some((_, value)) = owned.iter().find(|(other, _)| *other == name) else { continue };
        let Value::Number(amount) = value else { return Err(failed("expected chips as numbers")) };
        if scale.chips(*amount) < scale.chips(record.starting_stacks[column]) {
            record.starting_stacks[column] = *amount;
        }
    }
    Ok(())
}

pub(super) fn auto(args: &Auto) -> Result<(), Failure> {
    let mut hand = Read::of(&args.hand)?;
    let player = match args.player {
        Some(0) => return Err(Failure::Usage("--player counts from 1".into())),
        other => other.map(|player| player - 1),
    };
    let line = table::auto(&hand.record, player, &args.rules.settings()?);
    hand.record.actions.extend(line.map_err(|error| Failure::Failed(error.to_string()))?);
    out(&hand.write(&hand.record))
}

pub(super) fn personalize(args: &Personalize) -> Result<(), Failure> {
    let hand = Read::of(&args.hand)?;
    out(&hand.write(&table::personalize(&hand.record, args.viewer.as_deref())))
}
