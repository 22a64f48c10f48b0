//! The extras of a cash table as a list of facts that can be added to: `tests/data/cash.txt`.
//!
//! Live-table list: straddle, bomb pot, run it twice, mixed games, top-up, rathole, longest pause, table break, pre-actions,
//! time bank, rake, lost connections, button blind.

use parlor_poker::table::{
    Answer, Event, Intent, Order, Posting, PreAction, Settings, Table, TableRefusal, Timer,
};
use parlor_poker::{Card, Stacked};

use crate::data;

/// A table and what it told since the last step that a fact looks at.
struct Room {
    table: Table,
    deck: Stacked,
    told: Vec<Event>,
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// Seats and accounts are counted from 1 in the file.
fn seat(text: &str) -> usize {
    number::<usize>(text) - 1
}

fn timer(words: &[&str]) -> Timer {
    match words {
        ["turn"] => Timer::Turn,
        ["rebuy", n] => Timer::Rebuy(seat(n)),
        ["pause", n] => Timer::Pause(seat(n)),
        ["away", n] => Timer::Away(seat(n)),
        ["rathole", account] => Timer::Rathole(number(account)),
        other => panic!("no clock {other:?}"),
    }
}

fn answer(words: &[&str]) -> Answer {
    let on = |word: &str| word == "on";
    match words {
        ["fold"] => Answer::Fold,
        ["call" | "check"] => Answer::Call,
        ["raise", to] => Answer::Raise { to: number(to) },
        ["show", cards] => Answer::Show { cards: (*cards).into() },
        ["play"] => Answer::Intent { intent: 0 },
        ["wait"] => Answer::Intent { intent: 1 },
        ["pause"] => Answer::Intent { intent: 2 },
        ["leave"] => Answer::Intent { intent: 3 },
        ["top-up", chips] => Answer::TopUp { chips: number(chips) },
        ["keep-full", chips] => Answer::AutoTopUp { chips: number(chips) },
        ["straddle", word] => Answer::Straddle { on: on(word) },
        ["twice", word] => Answer::RunTwice { on: on(word) },
        ["prepare", action] => Answer::Prepare {
            action: match *action {
                "call" => Some(PreAction::Call),
                "check" => Some(PreAction::Check),
                "check-fold" => Some(PreAction::CheckFold),
                "fold" => Some(PreAction::Fold),
                _ => None,
            },
        },
        other => panic!("no answer {other:?}"),
    }
}

impl Room {
    fn open(json: &str) -> Self {
        let serde_json::Value::Object(given) = serde_json::from_str(json).unwrap() else { panic!("{json}") };
        let table = Table::start(Settings::from_json(&given).unwrap()).unwrap();
        Self { table, deck: Stacked::new([]), told: Vec::new() }
    }

    fn order(&mut self, order: Order) -> Result<(), TableRefusal> {
        let mv = self.table.check_order(order)?;
        let told = &mut self.told;
        self.table.apply(mv, &mut self.deck, &mut |event| told.push(event));
        Ok(())
    }

    fn say(&mut self, seat: usize, answer: &Answer) -> Result<(), TableRefusal> {
        let mv = self.table.check(seat, answer)?;
        let told = &mut self.told;
        self.table.apply(mv, &mut self.deck, &mut |event| told.push(event));
        Ok(())
    }

    fn sit(&mut self, seat: usize, player: u64, chips: i64) -> Result<(), TableRefusal> {
        self.order(Order::Sit { seat, player, chips, owned: chips })
    }

    /// One step of a fact.
    fn step(&mut self, words: &[&str]) -> Result<(), TableRefusal> {
        match words {
            ["deal"] => self.order(Order::Elapsed(Timer::NextHand)),
            ["deal", cards] => {
                let cards = parlor_poker::parse_row(cards).unwrap();
                self.deck = Stacked::new(cards.into_iter().map(Option::unwrap).collect::<Vec<Card>>());
                self.order(Order::Elapsed(Timer::NextHand))
            }
            ["time", timer_words @ ..] => self.order(Order::Elapsed(timer(timer_words))),
            ["away", n] => self.order(Order::Away { seat: seat(n) }),
            ["back", n] => self.order(Order::Back { seat: seat(n) }),
            ["close"] => self.order(Order::Close),
            ["sit", n, account, chips] => self.sit(seat(n), number(account), number(chips)),
            ["all", "fold"] => self.everybody(&Answer::Fold),
            ["all", "call"] => self.everybody(&Answer::Call),
            [n, rest @ ..] => self.say(seat(n), &answer(rest)),
            [] => Ok(()),
        }
    }

    fn everybody(&mut self, answer: &Answer) -> Result<(), TableRefusal> {
        while let Some(seat) = self.table.turn() {
            let brings = self.table.legal(seat).bet.is_some_and(|choices| choices.bring_in.is_some());
            self.say(seat, if brings { &Answer::BringIn } else { answer })?;
        }
        Ok(())
    }

    fn events<T>(&self, pick: impl Fn(&Event) -> Option<T>) -> Vec<T> {
        self.told.iter().filter_map(pick).collect()
    }

