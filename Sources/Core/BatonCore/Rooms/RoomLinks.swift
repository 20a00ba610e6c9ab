/// The links to the endless stream of a room. They are stored with the room, as hashes of their keys, so that reading the store does not let anyone
/// listen.
package struct RoomLinks: Equatable, Sendable {
    /// A link that lets a player without an account open the room's stream. The key itself is not stored.
    package struct Link: Equatable, Sendable {
        /// The id that people use to revoke the link; it gives no access.
        package var id: String
        /// SHA-256 of the key that is part of the link's address.
        package var keyHash: [UInt8]
        /// The name that a person gave it, such as `car`.
        package var name: String
        /// The person who made it.
        package var author: String
        /// Wall clock time.
        package var madeMs: Milliseconds

        package init(id: String, keyHash: [UInt8], name: String = "", author: String = "", madeMs: Milliseconds) {
            self.id = id
            self.keyHash = keyHash
            self.name = name
            self.author = author
            self.madeMs = madeMs
        }
    }

    /// All links in the order in which they were made.
    package private(set) var all: [Link] = []

    /// Maximum number of links; a home has fewer radios and cars.
    package static let most = 32

    package init() {}

    /// Returns false when the list is full.
    mutating func add(_ link: Link) -> Bool {
        guard all.count < Self.most else { return false }
        all.append(link)
        return true
    }

    /// Returns false when there is no link with this id.
    mutating func remove(_ id: String) -> Bool {
        let count = all.count
        all.removeAll { $0.id == id }
        return all.count < count
    }

    // MARK: Storage

    /// One line per link. Names may hold any character, so percent signs, spaces and line ends are encoded.
    package var text: String {
        all.map { link in
            "\(link.id) \(Hex.text(link.keyHash)) \(link.madeMs) \(PercentText.encoded(link.name)) \(PercentText.encoded(link.author))"
        }.joined(separator: "\n")
    }

    /// A line that cannot be read, such as one of a later version, is skipped.
    package init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 5, let hash = Hex.bytes(words[1]), hash.count == 32, let madeMs = Milliseconds(words[2]),
                let name = PercentText.decoded(words[3]), let author = PercentText.decoded(words[4])
            else { continue }
            _ = add(Link(id: String(words[0]), keyHash: hash, name: name, author: author, madeMs: madeMs))
        }
    }
}

extension Room {
    /// Adds a link; refuses when the room has `most` already.
    package mutating func addLink(_ link: RoomLinks.Link) throws(Refusal) -> Outcome {
        guard links.add(link) else {
            throw Refusal(.quota, "This room has \(RoomLinks.most) links already. Revoke one that is not used any more.")
        }
        return touchingLinks()
    }

    /// Revokes a link by its id; refuses when the room has none with it.
    package mutating func removeLink(_ id: String) throws(Refusal) -> Outcome {
        guard links.remove(id) else { throw Refusal(.notFound, "This room has no link “\(id)”.") }
        return touchingLinks()
    }

    private func touchingLinks() -> Outcome {
        var outcome = Outcome()
        // Links belong to the room and not to what it plays, so they are stored even while the room plays along with another server's room.
        outcome.isOwners = true
        return outcome
    }
}
