//! A MessagePack encoder. It writes the same bytes as `rmp_serde` does with names, without calling a general library
//! for every byte of a header: encoding is a third of a server's work for a move.

use std::fmt;

use serde::ser::{
    Error, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

const NIL: u8 = 0xc0;
const FALSE: u8 = 0xc2;
const TRUE: u8 = 0xc3;

/// Appends a value.
pub(crate) fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Result<(), Unwritable> {
    value.serialize(&mut Packer { out })
}

/// Appends the header of a map with this many entries.
pub(crate) fn write_map(out: &mut Vec<u8>, entries: usize) {
    Packer { out }.map(entries);
}

/// Appends one entry of a map.
pub(crate) fn write_entry(
    out: &mut Vec<u8>,
    name: &str,
    value: &(impl Serialize + ?Sized),
) -> Result<(), Unwritable> {
    Packer { out }.text(name);
    write(out, value)
}

/// Why a value cannot be encoded: the value's own error.
#[derive(Debug)]
pub(crate) struct Unwritable(String);

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl Error for Unwritable {
    fn custom<T: fmt::Display>(why: T) -> Self {
        Self(why.to_string())
    }
}

type Done = Result<(), Unwritable>;

struct Packer<'o> {
    out: &'o mut Vec<u8>,
}

impl Packer<'_> {
    #[inline]
    fn text(&mut self, text: &str) {
        let length = text.len();
        if length < 32 {
            self.out.push(0xa0 | length as u8);
        } else if let Ok(length) = u8::try_from(length) {
            self.out.extend([0xd9, length]);
        } else {
            self.wide(length, 0xda, 0xdb);
        }
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Writes a length of two bytes, or of four.
    fn wide(&mut self, length: usize, two: u8, four: u8) {
        if let Ok(length) = u16::try_from(length) {
            self.out.push(two);
            self.out.extend(length.to_be_bytes());
        } else {
            self.out.push(four);
            self.out.extend((length as u32).to_be_bytes());
        }
    }

    #[inline]
    fn array(&mut self, length: usize) {
        if length < 16 { self.out.push(0x90 | length as u8) } else { self.wide(length, 0xdc, 0xdd) }
    }

    #[inline]
    fn map(&mut self, length: usize) {
        if length < 16 { self.out.push(0x80 | length as u8) } else { self.wide(length, 0xde, 0xdf) }
    }

    #[inline]
    fn count(&mut self, number: u64) {
        if number < 128 {
            self.out.push(number as u8);
        } else if let Ok(number) = u8::try_from(number) {
            self.out.extend([0xcc, number]);
        } else if let Ok(number) = u16::try_from(number) {
            self.out.push(0xcd);
            self.out.extend(number.to_be_bytes());
        } else if let Ok(number) = u32::try_from(number) {
            self.out.push(0xce);
            self.out.extend(number.to_be_bytes());
        } else {
            self.out.push(0xcf);
            self.out.extend(number.to_be_bytes());
        }
    }

    fn below_zero(&mut self, number: i64) {
        if number >= -32 {
            self.out.push(number as u8);
        } else if let Ok(number) = i8::try_from(number) {
            self.out.extend([0xd0, number as u8]);
        } else if let Ok(number) = i16::try_from(number) {
            self.out.push(0xd1);
            self.out.extend(number.to_be_bytes());
        } else if let Ok(number) = i32::try_from(number) {
            self.out.push(0xd2);
            self.out.extend(number.to_be_bytes());
        } else {
            self.out.push(0xd3);
            self.out.extend(number.to_be_bytes());
        }
    }
}

/// A list or a map that is being written.
struct Open<'p, 'o> {
    packer: &'p mut Packer<'o>,
    /// Where it begins and how many items it has so far, if the length was not given.
    uncounted: Option<(usize, usize)>,
}

impl Open<'_, '_> {
    #[inline]
    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Done {
        if let Some((_, items)) = &mut self.uncounted {
            *items += 1;
        }
        value.serialize(&mut *self.packer)
    }

    /// Inserts the header, now that the length is known.
    fn close(self, head: impl FnOnce(&mut Packer<'_>, usize)) {
        if let Some((begins, items)) = self.uncounted {
            let inside = self.packer.out.split_off(begins);
            head(self.packer, items);
            self.packer.out.extend_from_slice(&inside);
        }
    }
}

impl<'p, 'o> Serializer for &'p mut Packer<'o> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Open<'p, 'o>;
    type SerializeTuple = Open<'p, 'o>;
    type SerializeTupleStruct = Open<'p, 'o>;
    type SerializeTupleVariant = Open<'p, 'o>;
    type SerializeMap = Open<'p, 'o>;
    type SerializeStruct = Open<'p, 'o>;
    type SerializeStructVariant = Open<'p, 'o>;

