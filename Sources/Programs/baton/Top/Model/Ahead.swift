import BatonCore

/// What keys have asked for and the hub has not answered yet: the screen shows it at once, as the page does.
///
/// It is dropped with the last answer of its kind, whatever that says, because the state of the hub is true then. On a slow link a
/// person sees what a key does without waiting, and never longer than the answer takes something that is not so.
struct Ahead: Equatable, Sendable {
    enum Kind: CaseIterable, Sendable {
        case playing, current, mute, modes, rows, favourite
    }

    var isPlaying: Bool?
    /// The entry that will be current.
    var current: EntryID?
    /// Of several levels only the newest is sent, so these are not counted: a level goes with its own answer.
    var levels: [RoomID: Int] = [:]
    var isMuted: Bool?
    var modes: Modes?
    /// The queue in its order.
    var rows: [EntryID]?
    var isFavourite: Bool?
    private var unanswered: [Kind: Int] = [:]

    mutating func begin(_ kind: Kind) { unanswered[kind, default: 0] += 1 }

    /// An answer came, or none will.
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

    /// Another room has another state.
    mutating func forget() {
        let unanswered = unanswered
        self = Ahead()
        self.unanswered = unanswered
    }
}
