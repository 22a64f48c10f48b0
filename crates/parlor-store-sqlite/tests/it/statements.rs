//! Statements and holds as the file has them.

use parlor_store::conformance::{append, chips, fund, hold, open as open_match, player, purse, table};
use parlor_store::{Accounts, Append, MatchLog, Write};

use crate::bench::{Folder, bench, number, open, raw};

/// Schema 3, with a table that was swept before there were statements: 500 and 300 went to it, 800 came back.
const SWEPT: &str = "
    INSERT INTO account VALUES (1, 'mint', 'chips', -1000), (2, 'player:ann', 'chips', 1000), (3, 'table:gone', 'chips', 0);
    INSERT INTO posting VALUES (1, 'k/welcome', 10), (2, 't/7/0', 20), (3, 't/7/5', 30);
    INSERT INTO leg VALUES (1, 0, 1, 2, 1000), (2, 0, 2, 3, 500), (2, 1, 2, 3, 300), (3, 0, 3, 2, 800);
    PRAGMA application_id = 1346458188; PRAGMA user_version = 3;";

#[test]
fn the_step_from_schema_3_keeps_every_line_and_the_names_of_swept_tables() {
    let folder = Folder::new();
    let path = folder.file("v3.sqlite");
    let layout = ["v1.sql", "v2.sql", "people.sql"];
    let folder_of_schemas = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema");
    for step in layout {
        let sql = std::fs::read_to_string(folder_of_schemas.join(step)).expect("it is there");
        raw(&path).execute_batch(&sql).expect("it is SQL");
    }
    raw(&path).execute_batch(SWEPT).expect("it is SQL");
    let store = open(&path);
    let lines = store.statement(&purse("ann"), None, None, 9).expect("it can be read");
    let told: Vec<_> =
        lines.iter().map(|line| (line.at_ms, line.change, line.balance, line.table.clone())).collect();
    let gone = Some(table("gone"));
    let expected = [
        (30, 800, 1000, gone.clone()),
        (20, -300, 200, gone.clone()),
        (20, -500, 500, gone),
        (10, 1000, 1000, None),
    ];
    assert_eq!(told, expected);
    assert_eq!((store.audit(), store.integrity()), (Ok(Vec::new()), Ok(Vec::new())));
}

#[test]
fn a_spent_hold_leaves_nothing_in_the_list_of_holds() {
    let bench = bench();
    fund(&*bench.store, "ann", 1_000);
    for n in 0..50 {
        let name = hold(&format!("h{n}"));
        bench.store.write(Write::hold(&name, &player("ann"), &chips(), 10, 0)).expect("there is enough");
        assert_eq!(number(&bench.path, "SELECT count(*) FROM open_hold"), 1);
        let release = Write::Release { hold: name, currency: chips(), to: purse("ann"), at_ms: 0 };
        bench.store.write(release).expect("it is released");
    }
    assert_eq!(number(&bench.path, "SELECT count(*) FROM open_hold"), 0);
}

#[test]
fn wrong_lines_and_a_wrong_list_of_holds_are_found_by_the_audit() {
    let bench = bench();
    fund(&*bench.store, "ann", 100);
    let ask = Write::hold(&hold("h"), &player("ann"), &chips(), 40, 0);
    bench.store.write(ask).expect("there is enough");
    assert_eq!(bench.store.audit(), Ok(Vec::new()));
    let forge = |sql: &str, back: &str, found: &str| {
        raw(&bench.path).execute(sql, []).expect("it can be forged");
        assert_eq!(bench.store.audit(), Ok(vec![found.to_owned()]));
        raw(&bench.path).execute(back, []).expect("it can be undone");
        assert_eq!(bench.store.audit(), Ok(Vec::new()));
    };
    forge(
        "UPDATE leg SET from_after = from_after + 1 WHERE posting_no = 2",
        "UPDATE leg SET from_after = from_after - 1 WHERE posting_no = 2",
        "a line of posting 2 has a wrong balance",
    );
    forge(
        "UPDATE open_hold SET account_no = -account_no",
        "UPDATE open_hold SET account_no = -account_no",
        "hold:h has 40 chips; the list of holds says otherwise",
    );
    raw(&bench.path).execute("UPDATE account SET balance = 41 WHERE owner = 'hold:h'", []).expect("forged");
    let faults = ["hold:h has 41 chips; the journal says 40", "all accounts together have 1 chips"];
    assert_eq!(bench.store.audit(), Ok(faults.map(str::to_owned).to_vec()));
}

#[test]
fn an_append_that_moves_nothing_touches_no_book() {
    let bench = bench();
    bench.store.append(Append { at_ms: 1, ..append("t", 0, vec![open_match(1)]) }).expect("it is new");
    for book in ["account", "posting", "leg", "open_hold", "swept_table"] {
        assert_eq!(number(&bench.path, &format!("SELECT count(*) FROM {book}")), 0, "{book}");
    }
}
