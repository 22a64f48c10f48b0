//! Views, their hashes and their differences.

use parlor_core::limits::depth;
use parlor_core::view::{canonical, changes, diff, has_fraction, hash, patch};
use parlor_core::{Rng, Unpacked, ViewText};
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

/// Texts and numbers that canonical JSON writes in more than one way, or that look like its own marks.
fn leaves() -> Vec<serde_json::Value> {
    let texts = ["", "a", "a\"b", "back\\n", "new\nline", "\u{1}", "]}", ",:", "ä東", "null", "12"];
    let numbers = [json!(0), json!(7), json!(70), json!(-7), json!(u64::MAX), json!(i64::MIN), json!(0.5)];
    let plain = [json!(null), json!(true), json!(false), json!([]), json!({})];
    texts.map(|text| json!(text)).into_iter().chain(numbers).chain(plain).collect()
}

/// Some value: the same number, the same value.
fn grown(rng: &mut Rng, depth: u32) -> serde_json::Value {
    let leaves = leaves();
    match rng.below(if depth == 0 { 1 } else { 3 }) {
        0 => leaves[rng.below(leaves.len() as u32) as usize].clone(),
        1 => (0..rng.below(4)).map(|_| grown(rng, depth - 1)).collect(),
        _ => {
            let keys = ["a", "aa", "b", "a/b", "~", "q\"", "e\\", "é", ""];
            let entries = (0..rng.below(5)).map(|_| {
                let key = keys[rng.below(keys.len() as u32) as usize];
                (key.to_owned(), grown(rng, depth - 1))
            });
            serde_json::Value::Object(entries.collect())
        }
    }
}

/// A view that changes a little here and there.
fn changed(value: &serde_json::Value, rng: &mut Rng) -> serde_json::Value {
    if rng.below(8) == 0 {
        return grown(rng, 1);
    }
    match value {
        serde_json::Value::Array(items) => {
            let kept = items.len().min(rng.below(items.len() as u32 + 3) as usize + 1);
            let mut items: Vec<_> = items[..kept].iter().map(|item| changed(item, rng)).collect();
            items.extend((0..rng.below(2)).map(|_| grown(rng, 1)));
            items.into()
        }
        serde_json::Value::Object(map) => {
            let mut map: serde_json::Map<_, _> = map
                .iter()
                .filter(|_| rng.below(6) > 0)
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect();
            map.values_mut().for_each(|value| *value = changed(value, rng));
            serde_json::Value::Object(map)
        }
        leaf => leaf.clone(),
    }
}

/// What a table keeps of a view is its text: the patch from it is the one from the view itself, and so is the hash.
#[test]
fn a_view_kept_as_text_gives_the_same_patch() {
    let mut rng = Rng::fast(7);
    let mut patches = 0;
    for _ in 0..20_000 {
        let old = grown(&mut rng, 4);
        let new = changed(&old, &mut rng);
        let text = ViewText::new(&old);
        assert_eq!(text.changes(&new, &mut Unpacked::default()), changes(&old, &new), "{old} to {new}");
        assert_eq!(text.hash(), hash(&old));
        assert_eq!(text.changes(&old, &mut Unpacked::default()), []);
        patches += usize::from(old != new);
    }
    assert!(patches > 5_000, "{patches} patches");
}

/// The views of one table are kept as what tells one from another: each is still the view it was.
#[test]
fn a_view_kept_beside_another_stays_what_it_was() {
    let mut rng = Rng::fast(11);
    let long: Vec<String> = (0..120).map(|n| format!("{n} of what everybody sees, word for word")).collect();
    let mut different = 0;
    for round in 0..5_000 {
        // Every other one is so long that it is packed.
        let long = &long[..40 + round % 2 * 80];
        let with_long = |view: serde_json::Value| json!({"a": view.clone(), "common": long, "z": [view, 1]});
        let view = grown(&mut rng, 4);
        let (first, second) = (with_long(view.clone()), with_long(changed(&view, &mut rng)));
        let third = with_long(changed(&view, &mut rng));
        let (kept, mut unpacked) = (ViewText::new(&first), Unpacked::default());
        let beside = kept.of_other(&canonical(&second), &mut unpacked);
        for (view, text) in
            [(&second, &beside), (&third, &beside.of_other(&canonical(&third), &mut unpacked))]
        {
            assert_eq!(text.text(), canonical(view), "beside {first}");
            assert_eq!(text.hash(), hash(view));
            assert_eq!(text.changes(&first, &mut unpacked), changes(view, &first), "{view} to {first}");
            assert!(!text.is_copy_of(&kept) && text.is_copy_of(&text.clone()));
        }
        different += usize::from(first != second);
    }
    assert!(different > 1_000, "{different} views");
}
