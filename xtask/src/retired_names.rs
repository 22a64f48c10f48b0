//! Names that were given up for the usual word: a type, a function, a field or a file that comes back under one of them
//! fails, with the word to use. It reads the code's words, never comments or strings: texts, wire names and SQL keep theirs.
//!
//! A word that means something else in another crate is retired only where it had the old meaning.

use Form::*;

use crate::repo::Repo;
use crate::source::{Source, Token};
use crate::steps::Outcome;

/// How a retired name is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Anywhere in the code.
    Word,
    /// Where a type, trait or alias of this name is declared, or imported `as` it. An enum's variant may have the name.
    Type,
    /// Where a function or method of this name is declared.
    Function,
    /// Where a field of this name is declared `pub`, or read or written after a dot.
    Field,
    /// `Type::name`, both words together.
    Path,
    /// A module's file or folder, by the end of its path below `src` or `tests/it`, without `.rs`.
    File,
}

/// A retired name: its form, the name, what to use, and the folders in which it is retired.
type Row = (Form, &'static str, &'static str, &'static [&'static str]);

/// Every crate and every game.
const ALL: &[&str] = &[""];
const CORE: &[&str] = &["crates/parlor-core"];
const CORE_PLAY: &[&str] = &["crates/parlor-core/src/play"];
const SCRIPT: &[&str] = &["crates/parlor-script"];
const CORE_AND_SCRIPT: &[&str] = &["crates/parlor-core", "crates/parlor-script"];
const WIRE: &[&str] = &["crates/parlor-wire"];
const HOST: &[&str] = &["crates/parlor-host"];
const SERVER: &[&str] = &["crates/parlor-server"];
const SERVER_TABLE: &[&str] = &["crates/parlor-server/src/table"];
const SERVER_HOUSE: &[&str] = &["crates/parlor-server/src/house"];
const SERVER_NET: &[&str] = &["crates/parlor-server/src/net"];
const PROTOCOL: &[&str] = &["crates/parlor-server/src/net/protocol"];
const CONNECTION: &[&str] = &["crates/parlor-server/src/net/connection"];
const WEBSOCKET: &[&str] = &["crates/parlor-server/src/net/websocket"];
/// The store's traits and its drivers.
const STORE: &[&str] = &["crates/parlor-store"];
const SQLITE: &[&str] = &["crates/parlor-store/src/sqlite", "crates/parlor-store-sqlite"];
const RULESET: &[&str] = &["crates/parlor-ruleset"];
const RULESET_EVAL: &[&str] = &["crates/parlor-ruleset/src/machine/eval"];
const RULESET_TESTS: &[&str] = &["crates/parlor-ruleset/tests"];
const TESTKIT: &[&str] = &["crates/parlor-testkit"];
const GAMES: &[&str] = &["games"];
const BATTLE: &[&str] = &["games/battle"];
const POKER: &[&str] = &["games/poker"];
/// All that is written against the contract.
const RULES: &[&str] = &[
    "crates/parlor-core",
    "crates/parlor-script",
    "crates/parlor-ruleset",
    "crates/parlor-testkit",
    "games",
];

