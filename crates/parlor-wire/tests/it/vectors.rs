//! Vectors that other implementations are compared with: views and their hashes, patches, frames, and answers.

use parlor_core::selector::Bounds;
use parlor_core::view::{canonical, diff, hash, patch};
use parlor_core::{Choice, Fault, Json, Response, Selector};
use parlor_wire::{Codec, Prompt, PromptKind, ServerMessage};
use serde_json::json;

use crate::committed::same_as;

const FOLDER: &str = "clients/typescript/test/vectors";

fn keep(name: &str, rows: &[Json]) {
    let lines: Vec<String> = rows.iter().map(Json::to_string).collect();
    same_as(&format!("{FOLDER}/{name}.json"), &format!("[\n{}\n]\n", lines.join(",\n")));
}

/// A small generator of odd values, the same on every run.
struct Odd(u64);

impl Odd {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn text(&mut self) -> String {
        const LETTERS: [&str; 12] =
            ["a", "b", "/", "~", "\"", "\\", "\n", "\u{1}", "é", "牌", "\u{e000}", "😀"];
        (0..self.below(4)).map(|_| LETTERS[self.below(12) as usize]).collect()
    }

    fn value(&mut self, depth: u64) -> Json {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => Json::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(1000) as i64 - 500),
            3 => json!(
                [9_007_199_254_740_991_i64, -9_007_199_254_740_991, 4_294_967_296, -1, 65_536]
                    [self.below(5) as usize]
            ),
            4 => json!(self.text()),
            5 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => Json::Object((0..self.below(5)).map(|_| (self.text(), self.value(depth - 1))).collect()),
        }
    }

    /// Another value that is mostly the same.
    fn changed(&mut self, value: &Json) -> Json {
        match value {
            _ if self.below(6) == 0 => self.value(2),
            Json::Array(items) => {
                let mut items: Vec<Json> = items.iter().map(|item| self.changed(item)).collect();
                if self.below(3) == 0 {
                    items.push(self.value(1));
                }
                json!(items)
            }
            Json::Object(map) => {
                let kept = map.iter().filter(|_| self.below(5) > 0).collect::<Vec<_>>();
                let mut map: serde_json::Map<String, Json> =
                    kept.into_iter().map(|(key, value)| (key.clone(), self.changed(value))).collect();
                if self.below(3) == 0 {
                    map.insert(self.text(), self.value(1));
                }
                Json::Object(map)
            }
            same => same.clone(),
        }
    }
}

#[test]
fn views_have_these_hashes() {
    let mut odd = Odd(1);
    let mut views = vec![
        json!({}),
        json!([]),
        json!({"b": 1, "a": {"d": [1, 2], "c": null}}),
        // UTF-8 sorts the last of these after the one before it, UTF-16 does not.
        json!({"\u{7f}": 1, "z": 2, "é": 3, "\u{ffff}": 4, "😀": 5}),
        json!("\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}\"\\/\u{2028}"),
        json!({"large": [9_007_199_254_740_991_u64, -9_007_199_254_740_991_i64, 0]}),
    ];
    views.extend((0..60).map(|_| odd.value(4)));
    let rows: Vec<Json> = views
        .iter()
        .map(|view| json!({"view": view, "canonical": canonical(view), "hash": hash(view)}))
        .collect();
    keep("views", &rows);
}

#[test]
fn patches_lead_from_view_to_view() {
    let mut odd = Odd(2);
    let mut rows = Vec::new();
    while rows.len() < 120 {
        let old = odd.value(4);
        let new = odd.changed(&old);
        let ops = diff(&old, &new);
        assert_eq!(patch(&old, &ops).as_ref(), Some(&new));
        if !ops.is_empty() {
            rows.push(json!({"old": old, "patch": ops, "new": new, "hash": hash(&new)}));
        }
    }
    keep("patches", &rows);
}

