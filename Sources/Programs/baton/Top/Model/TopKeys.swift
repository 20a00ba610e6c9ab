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

    private init(_ keys: [Key], _ name: String, _ says: String, _ action: TopAction) {
        (self.keys, self.name, self.says, self.action) = (keys, name, says, action)
    }

    static let groups: [(title: String, keys: [TopKey])] = [
        (
            "What plays",
            [
                TopKey([.character(" ")], "space", "pause and play", .toggle), TopKey([.character("n")], "n", "next", .next),
                TopKey([.character("p")], "p", "back, or to the entry before", .previous),
                TopKey([.right], "→", "10 seconds on", .forward), TopKey([.left], "←", "10 seconds back", .back),
                TopKey([.character("+"), .character("=")], "+", "louder; in rooms: that room", .louder),
                TopKey([.character("-")], "-", "quieter", .quieter), TopKey([.character("m")], "m", "mute, or hear it again", .mute),
                TopKey([.character("f")], "f", "a favourite, or no longer", .favourite),
                TopKey([.character("s")], "s", "shuffle, or in order", .shuffle),
                TopKey([.character("r")], "r", "repeat: off, all, one", .repeat),
            ]
        ),
        (
            "What is shown",
            TopView.allCases.map { TopKey([.character($0.key)], String($0.key), $0.says, .show($0)) } + [
                TopKey([.tab], "Tab", "the next of these", .nextView), TopKey([.backTab], "Shift-Tab", "the one before", .previousView),
                TopKey([.character("/")], "/", "search, while you type", .search),
                TopKey([.character("?")], "?", "these keys", .help), TopKey([.control("l")], "Ctrl-L", "draw the screen anew", .redraw),
                TopKey([.control("z")], "Ctrl-Z", "back to the shell for now", .suspend),
                TopKey([.character("q"), .control("c")], "q", "end", .quit),
            ]
        ),
        (
            "In a list",
            [
                TopKey([.down, .character("j")], "↓ j", "down", .down), TopKey([.up, .character("k")], "↑ k", "up", .up),
                TopKey([.pageDown, .control("d")], "PgDn", "a screen down", .pageDown),
                TopKey([.pageUp, .control("u")], "PgUp", "a screen up", .pageUp),
                TopKey([.home, .character("g")], "Home g", "to the top", .first),
                TopKey([.end, .character("G")], "End G", "to the end", .last),
                TopKey([.enter], "Enter", "play it, open it, go there", .choose),
                TopKey([.escape, .backspace], "Esc", "out of it again", .leave),
                TopKey([.character("a")], "a", "add it to the queue's end", .addAtEnd),
                TopKey([.character("A")], "A", "add it behind what plays", .addNext),
                TopKey([.character("d"), .delete], "d", "take it out of the queue", .remove),
                TopKey([.character("J")], "J", "move it down", .moveDown), TopKey([.character("K")], "K", "move it up", .moveUp),
                TopKey([.character("u")], "u", "take back the last edit", .undo),
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
