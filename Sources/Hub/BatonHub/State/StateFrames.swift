import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire

/// State messages, encoded once for all who lack the same things.
struct StateFrames {
    /// What decides the bytes of a state message, beside the board itself.
    struct Key: Hashable {
        var room: RoomID
        var namesRoom: Bool
        var wanted: SectionSet
        /// The revision last sent; `nil` asks for everything.
        var since: Int?
        /// Where it leads when another room's message follows; else to where the hub is. Only the last
        /// of several may say that all is told: whoever is cut off before it has not heard all.
        var leadsTo: Int?

        /// Rooms are few and the rest tells almost all keys apart.
        func hash(into hasher: inout Hasher) {
            hasher.combine(wanted)
            hasher.combine(since)
        }
    }

    private var frames: [Key: Frame?] = [:]
    var count: Int { frames.count }
    private var revision = -1
    // Neighbours in a round almost always lack the same things.
    private var lastKey: Key?
    private var lastFrame: Frame?

    /// The message that brings somebody up to date; `nil` when nothing they follow has changed.
    @Loop
    mutating func frame(for key: Key, published: PublishedState, revision: Int) -> Frame? {
        if revision != self.revision {
            frames.removeAll(keepingCapacity: true)
            lastKey = nil
            self.revision = revision
        }
        if let lastKey, lastKey == key { return lastFrame }
        let frame = frames[key] ?? Self.make(key, published, revision)
        frames[key] = .some(frame)
        lastKey = key
        lastFrame = frame
        return frame
    }

    @Loop
    private static func make(_ key: Key, _ published: PublishedState, _ revision: Int) -> Frame? {
        let sections =
            key.since.map { published.newer(than: $0, of: key.wanted, in: key.room) } ?? published.present(of: key.wanted, in: key.room)
        if key.since != nil, sections.isEmpty { return nil }
        return write(sections, key, published, revision)
    }

    /// A state message with exactly these sections, also with none.
    @Loop
    static func write(_ sections: SectionSet, _ key: Key, _ published: PublishedState, _ revision: Int) -> Frame {
        let header = StateHeader(
            revision: key.leadsTo ?? revision, from: key.since, full: key.since == nil,
            room: key.namesRoom ? key.room : nil)
        return .encoding { header.encode(into: &$0, sections: published.encoded(sections, of: key.room)) }
    }
}
