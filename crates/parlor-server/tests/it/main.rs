//! Tests the server through real sockets, with a real store.

mod admin;
mod api;
mod battle;
mod client;
mod document_words;
mod durable;
mod foreign;
mod forks;
mod golden;
mod lobby;
mod players;
mod protocol;
mod rest;
mod riichi;
mod ring;
mod ring_soak;
mod roles;
mod rooms;
mod rulesets;
mod shapes;
mod socket;
mod stakes;
mod survival;
mod twins;
mod typescript;
mod web;