#[test]
fn frames_are_written_so() {
    let mut odd = Odd(3);
    let mut rows = Vec::new();
    for n in 0..16 {
        let view = odd.value(4);
        let selector = Selector::pick(odd.text(), vec![Choice::new(odd.text()).id("x".repeat(n * 20))]);
        let request =
            Prompt { input_id: 70_000 * n as u32, kind: PromptKind::Request, selector, until: Some(1 << n) };
        let message = ServerMessage::Snapshot {
            v: 1 << n,
            branch_id: n as u32,
            match_no: 1,
            view_hash: hash(&view),
            view,
            // One list is long enough for a header of its own.
            requests: vec![request; if n == 1 { 17 } else { n % 3 }],
            seats: vec![],
            clocks: Vec::new(),
            commitment: None,
            paused: (n % 2 == 0).then(|| odd.text()),
            over: None,
        };
        let packed: String =
            Codec::MessagePack.encode(&message).iter().map(|byte| format!("{byte:02x}")).collect();
        rows.push(json!({"message": message, "msgpack": packed}));
    }
    keep("frames", &rows);
}

/// The faults that the rules for answers report for each of these, in the same words as the client.
#[test]
fn answers_are_judged_so() {
    let plain = Selector::pick("Pick", vec!["a".into(), "b".into(), "c".into()]);
    let taken = Fault::new("taken", "{who} has it").arg("who", "Bo");
    let mut odd_ones = plain.clone().between(0, 2);
    odd_ones.choices.push(Choice::new("alone").exclusive());
    odd_ones.choices.push(Choice::new("more").extra());
    odd_ones.choices.push(Choice::new("gone").why_not(taken));
    let twins = Selector::pick(
        "Twins",
        vec![Choice::new("Q").id("1"), Choice::new("Q").id("2"), Choice::new("K").id("3"), Choice::new("K")],
    )
    .count(2);
    let nested = Selector::pick(
        "Nested",
        vec![
            Choice::new("Dogma").nest(vec!["Archery".into(), "Wheel".into()], 1, 1),
            Choice::new("Meld").nest(vec![Choice::new("card").id("7"), "other".into()], 0, 2),
            Choice::new("Draw"),
        ],
    );
    let least = Selector { bounds: Bounds { min: Some(2), ..Bounds::default() }, ..plain.clone() };
    let most = Selector { bounds: Bounds { max: Some(2), ..Bounds::default() }, ..plain.clone() };
    let many = Selector { bounds: Bounds { count: Some(9), ..Bounds::default() }, ..plain.clone() };
    let none = Selector { bounds: Bounds { count: Some(0), ..Bounds::default() }, ..plain.clone() };
    let picks = [
        json!([]),
        json!(["a"]),
        json!(["a", "b"]),
        json!(["a", "a"]),
        json!(["a", "b", "c"]),
        json!(["x"]),
        json!(["alone"]),
        json!(["alone", "a"]),
        json!(["alone", "more"]),
        json!(["more"]),
        json!(["gone"]),
        json!(["Q", "Q"]),
        json!(["Q", {"title": "Q", "id": "1"}]),
        json!([{"title": "Q", "id": "1"}, {"title": "Q", "id": "1"}]),
        json!([{"title": "K", "id": "9"}, "K"]),
        json!([{"id": "2"}, {"id": "3"}]),
        json!(["Dogma"]),
        json!(["Draw"]),
        json!([{"title": "Dogma", "selection": ["Wheel"]}]),
        json!([{"title": "Dogma", "selection": ["Wheel", "Archery"]}]),
        json!([{"title": "Dogma", "selection": ["Fire"]}]),
        json!([{"title": "Meld", "selection": [{"title": "card", "id": "7"}, "other"]}]),
        json!([{"title": "Draw", "selection": ["x"]}]),
        json!([{"title": "Meld", "selection": []}, "Draw"]),
    ];
    let mut rows = Vec::new();
    for selector in [plain, odd_ones, twins, nested, least, most, many, none] {
        let judged: Vec<Json> = picks
            .iter()
            .map(|picks| {
                let title = Some(selector.title.clone());
                let answer = Response { actor: None, title, selection: picks.clone() };
                let faults =
                    selector.validate(&answer).err().map(|refusal| refusal.faults).unwrap_or_default();
                let said: Vec<_> =
                    faults.iter().map(|fault| json!([fault.code, fault.to_string()])).collect();
                json!({"picks": picks, "faults": said})
            })
            .collect();
        assert!(
            judged.iter().any(|row| row["faults"] == json!([])),
            "nothing can be said to {}",
            selector.title
        );
        rows.push(json!({"request": selector, "judged": judged}));
    }
    keep("answers", &rows);
}
