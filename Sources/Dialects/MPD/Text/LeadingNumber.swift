/// A whole number at the beginning of a text, read as `strtol` does: spaces, a sign, digits. One that is too large becomes the largest.
struct LeadingNumber {
    let value: Int
    /// The bytes behind the last digit.
    let rest: Substring.UTF8View

    /// Reads the number; `nil` where there is no digit.
    init?(_ text: String) { self.init(text[...].utf8) }

    init?(_ text: Substring.UTF8View) {
        var rest = text.drop { Self.isSpace($0) }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        var value = 0
        var hasDigit = false
        while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            hasDigit = true
            let digit = Int(byte - UInt8(ascii: "0"))
            let (product, isLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = product.addingReportingOverflow(digit)
            value = isLarge || isLarger ? .max : sum
            rest = rest.dropFirst()
        }
        guard hasDigit else { return nil }
        self.value = isNegative ? -value : value
        self.rest = rest
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
