/// Kinds of changes that a connection can wait for, in the order in which they are told.
struct Events: OptionSet, Hashable {
    let rawValue: UInt16

    static let database = Events(0)
    static let storedPlaylist = Events(1)
    static let playlist = Events(2)
    static let player = Events(3)
    static let mixer = Events(4)
    static let output = Events(5)
    static let options = Events(6)
    static let sticker = Events(7)
    static let update = Events(8)
    static let subscription = Events(9)
    static let message = Events(10)
    /// Never sent: there are no neighbours to mount, nor mounts.
    static let neighbor = Events(11)
    static let mount = Events(12)
    static let partition = Events(13)

    static let all = Events(rawValue: (1 << 14) - 1)

    private static let names = [
        "database", "stored_playlist", "playlist", "player", "mixer", "output", "options", "sticker", "update", "subscription", "message",
        "neighbor",
        "mount", "partition",
    ]

    init(rawValue: UInt16) { self.rawValue = rawValue }

    private init(_ place: Int) { self.init(rawValue: 1 << UInt16(place)) }

    /// The events of `idle`: those named, in any case, or all of them without a name.
    init(named names: [String]) throws(Ack) {
        var events = names.isEmpty ? Events.all : []
        for name in names {
            guard let place = Self.names.firstIndex(of: name.lowercased()) else { throw Ack(.argument, "Unrecognized idle event: \(name)") }
            events.insert(Events(place))
        }
        self = events
    }

    /// The answer that tells of them.
    var answer: [UInt8] {
        var text = ""
        for (place, name) in Self.names.enumerated() where contains(Events(place)) { text += "changed: \(name)\n" }
        return Array((text + "OK\n").utf8)
    }
}
