/// The sound of one finished piece on the hub's disk.
package struct StoredSound: Equatable, Sendable {
    /// The id of the piece's job.
    package var id: String
    /// Size of the sound, which deleting it would free.
    package var bytes: Int64
    /// The last time it was heard, or else the time it was made.
    package var usedMs: Milliseconds
    /// True when it is stored, starred, in a playlist or in a queue.
    package var isProtected: Bool

    package init(_ id: String, bytes: Int64, usedMs: Milliseconds, isProtected: Bool = false) {
        self.id = id
        self.bytes = bytes
        self.usedMs = usedMs
        self.isProtected = isProtected
    }

    /// The ids of the sounds to delete so that the rest fits `limit`, the least recently heard first. Protected sounds stay even where they alone
    /// exceed it.
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

/// A file in a piece's folder.
package struct StoredFile: Equatable, Sendable {
    /// The name inside the folder of its piece.
    package var name: String
    package var bytes: Int64

    package init(name: String, bytes: Int64) { (self.name, self.bytes) = (name, bytes) }
}
