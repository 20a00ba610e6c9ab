/// The links by which a room is heard as an endless stream. They are kept with the room, and of each key only its hash: who reads what is kept
/// cannot listen.
package struct RoomLinks: Equatable, Sendable {
    package struct Link: Equatable, Sendable {
        /// By which people name it to revoke it; opens nothing.
        package var id: String
        package var keyHash: [UInt8]
        /// What a person called it, such as `car`.
        package var name: String
        /// Who made it.
        package var author: String
        package var madeMs: Int64

        package init(id: String, keyHash: [UInt8], name: String = "", author: String = "", madeMs: Int64) {
            self.id = id
            self.keyHash = keyHash
            self.name = name
            self.author = author
            self.madeMs = madeMs
        }
    }

    /// In the order in which they were made.
    package private(set) var all: [Link] = []

    /// A home has fewer radios and cars.
    package static let most = 32

    package init() {}

    /// False where there is no room for another.
    mutating func add(_ link: Link) -> Bool {
        guard all.count < Self.most else { return false }
        all.append(link)
        return true
    }

    /// False where there is none of this id.
    mutating func remove(_ id: String) -> Bool {
        let count = all.count
        all.removeAll { $0.id == id }
        return all.count < count
    }

    // MARK: As they are kept

    /// One line for each. Names may hold anything, so their percent signs, spaces and line ends are encoded.
    package var text: String {
        all.map { link in
            "\(link.id) \(Hex.text(link.keyHash)) \(link.madeMs) \(PercentText.encoded(link.name)) \(PercentText.encoded(link.author))"
        }.joined(separator: "\n")
    }

    /// A line that cannot be read, such as one of a later version, is skipped.
    package init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 5, let hash = Hex.bytes(words[1]), hash.count == 32, let madeMs = Int64(words[2]),
                let name = PercentText.decoded(words[3]), let author = PercentText.decoded(words[4])
            else { continue }
            _ = add(Link(id: String(words[0]), keyHash: hash, name: name, author: author, madeMs: madeMs))
        }
    }
}

extension Room {
    package mutating func addLink(_ link: RoomLinks.Link) throws(Refusal) -> Outcome {
        guard links.add(link) else {
            throw Refusal(.quota, "This room has \(RoomLinks.most) links already. Revoke one that is not used any more.")
        }
        return touchingLinks()
    }

    package mutating func removeLink(_ id: String) throws(Refusal) -> Outcome {
        guard links.remove(id) else { throw Refusal(.notFound, "This room has no link “\(id)”.") }
        return touchingLinks()
    }

    private func touchingLinks() -> Outcome {
        var outcome = Outcome()
        // They belong to the room and not to what it plays, so they are kept also while it plays along with another server's room.
        outcome.isOwners = true
        return outcome
    }
}
