//! A replay step by step, as `parlor poker replay` prints it: one JSON line per hand, amounts as decimal text.

use serde::Serialize;
use serde_json::json;

use crate::card::row_text;
use crate::flags::Flags;
use crate::hand::{Hand, Phase};
use crate::legal::Legal;
use crate::money::{Chips, is_endless};
use crate::notation::entry::Step;
use crate::notation::record::Record;
use crate::notation::value::Value;
use crate::replay::{Replay, ReplayError};
use crate::seat::Seat;
use crate::setup::Interpretation;

/// One hand replayed.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The file, relative to the folder given.
    pub file: String,
    /// The hand's key in a file of many, else empty.
    pub index: String,
    /// The hand's own number.
    pub hand: serde_json::Value,
    /// The code of the variant.
    pub variant: String,
    /// How many players.
    pub n: usize,
    /// The smallest unit.
    pub unit: String,
    /// Whether every line could be played.
    pub ok: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Where PokerKit departs from casino rules.
    pub flags: Vec<&'static str>,
    /// Lines that had to be invented: always none here.
    pub repairs: [(); 0],
    /// The hand after antes and blinds and after each line.
    pub steps: Vec<Stage>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// What the record itself says about the end.
    pub recorded: serde_json::Map<String, serde_json::Value>,
}

/// The hand after one line. Players count from 1.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Which line; -1 is after antes and blinds.
    pub i: i64,
    /// The line without its remark.
    pub a: Option<String>,
    /// The street from 0; `None` once the hand is over.
    pub street: Option<usize>,
    /// Who is to bet.
    pub actor: Option<usize>,
    pub stacks: Vec<String>,
    /// Bets of this street.
    pub bets: Vec<String>,
    /// Collected chips and who can win them, main pot first.
    pub pots: Vec<(String, Vec<usize>)>,
    /// All chips in the middle.
    pub pot: String,
    /// Who still has a hand, until hands are shown.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub live: Option<Vec<u8>>,
    pub board: String,
    /// What the player to act may do.
    pub legal: Option<Bets>,
    /// Who is to draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawer: Option<usize>,
    /// Who is to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shower: Option<usize>,
}

/// What a player may bet.
#[derive(Clone, Debug, Serialize)]
pub struct Bets {
    /// Whether he may fold.
    pub f: bool,
    /// What a call costs.
    pub cc: Option<String>,
    /// The lowest total of a raise.
    pub min: Option<String>,
    /// The highest total of a raise.
    pub max: Option<String>,
    /// The bring-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pb: Option<String>,
}

/// The end of the log.
#[derive(Clone, Debug, Serialize)]
pub struct End {
    pub stacks: Vec<String>,
    /// Stacks less what they were at the start.
    pub payoffs: Vec<String>,
    /// Chips taken from the middle, an uncalled bet included when all others folded.
    pub winnings: Vec<String>,
    pub board: String,
    /// Whether the hand is over.
    pub over: bool,
}

impl Report {
    /// Replays a record and writes every step down.
    #[must_use]
    pub fn of(file: &str, index: &str, record: &Record, interpretation: Interpretation) -> Self {
        let mut report = Self {
            file: file.into(),
            index: index.into(),
            hand: match record.field("hand") {
                Some(Value::Text(text)) => json!(text),
                Some(Value::Number(_)) => record.number("hand").map_or(json!(null), |n| json!(n)),
                Some(Value::OtherNumber(digits)) => {
                    serde_json::from_str(digits).unwrap_or_else(|_| json!(digits))
                }
                _ => json!(null),
            },
            variant: record.variant.code().into(),
            n: record.players(),
            unit: record.scale().unit_text(),
            ok: true,
            error: None,
            flags: Vec::new(),
            repairs: [],
            steps: Vec::with_capacity(record.actions.len() + 1),
            end: None,
            recorded: serde_json::Map::new(),
        };
        if let Err(error) = report.play(record, interpretation) {
            report.ok = false;
            report.error = Some(error.to_string());
        }
        report
    }

    fn play(&mut self, record: &Record, interpretation: Interpretation) -> Result<(), ReplayError> {
        let mut replay = Replay::start(record, interpretation)?;
        let mut flags = Flags::new(replay.hand());
        self.steps.push(stage(&replay, replay.hand(), -1, None));
        let played = self.play_lines(record, &mut replay, &mut flags);
        self.flags = flags.into_list();
        played?;
        self.conclude(record, &replay);
        Ok(())
    }

