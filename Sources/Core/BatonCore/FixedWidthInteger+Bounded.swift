/// Arithmetic that stops at the bounds of its type instead of trapping.
///
/// Positions, steps and moments come from outside and may be as large as 2^53 on the wire. A meaningless number may give a meaningless position, but
/// must not crash the hub.
extension FixedWidthInteger {
    @inlinable func plus(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    @inlinable func minus(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    @inlinable func times(_ other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
