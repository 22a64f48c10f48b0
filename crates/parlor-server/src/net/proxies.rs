//! Who a request is from, where a proxy of the operator's stands in front: the address that the proxy says it had it from.
//!
//! Only addresses in `trusted_proxies` are believed, and only the header in `proxy_header`: a proxy sets one and passes the
//! other on as the client sent it.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName};

use crate::config::Config;

/// A block of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Block {
    /// As of IPv6, and IPv4 mapped into it.
    first: u128,
    mask: u128,
}

fn bits(address: IpAddr) -> u128 {
    match address.to_canonical() {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

impl Block {
    /// Reads `192.0.2.0/24`, `2001:db8::/32`, or one address.
    fn parse(text: &str) -> Option<Self> {
        let (address, length) = text.split_once('/').map_or((text, None), |(at, length)| (at, Some(length)));
        let address: IpAddr = address.trim().parse().ok()?;
        let all = if address.is_ipv4() { 32 } else { 128 };
        let length: u32 = length.map_or(Ok(all), str::parse).ok().filter(|length| *length <= all)?;
        let mask = u128::MAX.checked_shl(all - length).unwrap_or(0);
        let mask = if address.is_ipv4() { mask | (u128::MAX << 32) } else { mask };
        Some(Self { first: bits(address) & mask, mask })
    }

    fn has(&self, address: IpAddr) -> bool {
        bits(address) & self.mask == self.first
    }
}

/// Which header says whom a proxy had a request from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Told {
    XForwardedFor,
    Forwarded,
}

/// The proxies that are believed.
#[derive(Clone, Debug)]
pub(crate) struct Proxies {
    trusted: Vec<Block>,
    told: Told,
}

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const FORWARDED: HeaderName = HeaderName::from_static("forwarded");
/// Addresses in a header after which no more are read.
const HOPS_MAX: usize = 32;

/// Whether a proxy had the request first, ours or another.
pub(crate) fn came_by_a_proxy(headers: &HeaderMap) -> bool {
    headers.contains_key(X_FORWARDED_FOR) || headers.contains_key(FORWARDED)
}

impl Proxies {
    /// # Errors
    /// What is wrong with the settings.
    pub(crate) fn of(config: &Config) -> Result<Self, String> {
        let block = |text: &String| {
            Block::parse(text).ok_or_else(|| {
                format!("trusted_proxies: `{text}` is neither an address nor a block such as 192.0.2.0/24")
            })
        };
        let trusted = config.trusted_proxies.iter().map(block).collect::<Result<_, _>>()?;
        let told = match config.proxy_header.to_ascii_lowercase().as_str() {
            "x-forwarded-for" => Told::XForwardedFor,
            "forwarded" => Told::Forwarded,
            _ => {
                let other = &config.proxy_header;
                return Err(format!("proxy_header: `{other}` is neither X-Forwarded-For nor Forwarded"));
            }
        };
        Ok(Self { trusted, told })
    }

    /// Whether this is a proxy that is believed.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.iter().any(|block| block.has(address))
    }

    /// Whether a trusted proxy says that it had the request over HTTPS.
    pub(crate) fn had_it_by_https(&self, peer: SocketAddr, headers: &HeaderMap) -> bool {
        if !self.trusts(peer.ip()) {
            return false;
        }
        let name = match self.told {
            Told::XForwardedFor => X_FORWARDED_PROTO,
            Told::Forwarded => FORWARDED,
        };
        // The last one is what the proxy beside us has added.
        let last = headers.get_all(name).iter().next_back().and_then(|value| value.to_str().ok());
        let last = last.and_then(|value| value.rsplit(',').next()).unwrap_or_default();
        let proto = match self.told {
            Told::XForwardedFor => Some(last.trim()),
            Told::Forwarded => parameter(last, "proto"),
        };
        proto.is_some_and(|proto| proto.eq_ignore_ascii_case("https"))
    }

    /// Who a request is from: whom the nearest proxy names, and as long as that is a trusted proxy itself, whom it names.
    pub(crate) fn client(&self, peer: SocketAddr, headers: &HeaderMap) -> SocketAddr {
        if !self.trusts(peer.ip()) {
            return peer;
        }
        let name = match self.told {
            Told::XForwardedFor => X_FORWARDED_FOR,
            Told::Forwarded => FORWARDED,
        };
        let values: Vec<&str> =
            headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("")).collect();
        let hops = values.iter().rev().flat_map(|value| value.rsplit(',')).take(HOPS_MAX);
        let mut client = peer;
        for hop in hops {
            let address = match self.told {
                Told::XForwardedFor => address(hop),
                Told::Forwarded => forwarded_for(hop),
            };
            // What cannot be read was written by nobody we trust.
            let Some(address) = address else { break };
            client = SocketAddr::new(address, 0);
            if !self.trusts(address) {
                break;
            }
        }
        client
    }
}

/// An address as proxies write it: with or without a port, IPv6 perhaps in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(address);
    }
    if let Ok(with_port) = text.parse::<SocketAddr>() {
        return Some(with_port.ip());
    }
    text.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// The `for` of one element of `Forwarded` (RFC 7239).
fn forwarded_for(element: &str) -> Option<IpAddr> {
    address(parameter(element, "for")?)
}

