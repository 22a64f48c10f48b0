//! Small sums.

/// The value below which this part of all lies, in milliseconds; of values in microseconds.
pub(crate) fn percentile_ms(sorted_us: &[u32], part: f64) -> f64 {
    let last = sorted_us.len().saturating_sub(1);
    let place = (last as f64 * part).round() as usize;
    f64::from(sorted_us.get(place).copied().unwrap_or(0)) / 1000.0
}

/// The middle value.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
