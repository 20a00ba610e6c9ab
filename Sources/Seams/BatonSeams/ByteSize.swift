/// Sizes in bytes in the form that people use: `512 MiB`, `20G`.
package enum ByteSize {
    private static let shifts: [String: Int64] = [
        "": 0, "b": 0, "k": 10, "kib": 10, "m": 20, "mib": 20, "g": 30, "gib": 30, "t": 40, "tib": 40,
    ]

    /// The number of bytes; units count in powers of 1024. It is `nil` for other text, and for a number that is too large.
    package static func bytes(in text: String) -> Int64? {
        let digits = text.prefix { "0"..."9" ~= $0 }
        let unit = String(text.dropFirst(digits.count).drop { $0 == " " }).lowercased()
        guard let number = Int64(digits), let shift = shifts[unit], number <= Int64.max >> (shift + 1) else { return nil }
        return number << shift
    }

    /// A text such as `1.4 GiB`, with at most one decimal.
    package static func text(_ bytes: Int64) -> String {
        let units: [(String, Int64)] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        guard let (unit, size) = units.first(where: { bytes >= $0.1 }) else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let tenths = (bytes / (size / 16) * 10 + 8) / 16
        return tenths % 10 == 0 || tenths >= 1000 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
