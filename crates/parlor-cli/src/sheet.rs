//! A ruleset's table as text, in its author's words: what lies where, what things are called, and the lines of the log.
//!
//! It goes by the ruleset's sheet, as the screens do: `ui`, labels, roles of zones, `ui.log` of events.

use parlor_core::{GameDef, Json};

/// A line breaks after so many characters.
const LINE_CHARS: usize = 100;

/// What nobody needs to read: the table shows it.
const SILENT: [&str; 12] = [
    "StepStart",
    "StepEnd",
    "PhaseChanged",
    "TurnEnded",
    "CardCreated",
    "GameEnded",
    "priority.changed",
    "changed",
    "pass_until",
    "answered",
    "drafted",
    "present",
];

/// Fields of events that hold a seat as a number.
const SEATS: [&str; 4] = ["seat", "fromSeat", "toSeat", "controller"];

/// What never changes at a table of a ruleset.
#[derive(Clone, Debug)]
pub(crate) struct Sheet(Json);

impl Sheet {
    /// The sheet of a game that is a ruleset.
    pub(crate) fn of(def: &GameDef) -> Option<Self> {
        def.sheet().filter(|sheet| sheet["zones"].is_array()).map(Self)
    }

    // ---- names ----

    fn entry(&self, section: &str, id: &str) -> &Json {
        let list = self.0[section].as_array().map_or(&[][..], Vec::as_slice);
        list.iter().find(|entry| entry["id"] == id).unwrap_or(&Json::Null)
    }

    fn label(&self, section: &str, id: &str) -> String {
        let label = self.entry(section, id)["label"].as_str();
        label.map_or_else(|| words(id), str::to_owned)
    }

    fn step(&self, id: &str) -> String {
        let phases = self.0["phases"].as_array().map_or(&[][..], Vec::as_slice);
        let mut steps = phases.iter().filter_map(|phase| phase["steps"].as_array()).flatten();
        let label = steps.find(|step| step["id"] == id).and_then(|step| step["label"].as_str());
        label.map_or_else(|| words(id), str::to_owned)
    }

    fn title(&self, card: &str) -> String {
        self.0["cards"][card]["title"].as_str().unwrap_or(card).to_owned()
    }

    /// A value of an attribute or a variable, in words.
    fn value(&self, def: &Json, value: &Json, names: &[String]) -> String {
        match value {
            Json::Null => "-".to_owned(),
            Json::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
            Json::String(text) => {
                let ty = def["type"].as_str().unwrap_or_default();
                self.0["enums"][ty][text].as_str().unwrap_or(text).to_owned()
            }
            Json::Object(_) => self.thing(value, names),
            other => match (def["ui"]["from"].as_i64(), other.as_i64()) {
                (Some(from), Some(n)) => n.saturating_add(from).to_string(),
                _ => other.to_string(),
            },
        }
    }

    fn thing(&self, value: &Json, names: &[String]) -> String {
        match (value["seat"].as_u64(), value["card"].as_str()) {
            (Some(seat), _) => name(seat, names),
            (None, Some(card)) => self.title(card),
            (None, None) => "a card".to_owned(),
        }
    }

    // ---- the table ----

    /// What a viewer sees, on one screen: the others above, what is shared in the middle, their own below.
    pub(crate) fn view(&self, view: &Json, names: &[String]) -> String {
        let mut text = String::new();
        self.turn(view, names, &mut text);
        let players = view["players"].as_array().map_or(&[][..], Vec::as_slice);
        let own = view["you"].as_u64();
        for (seat, player) in players.iter().enumerate().filter(|(seat, _)| Some(*seat as u64) != own) {
            self.player(seat as u64, player, names, &mut text);
        }
        self.middle(view, names, &mut text);
        if let Some(player) = own.and_then(|seat| players.get(seat as usize)) {
            self.player(own.unwrap_or_default(), player, names, &mut text);
        }
        text
    }

    fn turn(&self, view: &Json, names: &[String], text: &mut String) {
        let turn = &view["turn"];
        let Some(active) = turn["activePlayer"].as_u64() else { return };
        let step = turn["step"].as_str().map_or(String::new(), |step| format!(", {}", self.step(step)));
        let line = format!("Turn {} of {}{step}", turn["turnNumber"], name(active, names));
        put(text, "", &[line]);
    }