/// What the contract is made of.
#[rustfmt::skip]
const CORE_ROWS: &[Row] = &[
    (File, "luck", "rng", ALL),
    (Type, "Luck", "Rng", ALL),
    (Field, "luck", "rng", RULES),
    (Function, "lend", "start_input", CORE),
    (Function, "aside", "for_purpose", CORE),
    (Type, "Out", "Output", RULES),
    (Function, "tell", "emit", CORE_AND_SCRIPT),
    (Function, "bank", "add_time", CORE_AND_SCRIPT),
    (Function, "shown", "mark_revealed", CORE_AND_SCRIPT),
    (Type, "Silent", "NoOutput", ALL),
    (Type, "Told", "OutputBuffer", CORE),
    (File, "erased", "dyn_game", ALL),
    (Type, "Hosted", "DynGame", ALL),
    (Type, "Erased", "GameAdapter", ALL),
    (File, "entry", "game_def", CORE_AND_SCRIPT),
    (Type, "Entry", "GameDef", CORE_AND_SCRIPT),
    (Type, "Maker", "GameFactory", ALL),
    (Function, "standing", "open_asks", CORE_AND_SCRIPT),
    (Type, "Stand", "OpenRequest", CORE),
    (Function, "stands", "open_requests", CORE),
    (Function, "restand", "update", CORE),
    (Field, "stood", "requests_changed", CORE),
    (Function, "say", "to_answer", CORE_AND_SCRIPT),
    (Function, "seen", "view", CORE_AND_SCRIPT),
    (Type, "Seen", "View", ALL),
    (File, "seen", "view", GAMES),
    (Function, "known", "known_facts", CORE_AND_SCRIPT),
    (Function, "holds", "escrow", CORE_AND_SCRIPT),
    (Function, "returns", "refund", CORE_AND_SCRIPT),
    (Function, "tabled", "posted_escrow", CORE_AND_SCRIPT),
    (Type, "Patience", "DisconnectPolicy", ALL),
    (Function, "patience", "disconnect_policy", CORE_AND_SCRIPT),
    (Type, "WhenAway", "OnDisconnect", ALL),
    (Type, "Broken", "BrokenInvariant", CORE),
    (Function, "broken", "broken_invariant", CORE_AND_SCRIPT),
    (Type, "Settle", "Repair", CORE),
    (Function, "settle", "repair", CORE_AND_SCRIPT),
    (Type, "Meant", "DialectAction", ALL),
    (Function, "meant", "interpret", CORE_AND_SCRIPT),
    (Type, "Aside", "JsonText", ALL),
    (Type, "Written", "EncodedRecord", ALL),
    (Function, "enter", "apply_encoded", CORE),
    (Function, "play", "run_rules, or run", CORE_PLAY),
    (File, "play/book", "play/requests", CORE),
    (Type, "Book", "ViewerRequests", CORE),
    (Type, "Books", "Requests", CORE),
    (File, "play/tape", "play/packed_log", CORE),
    (Type, "Tape", "PackedLog", CORE),
    (File, "play/line", "play/history", CORE),
    (Type, "Line", "History", CORE),
    (Function, "line", "rewinds", CORE_PLAY),
    (Type, "Target", "AnswerTarget", CORE_PLAY),
    (Type, "Kind", "AskKind", CORE),
    (Type, "Clock", "TimeLimit", CORE),
    (Field, "no_undo", "final_answer", CORE_AND_SCRIPT),
    (Type, "Place", "StreamKey", CORE),
    (Type, "Went", "MatchResult", CORE),
    (File, "sim/came", "sim/results", CORE),
    (Type, "Came", "SimResults", CORE),
    (Type, "Still", "StuckMatch", CORE),
    (File, "nearest", "suggest, outside core", CORE),
    (Function, "nearest", "suggest, outside core", CORE),
    (Word, "in_world", "as_twin", ALL),
];

/// What clients are told, and the table without I/O.
#[rustfmt::skip]
const WIRE_AND_HOST_ROWS: &[Row] = &[
    (Type, "Names", "AnswerTarget", WIRE),
    (Type, "Answers", "AnswerTarget", HOST),
    (File, "letter", "encoded", WIRE),
    (Type, "Letter", "EncodedMessage", ALL),
    (Function, "asks", "first_request", WIRE),
    (Function, "timed", "has_deadline", WIRE),
    (Function, "ready", "packed_if_ready", WIRE),
    (Type, "Happened", "UpdateBody", WIRE),
    (Type, "Tongue", "DetectDialect", ALL),
    (Word, "tongues", "dialects", ALL),
    (Function, "play", "current_match", HOST),
    (Field, "play", "current", HOST),
    (Function, "settle", "take_effects", HOST),
    (Function, "absorb", "track", HOST),
    (Function, "order", "record_by_house", HOST),
    (Word, "pause_if_unsound", "pause_on_broken_invariant", ALL),
    (Word, "pause_if_broken", "pause_on_rules_panic", ALL),
    (File, "table/release", "table/messages and table/delivery", HOST),
    (Function, "tell", "queue_messages", HOST),
    (Function, "greet", "send_current_state", HOST),
    (Type, "Pending", "AwaitingStore", HOST),
    (Type, "Told", "LastTold", HOST),
    (File, "table/begin", "table/linking", HOST),
    (Type, "House", "TableCarry", HOST),
    (Type, "Append", "RecordWrite", HOST),
    (Path, "Command::Words", "Command::Dialect", ALL),
    (Path, "Note::Stand", "Note::StandIn", ALL),
];

