//! The connections of a table, sorted by id: few, and looked up with every message.

use std::collections::VecDeque;

use parlor_core::Viewer;

use crate::command::ConnId;

/// A client's connection.
#[derive(Clone, Debug)]
pub(crate) struct Conn {
    pub(crate) viewer: Viewer,
    /// The client's snapshot includes messages up to this version.
    pub(crate) from_v: u64,
    /// The requests last sent to it, with the time of sending; newest last.
    prompts: VecDeque<(u64, Option<u32>)>,
}

/// How many requests to remember per connection. An answer that is still in transit refers to none older than that.
const PROMPTS_MAX: usize = 4;

impl Conn {
    /// A connection that has messages up to this version; `known` is the request that the client knows, with the
    /// time.
    pub(crate) fn new(viewer: Viewer, from_v: u64, known: Option<(u64, Option<u32>)>) -> Self {
        Self { viewer, from_v, prompts: known.into_iter().collect() }
    }

    /// Notes that the client is sent this request, or that there is none.
    pub(crate) fn show(&mut self, now: u64, input: Option<u32>) {
        if self.prompts.len() == PROMPTS_MAX {
            self.prompts.pop_front();
        }
        self.prompts.push_back((now, input));
    }

    /// The request last sent to the client at this time.
    pub(crate) fn shown_at(&self, now: u64) -> Option<u32> {
        self.prompts.iter().rev().find(|(at, _)| *at <= now).and_then(|(_, input)| *input)
    }
}

/// A map from connections to values, kept as a sorted list: the smallest map allocates for several, most tables have
/// two connections, and finding one of two needs no hash.
#[derive(Clone, Debug)]
pub struct Conns<T>(Vec<(ConnId, T)>);

impl<T> Default for Conns<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Conns<T> {
    fn place(&self, conn: ConnId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&conn, |(id, _)| *id)
    }

    /// The value for this connection.
    #[must_use]
    pub fn get(&self, conn: ConnId) -> Option<&T> {
        self.place(conn).ok().map(|place| &self.0[place].1)
    }

    /// The value for this connection.
    pub fn get_mut(&mut self, conn: ConnId) -> Option<&mut T> {
        self.place(conn).ok().map(|place| &mut self.0[place].1)
    }

    /// Sets the value for a connection.
    pub fn insert(&mut self, id: ConnId, conn: T) {
        match self.place(id) {
            Ok(place) => self.0[place].1 = conn,
            Err(place) => {
                // Most tables already have all the connections they will get: do not double the capacity.
                self.0.reserve_exact(1);
                self.0.insert(place, (id, conn));
            }
        }
    }

    /// Removes a connection and returns its value.
    pub fn remove(&mut self, conn: ConnId) -> Option<T> {
        self.place(conn).ok().map(|place| self.0.remove(place).1)
    }

    /// All connections with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &(ConnId, T)> {
        self.0.iter()
    }

    /// All values.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, conn)| conn)
    }

    /// Whether there are no connections.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> IntoIterator for Conns<T> {
    type Item = (ConnId, T);
    type IntoIter = std::vec::IntoIter<(ConnId, T)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_request_is_one_that_was_shown_by_then() {
        let mut conn = Conn::new(Viewer::Gallery, 0, None);
        assert_eq!(conn.shown_at(100), None);
        for (now, input) in [(10, Some(1)), (20, Some(2)), (30, None), (40, Some(3)), (50, Some(4))] {
            conn.show(now, input);
        }
        let shown = [15, 25, 35, 45, 60].map(|now| conn.shown_at(now));
        assert_eq!(shown, [None, Some(2), None, Some(3), Some(4)], "the first is forgotten");
        assert_eq!(Conn::new(Viewer::Gallery, 0, Some((5, Some(7)))).shown_at(5), Some(7));
    }

    #[test]
    fn connections_are_found_in_whatever_order_they_came() {
        let mut conns = Conns::default();
        for id in [5, 1, 9, 3, 5] {
            conns.insert(ConnId(id), id * 10);
        }
        assert_eq!(conns.values().copied().collect::<Vec<_>>(), [10, 30, 50, 90]);
        assert_eq!((conns.get(ConnId(9)), conns.get(ConnId(2))), (Some(&90), None));
        assert_eq!((conns.remove(ConnId(3)), conns.remove(ConnId(3))), (Some(30), None));
        assert!(!conns.is_empty());
        assert_eq!(conns.into_iter().map(|(id, _)| id.0).collect::<Vec<_>>(), [1, 5, 9]);
    }
}
