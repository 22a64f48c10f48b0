//! As much of DER as it takes to find a certificate's dates. It reads bytes and never writes any.

/// An element: its tag and what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Element<'a> {
    pub(super) tag: u8,
    pub(super) body: &'a [u8],
}

pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const UTC_TIME: u8 = 0x17;
pub(super) const GENERALIZED_TIME: u8 = 0x18;

/// Reads elements one after the other.
pub(super) struct Elements<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        let (&tag, rest) = self.0.split_first()?;
        let (&short, rest) = rest.split_first()?;
        let (length, rest) = match short {
            0..=0x7f => (usize::from(short), rest),
            0x81..=0x84 => {
                let (bytes, rest) = rest.split_at_checked(usize::from(short & 0x7f))?;
                (bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
            }
            _ => return None,
        };
        let (body, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some(Element { tag, body })
    }
}

impl<'a> Element<'a> {
    /// The elements of a sequence; of anything else, none.
    pub(super) fn elements(self) -> Elements<'a> {
        Elements(if self.tag == SEQUENCE { self.body } else { &[] })
    }

    /// A time as seconds since 1970, and its day as `2027-01-31`.
    pub(super) fn time(self) -> Option<(i64, String)> {
        let text = std::str::from_utf8(self.body).ok()?.strip_suffix('Z')?;
        let (year, rest) = match self.tag {
            UTC_TIME => {
                let (year, rest) = text.split_at_checked(2)?;
                let year: i64 = year.parse().ok()?;
                (if year < 50 { 2000 + year } else { 1900 + year }, rest)
            }
            GENERALIZED_TIME => {
                let (year, rest) = text.split_at_checked(4)?;
                (year.parse().ok()?, rest)
            }
            _ => return None,
        };
        if rest.len() != 10 || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let two = |at: usize| rest[at..at + 2].parse::<i64>().ok();
        let (month, day) = (two(0)?, two(2)?);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let seconds = (two(4)? * 60 + two(6)?) * 60 + two(8)?;
        Some((days(year, month, day) * 86_400 + seconds, format!("{year:04}-{month:02}-{day:02}")))
    }
}

/// Days since 1970-01-01 in the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March: the day that some of them have more is then the last.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_certificates_write_them() {
        // The seconds are those of `date --date='…' +%s`.
        type Row = (u8, &'static str, Option<(i64, &'static str)>);
        let rows: [Row; 13] = [
            (UTC_TIME, "700101000000Z", Some((0, "1970-01-01"))),
            (UTC_TIME, "271231235959Z", Some((1_830_297_599, "2027-12-31"))),
            (UTC_TIME, "280229120000Z", Some((1_835_438_400, "2028-02-29"))),
            (UTC_TIME, "491231235959Z", Some((2_524_607_999, "2049-12-31"))),
            (UTC_TIME, "500101000000Z", Some((-631_152_000, "1950-01-01"))),
            (GENERALIZED_TIME, "20500101000000Z", Some((2_524_608_000, "2050-01-01"))),
            (GENERALIZED_TIME, "99991231235959Z", Some((253_402_300_799, "9999-12-31"))),
            (GENERALIZED_TIME, "20000301000000Z", Some((951_868_800, "2000-03-01"))),
            (UTC_TIME, "271331235959Z", None),
            (UTC_TIME, "2712312359Z", None),
            (UTC_TIME, "271231235959", None),
            (GENERALIZED_TIME, "é9991231235959Z", None),
            (SEQUENCE, "271231235959Z", None),
        ];
        for (tag, text, time) in rows {
            let read = Element { tag, body: text.as_bytes() }.time();
            assert_eq!(read, time.map(|(at, day)| (at, day.to_owned())), "{text}");
        }
    }

    #[test]
    fn an_element_that_is_cut_or_longer_than_its_bytes_is_none() {
        let long = [&[SEQUENCE, 0x82, 1, 0][..], &[0; 256]].concat();
        let read: Vec<Element<'_>> = Elements(&long).collect();
        assert_eq!((read.len(), read[0].body.len()), (1, 256));
        for cut in 0..long.len() {
            assert_eq!(Elements(&long[..cut]).next(), None, "{cut} bytes");
        }
        for bad in [&[SEQUENCE, 0x80, 0][..], &[SEQUENCE, 0x85, 0, 0, 0, 0, 0], &[SEQUENCE, 0xff]] {
            assert_eq!(Elements(bad).next(), None, "{bad:x?}");
        }
        let two: Vec<u8> = Elements(&[5, 0, 2, 1, 7]).map(|element| element.tag).collect();
        assert_eq!(two, [5, 2]);
    }
}
