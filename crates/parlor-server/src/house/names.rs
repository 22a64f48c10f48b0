//! Which names people may have: none that nobody can read, none that look like the house's own, and at one table none
//! that look like somebody else's.

use parlor_core::{HouseCode, Refusal};

/// The most characters of a name at a table.
const NAME_CHARS_MAX: usize = 50;

/// Names of the house: a player who had one could speak for it.
const RESERVED: [&str; 11] = [
    "admin",
    "administrator",
    "dealer",
    "host",
    "house",
    "moderator",
    "operator",
    "parlor",
    "server",
    "staff",
    "system",
];

/// Letters that look like Latin ones, and these.
const LOOK_ALIKES: [(char, char); 38] = [
    ('а', 'a'),
    ('в', 'b'),
    ('е', 'e'),
    ('ё', 'e'),
    ('к', 'k'),
    ('м', 'm'),
    ('н', 'h'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('т', 't'),
    ('у', 'y'),
    ('х', 'x'),
    ('і', 'i'),
    ('ї', 'i'),
    ('ѕ', 's'),
    ('ј', 'j'),
    ('һ', 'h'),
    ('ԁ', 'd'),
    ('ԛ', 'q'),
    ('ԝ', 'w'),
    ('ӏ', 'i'),
    ('α', 'a'),
    ('ε', 'e'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('τ', 't'),
    ('υ', 'u'),
    ('χ', 'x'),
    ('ı', 'i'),
    ('0', 'o'),
    ('1', 'i'),
    ('l', 'i'),
    ('|', 'i'),
    ('!', 'i'),
];

/// How a name looks at a glance: two names with the same look are taken for one another.
pub(crate) fn look(name: &str) -> String {
    let wide = |c: char| match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        c => c,
    };
    let latin = |c: char| LOOK_ALIKES.iter().find(|(other, _)| *other == c).map_or(c, |(_, latin)| *latin);
    let seen = name.chars().map(wide).flat_map(char::to_lowercase).map(latin);
    seen.filter(|c| !is_unseen(*c) && !c.is_whitespace() && !matches!(c, '_' | '-' | '.')).collect()
}

/// Whether a character takes no room, turns the text around, or only changes the one before it.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' | '\u{FEFF}'
            | '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a character is drawn over or under the one before it, as accents are.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// Whether marks are piled up on a letter until they cover the lines around it. No language needs more than two.
fn has_piled_marks(name: &str) -> bool {
    let mut marks = 0;
    name.chars().any(|c| {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        marks > 2
    })
}

/// Whether the house's own name is meant, or that of one of its bots.
pub(crate) fn is_reserved(name: &str) -> bool {
    let look = look(name);
    let numbered = look.strip_prefix("bot").is_some_and(|rest| {
        name.chars().any(char::is_numeric) && rest.chars().all(|c| c.is_numeric() || matches!(c, 'i' | 'o'))
    });
    numbered || RESERVED.iter().any(|own| self::look(own) == look)
}

/// The name that a player without an account has at a table.
pub(crate) fn check(name: &str) -> Result<(), Refusal> {
    let count = name.chars().count();
    let malformed = |text: &'static str| Err(Refusal::of(HouseCode::InvalidName, text));
    if name.chars().any(|c| is_unseen(c) && !matches!(c, '\u{300}'..='\u{36F}')) {
        return malformed("a name has no characters that cannot be seen");
    }
    if has_piled_marks(name) {
        return malformed("a name has no more than two accents on a letter");
    }
    if !(1..=NAME_CHARS_MAX).contains(&count) || look(name).is_empty() {
        return Err(Refusal::of(HouseCode::InvalidMessage, "player_name has 1 to 50 characters"));
    }
    if is_reserved(name) {
        return malformed("that name is the house's own");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_have_one_look() {
        for (one, other) in [
            ("Alice", "ALICE"),
            ("Alice", "A1ice"),
            ("Alice", "Аlicе"), // Two Cyrillic letters.
            ("Alice", "Al\u{200B}ice"),
            ("Alice", "Ａｌｉｃｅ"),
            ("Bo Li", "bo_li"),
            ("Zoe\u{301}", "Zoe"),
        ] {
            assert_eq!(look(one), look(other), "{one} and {other}");
        }
        for (one, other) in [("Ann", "Anna"), ("Мария", "Мари"), ("たろう", "じろう")] {
            assert_ne!(look(one), look(other), "{one} and {other}");
        }
    }

    #[test]
    fn names_of_the_house_and_names_that_cannot_be_seen_are_refused() {
        for name in ["System", "s y s t e m", "ѕystem", "ADMIN", "Bot 2", "bot_1", "Server", "Ope rator"] {
            assert!(check(name).is_err_and(|why| why.to_string().contains("house")), "{name}");
        }
        for name in [
            "",
            "   ",
            "\u{200B}",
            "A\u{202E}nn",
            "A\nnn",
            "A\u{7}",
            "Z\u{337}\u{35A}\u{322}o",
            &"x".repeat(51),
        ] {
            assert!(check(name).is_err(), "{name:?}");
        }
        for name in
            ["Ann", "Botox", "Bothy", "Robot", "山田", "Мария", "Jean-Luc", "José", "Vie\u{302}\u{323}t", "x"]
        {
            assert_eq!(check(name), Ok(()), "{name}");
        }
    }
}