/// Sockets, rooms, tables as tasks, and what is kept of them.
#[rustfmt::skip]
const SERVER_AND_STORE_ROWS: &[Row] = &[
    (File, "speech", "protocol", SERVER),
    (Type, "Speech", "Protocol", SERVER),
    (Function, "hear", "decode", PROTOCOL),
    (Function, "worded", "encode_news", SERVER),
    (Function, "translated", "translate", SERVER),
    (Function, "frame_of", "to_frame", SERVER),
    (Type, "Said", "Decoded", SERVER_NET),
    (Type, "Place", "Location", SERVER_NET),
    (Type, "Heard", "FrameResult", SERVER),
    (Type, "Next", "AfterFrame", SERVER),
    (Function, "tell", "handle", SERVER_TABLE),
    (Function, "mail", "handle_mail", SERVER_TABLE),
    (Function, "tell", "broadcast", SERVER_HOUSE),
    (Function, "tell", "handle", TESTKIT),
    (Function, "tell", "acknowledge", STORE),
    (Function, "submit", "submit_command", CONNECTION),
    (Function, "submit_as", "the command's variant itself", SERVER),
    (File, "storing", "store_queue", SERVER),
    (Type, "Storing", "StoreQueue", SERVER),
    (Function, "word", "ack", SERVER_TABLE),
    (Function, "quiet", "is_idle", SERVER_TABLE),
    (Function, "hand_in", "submit", SERVER_TABLE),
    (Type, "Place", "RecordId", SERVER_TABLE),
    (File, "late", "spectator_delay", SERVER),
    (Type, "Late", "SpectatorDelay", SERVER),
    (File, "said", "chat", SERVER),
    (Type, "Said", "ChatHistory", SERVER_TABLE),
    (File, "coming", "joining", SERVER),
    (File, "hub/order", "hub/create", SERVER),
    (Function, "make", "create_table", SERVER_HOUSE),
    (Type, "Order", "CreateTable", SERVER),
    (Type, "Made", "CreatedTable", SERVER),
    (Function, "try_out", "dry_run_start", SERVER),
    (File, "hub/waking", "hub/resume", SERVER),
    (Function, "at_work", "running", SERVER),
    (Function, "all_at_work", "all_running", SERVER),
    (Function, "take_up", "resume", SERVER),
    (Function, "wake_all", "resume_all", SERVER),
    (Function, "rooms_back", "restore_rooms", SERVER),
    (File, "hub/makers", "hub/quota", SERVER),
    (Type, "Makers", "TableQuota", SERVER),
    (Function, "one_more", "reserve", SERVER),
    (Function, "one_more_by", "reserve_table", SERVER),
    (Function, "room_for_one", "check_capacity", SERVER),
    (Path, "Server::start", "Server::builder", ALL),
    (Function, "speaking", "Server::builder", SERVER),
    (Function, "by_clock", "Server::builder", SERVER),
    (File, "forgotten", "deleted_players", SERVER),
    (File, "staged", "test_tables", SERVER),
    (File, "rest/table", "rest/routes", SERVER),
    (File, "rest/ask", "rest/extract", SERVER),
    (File, "rooms", "room/registry", SERVER),
    (Type, "Plan", "RoomState", SERVER),
    (Type, "Wish", "JoinRequest, QueueRequest or ForkRequest", SERVER),
    (Type, "Kind", "Opcode", WEBSOCKET),
    (Type, "Fault", "ProtocolError", WEBSOCKET),
    (Type, "End", "RecvError", WEBSOCKET),
    (Word, "farewell", "close_sent", SERVER),
    (Type, "Joiner", "MessageAssembler", SERVER),
    (File, "spare", "buffer_pool", SERVER),
    (Type, "Entry", "LogEntry", STORE),
    (Type, "Place", "AppendKind", STORE),
    (Type, "Past", "PlayedMatch", STORE),
    (Type, "Standing", "RatingRow", STORE),
    (Type, "Which", "MatchSelector", STORE),
    (Function, "settle", "configure_writer", SQLITE),
    (Function, "ours", "check_file", SQLITE),
    (Function, "set", "set_pragma", SQLITE),
];

