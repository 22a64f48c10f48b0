//! Certificates for tests, made by hand: a key, and what it signs about itself.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};

/// A certificate that nobody else has signed, and its key, both in PEM.
pub(crate) struct Certificate {
    pub(crate) pem: String,
    pub(crate) key_pem: String,
    /// The certificate as clients are given it whom it is to be trusted by.
    pub(crate) der: Vec<u8>,
}

fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let length = u16::try_from(body.len()).expect("a small element");
    let mut der = vec![tag];
    match length {
        0..=0x7f => der.push(length as u8),
        0x80..=0xff => der.extend([0x81, length as u8]),
        _ => der.extend([0x82, (length >> 8) as u8, length as u8]),
    }
    der.extend(body);
    der
}

fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    element(0x30, parts)
}

/// A distinguished name with nothing but a common name.
fn name(text: &str) -> Vec<u8> {
    let common_name = element(0x06, &[&[0x55, 0x04, 0x03]]);
    sequence(&[&element(0x31, &[&sequence(&[&common_name, &element(0x0c, &[text.as_bytes()])])])])
}

fn pem(kind: &str, der: &[u8]) -> String {
    let lines: String = der.chunks(48).map(|line| BASE64_STANDARD.encode(line) + "\n").collect();
    format!("-----BEGIN {kind}-----\n{lines}-----END {kind}-----\n")
}

/// A certificate for these names and 127.0.0.1, good between two times such as `20200101000000Z`.
pub(crate) fn certificate(names: &[&str], from: &str, until: &str) -> Certificate {
    issued_by("a test", names, from, until)
}

/// The same with the name of an issuer; its subject is `a test`.
pub(crate) fn issued_by(issuer: &str, names: &[&str], from: &str, until: &str) -> Certificate {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).expect("a key");
    let key =
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, document.as_ref(), &random).expect("reads");
    let algorithm = sequence(&[&element(0x06, &[&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]])]);
    let key_kind = sequence(&[
        &element(0x06, &[&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]]),
        &element(0x06, &[&[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]]),
    ]);
    let names: Vec<Vec<u8>> = names.iter().map(|name| element(0x82, &[name.as_bytes()])).collect();
    let names = sequence(&[&names.concat(), &element(0x87, &[&[127, 0, 0, 1]])]);
    let alternative_names = sequence(&[&element(0x06, &[&[0x55, 0x1d, 0x11]]), &element(0x04, &[&names])]);
    let about = sequence(&[
        &element(0xa0, &[&element(0x02, &[&[2]])]),
        &element(0x02, &[&[1]]),
        &algorithm,
        &name(issuer),
        &sequence(&[&element(0x18, &[from.as_bytes()]), &element(0x18, &[until.as_bytes()])]),
        &name("a test"),
        &sequence(&[&key_kind, &element(0x03, &[&[0], key.public_key().as_ref()])]),
        &element(0xa3, &[&sequence(&[&alternative_names])]),
    ]);
    let signature = key.sign(&random, &about).expect("signs");
    let der = sequence(&[&about, &algorithm, &element(0x03, &[&[0], signature.as_ref()])]);
    Certificate { pem: pem("CERTIFICATE", &der), key_pem: pem("PRIVATE KEY", document.as_ref()), der }
}

/// One that is good for a long time, for `localhost` and 127.0.0.1.
pub(crate) fn usual() -> Certificate {
    certificate(&["localhost"], "20200101000000Z", "20990101000000Z")
}
