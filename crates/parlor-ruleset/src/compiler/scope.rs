//! Names that are bound: locals, lists and what is looked at.

use crate::limits::IT_DEPTH_MAX;
use crate::machine::ids::AnswerId;
use crate::machine::program::Ty;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Bound {
    /// A local.
    Local(u16, Ty),
    /// A list.
    List(u16, Ty),
    /// What is looked at.
    It(u8, Ty),
    /// An answer: slot, type, whether it is a single one.
    Answer(AnswerId, Ty, bool),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    names: Vec<(String, Bound)>,
    locals: u16,
    lists: u16,
    its: u8,
    pub(super) most_locals: u16,
    pub(super) most_lists: u16,
}

/// Where a scope stood, to go back to.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Scope {
    pub(super) fn find(&self, name: &str) -> Option<Bound> {
        self.names.iter().rev().find(|(other, _)| other == name).map(|(_, bound)| *bound)
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.names.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The name that was bound last to something of this kind.
    pub(super) fn latest(&self, kind: impl Fn(&Bound) -> bool) -> Option<String> {
        let mut named = self.names.iter().rev().filter(|(name, _)| !name.is_empty());
        named.find(|(_, bound)| kind(bound)).map(|(name, _)| name.clone())
    }

    /// Binds a name to a new local. Locals are never used again in the same block, so a loop keeps its counters.
    pub(super) fn bind(&mut self, name: &str, ty: Ty) -> u16 {
        let slot = self.locals;
        self.locals = self.locals.saturating_add(1);
        self.most_locals = self.most_locals.max(self.locals);
        self.names.push((name.to_owned(), Bound::Local(slot, ty)));
        slot
    }

    /// Leaves room for so many locals.
    pub(super) fn reserve(&mut self, locals: u16) {
        self.locals = self.locals.max(locals);
        self.most_locals = self.most_locals.max(self.locals);
    }

    pub(super) fn bind_list(&mut self, name: &str, ty: Ty) -> u16 {
        let slot = self.lists;
        self.lists = self.lists.saturating_add(1);
        self.most_lists = self.most_lists.max(self.lists);
        self.names.push((name.to_owned(), Bound::List(slot, ty)));
        slot
    }

    pub(super) fn alias(&mut self, name: &str, bound: Bound) {
        self.names.push((name.to_owned(), bound));
    }

    /// A deeper `it`; nothing where there is no room.
    pub(super) fn deeper(&mut self) -> Option<u8> {
        if usize::from(self.its) >= IT_DEPTH_MAX {
            return None;
        }
        self.its += 1;
        Some(self.its - 1)
    }

    /// How many `it` are inside one another here.
    pub(super) fn depth(&self) -> u8 {
        self.its
    }

    pub(super) fn shallower(&mut self) {
        self.its = self.its.saturating_sub(1);
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.names.len())
    }

    /// Goes back to where it stood; gives the names that were bound since.
    pub(super) fn back(&mut self, mark: Mark) -> Vec<(String, Bound)> {
        self.names.split_off(mark.0.min(self.names.len()))
    }
}