/// Scripts, games and the kit that tests them.
#[rustfmt::skip]
const SCRIPT_AND_GAME_ROWS: &[Row] = &[
    (Type, "Effects", "ScriptOutput", SCRIPT),
    (Function, "entry", "def", SCRIPT),
    (File, "tape", "journal", SCRIPT),
    (Type, "Tape", "SegmentJournal", SCRIPT),
    (File, "wish", "question", SCRIPT),
    (Type, "Wish", "Question", SCRIPT),
    (Type, "Said", "CheckedAnswer", SCRIPT),
    (Type, "Given", "SeatAnswer", SCRIPT),
    (File, "pose", "asking", SCRIPT),
    (File, "desk", "bridge", SCRIPT),
    (Type, "Desk", "Bridge", SCRIPT),
    (Type, "Scene", "SegmentFuture", SCRIPT),
    (Type, "Act", "RunState", SCRIPT),
    (Type, "Place", "CardPosition", SCRIPT),
    (Type, "Said", "LayoutAnswer", BATTLE),
    (Type, "Entry", "SlotAnswer", BATTLE),
    (Type, "Place", "SourcePosition", POKER),
    (Type, "Book", "Interpretation", POKER),
    (Type, "Said", "ScriptedAnswer", TESTKIT),
    (Type, "Told", "TimedCommands", TESTKIT),
];

/// Games as data.
#[rustfmt::skip]
const RULESET_ROWS: &[Row] = &[
    (Field, "p", "program", RULESET),
    (Field, "s", "state", RULESET),
    (Field, "x", "scratch", RULESET),
    (Field, "f", "findings", RULESET),
    (Word, "Draw0", "EndInDraw", RULESET),
    (Function, "seldom", "exec_rare, or eval_rare", RULESET),
    (Function, "composed", "eval_operators", RULESET),
    (Function, "read", "eval_reads", RULESET_EVAL),
    (Function, "loud", "listening_keywords", RULESET),
    (Field, "loud", "listening_keywords", RULESET),
    (Function, "hushed", "nothing_listens", RULESET),
    (Field, "hushed", "nothing_listens", RULESET),
    (Function, "quiet", "has_no_stack", RULESET),
    (Field, "quiet", "has_no_stack", RULESET),
    (Type, "Kin", "TeamRelation", RULESET),
    (Type, "Laid", "ModifierDef", RULESET),
    (Type, "Place", "ZonePosition", RULESET),
    (Type, "Said", "SeatInput", RULESET),
    (Type, "Table", "RulesetGame", RULESET),
    (File, "kin", "team_exprs", RULESET),
    (File, "knobs", "config", RULESET),
    (File, "later", "delayed", RULESET),
    (File, "meant", "implicit_seat", RULESET),
    (File, "spoken", "translations", RULESET),
    (File, "always", "constant_conditions", RULESET),
    (File, "parts", "sections", RULESET),
    (File, "places", "vars_and_zones", RULESET),
    (File, "sound", "invariants", RULESET),
    (File, "act", "board_ops", RULESET),
    (File, "pay", "ending", RULESET),
    (File, "renew", "clone_into", RULESET),
    (File, "fact", "events_kept", RULESET),
    (File, "lasting", "durations", RULESET),
    (File, "near", "suggest", RULESET),
    (File, "table/entry", "game/game_def", RULESET),
    (File, "table/pose", "game/questions", RULESET),
    (File, "table/words", "game/expr_text", RULESET),
    (File, "table/why", "game/reasons", RULESET),
    (File, "table/offer", "game/auto_pass", RULESET),
    (File, "game/pose", "game/questions", RULESET),
    (File, "game/words", "game/expr_text", RULESET),
    (File, "game/why", "game/reasons", RULESET),
    (File, "game/offer", "game/auto_pass", RULESET),
    (File, "slips", "lint_typos", RULESET_TESTS),
    (File, "stumbles", "lint_hints", RULESET_TESTS),
    (File, "quiet", "lint_false_positives", RULESET_TESTS),
    (File, "refused", "checker_errors", RULESET_TESTS),
    (File, "nobody", "implicit_seat", RULESET_TESTS),
    (File, "closer", "item_copies", RULESET_TESTS),
    (File, "finer", "selections", RULESET_TESTS),
    (File, "gaps", "machine_rules", RULESET_TESTS),
    (File, "spans", "durations", RULESET_TESTS),
    (File, "back", "rollback", RULESET_TESTS),
    (File, "bombs", "guardrails", RULESET_TESTS),
    (File, "edges", "size_limits", RULESET_TESTS),
    (File, "sight", "card_knowledge", RULESET_TESTS),
    (File, "looks", "visibility", RULESET_TESTS),
    (File, "later", "delayed_triggers", RULESET_TESTS),
    (File, "told", "event_messages", RULESET_TESTS),
    (File, "sound", "invariants", RULESET_TESTS),
    (File, "spoken", "translations", RULESET_TESTS),
    (File, "small", "harness", RULESET_TESTS),
];

