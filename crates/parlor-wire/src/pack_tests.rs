//! The MessagePack encoder, compared with `rmp_serde`.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::*;

#[derive(Serialize)]
struct Marker;

#[derive(Serialize)]
struct Wrapped(u32);

#[derive(Serialize)]
struct Two(i8, &'static str);

#[derive(Serialize)]
enum Kind {
    Unit,
    New(u8),
    Pair(u8, u8),
    Named { a: Option<u8>, b: bool },
}

#[derive(Serialize)]
struct Inner {
    x: u16,
}

/// The length of a map into which another is flattened is not known in advance.
#[derive(Serialize)]
struct Uncounted {
    first: u8,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    rest: BTreeMap<String, u64>,
}

fn same(value: &impl Serialize) {
    let mut own = vec![7];
    write(&mut own, value).expect("it is plain data");
    let theirs = rmp_serde::to_vec_named(value).expect("it is plain data");
    assert_eq!(own[1..], theirs[..]);
}

/// Every number of bytes that a number or a length can take, and one more and one less.
#[test]
fn the_bytes_are_those_of_the_common_library() {
    for bits in 0..64 {
        let edge = 1u64 << bits;
        for number in [edge - 1, edge, edge + 1] {
            same(&number);
            same(&(number as i64));
            same(&(number as i64).wrapping_neg());
        }
    }
    for number in [u64::MAX, i64::MIN as u64] {
        same(&number);
        same(&(number as i64));
    }
    for length in [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536] {
        same(&"x".repeat(length));
        same(&vec![1u8; length]);
        same(&(0..length).map(|n| (n.to_string(), n)).collect::<BTreeMap<_, _>>());
        let rest = (0..length.min(70_000)).map(|n| (n.to_string(), n as u64)).collect();
        same(&Uncounted { first: 1, inner: Inner { x: 2 }, rest });
    }
    same(&(1.5f32, -2.25f64, 'é', true, false, ()));
    same(&(Marker, Wrapped(70_000), Two(-100, "b")));
    same(&[Kind::Unit, Kind::New(1), Kind::Pair(1, 200), Kind::Named { a: None, b: true }]);
    same(&(Some(5), None::<u8>, [[1u8, 2], [3, 4]]));
    same(&json!({"a": [1, -1, 1.5, null, true, "é"], "b": {"c": {}}, "": []}));
}

#[test]
fn bytes_are_written_as_bytes() {
    struct Blob(usize);
    impl Serialize for Blob {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&vec![9; self.0])
        }
    }
    for length in [0, 255, 256, 65_536] {
        same(&Blob(length));
    }
}

#[test]
fn what_cannot_be_written_says_why() {
    struct Never;
    impl Serialize for Never {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(S::Error::custom("not now"))
        }
    }
    let refused = write(&mut Vec::new(), &[Never]).expect_err("it cannot");
    assert_eq!(refused.to_string(), "not now");
}
