//! Licence expressions: `MIT OR (Apache-2.0 WITH LLVM-exception AND Unicode-3.0)`, and the old `MIT/Apache-2.0`.

/// True if the expression can be met with licences that `allowed` says yes to; an error if it cannot be read.
///
/// `allowed` is asked for `Id` and, where there is an exception, for `Id WITH Exception`.
pub(crate) fn satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Result<bool, String> {
    let words = words(expression);
    let mut reader = Reader { words: &words, at: 0, allowed };
    let met = reader.any().map_err(|why| format!("`{expression}`: {why}"))?;
    match reader.next() {
        None => Ok(met),
        Some(word) => Err(format!("`{expression}`: `{word}` was not expected")),
    }
}

fn words(expression: &str) -> Vec<String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    spaced.split_whitespace().map(str::to_string).collect()
}

struct Reader<'a> {
    words: &'a [String],
    at: usize,
    allowed: &'a dyn Fn(&str) -> bool,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    /// Takes the operator if it comes next; operators may be written small.
    fn takes(&mut self, operator: &str) -> bool {
        let here = self.words.get(self.at).is_some_and(|word| word.eq_ignore_ascii_case(operator));
        self.at += usize::from(here);
        here
    }

    fn any(&mut self) -> Result<bool, String> {
        let mut met = self.all()?;
        while self.takes("OR") {
            met |= self.all()?;
        }
        Ok(met)
    }

    /// AND binds tighter than OR.
    fn all(&mut self) -> Result<bool, String> {
        let mut met = self.one()?;
        while self.takes("AND") {
            met &= self.one()?;
        }
        Ok(met)
    }

    fn one(&mut self) -> Result<bool, String> {
        let Some(word) = self.next() else { return Err("ends too early".into()) };
        if word == "(" {
            let met = self.any()?;
            return if self.takes(")") { Ok(met) } else { Err("a bracket is not closed".into()) };
        }
        if word == ")" || ["AND", "OR", "WITH"].iter().any(|operator| word.eq_ignore_ascii_case(operator)) {
            return Err(format!("`{word}` stands where a licence should"));
        }
        if !self.takes("WITH") {
            return Ok((self.allowed)(word));
        }
        let exception = self.next().ok_or("ends after WITH")?;
        Ok((self.allowed)(&format!("{word} WITH {exception}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(expression: &str) -> bool {
        satisfied(expression, &|id| ["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"].contains(&id))
            .unwrap()
    }

    #[test]
    fn one_way_out_is_enough_and_all_parts_are_needed() {
        assert!(met("MIT") && met("GPL-3.0-only OR MIT") && met("GPL-3.0-only/MIT"));
        assert!(met("(MIT OR GPL-3.0-only) AND Unicode-3.0"));
        assert!(!met("GPL-3.0-only") && !met("MIT AND GPL-3.0-only"));
    }

    #[test]
    fn and_binds_tighter_than_or() {
        assert!(met("MIT OR MIT AND GPL-3.0-only"));
        assert!(!met("(MIT OR MIT) AND GPL-3.0-only"));
    }

    #[test]
    fn an_exception_belongs_to_its_licence() {
        assert!(met("Apache-2.0 WITH LLVM-exception"));
        assert!(!met("Apache-2.0"));
        assert!(!met("MIT WITH Classpath-exception-2.0"));
    }

    #[test]
    fn what_cannot_be_read_is_an_error_not_a_yes() {
        for broken in ["", "MIT OR", "(MIT", "MIT)", "AND MIT", "MIT GPL-3.0-only", "MIT WITH"] {
            assert!(satisfied(broken, &|_| true).is_err(), "{broken}");
        }
    }
}
