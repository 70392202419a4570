//! Logarithm and exponential from the four basic operations only. Math libraries differ in the last digit
//! between platforms, and a search with an iteration budget must give the same result everywhere.

/// Returns the natural logarithm of `x`, which must be finite and at least 1. Equal on all platforms.
pub(crate) fn ln(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    // 1 ≤ m < 2, and ln m = 2 artanh((m − 1) / (m + 1)).
    let m = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    let z = (m - 1.0) / (m + 1.0);
    let zz = z * z;
    let series = 1.0 + zz * (1.0 / 3.0 + zz * (0.2 + zz * (1.0 / 7.0 + zz / 9.0)));
    exponent as f32 * std::f32::consts::LN_2 + 2.0 * z * series
}

/// Approximates e^x for `x` of at most 0, as (1 + x/256)^256; 0 below −256. Equal on all platforms.
pub(crate) fn exp(x: f32) -> f32 {
    let mut power = (1.0 + x / 256.0).max(0.0);
    for _ in 0..8 {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_to_the_truth() {
        for i in 1..20_000 {
            let x = i as f32 * 1.37;
            assert!((ln(x) - x.ln()).abs() < 2e-5 * x.ln().abs().max(1.0), "{x}");
        }
        for i in 0..100 {
            let x = -(i as f32) / 10.0;
            assert!((exp(x) - x.exp()).abs() < 2e-3, "{x}");
        }
        assert_eq!((ln(1.0), exp(0.0), exp(-1e30)), (0.0, 1.0, 0.0));
    }
}
