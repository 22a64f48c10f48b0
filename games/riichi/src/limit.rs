//! From han and fu to base points.

use serde::{Deserialize, Serialize};

use crate::rules::{Kazoe, Rules};

/// The steps above counted points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Below mangan.
    None,
    /// 5 han, or as many points.
    Mangan,
    /// 6 or 7 han.
    Haneman,
    /// 8 to 10 han.
    Baiman,
    /// 11 or 12 han.
    Sanbaiman,
    /// 13 han without a yakuman: as many yakuman as it is paid.
    Kazoe(u8),
    /// So many yakuman.
    Yakuman(u8),
}

impl Limit {
    /// What a discard pays to a dealer is six times this, to another four times.
    #[must_use]
    pub const fn base(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Mangan => 2000,
            Self::Haneman => 3000,
            Self::Baiman => 4000,
            Self::Sanbaiman => 6000,
            Self::Kazoe(times) | Self::Yakuman(times) => 8000 * times as u32,
        }
    }

    /// The name for people.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::None => String::new(),
            Self::Mangan => "mangan".into(),
            Self::Haneman => "haneman".into(),
            Self::Baiman => "baiman".into(),
            Self::Sanbaiman => "sanbaiman".into(),
            Self::Kazoe(1) => "counted yakuman".into(),
            Self::Kazoe(times) => format!("{times}-fold counted yakuman"),
            Self::Yakuman(1) => "yakuman".into(),
            Self::Yakuman(times) => format!("{times}-fold yakuman"),
        }
    }
}

/// The base points and the limit of a hand without a yakuman.
#[inline]
pub(crate) fn counted(han: u8, fu: u8, rules: &Rules) -> (u32, Limit) {
    let limit = match han {
        0..=4 => {
            let base = u32::from(fu) << (2 + han);
            let rounded_up = rules.kiriage_mangan && matches!((han, fu), (4, 30) | (3, 60));
            if base < 2000 && !rounded_up {
                return (base, Limit::None);
            }
            Limit::Mangan
        }
        5 => Limit::Mangan,
        6 | 7 => Limit::Haneman,
        8..=10 => Limit::Baiman,
        11 | 12 => Limit::Sanbaiman,
        _ => match rules.kazoe {
            Kazoe::Yakuman => Limit::Kazoe(1),
            Kazoe::Sanbaiman => Limit::Sanbaiman,
            Kazoe::Unlimited => Limit::Kazoe((han / 13).min(rules.yakuman_max)),
        },
    };
    (limit.base(), limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_are_where_the_rule_book_has_them() {
        // cites 003-16
        let rules = Rules::tenhou();
        let limit = |han, fu| counted(han, fu, &rules).1;
        assert_eq!(counted(1, 30, &rules), (240, Limit::None));
        assert_eq!(limit(4, 30), Limit::None);
        assert_eq!(limit(3, 60), Limit::None);
        assert_eq!(limit(4, 40), Limit::Mangan);
        assert_eq!(limit(3, 70), Limit::Mangan);
        let steps = [(5, Limit::Mangan), (6, Limit::Haneman), (7, Limit::Haneman), (8, Limit::Baiman)];
        let more =
            [(10, Limit::Baiman), (11, Limit::Sanbaiman), (12, Limit::Sanbaiman), (13, Limit::Kazoe(1))];
        for (han, step) in steps.into_iter().chain(more) {
            assert_eq!(limit(han, 30), step, "{han} han");
        }
    }

    #[test]
    fn kiriage_lifts_4_han_30_fu_and_3_han_60_fu() {
        // cites 003/R12
        let on = Rules::ronin();
        assert_eq!(counted(4, 30, &on).1, Limit::Mangan);
        assert_eq!(counted(3, 60, &on).1, Limit::Mangan);
        assert_eq!(counted(4, 25, &on), (1600, Limit::None));
        assert_eq!(counted(2, 120, &on), (1920, Limit::None), "as many points, but none of the two");
    }

    #[test]
    fn thirteen_han_are_what_the_setting_says() {
        let with = |kazoe| Rules { kazoe, ..Rules::ronin() };
        assert_eq!(counted(26, 30, &with(Kazoe::Yakuman)).1, Limit::Kazoe(1));
        assert_eq!(counted(26, 30, &with(Kazoe::Sanbaiman)).1, Limit::Sanbaiman);
        assert_eq!(counted(26, 30, &with(Kazoe::Unlimited)).1, Limit::Kazoe(2));
    }
}
