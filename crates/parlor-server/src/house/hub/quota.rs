//! Limits how many unfinished tables one creator may have.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use parlor_core::{HouseCode, Refusal};

use super::lock;

/// Tables by creator. Finished ones are removed when a creator reaches the limit.
#[derive(Default)]
pub(super) struct TableQuota(Mutex<HashMap<String, HashSet<String>>>);

impl TableQuota {
    /// Counts one more table for its creator, if the limit allows it. `strike_out` removes the creator's finished
    /// tables.
    pub(super) fn reserve(
        &self,
        maker: String,
        id: &str,
        max: usize,
        strike_out: impl FnOnce(&mut HashSet<String>),
    ) -> Result<(), Refusal> {
        let mut quota = lock(&self.0);
        let own = quota.entry(maker).or_default();
        check_capacity(own, max, strike_out)?;
        own.insert(id.to_owned());
        Ok(())
    }

    /// Removes finished tables of all creators, and the creators who have none left.
    pub(super) fn strike_out_all(&self, strike_out: impl Fn(&mut HashSet<String>)) {
        lock(&self.0).retain(|_, own| {
            strike_out(own);
            !own.is_empty()
        });
    }

    /// Whether this creator may have one more table.
    pub(super) fn check(
        &self,
        maker: &str,
        max: usize,
        strike_out: impl FnOnce(&mut HashSet<String>),
    ) -> Result<(), Refusal> {
        lock(&self.0).get_mut(maker).map_or(Ok(()), |own| check_capacity(own, max, strike_out))
    }
}

fn check_capacity(
    own: &mut HashSet<String>,
    max: usize,
    strike_out: impl FnOnce(&mut HashSet<String>),
) -> Result<(), Refusal> {
    if own.len() >= max {
        strike_out(own);
    }
    if own.len() >= max {
        return Err(Refusal::of(HouseCode::TooManyTables, "you have too many tables; end one first"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_over_does_not_count() {
        let quota = TableQuota::default();
        let make = |maker: &str, id: &str, over: &str| {
            quota.reserve(maker.to_owned(), id, 2, |his| his.retain(|id| id != over)).is_ok()
        };
        assert!(make("ann", "a", "") && make("ann", "b", "") && make("bob", "c", ""));
        assert!(!make("ann", "d", ""), "both still run");
        assert!(make("ann", "d", "a") && !make("ann", "e", "a"), "one is over");
    }
}
