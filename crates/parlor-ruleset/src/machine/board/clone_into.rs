//! A state that is copied into the place of another keeps the memory which that one had: a simulation begins thousands
//! of matches from one opening, and need not ask for memory again for each.

use super::Board;
use crate::machine::state::State;

/// `Clone` with a `clone_from` that goes through all fields. A field that is missing here does not compile.
macro_rules! renewed {
    ($what:ident: $($field:ident)*) => {
        impl Clone for $what {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone()),* }
            }

            fn clone_from(&mut self, other: &Self) {
                $(self.$field.clone_from(&other.$field);)*
            }
        }
    };
}

renewed!(Board: seats vars entities attrs counters zones phase step active turn round mods peeks last delayed hear
    statics dirty);

renewed!(State: board config frames locals lists stack current happened taken choice redo states had pot answers
    touched sealed open window announce passed limits counts positions extra skip lost over next facts learnt batch
    batch_since batched groups auto broken more);