    fn middle(&self, view: &Json, names: &[String], text: &mut String) {
        let stack = view["stack"].as_array().map_or(&[][..], Vec::as_slice);
        for item in stack.iter().rev() {
            let aims = item["targets"].as_array().map_or(&[][..], Vec::as_slice).iter();
            let aims: Vec<String> = aims.skip(1).map(|aim| self.thing(aim, names)).collect();
            let at = if aims.is_empty() { String::new() } else { format!(" at {}", aims.join(", ")) };
            let whose = item["controller"]["seat"]
                .as_u64()
                .map_or(String::new(), |seat| format!(" ({})", name(seat, names)));
            let gone = if item["countered"] == true { ", countered" } else { "" };
            put(text, "", &[format!("waits: {}{at}{whose}{gone}", item["title"].as_str().unwrap_or("?"))]);
        }
        let vars = self.vars(&view["vars"], "game", names);
        let (counts, rows) = self.zones(&view["zones"], "game", names);
        let line: Vec<String> = vars.into_iter().chain(counts).collect();
        if !line.is_empty() {
            put(text, "", &line);
        }
        for (label, cards) in rows {
            put(text, &format!("{label}: "), &cards);
        }
        for team in view["teams"].as_array().map_or(&[][..], Vec::as_slice) {
            let vars = self.vars(&team["vars"], "", names);
            if !vars.is_empty() {
                put(text, &format!("{}: ", team["name"].as_str().unwrap_or("?")), &vars);
            }
        }
    }

    fn player(&self, seat: u64, player: &Json, names: &[String], text: &mut String) {
        let (counts, rows) = self.zones(&player["zones"], "player", names);
        let mut line = self.vars(&player["vars"], "player", names);
        line.extend(counts);
        if player["lost"] == true {
            line.insert(0, "has lost".to_owned());
        }
        put(text, &format!("{}: ", name(seat, names)), &line);
        for (label, cards) in rows {
            put(text, &format!("  {label}: "), &cards);
        }
    }

    fn vars(&self, values: &Json, owner: &str, names: &[String]) -> Vec<String> {
        let defs = self.0["vars"].as_array().map_or(&[][..], Vec::as_slice);
        let mut all = Vec::new();
        for def in defs.iter().filter(|def| owner.is_empty() || def["owner"] == owner) {
            let id = def["id"].as_str().unwrap_or_default();
            let Some(value) = values.get(id).filter(|_| def["ui"]["hidden"] != true) else { continue };
            let label = def["label"].as_str().map_or_else(|| words(id), str::to_owned);
            if let Some(parts) =
                value.as_object().filter(|_| value.get("card").is_none() && value.get("seat").is_none())
            {
                let each =
                    parts.iter().map(|(name, value)| format!("{name} {}", self.value(def, value, names)));
                all.push(format!("{label} ({})", each.collect::<Vec<_>>().join(", ")));
                continue;
            }
            let most = def["ui"]["of"].as_str().and_then(|other| values.get(other));
            let most = most.map_or(String::new(), |most| format!("/{}", self.value(def, most, names)));
            all.push(format!("{label} {}{most}", self.value(def, value, names)));
        }
        all
    }

    /// The zones of somebody: those that are counted, and those whose cards lie side by side.
    fn zones(
        &self,
        zones: &Json,
        owner: &str,
        names: &[String],
    ) -> (Vec<String>, Vec<(String, Vec<String>)>) {
        let (mut counts, mut rows) = (Vec::new(), Vec::new());
        for def in self.0["zones"].as_array().map_or(&[][..], Vec::as_slice) {
            let id = def["id"].as_str().unwrap_or_default();
            let Some(zone) = zones.get(id).filter(|_| def["owner"] == owner) else { continue };
            let label = self.label("zones", id);
            let cards = zone["cards"].as_array().map_or(&[][..], Vec::as_slice);
            let shown = !matches!(def["role"].as_str(), Some("deck" | "pile")) && zone.get("cards").is_some();
            match (shown, cards.is_empty(), zone["count"].as_u64()) {
                (true, false, _) => {
                    rows.push((label, cards.iter().map(|card| self.card(card, owner, names)).collect()));
                }
                (true, true, _) => {}
                (false, _, Some(count)) => counts.push(format!("{label} {count}")),
                (false, ..) => {}
            }
        }
        (counts, rows)
    }

