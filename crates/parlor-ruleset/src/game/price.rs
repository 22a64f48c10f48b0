//! What an action costs, in words.

use crate::machine::eval::Scratch;
use crate::machine::ids::SlotId;
use crate::machine::program::ActionDef;
use crate::machine::stack::window::Acting;

/// The parts of a cost: amount and what it is paid in.
pub(crate) type Price = Vec<(i64, String)>;

/// What an action with these targets costs. What is done as a cost, and not paid, has no price.
pub(crate) fn price(acting: Acting<'_>, scratch: &mut Scratch, def: &ActionDef, targets: &[i64]) -> Price {
    let mut due = Vec::new();
    if !acting.add_costs(scratch, def, targets, 0, &mut due) {
        return Vec::new();
    }
    let name =
        |slot: SlotId| acting.program.vars.iter().rfind(|var| var.base <= slot).map(|var| var.name.clone());
    due.into_iter().filter_map(|(slot, amount)| Some((amount, name(slot)?))).collect()
}

/// `4 mana`; nothing for what is free.
pub(crate) fn text(price: &Price) -> Option<String> {
    let parts: Vec<String> = price.iter().map(|(amount, name)| format!("{amount} {name}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// One text where all cost the same, else a range: `2–5 mana`.
pub(crate) fn range(prices: &[Price]) -> Option<String> {
    let first = prices.first()?;
    if prices.iter().all(|price| price == first) {
        return text(first);
    }
    let mut names: Vec<&String> = prices.iter().flatten().map(|(_, name)| name).collect();
    names.sort();
    names.dedup();
    let parts = names.into_iter().map(|name| {
        let of =
            |price: &Price| price.iter().find(|(_, other)| other == name).map_or(0, |(amount, _)| *amount);
        let (least, most) =
            (prices.iter().map(of).min().unwrap_or(0), prices.iter().map(of).max().unwrap_or(0));
        if least == most { format!("{least} {name}") } else { format!("{least}–{most} {name}") }
    });
    Some(parts.collect::<Vec<_>>().join(", "))
}
