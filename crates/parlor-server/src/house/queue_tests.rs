use std::collections::HashSet;

use super::*;

fn player(n: usize) -> PlayerId {
    PlayerId::new(&format!("p{n}")).expect("a good name")
}

fn line(game: &str) -> Line {
    Line { game: game.to_owned(), settings: "null".to_owned(), seats: 2 }
}

fn ticket(n: usize) -> Ticket<usize> {
    Ticket { player: player(n), fill_at: None, with: n }
}

fn numbers(group: &Group<usize>) -> Vec<usize> {
    group.people.iter().map(|ticket| ticket.with).collect()
}

/// Processor time of this thread, in seconds: other processes on the machine do not count.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux says");
    let nanos: u64 = text.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
    nanos as f64 / 1e9
}

#[test]
fn ten_thousand_are_matched_in_the_order_in_which_they_came() {
    let began = cpu_seconds();
    let mut queues = Queues::default();
    let games = ["a", "b", "c", "d"];
    for n in 0..10_000 {
        queues.join(line(games[n % 4]), ticket(n)).expect("there is room");
    }
    // One in ten leaves the queue.
    let cancelled: HashSet<usize> = (0..10_000).filter(|n| n % 10 == 3).collect();
    for n in &cancelled {
        assert!(queues.leave(&player(*n)).is_some());
        assert!(queues.leave(&player(*n)).is_none(), "once");
    }
    let (mut matched, mut seen) = (0, HashSet::new());
    let mut by_game: [Vec<usize>; 4] = Default::default();
    while let Some(group) = queues.matched() {
        assert_eq!((group.people.len(), group.bots), (2, 0));
        assert!(group.people[0].player != group.people[1].player, "nobody plays with himself");
        let game = games.iter().position(|game| *game == group.line.game).expect("one of them");
        by_game[game].extend(numbers(&group));
    }
    for (n, got) in by_game.iter().enumerate() {
        let expected: Vec<usize> = (0..10_000).filter(|m| m % 4 == n && !cancelled.contains(m)).collect();
        let even = expected.len() - expected.len() % 2;
        assert_eq!(got[..], expected[..even], "first come, first served");
        assert!(got.iter().all(|m| seen.insert(*m)), "nobody twice");
        matched += got.len();
    }
    let took = cpu_seconds() - began;
    println!("10,000 queued, {} cancelled, {matched} matched: {took:.3} CPU seconds", cancelled.len());
    assert!(took < 1.0, "{took}");
    assert_eq!(queues.len() + matched + cancelled.len(), 10_000);
}

#[test]
fn a_player_stands_once_in_one_line() {
    let mut queues = Queues::default();
    assert_eq!(queues.join(line("a"), ticket(1)), Ok(Position { place: 1, waiting: 1 }));
    let newer = Ticket { with: 7, ..ticket(1) };
    assert_eq!(queues.join(line("a"), newer), Ok(Position { place: 1, waiting: 1 }), "he keeps his place");
    assert_eq!(queues.join(line("b"), ticket(1)), Err(NotQueued::Elsewhere));
    assert_eq!(queues.matched(), None, "never with himself");
    assert_eq!(queues.join(line("a"), ticket(2)), Ok(Position { place: 2, waiting: 2 }));
    assert_eq!(queues.matched().map(|group| numbers(&group)), Some(vec![7, 2]), "by his newer ticket");
    assert_eq!(queues.position(&player(1)), None);
    assert_eq!(queues.len(), 0);
}

#[test]
fn other_settings_are_another_line() {
    let mut queues = Queues::default();
    let other = Line { settings: "{\"stake\":1}".to_owned(), ..line("a") };
    queues.join(line("a"), ticket(1)).expect("there is room");
    queues.join(other, ticket(2)).expect("there is room");
    assert_eq!(queues.matched(), None);
}

#[test]
fn a_cancel_is_honoured_and_those_behind_move_up() {
    let mut queues = Queues::default();
    let wide = Line { seats: 4, ..line("a") };
    for n in 1..=3 {
        queues.join(wide.clone(), ticket(n)).expect("there is room");
    }
    assert_eq!(queues.leave(&player(1)).map(|ticket| ticket.with), Some(1));
    assert_eq!(queues.position(&player(3)), Some(Position { place: 2, waiting: 2 }));
    for n in 4..=5 {
        queues.join(wide.clone(), ticket(n)).expect("there is room");
    }
    assert_eq!(queues.matched().map(|group| numbers(&group)), Some(vec![2, 3, 4, 5]));
}

#[test]
fn whoever_was_let_down_is_first_again() {
    let mut queues = Queues::default();
    for n in 1..=3 {
        queues.join(line("a"), ticket(n)).expect("there is room");
    }
    let group = queues.matched().expect("two are there");
    assert_eq!(numbers(&group), [1, 2]);
    queues.back(line("a"), ticket(1));
    assert_eq!(queues.matched().map(|group| numbers(&group)), Some(vec![1, 3]));
}

#[test]
fn bots_take_the_empty_seats_when_somebody_will_not_wait_longer() {
    let mut queues = Queues::default();
    let wide = Line { seats: 4, ..line("a") };
    queues.join(wide.clone(), ticket(1)).expect("there is room");
    queues.join(wide.clone(), Ticket { fill_at: Some(500), ..ticket(2) }).expect("there is room");
    assert_eq!((queues.wakes_at(), queues.due(499)), (Some(500), None));
    let group = queues.due(500).expect("it is time");
    assert_eq!((numbers(&group), group.bots), (vec![1, 2], 2), "whoever waited longer plays too");
    assert_eq!((queues.wakes_at(), queues.due(9999)), (None, None));
    // A newer ticket replaces the older one, with its time limit.
    queues.join(wide.clone(), Ticket { fill_at: Some(700), ..ticket(3) }).expect("there is room");
    queues.join(wide, ticket(3)).expect("there is room");
    assert_eq!(queues.wakes_at(), None);
}