    /// A card as one reads it: title, cost, big values, and whatever else is to be seen on it.
    fn card(&self, card: &Json, owner: &str, names: &[String]) -> String {
        let Some(id) = card["card"].as_str() else { return "a card".to_owned() };
        let printed = &self.0["cards"][id];
        let (mut cost, mut stats, mut facts) = (String::new(), Vec::new(), Vec::new());
        for def in self.0["attributes"].as_array().map_or(&[][..], Vec::as_slice) {
            let attr = def["id"].as_str().unwrap_or_default();
            let now = card.get(attr);
            let Some(value) = now.or_else(|| printed["attrs"].get(attr)) else { continue };
            let said = self.value(def, value, names);
            let label = self.label("attributes", attr);
            let set = !matches!(value, Json::Null | Json::Bool(false)) && *value != 0;
            match def["ui"]["as"].as_str() {
                Some("cost") => cost = format!(" [{said}]"),
                Some("stat")
                    if set || printed["attrs"].get(attr).is_some_and(|printed| !printed.is_null()) =>
                {
                    stats.push(said);
                }
                Some("hidden" | "type" | "stat") => {}
                _ if !set => {}
                // What is printed is in the title, unless its author wants it to be read.
                None if now.is_none() => {}
                _ if *value == true => facts.push(label.to_lowercase()),
                _ => facts.push(format!("{} {said}", label.to_lowercase())),
            }
        }
        // Cards without big values have zeros there.
        let stats = if stats.iter().all(|stat| stat == "0") {
            String::new()
        } else {
            format!(" {}", stats.join("/"))
        };
        for keyword in card["keywords"].as_array().map_or(&[][..], Vec::as_slice) {
            facts.push(self.label("keywords", keyword.as_str().unwrap_or_default()).to_lowercase());
        }
        for (counter, n) in card["counters"].as_object().into_iter().flatten() {
            facts.push(format!("{n} {}", self.label("counters", counter).to_lowercase()));
        }
        if card["faceDown"] == true {
            facts.push("face down".to_owned());
        }
        if let Some(cell) = card["cell"].as_u64() {
            facts.push(format!("cell {cell}"));
        }
        if let Some(by) = card["by"].as_u64().filter(|_| owner == "game") {
            facts.push(name(by, names));
        }
        let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
        format!("{}{cost}{stats}{facts}", self.title(id))
    }

    // ---- the log ----

    /// An event as a line of the log; nothing for what nobody needs to read.
    pub(crate) fn event(&self, event: &Json, names: &[String]) -> Option<String> {
        let ty = event["type"].as_str()?;
        if SILENT.contains(&ty) {
            return None;
        }
        let same = |id: &str| id.replace(['_', '-'], "").eq_ignore_ascii_case(&ty.replace(['_', '-'], ""));
        let actions = self.0["actions"].as_array().map_or(&[][..], Vec::as_slice);
        let action = actions.iter().find(|action| action["id"].as_str().is_some_and(same));
        let status = event["status"].as_str().unwrap_or_default();
        // What is put onto the stack is told when it is put there, everything else when it happens.
        if status == "prevented" || (action.is_some() == (status != "pending")) {
            return None;
        }
        let payload = &event["payload"];
        let log = &self.entry("events", ty)["ui"]["log"];
        if *log == false {
            return None;
        }
        if let Some(line) = log.as_str() {
            return Some(self.filled(line, payload, names));
        }
        match ty {
            "TurnStarted" => {
                Some(format!("Turn {}: {}", payload["turn"], self.word("seat", &payload["seat"], names)))
            }
            "ZoneMoved" => self.moved(payload, names),
            "EventPrevented" => {
                let what = event["title"]
                    .as_str()
                    .map_or_else(|| words(payload["eventType"].as_str().unwrap_or("it")), str::to_owned);
                let by =
                    event["counteredBy"]["title"].as_str().map_or(String::new(), |by| format!(" by {by}"));
                Some(format!("{what} is prevented{by}"))
            }
            "Verdict" => {
                let more = [&payload["at"], &payload["why"]].into_iter().filter_map(Json::as_str);
                let more: Vec<&str> = more.collect();
                let verdict = payload["verdict"].as_str().unwrap_or("?");
                Some(format!("Stopped: {verdict} {}", more.join(": ")).trim_end().to_owned())
            }
            _ => {
                let label = action.and_then(|action| action["label"].as_str());
                let label = label.map_or_else(|| words(ty), str::to_owned);
                Some(self.told(&label, payload, names))
            }
        }
    }

