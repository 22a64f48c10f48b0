//! Views, their hashes and their differences.

use parlor_core::limits::depth;
use parlor_core::view::{canonical, diff, has_fraction, hash, patch};
use serde_json::json;

#[test]
fn canonical_json_sorts_its_keys_and_has_no_spaces() {
    // cites 000/R4
    let view = json!({"b": 1, "a": {"d": [1, 2], "c": null}});
    assert_eq!(canonical(&view), r#"{"a":{"c":null,"d":[1,2]},"b":1}"#);
    assert_eq!(hash(&json!({})), "44136fa355b3678a", "the first 16 digits of SHA-256 over {{}}");
    assert_ne!(hash(&view), hash(&json!({"b": 2})));
}

#[test]
fn a_patch_turns_the_old_view_into_the_new_one() {
    let views = [
        json!({"a": 1, "list": [1, 2, 3], "x": null}),
        json!({"a": 2, "list": [1, 2, 3, 4], "x": {"deep/er": {"~": 1}}}),
        json!({"list": [9, 2, 3, 4], "x": {"deep/er": {"~": 2, "new": []}}}),
        json!({"list": [2], "x": null}),
        json!({"list": [], "x": null, "a": [null]}),
        json!([1]),
    ];
    for old in &views {
        for new in &views {
            let ops = diff(old, new);
            assert_eq!(patch(old, &ops).as_ref(), Some(new), "{ops:?}");
            assert_eq!(ops.is_empty(), old == new);
        }
    }
}

#[test]
fn a_patch_that_does_not_fit_is_noticed() {
    assert_eq!(patch(&json!({}), &[json!({"op": "replace", "path": "/a/b", "value": 1})]), None);
    assert_eq!(patch(&json!([1]), &[json!({"op": "replace", "path": "/7", "value": 1})]), None);
}

#[test]
fn fractions_are_found_wherever_they_hide() {
    assert!(has_fraction(&json!({"a": [{"b": 0.5}]})));
    assert!(!has_fraction(&json!({"a": [1, -1, u64::MAX]})));
}

#[test]
fn depth_is_counted_up_to_the_limit() {
    assert_eq!(depth(&json!(1), 9), 0);
    assert_eq!(depth(&json!({"a": [1]}), 9), 2);
    let deep = (0..1000).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(depth(&deep, 16), 17, "it does not walk on past the limit");
}
