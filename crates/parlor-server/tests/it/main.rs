//! The server through real sockets, with a real store.

mod client;
mod durable;
mod foreign;
mod protocol;
mod rest;
mod roles;
mod survival;
mod twins;
