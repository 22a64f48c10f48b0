//! Who looks at a table: few, and looked up with every message. In the order of their connections.

use std::collections::VecDeque;

use parlor_core::Viewer;

use crate::command::ConnId;

/// A client's connection.
#[derive(Clone, Debug)]
pub(crate) struct Conn {
    pub(crate) viewer: Viewer,
    /// Messages up to this version are in the snapshot the client got.
    pub(crate) from_v: u64,
    /// The requests last sent to it, with the time of sending; newest last.
    pub(crate) prompts: VecDeque<(u64, Option<u32>)>,
}

/// All connections of a table. A list: a map has room for eleven in its smallest node, and most tables have two.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conns(Vec<(ConnId, Conn)>);

impl Conns {
    fn place(&self, conn: ConnId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&conn, |(id, _)| *id)
    }

    pub(crate) fn get(&self, conn: ConnId) -> Option<&Conn> {
        self.place(conn).ok().map(|place| &self.0[place].1)
    }

    pub(crate) fn get_mut(&mut self, conn: ConnId) -> Option<&mut Conn> {
        self.place(conn).ok().map(|place| &mut self.0[place].1)
    }

    pub(crate) fn insert(&mut self, id: ConnId, conn: Conn) {
        match self.place(id) {
            Ok(place) => self.0[place].1 = conn,
            Err(place) => self.0.insert(place, (id, conn)),
        }
    }

    pub(crate) fn remove(&mut self, conn: ConnId) -> Option<Conn> {
        self.place(conn).ok().map(|place| self.0.remove(place).1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(ConnId, Conn)> {
        self.0.iter()
    }
}

impl IntoIterator for Conns {
    type Item = (ConnId, Conn);
    type IntoIter = std::vec::IntoIter<(ConnId, Conn)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