    fn serialize_bool(self, v: bool) -> Done {
        self.out.push(if v { TRUE } else { FALSE });
        Ok(())
    }

    fn serialize_i8(self, v: i8) -> Done {
        self.serialize_i64(v.into())
    }

    fn serialize_i16(self, v: i16) -> Done {
        self.serialize_i64(v.into())
    }

    fn serialize_i32(self, v: i32) -> Done {
        self.serialize_i64(v.into())
    }

    fn serialize_i64(self, v: i64) -> Done {
        match u64::try_from(v) {
            Ok(v) => self.count(v),
            Err(_) => self.below_zero(v),
        }
        Ok(())
    }

    fn serialize_u8(self, v: u8) -> Done {
        self.serialize_u64(v.into())
    }

    fn serialize_u16(self, v: u16) -> Done {
        self.serialize_u64(v.into())
    }

    fn serialize_u32(self, v: u32) -> Done {
        self.serialize_u64(v.into())
    }

    fn serialize_u64(self, v: u64) -> Done {
        self.count(v);
        Ok(())
    }

    fn serialize_f32(self, v: f32) -> Done {
        self.out.push(0xca);
        self.out.extend(v.to_be_bytes());
        Ok(())
    }

    fn serialize_f64(self, v: f64) -> Done {
        self.out.push(0xcb);
        self.out.extend(v.to_be_bytes());
        Ok(())
    }

    fn serialize_char(self, v: char) -> Done {
        self.text(v.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, v: &str) -> Done {
        self.text(v);
        Ok(())
    }

    fn serialize_bytes(self, v: &[u8]) -> Done {
        match u8::try_from(v.len()) {
            Ok(length) => self.out.extend([0xc4, length]),
            Err(_) => self.wide(v.len(), 0xc5, 0xc6),
        }
        self.out.extend_from_slice(v);
        Ok(())
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.out.push(NIL);
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.array(0);
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.text(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        self.map(1);
        self.text(variant);
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Open<'p, 'o>, Unwritable> {
        let uncounted = length.is_none().then_some((self.out.len(), 0));
        if let Some(length) = length {
            self.array(length);
        }
        Ok(Open { packer: self, uncounted })
    }

    fn serialize_tuple(self, length: usize) -> Result<Open<'p, 'o>, Unwritable> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Open<'p, 'o>, Unwritable> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Open<'p, 'o>, Unwritable> {
        self.map(1);
        self.text(variant);
        self.serialize_seq(Some(length))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Open<'p, 'o>, Unwritable> {
        let uncounted = length.is_none().then_some((self.out.len(), 0));
        if let Some(length) = length {
            self.map(length);
        }
        Ok(Open { packer: self, uncounted })
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Open<'p, 'o>, Unwritable> {
        self.serialize_map(Some(length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Open<'p, 'o>, Unwritable> {
        self.map(1);
        self.text(variant);
        self.serialize_map(Some(length))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl SerializeSeq for Open<'_, '_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.item(value)
    }

    fn end(self) -> Done {
        self.close(|packer, items| packer.array(items));
        Ok(())
    }
}

impl SerializeMap for Open<'_, '_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        self.item(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(&mut *self.packer)
    }

    fn end(self) -> Done {
        self.close(|packer, entries| packer.map(entries));
        Ok(())
    }
}

/// Implements the sequences whose length is known.
macro_rules! places {
    ($($kind:ident $place:ident,)*) => {$(
        impl $kind for Open<'_, '_> {
            type Ok = ();
            type Error = Unwritable;

            fn $place<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                value.serialize(&mut *self.packer)
            }

            fn end(self) -> Done {
                Ok(())
            }
        }
    )*};
}

places!(SerializeTuple serialize_element, SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field,);

/// Implements the structs, whose number of fields is known.
macro_rules! names {
    ($($kind:ident,)*) => {$(
        impl $kind for Open<'_, '_> {
            type Ok = ();
            type Error = Unwritable;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Done {
                self.packer.text(name);
                value.serialize(&mut *self.packer)
            }

            fn end(self) -> Done {
                Ok(())
            }
        }
    )*};
}

names!(SerializeStruct, SerializeStructVariant,);

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