const TABLE: [&[Row]; 5] =
    [CORE_ROWS, WIRE_AND_HOST_ROWS, SERVER_AND_STORE_ROWS, SCRIPT_AND_GAME_ROWS, RULESET_ROWS];

/// Reads every source of crates/ and games/ and the names of their test files.
pub(crate) fn check(repo: &Repo) -> Outcome {
    let (mut faults, mut files) = (Vec::new(), 0);
    for folder in ["crates", "games"] {
        for path in repo.files(folder, &["rs"]) {
            faults.extend(in_file_name(&path));
            if path.contains("/src/") {
                files += 1;
                faults.extend(in_code(&path, &Source::new(&repo.read(&path)?)));
            }
        }
    }
    if faults.is_empty() {
        return Ok(format!("{files} files have no retired name"));
    }
    Err(format!("{} retired names\n{}", faults.len(), faults.join("\n")))
}

/// The rows that speak of a file in this place.
fn rows(path: &str) -> impl Iterator<Item = &'static Row> {
    TABLE.into_iter().flatten().filter(move |(_, _, _, within)| within.iter().any(|w| path.starts_with(w)))
}

fn in_file_name(path: &str) -> Vec<String> {
    let in_tests = path.split_once("/tests/it/");
    let Some((_, module)) = in_tests.or_else(|| path.split_once("/src/")) else { return Vec::new() };
    let module = format!("/{}/", module.trim_end_matches(".rs"));
    let retired = rows(path).filter(|(form, old, _, within)| {
        *form == File
            && module.contains(&format!("/{old}/"))
            && in_tests.is_some() == (*within == RULESET_TESTS)
    });
    retired.map(|(_, old, new, _)| format!("{path}: the file name `{old}` is retired; use {new}")).collect()
}

fn in_code(path: &str, source: &Source) -> Vec<String> {
    let rows: Vec<&Row> = rows(path).filter(|(form, ..)| *form != File).collect();
    let tokens = source.tokens();
    let mut faults = Vec::new();
    for at in 0..tokens.len() {
        for (form, old, new, _) in &rows {
            if is_retired(*form, old, &tokens, at) {
                let line = source.line(tokens[at].at);
                faults.push(format!("{path}:{line}: `{old}` is retired; use {new}"));
            }
        }
    }
    faults
}

