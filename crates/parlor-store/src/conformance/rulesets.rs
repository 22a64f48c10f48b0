//! Published rulesets: versions that never change, and names that belong to their first author.

use crate::error::WriteError;
use crate::id::PlayerId;
use crate::rulesets::{RulesetState, RulesetVersion};
use crate::store::Store;
use crate::write::Write;

use super::{Rig, player};

fn version(name: &str, number: u32, author: Option<&str>, text: &str) -> RulesetVersion {
    let mut identity = [0; 32];
    identity[..text.len()].copy_from_slice(text.as_bytes());
    RulesetVersion {
        name: name.to_owned(),
        version: number,
        identity,
        author: author.map(player),
        title: name.to_uppercase(),
        text: text.to_owned(),
        at_ms: u64::from(number),
    }
}

fn publish(store: &dyn Store, version: RulesetVersion) -> Result<u64, WriteError> {
    store.write(Write::Ruleset(version))
}

/// Every version is kept as it was published; a list shows the newest of each ruleset.
pub fn every_version_of_a_ruleset_is_kept(rig: &mut dyn Rig) {
    let store = rig.store();
    for (name, number, text) in [("duel", 1, "a"), ("duel", 2, "b"), ("auction", 1, "c"), ("duel", 3, "a")] {
        assert_eq!(publish(&*store, version(name, number, Some("ann"), text)), Ok(0));
    }
    drop(store);
    rig.crash();
    let store = rig.store();
    let listed = |after| {
        let rows = store.rulesets(after, 9).expect("they can be read");
        rows.into_iter().map(|row| (row.name, row.version, row.title)).collect::<Vec<_>>()
    };
    let (auction, duel) = (("auction".into(), 1, "AUCTION".into()), ("duel".into(), 3, "DUEL".into()));
    assert_eq!(listed(None), [auction, duel.clone()]);
    assert_eq!(listed(Some("auction")), [duel]);
    assert_eq!(store.rulesets(None, 1).expect("they can be read").len(), 1);
    assert_eq!(store.ruleset("duel").expect("it can be read").map(|row| row.version), Some(3));
    assert_eq!(store.ruleset("none"), Ok(None));
    assert_eq!(store.ruleset_version("duel", 2), Ok(Some(version("duel", 2, Some("ann"), "b"))));
    assert_eq!(store.ruleset_version("duel", 4), Ok(None));
    let of = |text| {
        let identity = version("duel", 1, None, text).identity;
        store.ruleset_of("duel", &identity).expect("it can be read").map(|found| found.version)
    };
    assert_eq!((of("a"), of("b"), of("c")), (Some(3), Some(2), None), "the newest with these rules");
    let since = |at_ms| store.ruleset_versions_since(&player("ann"), at_ms);
    assert_eq!((since(0), since(2), since(4)), (Ok(4), Ok(2), Ok(0)));
}

/// A name belongs to the author of its first version; a version that is stored never changes; none is left out.
pub fn a_ruleset_is_one_authors_and_its_versions_never_change(rig: &mut dyn Rig) {
    let store = rig.store();
    let first = version("duel", 1, Some("ann"), "a");
    assert_eq!(publish(&*store, first.clone()), Ok(0));
    assert_eq!(publish(&*store, RulesetVersion { at_ms: 99, ..first.clone() }), Ok(0), "a retry");
    assert_eq!(store.ruleset_version("duel", 1), Ok(Some(first)), "… which changes nothing");
    assert_eq!(
        publish(&*store, version("duel", 1, Some("ann"), "b")),
        Err(WriteError::KeyReused("version".to_owned()))
    );
    for author in [Some("bob"), None] {
        assert_eq!(publish(&*store, version("duel", 2, author, "b")), Err(WriteError::NameTaken));
    }
    let gap = publish(&*store, version("duel", 3, Some("ann"), "b"));
    assert!(matches!(gap, Err(WriteError::Malformed(_))), "{gap:?}");
    let unnamed = publish(&*store, version("", 1, Some("ann"), "b"));
    assert!(matches!(unnamed, Err(WriteError::Malformed(_))), "{unnamed:?}");
    assert_eq!(store.ruleset("duel").expect("it can be read").map(|row| row.version), Some(1));
    let house: Option<PlayerId> = None;
    assert_eq!(publish(&*store, version("house", 1, None, "a")), Ok(0));
    assert_eq!(store.ruleset("house").expect("it can be read").map(|row| row.author), Some(house));
}

/// A withdrawn ruleset is listed again by its next version, one that was taken down is not. All versions stay.
pub fn a_ruleset_is_withdrawn_or_taken_down(rig: &mut dyn Rig) {
    let set =
        |rig: &dyn Rig, state| rig.store().write(Write::RulesetState { name: "duel".to_owned(), state });
    let state = |rig: &dyn Rig| rig.store().ruleset("duel").expect("it can be read").map(|row| row.state);
    assert_eq!(set(rig, RulesetState::Withdrawn), Err(WriteError::Unknown));
    let next = |rig: &dyn Rig, number| publish(&*rig.store(), version("duel", number, Some("ann"), "a"));
    assert_eq!(next(rig, 1), Ok(0));
    assert_eq!(state(rig), Some(RulesetState::Listed));
    assert_eq!(set(rig, RulesetState::Withdrawn), Ok(0));
    rig.crash();
    assert_eq!(state(rig), Some(RulesetState::Withdrawn));
    assert!(rig.store().ruleset_version("duel", 1).expect("it can be read").is_some());
    assert_eq!(next(rig, 1), Ok(0), "a retry of the first version …");
    assert_eq!(state(rig), Some(RulesetState::Withdrawn), "… lists nothing");
    assert_eq!(next(rig, 2), Ok(0));
    assert_eq!(state(rig), Some(RulesetState::Listed));
    assert_eq!(set(rig, RulesetState::TakenDown), Ok(0));
    assert_eq!(next(rig, 3), Ok(0));
    rig.crash();
    assert_eq!(state(rig), Some(RulesetState::TakenDown));
    assert_eq!(set(rig, RulesetState::Listed), Ok(0));
    assert_eq!(state(rig), Some(RulesetState::Listed));
}
