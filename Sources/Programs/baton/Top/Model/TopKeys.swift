/// The action of a key in `baton top`.
enum TopAction: Hashable, Sendable {
    case toggle, next, previous, louder, quieter, mute, forward, back, shuffle, `repeat`, favourite
    case show(TopView)
    case nextView, previousView
    case up, down, pageUp, pageDown, first, last
    /// The action of Enter in the visible list.
    case choose
    case search, leave, addAtEnd, addNext
    case remove, moveUp, moveDown, undo
    case help, redraw, suspend, quit
}

/// The table of keys, used by the model and shown in the help.
struct TopKey: Sendable {
    let keys: [Key]
    /// The key's name for people.
    let name: String
    let says: String
    let action: TopAction

    private init(_ keys: [Key], called name: String, says: String, action: TopAction) {
        (self.keys, self.name, self.says, self.action) = (keys, name, says, action)
    }

    static let groups: [(title: String, keys: [TopKey])] = [
        (
            "What plays",
            [
                TopKey([.character(" ")], called: "space", says: "pause and play", action: .toggle),
                TopKey([.character("n")], called: "n", says: "next", action: .next),
                TopKey([.character("p")], called: "p", says: "back, or to the entry before", action: .previous),
                TopKey([.right], called: "→", says: "10 seconds on", action: .forward),
                TopKey([.left], called: "←", says: "10 seconds back", action: .back),
                TopKey([.character("+"), .character("=")], called: "+", says: "louder; in rooms: that room", action: .louder),
                TopKey([.character("-")], called: "-", says: "quieter", action: .quieter),
                TopKey([.character("m")], called: "m", says: "mute, or hear it again", action: .mute),
                TopKey([.character("f")], called: "f", says: "a favourite, or no longer", action: .favourite),
                TopKey([.character("s")], called: "s", says: "shuffle, or in order", action: .shuffle),
                TopKey([.character("r")], called: "r", says: "repeat: off, all, one", action: .repeat),
            ]
        ),
        (
            "What is shown",
            TopView.allCases.map { TopKey([.character($0.key)], called: String($0.key), says: $0.says, action: .show($0)) } + [
                TopKey([.tab], called: "Tab", says: "the next of these", action: .nextView),
                TopKey([.backTab], called: "Shift-Tab", says: "the one before", action: .previousView),
                TopKey([.character("/")], called: "/", says: "search, while you type", action: .search),
                TopKey([.character("?")], called: "?", says: "these keys", action: .help),
                TopKey([.control("l")], called: "Ctrl-L", says: "draw the screen anew", action: .redraw),
                TopKey([.control("z")], called: "Ctrl-Z", says: "back to the shell for now", action: .suspend),
                TopKey([.character("q"), .control("c")], called: "q", says: "end", action: .quit),
            ]
        ),
        (
            "In a list",
            [
                TopKey([.down, .character("j")], called: "↓ j", says: "down", action: .down),
                TopKey([.up, .character("k")], called: "↑ k", says: "up", action: .up),
                TopKey([.pageDown, .control("d")], called: "PgDn", says: "a screen down", action: .pageDown),
                TopKey([.pageUp, .control("u")], called: "PgUp", says: "a screen up", action: .pageUp),
                TopKey([.home, .character("g")], called: "Home g", says: "to the top", action: .first),
                TopKey([.end, .character("G")], called: "End G", says: "to the end", action: .last),
                TopKey([.enter], called: "Enter", says: "play it, open it, go there", action: .choose),
                TopKey([.escape, .backspace], called: "Esc", says: "out of it again", action: .leave),
                TopKey([.character("a")], called: "a", says: "add it to the queue's end", action: .addAtEnd),
                TopKey([.character("A")], called: "A", says: "add it behind what plays", action: .addNext),
                TopKey([.character("d"), .delete], called: "d", says: "take it out of the queue", action: .remove),
                TopKey([.character("J")], called: "J", says: "move it down", action: .moveDown),
                TopKey([.character("K")], called: "K", says: "move it up", action: .moveUp),
                TopKey([.character("u")], called: "u", says: "take back the last edit", action: .undo),
            ]
        ),
    ]

    private static let actions: [Key: TopAction] = Dictionary(
        groups.flatMap(\.keys).flatMap { entry in entry.keys.map { ($0, entry.action) } }, uniquingKeysWith: { first, _ in first })

    static func action(of key: Key) -> TopAction? { actions[key] }
}

/// A part of the hub's state that the screen can show.
enum TopView: Int, CaseIterable, Sendable {
    case now, queue, library, rooms, lyrics

    var title: String { ["Now", "Queue", "Library", "Rooms", "Lyrics"][rawValue] }
    var key: Character { Character(String(rawValue + 1)) }
    fileprivate var says: String {
        ["what plays", "the queue", "the library", "rooms, and how loud each is", "the words of what plays"][rawValue]
    }

    func next(by step: Int) -> TopView {
        let count = Self.allCases.count
        return Self.allCases[(rawValue + step + count) % count]
    }
}
