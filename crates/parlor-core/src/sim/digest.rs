//! The digest of a state: mixes in every scalar as it is serialized, without a buffer.
//!
//! It is fast and not cryptographic: the hashes of a log are computed elsewhere.

use std::fmt;

use serde::Serialize;
use serde::ser::{self, Serializer};

/// The digest of a value: the same for the same value and `n`.
pub(super) fn digest<T: Serialize>(n: u64, value: &T) -> u64 {
    let mut digest = Digest(0xcbf2_9ce4_8422_2325 ^ n);
    value.serialize(&mut digest).expect("a state is plain data");
    let hash = digest.0.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

struct Digest(u64);

impl Digest {
    #[inline]
    fn word(&mut self, word: u64) -> Result<(), Never> {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(31);
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Never> {
        self.word(bytes.len() as u64)?;
        bytes.chunks(8).try_for_each(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word))
        })
    }
}

/// The only possible error is one that a game's own `Serialize` reports.
#[derive(Debug)]
pub(super) struct Never(String);

impl fmt::Display for Never {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Never {}

impl ser::Error for Never {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Numbers of every width are mixed in as words.
macro_rules! words {
    ($($name:ident: $ty:ty),*) => {
        $(
            #[inline]
            fn $name(self, value: $ty) -> Result<(), Never> {
                self.word(value as u64)
            }
        )*
    };
}

impl Serializer for &mut Digest {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    words! {
        serialize_bool: bool, serialize_char: char,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    }

    // purity: if a state contains a float all the same, its bits are mixed in.
    fn serialize_f32(self, value: f32) -> Result<(), Never> {
        self.word(value.to_bits().into())
    }

    // purity: as above.
    fn serialize_f64(self, value: f64) -> Result<(), Never> {
        self.word(value.to_bits())
    }

    fn serialize_i128(self, value: i128) -> Result<(), Never> {
        self.bytes(&value.to_le_bytes())
    }

    fn serialize_u128(self, value: u128) -> Result<(), Never> {
        self.bytes(&value.to_le_bytes())
    }

    fn serialize_str(self, value: &str) -> Result<(), Never> {
        self.bytes(value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Never> {
        self.bytes(value)
    }

    fn serialize_none(self) -> Result<(), Never> {
        self.word(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Never> {
        self.word(1)?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Never> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Never> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, n: u32, _: &'static str) -> Result<(), Never> {
        self.word(n.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        n: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        self.word(n.into())?;
        value.serialize(self)
    }

    // The length comes first, so that what follows a list never looks like a part of it.
    fn serialize_seq(self, len: Option<usize>) -> Result<Self, Never> {
        self.word(len.map_or(u64::MAX, |len| len as u64))?;
        Ok(self)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self, Never> {
        self.serialize_seq(len)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Never> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Never> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        n: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Never> {
        self.word(n.into())?;
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        n: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Never> {
        self.word(n.into())?;
        Ok(self)
    }
}

/// Compound values are mixed in as their parts, in order.
macro_rules! parts {
    ($($name:ident: $part:ident),*) => {
        $(
            impl ser::$name for &mut Digest {
                type Ok = ();
                type Error = Never;

                fn $part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
                    value.serialize(&mut **self)
                }

                fn end(self) -> Result<(), Never> {
                    Ok(())
                }
            }
        )*
    };
}

parts! {
    SerializeSeq: serialize_element, SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field, SerializeTupleVariant: serialize_field
}

/// The same for values with named fields; the names are omitted.
macro_rules! fields {
    ($($name:ident),*) => {
        $(
            impl ser::$name for &mut Digest {
                type Ok = ();
                type Error = Never;

                fn serialize_field<T: Serialize + ?Sized>(
                    &mut self,
                    _: &'static str,
                    value: &T,
                ) -> Result<(), Never> {
                    value.serialize(&mut **self)
                }

                fn end(self) -> Result<(), Never> {
                    Ok(())
                }
            }
        )*
    };
}

fields! { SerializeStruct, SerializeStructVariant }

impl ser::SerializeMap for &mut Digest {
    type Ok = ();
    type Error = Never;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Never> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Never> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn other_states_have_other_digests() {
        let one = (vec![1u16, 2], vec![3u16], Some(4i64), "five");
        let others = [
            digest(0, &(vec![1u16], vec![2u16, 3], Some(4i64), "five")),
            digest(0, &(vec![1u16, 2], vec![3u16], None::<i64>, "five")),
            digest(0, &(vec![1u16, 2], vec![3u16], Some(5i64), "five")),
            digest(0, &(vec![1u16, 2], vec![3u16], Some(4i64), "fiv")),
            digest(1, &one),
        ];
        assert_eq!(digest(0, &one), digest(0, &one.clone()));
        for other in others {
            assert_ne!(digest(0, &one), other);
        }
    }
}