/// True if the token at `at` is this name in this form.
fn is_retired(form: Form, name: &str, tokens: &[Token<'_>], at: usize) -> bool {
    let token = |at: usize| tokens.get(at).map_or("", |token| token.text);
    let before = |n: usize| at.checked_sub(n).map_or("", token);
    if form == Path {
        return name.split_once("::") == Some((token(at), token(at + 2))) && token(at + 1) == "::";
    }
    if token(at) != name {
        return false;
    }
    match form {
        Word => true,
        Type => matches!(before(1), "struct" | "enum" | "trait" | "type" | "union" | "as"),
        Function => before(1) == "fn",
        Field => {
            let is_public = before(1) == "pub" || (before(1) == ")" && before(4) == "pub");
            let is_used = before(1) == "." && before(2) != "." && token(at + 1) != "(";
            is_used || (is_public && token(at + 1) == ":")
        }
        Path | File => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check itself, on the sources as they are.
    #[test]
    fn no_retired_name_is_in_use() {
        check(&Repo::here()).unwrap();
    }

    fn found(path: &str, text: &str) -> Vec<String> {
        in_code(path, &Source::new(text))
    }

    /// A place in which a row applies.
    fn place(within: &str) -> String {
        match within {
            "" => "crates/parlor-cli/src/planted.rs".to_string(),
            folder if folder.ends_with("/tests") => format!("{folder}/it/planted.rs"),
            folder if folder.contains("/src/") => format!("{folder}/planted.rs"),
            folder => format!("{folder}/src/planted.rs"),
        }
    }

    /// Every row is planted in every folder it names, and found with its line and the word to use.
    #[test]
    fn every_planted_name_is_found_with_its_line_and_the_word_to_use() {
        for (form, old, new, within) in TABLE.into_iter().flatten() {
            for path in within.iter().map(|w| place(w)) {
                if *form == File {
                    let path = path.replace("planted", old);
                    let message = format!("{path}: the file name `{old}` is retired; use {new}");
                    assert!(in_file_name(&path).contains(&message), "{path}");
                    continue;
                }
                let code = match form {
                    Word => format!("let a = b.{old}(c);"),
                    Type => format!("pub(crate) struct {old} {{ a: u8 }}"),
                    Function => format!("pub(super) async fn {old}(&self) {{}}"),
                    Field => format!("let a = self.b.{old}.len();"),
                    Path | File => format!("match a {{ {old} => 1 }}"),
                };
                let message = format!("{path}:3: `{old}` is retired; use {new}");
                assert!(found(&path, &format!("use a;\n\n{code}\n")).contains(&message), "{path}: {code}");
            }
        }
    }

    #[test]
    fn comments_and_strings_may_have_the_name() {
        let text =
            "// struct Luck\n/// [`in_world`]\n/* tongues */\nconst A: &str = \"struct Luck { in_world }\";";
        assert_eq!(found("crates/parlor-core/src/a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn a_whole_word_is_meant() {
        let text = "struct Lucky; fn in_world_two() {} struct MyLuck; fn tell_all() {}";
        assert_eq!(found("crates/parlor-core/src/a.rs", text), Vec::<String>::new());
    }

    #[test]
    fn a_type_is_retired_and_a_variant_is_not() {
        let path = "crates/parlor-core/src/a.rs";
        assert_eq!(found(path, "enum Why { Broken(u8), Line }\nlet a = Why::Line;"), Vec::<String>::new());
        assert_eq!(found(path, "use b::History as Line;").len(), 1);
        assert_eq!(found(path, "pub trait Hosted {}\npub type Aside = u8;").len(), 2);
    }

    #[test]
    fn a_field_is_retired_and_a_local_is_not() {
        let path = "crates/parlor-host/src/a.rs";
        for text in ["self.play = a;", "pub play: Match,", "pub(crate) play: Match,", "(a.play)"] {
            assert_eq!(found(path, text).len(), 1, "{text}");
        }
        for text in ["let play = a;", "a(0..play)", "a.play()", "mod play; use a::play::b;"] {
            assert_eq!(found(path, text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn an_ordinary_word_is_retired_only_where_it_had_the_old_meaning() {
        assert_eq!(found("crates/parlor-core/src/a.rs", "struct Line;").len(), 1);
        assert_eq!(found("crates/parlor-server/src/house/queue.rs", "struct Line;"), Vec::<String>::new());
        assert_eq!(found("games/battle/src/a.rs", "struct Entry;").len(), 1);
        assert_eq!(found("games/poker/src/a.rs", "struct Entry;"), Vec::<String>::new());
    }

    #[test]
    fn files_are_known_by_the_end_of_their_path_and_by_their_folder() {
        let is_retired = |path: &str| !in_file_name(path).is_empty();
        assert!(is_retired("crates/parlor-core/src/luck.rs") && is_retired("games/a/src/luck/mod.rs"));
        assert!(is_retired("crates/parlor-server/src/house/hub/order.rs"));
        assert!(!is_retired("crates/parlor-server/src/house/order.rs"));
        assert!(
            !is_retired("crates/parlor-core/src/good_luck.rs") && !is_retired("crates/parlor-core/luck.rs")
        );
        assert!(is_retired("crates/parlor-ruleset/tests/it/slips.rs"));
        assert!(!is_retired("crates/parlor-core/tests/it/slips.rs"));
        assert!(!is_retired("crates/parlor-server/tests/it/rooms.rs"));
    }
}