    /// An event without a line of its author: its name and what it carries.
    fn told(&self, label: &str, payload: &Json, names: &[String]) -> String {
        let fields = || payload.as_object().into_iter().flatten().filter(|(field, _)| *field != "seat");
        let rest: Vec<String> = fields()
            .map(|(field, value)| self.word(field, value, names))
            .filter(|word| !word.is_empty())
            .collect();
        let rest = if rest.is_empty() { String::new() } else { format!(": {}", rest.join(", ")) };
        match self.word("seat", &payload["seat"], names) {
            who if who.is_empty() => format!("{label}{rest}"),
            who => format!("{who}: {label}{rest}"),
        }
    }

    fn moved(&self, payload: &Json, names: &[String]) -> Option<String> {
        let role = |side: &str| {
            payload[side].as_str().map(|id| self.entry("zones", id)["role"].as_str().unwrap_or("row"))
        };
        let (from, to) = (role("from")?, role("to")?);
        if from == "stack" || to == "stack" || (from == "pile" && to == "deck") {
            return None;
        }
        let card =
            payload["card"]["card"].as_str().map_or_else(|| "a card".to_owned(), |card| self.title(card));
        let seat = if payload["toSeat"].is_null() { &payload["fromSeat"] } else { &payload["toSeat"] };
        let who = match self.word("seat", seat, names) {
            who if who.is_empty() => who,
            who => format!("{who}: "),
        };
        let zone = self.label("zones", payload["to"].as_str().unwrap_or_default());
        Some(if from == "deck" && to == "hand" {
            format!("{who}draws {card}")
        } else {
            format!("{who}{card} → {zone}")
        })
    }

    fn word(&self, field: &str, value: &Json, names: &[String]) -> String {
        match value {
            Json::Null => String::new(),
            Json::Bool(truth) => if *truth { "yes" } else { "no" }.to_owned(),
            Json::Number(number) if SEATS.contains(&field) => {
                number.as_u64().map_or(String::new(), |seat| name(seat, names))
            }
            Json::String(text) => text.clone(),
            Json::Object(_) => self.thing(value, names),
            other => other.to_string(),
        }
    }

    /// A line of the author with its holes filled.
    fn filled(&self, line: &str, payload: &Json, names: &[String]) -> String {
        let mut text = line.to_owned();
        for (field, value) in payload.as_object().into_iter().flatten() {
            let word = match self.word(field, value, names) {
                word if word.is_empty() => "nothing".to_owned(),
                word => word,
            };
            text = text.replace(&format!("{{{field}}}"), &word);
        }
        text
    }
}

fn name(seat: u64, names: &[String]) -> String {
    let named = usize::try_from(seat).ok().and_then(|seat| names.get(seat)).filter(|name| !name.is_empty());
    named.cloned().unwrap_or_else(|| format!("Player {seat}"))
}

/// A name of the rules as people write it: `declare_attackers`, `CardDrawn`.
fn words(id: &str) -> String {
    let mut text = String::new();
    for (n, c) in id.chars().enumerate() {
        match c {
            '_' | '-' => text.push(' '),
            c if c.is_uppercase() && n > 0 => text.extend(std::iter::once(' ').chain(c.to_lowercase())),
            c if n == 0 => text.extend(c.to_uppercase()),
            c => text.push(c),
        }
    }
    text
}

/// A line of parts with commas between them, broken where it grows too long.
fn put(text: &mut String, head: &str, parts: &[String]) {
    let indent = head.chars().take_while(|c| *c == ' ').count();
    let mut line = format!("  {head}");
    for (n, part) in parts.iter().enumerate() {
        let sign = if n == 0 { "" } else { ", " };
        if n > 0 && line.chars().count() + sign.len() + part.chars().count() >= LINE_CHARS {
            text.push_str(&line);
            text.push_str(",\n");
            line = format!("{}{part}", " ".repeat(indent + 6));
        } else {
            line.push_str(sign);
            line.push_str(part);
        }
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_rules_are_written_as_people_write_them() {
        assert_eq!(
            (words("declare_attackers").as_str(), words("CardDrawn").as_str()),
            ("Declare attackers", "Card drawn")
        );
    }

    #[test]
    fn a_long_line_is_broken_between_its_parts() {
        let mut text = String::new();
        put(&mut text, "  hand: ", &vec!["a card of some length".to_owned(); 6]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(
            lines.iter().all(|line| line.chars().count() <= LINE_CHARS)
                && lines[1].starts_with("        a card")
        );
    }
}