    fn play_lines(
        &mut self,
        record: &Record,
        replay: &mut Replay<'_>,
        flags: &mut Flags,
    ) -> Result<(), ReplayError> {
        for (index, entry) in record.actions.iter().enumerate() {
            let before = replay.hand().clone();
            let action = replay.next_action()?;
            replay.step()?;
            if let Some(action) = action {
                flags.see(&before, action);
            }
            // The oracle's dealer burns a card before he goes on: when everybody stands pat, this line ends there.
            let pat = matches!(&entry.step, Step::Draw(_, row) if row.is_empty());
            let last = before.pending.len() == 1 && before.owed.iter().all(|&owed| owed == 0);
            let between = (pat && last).then(|| before.all_pat());
            let shown = between.as_ref().unwrap_or(replay.hand());
            self.steps.push(stage(replay, shown, index as i64, Some(entry.step.to_string())));
        }
        Ok(())
    }

    fn conclude(&mut self, record: &Record, replay: &Replay<'_>) {
        let hand = replay.hand();
        let scale = replay.scale();
        let by_player = |of: &dyn Fn(Seat) -> Chips| -> Vec<Chips> {
            (0..record.players()).map(|player| of(replay.seat(player))).collect()
        };
        let text = |chips: &[Chips]| -> Vec<String> { chips.iter().map(|&c| scale.text(c)).collect() };
        let uncalled = hand.uncalled().filter(|_| hand.live().len() == 1);
        let winnings = by_player(&|seat| {
            hand.won()[seat] + uncalled.filter(|(who, _)| *who == seat).map_or(0, |(_, chips)| chips)
        });
        let stacks = text(&by_player(&|seat| hand.stacks()[seat]));
        if let Some(finishing) = record.amounts("finishing_stacks") {
            let finishing: Vec<String> =
                finishing.iter().map(|&a| scale.chips(a).map_or(a.to_string(), |c| scale.text(c))).collect();
            self.recorded.insert("finishing_match".into(), json!(finishing == stacks));
            self.recorded.insert("finishing_stacks".into(), json!(finishing));
        }
        if let Some(said) = record.amounts("winnings").filter(|said| said.iter().any(|a| !a.is_zero())) {
            let said: Vec<Chips> = said.iter().map(|&a| scale.chips(a).unwrap_or(0)).collect();
            let who = |chips: &[Chips]| chips.iter().map(|&c| c != 0).collect::<Vec<_>>();
            self.recorded.insert("winnings".into(), json!(text(&said)));
            self.recorded.insert("winners_match".into(), json!(who(&said) == who(&winnings)));
            let rake = winnings.iter().sum::<Chips>() - said.iter().sum::<Chips>();
            self.recorded.insert("rake".into(), json!(scale.text(rake)));
        }
        self.end = Some(End {
            stacks,
            payoffs: text(&by_player(&|seat| hand.stacks()[seat] - hand.setup().stacks[seat])),
            winnings: text(&winnings),
            board: row_text(hand.board(0).as_slice().iter().copied()),
            over: hand.phase() == Phase::Over,
        });
    }
}

impl Hand {
    /// The hand when the last player has stood pat and the betting has not begun.
    fn all_pat(mut self) -> Self {
        self.phase = Phase::Deal;
        self.pending = crate::seat::SeatSet::EMPTY;
        self
    }
}

fn stage(replay: &Replay<'_>, hand: &Hand, i: i64, a: Option<String>) -> Stage {
    let scale = replay.scale();
    let number = |seat: Seat| replay.player(seat) + 1;
    let by_player = |chips: &[Chips]| -> Vec<String> {
        (0..hand.players()).map(|player| scale.text(chips[replay.seat(player)])).collect()
    };
    let turn = |phase: Phase| hand.turn().filter(|_| hand.phase() == phase).map(number);
    let bets = match hand.legal() {
        Legal::Bet(choices) => Some(Bets {
            f: choices.fold,
            cc: choices.call.map(|c| scale.text(c)),
            min: choices.raise.map(|(least, _)| scale.text(least)),
            max: choices
                .raise
                .map(|(_, most)| if is_endless(most) { "inf".into() } else { scale.text(most) }),
            pb: choices.bring_in.map(|c| scale.text(c)),
        }),
        _ => None,
    };
    let lying = hand.pots();
    let pots = lying.iter().map(|pot| {
        let mut who: Vec<usize> = pot.eligible.iter().map(number).collect();
        who.sort_unstable();
        (scale.text(pot.chips), who)
    });
    let open = !matches!(hand.phase(), Phase::Reveal | Phase::Over);
    Stage {
        i,
        a,
        street: hand.street(),
        actor: turn(Phase::Bet),
        stacks: by_player(hand.stacks()),
        bets: by_player(hand.bets()),
        pots: pots.collect(),
        pot: scale.text(hand.pot_total()),
        live: open
            .then(|| (0..hand.players()).map(|p| u8::from(hand.live().contains(replay.seat(p)))).collect()),
        board: row_text(hand.board(0).as_slice().iter().copied()),
        legal: bets,
        drawer: turn(Phase::Draw),
        shower: turn(Phase::Reveal),
    }
}
