/// The sound of one finished piece on the hub's disk.
package struct StoredSound: Equatable, Sendable {
    package var id: String
    package var bytes: Int64
    /// When it was heard last, or else made.
    package var usedMs: Int64
    /// It is kept, starred, listed or queued.
    package var isProtected: Bool

    package init(_ id: String, bytes: Int64, usedMs: Int64, isProtected: Bool = false) {
        self.id = id
        self.bytes = bytes
        self.usedMs = usedMs
        self.isProtected = isProtected
    }

    /// Which of these go, so that the rest takes no more than `limit`: those that were heard longest ago first. What is protected stays
    /// even where it alone takes more.
    package static func excess(of sounds: [StoredSound], limit: Int64) -> [String] {
        var total = sounds.reduce(0) { $0 + $1.bytes }
        var gone: [String] = []
        for sound in sounds.sorted(by: { ($0.usedMs, $0.id) < ($1.usedMs, $1.id) }) where !sound.isProtected && total > limit {
            total -= sound.bytes
            gone.append(sound.id)
        }
        return gone
    }
}

/// A file of a piece's folder.
package struct StoredFile: Equatable, Sendable {
    package var name: String
    package var bytes: Int64

    package init(name: String, bytes: Int64) { (self.name, self.bytes) = (name, bytes) }
}
