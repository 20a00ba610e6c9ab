/// Texts that must fit into so many bytes.

extension String {
    /// The beginning that has room in so many bytes of UTF-8, in whole characters.
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
