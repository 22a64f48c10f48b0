//! A table, without sockets, clock or disk.
