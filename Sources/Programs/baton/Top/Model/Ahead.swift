import BatonCore

/// Expected effects of keys before the hub's reply, which the screen shows at once, like the web page.
///
/// An effect is dropped with the last reply of its kind, whatever the result, because the hub's state is current
/// then. On a slow link a person thus sees the effect of a key at once, and a wrong expectation only until the reply.
struct Ahead: Equatable, Sendable {
    enum Kind: CaseIterable, Sendable {
        case playing, current, mute, modes, rows, favourite
    }

    var isPlaying: Bool?
    /// The expected current entry.
    var current: EntryID?
    /// Expected levels. They are not counted by kind, because only the newest level is sent; each is dropped with its
    /// own reply.
    var levels: [RoomID: Int] = [:]
    var isMuted: Bool?
    var modes: Modes?
    /// The expected order of the queue.
    var rows: [EntryID]?
    var isFavourite: Bool?
    private var unanswered: [Kind: Int] = [:]

    mutating func begin(_ kind: Kind) { unanswered[kind, default: 0] += 1 }

    /// Notes that a reply arrived, or that none will.
    mutating func end(_ kind: Kind) {
        let left = max(0, (unanswered[kind] ?? 0) - 1)
        unanswered[kind] = left
        guard left == 0 else { return }
        switch kind {
        case .playing: isPlaying = nil
        case .current: current = nil
        case .mute: isMuted = nil
        case .modes: modes = nil
        case .rows: rows = nil
        case .favourite: isFavourite = nil
        }
    }

    /// Drops all expectations, because another room has another state.
    mutating func forget() {
        let unanswered = unanswered
        self = Ahead()
        self.unanswered = unanswered
    }
}