/// A parameter of one element of `Forwarded`.
fn parameter<'a>(element: &'a str, wanted: &str) -> Option<&'a str> {
    element.split(';').find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case(wanted).then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(trusted: &[&str], header: &str) -> Proxies {
        let trusted_proxies = trusted.iter().map(|&text| text.to_owned()).collect();
        let config = Config { trusted_proxies, proxy_header: header.to_owned(), ..Config::default() };
        Proxies::of(&config).expect("they can be read")
    }

    fn client(proxies: &Proxies, peer: &str, name: HeaderName, values: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name.clone(), value.parse().expect("a header"));
        }
        proxies.client(SocketAddr::new(peer.parse().expect("an address"), 9), &headers).ip().to_string()
    }

    #[test]
    fn blocks_have_the_addresses_they_name() {
        for (block, address, has) in [
            ("192.0.2.0/24", "192.0.2.255", true),
            ("192.0.2.0/24", "192.0.3.0", false),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::", false),
            ("::/0", "192.0.2.1", true),
            ("127.0.0.1/32", "::ffff:127.0.0.1", true),
        ] {
            let parsed = Block::parse(block).expect("a block");
            assert_eq!(parsed.has(address.parse().expect("an address")), has, "{block} {address}");
        }
        for bad in ["", "nginx", "192.0.2.0/33", "192.0.2.0/x", "2001:db8::/129", "192.0.2.0/-1"] {
            assert_eq!(Block::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_rightmost_address_that_is_no_proxy_is_the_client() {
        let near = proxies(&["10.0.0.0/8", "::1"], "X-Forwarded-For");
        for (peer, values, who) in [
            ("10.0.0.1", &["203.0.113.9"][..], "203.0.113.9"),
            ("10.0.0.1", &["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
            ("10.0.0.1", &["203.0.113.9, 10.1.1.1"], "203.0.113.9"),
            ("10.0.0.1", &["198.51.100.1", "203.0.113.9", "10.1.1.1"], "203.0.113.9"),
            ("::1", &["[2001:db8::5]:4711"], "2001:db8::5"),
            ("10.0.0.1", &["203.0.113.9:80"], "203.0.113.9"),
            ("10.0.0.1", &["10.2.2.2, 10.3.3.3"], "10.2.2.2"),
            ("10.0.0.1", &["203.0.113.9, unknown"], "10.0.0.1"),
            ("10.0.0.1", &["203.0.113.9, "], "10.0.0.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("203.0.113.1", &["198.51.100.1"], "203.0.113.1"),
        ] {
            assert_eq!(client(&near, peer, X_FORWARDED_FOR, values), who, "{peer} {values:?}");
        }
        assert_eq!(client(&near, "10.0.0.1", FORWARDED, &["for=198.51.100.1"]), "10.0.0.1", "not asked for");
    }

    #[test]
    fn forwarded_is_read_as_its_rfc_writes_it() {
        let near = proxies(&["10.0.0.0/8"], "forwarded");
        for (value, who) in [
            ("for=192.0.2.43", "192.0.2.43"),
            ("proto=https;For=\"[2001:db8:cafe::17]:4711\";by=10.0.0.2", "2001:db8:cafe::17"),
            ("for=198.51.100.1, for=192.0.2.60;proto=http", "192.0.2.60"),
            ("for=192.0.2.43, for=10.9.9.9", "192.0.2.43"),
            ("for=_hidden", "10.0.0.1"),
            ("by=192.0.2.1", "10.0.0.1"),
        ] {
            assert_eq!(client(&near, "10.0.0.1", FORWARDED, &[value]), who, "{value}");
        }
        assert_eq!(
            client(&near, "10.0.0.1", X_FORWARDED_FOR, &["198.51.100.1"]),
            "10.0.0.1",
            "not asked for"
        );
    }

    #[test]
    fn only_a_trusted_proxy_says_that_it_had_a_request_by_https() {
        let by = |proxies: &Proxies, peer: &str, name: HeaderName, values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(name.clone(), value.parse().expect("a header"));
            }
            proxies.had_it_by_https(SocketAddr::new(peer.parse().expect("an address"), 9), &headers)
        };
        let near = proxies(&["10.0.0.0/8"], "X-Forwarded-For");
        for (peer, values, https) in [
            ("10.0.0.1", &["https"][..], true),
            ("10.0.0.1", &["HTTPS"], true),
            ("10.0.0.1", &["http, https"], true),
            ("10.0.0.1", &["https", "http"], false),
            ("10.0.0.1", &["http"], false),
            ("10.0.0.1", &[], false),
            ("203.0.113.1", &["https"], false),
        ] {
            assert_eq!(by(&near, peer, X_FORWARDED_PROTO, values), https, "{peer} {values:?}");
        }
        assert!(!by(&near, "10.0.0.1", FORWARDED, &["proto=https"]), "not asked for");
        let near = proxies(&["10.0.0.0/8"], "Forwarded");
        assert!(by(
            &near,
            "10.0.0.1",
            FORWARDED,
            &["for=192.0.2.1;proto=http, for=192.0.2.2; Proto=\"https\""]
        ));
        assert!(!by(&near, "10.0.0.1", FORWARDED, &["proto=https, for=192.0.2.2"]));
        assert!(!by(&near, "10.0.0.1", X_FORWARDED_PROTO, &["https"]), "not asked for");
    }
}
