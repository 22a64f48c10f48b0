//! How the parts of a state are written: shared values as themselves, arrays of seats without their unused end, cards as
//! bytes. A state is digested after every match of a simulation, so that what says nothing is not written.

/// A value that several states share.
#[cfg(feature = "table")]
pub(crate) mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(value: &Arc<T>, to: S) -> Result<S::Ok, S::Error> {
        value.as_ref().serialize(to)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(from).map(Arc::new)
    }
}

/// One entry for each seat, up to the last that is not as by default.
pub(crate) mod trimmed {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    pub(crate) fn serialize<T, S: Serializer, const N: usize>(all: &[T; N], to: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize + Default + PartialEq,
    {
        let unused = T::default();
        let used = all.iter().rposition(|entry| *entry != unused).map_or(0, |last| last + 1);
        to.collect_seq(&all[..used])
    }

    pub(crate) fn deserialize<'de, T, D: Deserializer<'de>, const N: usize>(
        from: D,
    ) -> Result<[T; N], D::Error>
    where
        T: Deserialize<'de> + Default,
    {
        let used = Vec::<T>::deserialize(from)?;
        if used.len() > N {
            return Err(de::Error::invalid_length(used.len(), &"no more entries than seats"));
        }
        let mut used = used.into_iter();
        Ok(std::array::from_fn(|_| used.next().unwrap_or_default()))
    }
}

/// Cards as the bytes of their numbers.
#[cfg(feature = "game")]
pub(crate) mod cards {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::card::Card;

    pub(crate) fn serialize<S: Serializer>(cards: &[Card], to: S) -> Result<S::Ok, S::Error> {
        let mut bytes = arrayvec::ArrayVec::<u8, 128>::new();
        if cards.len() > bytes.capacity() {
            return to.serialize_bytes(&cards.iter().map(|card| card.index()).collect::<Vec<u8>>());
        }
        bytes.extend(cards.iter().map(|card| card.index()));
        to.serialize_bytes(&bytes)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Card>, D::Error> {
        let bytes = Vec::<u8>::deserialize(from)?;
        bytes.into_iter().map(|index| Card::try_from(index).map_err(de::Error::custom)).collect()
    }
}
