//! Limits per network address: open connections, requests, new guest accounts.
//!
//! Apart from the hub, so that only these functions see the counts and every connection that is counted in is counted
//! out. It knows nothing about the players at an address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Mutex;
use std::time::Instant;

use super::lock;
use crate::config::Config;
use crate::net::throttle::Bucket;

/// How many addresses are kept before those with full buckets and no connections are dropped.
const ADDRESSES_KEPT: usize = 10_000;

/// The network that is limited as one caller: an IPv4 address, or the /64 that one customer is given of IPv6.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64)).into(),
        v4 => v4,
    }
}

/// An address that has connections or makes requests.
struct Caller {
    connections: usize,
    requests: Bucket,
}

/// Every address that was active recently.
#[derive(Default)]
pub(super) struct Addresses {
    callers: Mutex<HashMap<IpAddr, Caller>>,
    guests: Mutex<HashMap<IpAddr, Bucket>>,
}

fn caller(config: &Config) -> Caller {
    Caller { connections: 0, requests: Bucket::new(config.requests_per_second, config.requests_burst) }
}

impl Addresses {
    /// Counts one more connection, if the address may have it. `counted` is called under the lock, before the next
    /// connection is counted.
    pub(super) fn connect(&self, address: IpAddr, config: &Config, counted: impl FnOnce()) -> bool {
        let mut callers = lock(&self.callers);
        let caller = callers.entry(network(address)).or_insert_with(|| caller(config));
        if caller.connections >= config.connections_per_address_max {
            return false;
        }
        caller.connections += 1;
        counted();
        true
    }

    /// Counts a connection as closed.
    pub(super) fn disconnect(&self, address: IpAddr) {
        if let Some(caller) = lock(&self.callers).get_mut(&network(address)) {
            caller.connections = caller.connections.saturating_sub(1);
        }
    }

    /// Whether the address may make one more request.
    pub(super) fn request(&self, address: IpAddr, config: &Config) -> bool {
        let now = Instant::now();
        let mut callers = lock(&self.callers);
        if callers.len() > ADDRESSES_KEPT {
            callers.retain(|_, caller| caller.connections > 0 || !caller.requests.full(now));
        }
        callers.entry(network(address)).or_insert_with(|| caller(config)).requests.take(now)
    }

    /// Whether the address may open one more guest account.
    pub(super) fn guest(&self, address: IpAddr, config: &Config) -> bool {
        let now = Instant::now();
        let mut guests = lock(&self.guests);
        if guests.len() > ADDRESSES_KEPT {
            guests.retain(|_, bucket| !bucket.full(now));
        }
        let fresh = || Bucket::new(config.guests_per_second, config.guests_burst);
        guests.entry(network(address)).or_insert_with(fresh).take(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        Config {
            connections_per_address_max: 2,
            requests_per_second: 0,
            requests_burst: 1,
            guests_per_second: 0,
            guests_burst: 1,
            ..Config::default()
        }
    }

    fn address(n: u32) -> IpAddr {
        IpAddr::from(n.to_be_bytes())
    }

    #[test]
    fn an_address_has_so_many_connections_at_once() {
        let (addresses, config) = (Addresses::default(), config());
        let (one, other) = (address(1), address(2));
        let mut counted = 0;
        let mut connect = |from| addresses.connect(from, &config, || counted += 1);
        assert!(connect(one) && connect(one) && !connect(one) && connect(other));
        addresses.disconnect(one);
        assert!(connect(one) && !connect(one));
        assert_eq!(counted, 4, "only those that were let in");
        addresses.disconnect(address(3));
    }

    #[test]
    fn the_addresses_of_one_ipv6_customer_are_one_caller() {
        let (addresses, config) = (Addresses::default(), config());
        let from = |text: &str| -> IpAddr { text.parse().expect("an address") };
        assert!(addresses.request(from("2001:db8:1:2::1"), &config));
        assert!(!addresses.request(from("2001:db8:1:2:ffff::9"), &config), "the same /64");
        assert!(addresses.request(from("2001:db8:1:3::1"), &config), "another customer");
        assert!(addresses.request(from("192.0.2.1"), &config));
        assert!(!addresses.request(from("::ffff:192.0.2.1"), &config), "the same address, written as IPv6");
    }

    #[test]
    fn requests_and_guests_are_let_in_by_themselves() {
        let (addresses, config) = (Addresses::default(), config());
        assert!(addresses.request(address(1), &config) && !addresses.request(address(1), &config));
        assert!(addresses.guest(address(1), &config) && !addresses.guest(address(1), &config));
        assert!(addresses.request(address(2), &config) && addresses.guest(address(2), &config));
        assert!(addresses.connect(address(1), &config, || ()), "a connection is no request");
    }

    #[test]
    fn an_address_of_which_there_is_something_to_say_is_not_forgotten() {
        let addresses = Addresses::default();
        let config = Config { requests_per_second: u32::MAX, ..config() };
        assert!(addresses.connect(address(0), &config, || ()));
        for n in 1..=ADDRESSES_KEPT as u32 + 1 {
            addresses.request(address(n), &config);
        }
        let callers = lock(&addresses.callers);
        assert!(callers.len() <= ADDRESSES_KEPT && callers[&address(0)].connections == 1);
    }
}
