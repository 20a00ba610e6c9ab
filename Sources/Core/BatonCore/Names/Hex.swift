/// Bytes as lower-case hexadecimal digits: digests in names of files and in lists.
package enum Hex {
    /// The digits, two for each byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The bytes; `nil` for text that is not pairs of hexadecimal digits.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
