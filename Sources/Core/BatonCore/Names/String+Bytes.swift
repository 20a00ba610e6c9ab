/// Texts with a limit in bytes.

extension String {
    /// The longest prefix of whole characters that fits into `most` bytes of UTF-8.
    package func prefix(bytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var bytes = 0
        return String(
            prefix { character in
                bytes += character.utf8.count
                return bytes <= most
            })
    }
}