    /// What a fact looks at, as text.
    fn look(&self, what: &str) -> String {
        let table = &self.table;
        let numbers =
            |numbers: Vec<i64>| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let seats = 0..table.settings().seat_count;
        let posted = |pick: fn(&Posting) -> Option<i64>| {
            let chips = self.events(|event| match event {
                Event::Posted(posting) => pick(posting),
                _ => None,
            });
            chips.iter().sum::<i64>().to_string()
        };
        match what {
            "stacks" => numbers(seats.map(|seat| table.stack(seat)).collect()),
            "aside" => numbers(seats.map(|seat| table.to_add(seat)).collect()),
            "turn" => table.turn().map_or_else(|| "none".into(), |seat| (seat + 1).to_string()),
            "pot" => table.hand().unwrap().pot_total().to_string(),
            "board" => table.hand().unwrap().board(0).to_string(),
            "boards" => table.view(None).boards.join(" "),
            "game" => table.variant().code().to_owned(),
            "hand" => table.number().to_string(),
            "blinds" => {
                let blind = |event: &Event| match event {
                    Event::Blind { seat, chips } => Some(format!("{}:{chips}", seat + 1)),
                    _ => None,
                };
                self.events(blind).join(" ")
            }
            "positions" => {
                let at = table.positions().unwrap();
                format!("{} {} {}", at.button + 1, at.small + 1, at.big + 1)
            }
            "bet" => {
                let choices = table.legal(table.turn().unwrap()).bet.unwrap();
                let (least, most) = choices.raise.unwrap_or((0, 0));
                format!("{} {least} {most}", choices.call.unwrap_or(0))
            }
            "states" => {
                let state = |seat: usize| match table.state(seat).flags() {
                    None => "-".to_owned(),
                    Some(flags) => {
                        format!("{}{}{}", u8::from(flags.inactive), flags.intent.number(), flags.debt)
                    }
                };
                seats.map(state).collect::<Vec<_>>().join(" ")
            }
            "written" => {
                let written = |event: &Event| match event {
                    Event::Written { seat, intent, because } => {
                        let intent = Intent::number(*intent);
                        Some(format!("{}:{intent}:{because:?}", seat + 1))
                    }
                    _ => None,
                };
                self.events(written).join(" ")
            }
            "dropped" => {
                let dropped = |event: &Event| match event {
                    Event::PreActionDropped { seat } => Some(i64::try_from(seat + 1).unwrap()),
                    _ => None,
                };
                numbers(self.events(dropped))
            }
            "time-added" => {
                let added = |event: &Event| match event {
                    Event::TimeAdded { seat, ms } => Some(format!("{}:{ms}", seat + 1)),
                    _ => None,
                };
                self.events(added).join(" ")
            }
            "clocks" => {
                let clock = |(timer, ms): &(Timer, u32)| match timer {
                    Timer::Turn | Timer::NextHand => None,
                    Timer::Rebuy(seat) => Some(format!("rebuy:{}:{ms}", seat + 1)),
                    Timer::Pause(seat) => Some(format!("pause:{}:{ms}", seat + 1)),
                    Timer::Away(seat) => Some(format!("away:{}:{ms}", seat + 1)),
                    Timer::Rathole(account) => Some(format!("rathole:{account}:{ms}")),
                };
                table.timers().iter().filter_map(clock).collect::<Vec<_>>().join(" ")
            }
            "paid-in" => posted(|posting| match posting {
                Posting::BuyIn { chips, .. } => Some(*chips),
                _ => None,
            }),
            "paid-out" => posted(|posting| match posting {
                Posting::CashOut { chips, .. } => Some(*chips),
                _ => None,
            }),
            "rake" => posted(|posting| match posting {
                Posting::Rake { chips } => Some(*chips),
                _ => None,
            }),
            other => panic!("nothing to look at: {other}"),
        }
    }
}

#[test]
fn a_cash_table_has_its_extras() {
    let text = std::fs::read_to_string(data::fixture("cash.txt")).unwrap();
    let (mut room, mut fact, mut facts) = (None::<Room>, "", 0);
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    {
        let place = || format!("line {}, {fact}: {line}", at + 1);
        if let Some(name) = line.strip_prefix("* ") {
            (fact, room) = (name, None);
            facts += 1;
        } else if let Some(stacks) = line.strip_prefix("stacks ") {
            let room = room.as_mut().unwrap();
            for (seat, chips) in stacks.split(' ').enumerate().filter(|(_, chips)| *chips != "-") {
                room.sit(seat, seat as u64 + 1, number(chips)).unwrap_or_else(|e| panic!("{}: {e}", place()));
            }
        } else if line.starts_with('{') {
            room = Some(Room::open(line));
        } else if let Some(expected) = line.strip_prefix("= ") {
            let (what, expected) = expected.split_once(' ').unwrap_or((expected, ""));
            assert_eq!(room.as_ref().unwrap().look(what), expected, "{}", place());
        } else if let Some(refused) = line.strip_prefix("! ") {
            let (step, why) = refused.split_once(": ").unwrap();
            let words: Vec<&str> = step.split(' ').collect();
            let refusal = room.as_mut().unwrap().step(&words).expect_err(&place());
            assert_eq!(refusal.to_string(), why, "{}", place());
        } else {
            let room = room.as_mut().unwrap();
            room.told.clear();
            for step in line.split(", ") {
                let words: Vec<&str> = step.split(' ').collect();
                room.step(&words).unwrap_or_else(|error| panic!("{}: {step}: {error}", place()));
            }
        }
    }
    assert!(facts >= 30, "{facts} facts");
}
