//! A certificate with its key, read from two files in PEM.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys};
use webpki::EndEntityCert;

use super::der::{Element, Elements};

/// The largest file of a certificate or a key, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Days before its end from which on a certificate is warned of.
const WARNED_DAYS: i64 = 14;
const DAY_SECONDS: i64 = 86_400;

/// A certificate that can be served.
pub(super) struct Certificate {
    key: Arc<CertifiedKey>,
    names: Vec<String>,
    dates: Dates,
    file: String,
}

/// What the certificate itself says, beside its names.
struct Dates {
    from: (i64, String),
    until: (i64, String),
    /// Whether somebody else has issued it: then clients need the issuer's certificate, too.
    issued: bool,
}

impl Dates {
    fn of(certificate: &[u8]) -> Option<Self> {
        let mut parts = Elements(certificate).next()?.elements().next()?.elements().peekable();
        // The version, which only old certificates lack.
        parts.next_if(|part| part.tag == 0xa0);
        let [_serial, _algorithm, issuer] = [parts.next()?, parts.next()?, parts.next()?];
        let mut validity = parts.next()?.elements();
        let from = validity.next().and_then(Element::time)?;
        let until = validity.next().and_then(Element::time)?;
        Some(Self { from, until, issued: parts.next()? != issuer })
    }
}

impl Certificate {
    /// # Errors
    /// What is wrong, with the setting and the file.
    pub(super) fn read(cert_file: &str, key_file: &str) -> Result<Self, String> {
        let in_cert = |why: &dyn std::fmt::Display| format!("tls_cert: {cert_file}: {why}");
        let in_key = |why: &dyn std::fmt::Display| format!("tls_key: {key_file}: {why}");
        let text = bytes(cert_file).map_err(|error| in_cert(&error))?;
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&text)
            .collect::<Result<_, _>>()
            .map_err(|error| in_cert(&error))?;
        let Some(own) = chain.first() else { return Err(in_cert(&"there is no certificate in it (PEM)")) };
        let unreadable = "its first certificate cannot be read";
        let names = EndEntityCert::try_from(own).map_err(|_| in_cert(&unreadable))?;
        let names: Vec<String> = names.valid_dns_names().map(str::to_owned).collect();
        let dates = Dates::of(own).ok_or_else(|| in_cert(&unreadable))?;
        let text = bytes(key_file).map_err(|error| in_key(&error))?;
        let key = PrivateKeyDer::from_pem_slice(&text).map_err(|error| match error {
            PemError::NoItemsFound if text.windows(9).any(|part| part == b"ENCRYPTED") => {
                in_key(&"the key is encrypted; the server needs one without a passphrase")
            }
            PemError::NoItemsFound => in_key(&"there is no private key in it (PEM)"),
            other => in_key(&other),
        })?;
        let key =
            CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|error| match error {
                Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                    in_key(&format_args!("the key is not that of the certificate in {cert_file}"))
                }
                other => in_key(&other),
            })?;
        Ok(Self { key: Arc::new(key), names, dates, file: cert_file.to_owned() })
    }

    /// The names of the servers that it is for.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn into_key(self) -> Arc<CertifiedKey> {
        self.key
    }

    /// When it ends, in seconds since 1970.
    pub(super) fn until(&self) -> i64 {
        self.dates.until.0
    }

    /// For whom it is, and until when.
    pub(super) fn describe(&self) -> String {
        let names = if self.names.is_empty() { "no name".to_owned() } else { self.names.join(", ") };
        format!("{} is for {names}, until {}", self.file, self.dates.until.1)
    }

    /// Why clients may refuse it, now or soon.
    pub(super) fn faults(&self, now: i64) -> Vec<String> {
        let (file, Dates { from, until, issued }) = (&self.file, &self.dates);
        let mut faults = Vec::new();
        let left = until.0.saturating_sub(now);
        if left < 0 {
            faults.push(format!("{file} has expired on {}", until.1));
        } else if left < WARNED_DAYS * DAY_SECONDS {
            faults.push(format!("{file} expires on {}", until.1));
        }
        if now < from.0 {
            faults.push(format!("{file} is good from {} on", from.1));
        }
        if *issued && self.key.cert.len() == 1 {
            faults.push(format!("{file} lacks its issuer's certificate: name the file with the whole chain"));
        }
        faults
    }
}

fn bytes(path: &str) -> std::io::Result<Vec<u8>> {
    let about = std::fs::metadata(path)?;
    if !about.is_file() {
        return Err(std::io::Error::other("it is not a file"));
    }
    if about.len() > FILE_BYTES_MAX {
        return Err(std::io::Error::other("it is too large to be a certificate or a key"));
    }
    std::fs::read(path)
}
