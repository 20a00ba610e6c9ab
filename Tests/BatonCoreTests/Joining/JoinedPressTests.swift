/// What a press becomes in a joined room, and what shows that it was taken.
import Testing

@testable import BatonCore

@Suite struct JoinedPressTests {
    private func item(_ number: Int) -> NewEntry {
        NewEntry(uri: ItemURI("loft:track/\(number)"), tags: Tags(title: "\(number)", durationMs: 60_000))
    }

    private func view(
        of items: [Int], at index: Int = 0, start: Int = 0, isPaused: Bool = false, mode: NamedMode = .repeatAll,
        positionMs: Milliseconds = 10_000
    )
        -> JoinedPress.View
    {
        let entries = items.enumerated().map {
            QueueEntry(id: EntryID(UInt64($0.offset + 1)), uri: item($0.element).uri, tags: item($0.element).tags)
        }
        let queue = PlaybackQueue(entries: entries, current: EntryID(UInt64(index + 1)), revision: 9)
        return JoinedPress.View(
            queue: queue, start: start, length: start + items.count, isPaused: isPaused, positionMs: positionMs, mode: mode)
    }

    /// A server that does what it is asked, in its own words.
    private struct Server {
        var queue: [ItemURI]
        var index: Int
        var isPaused: Bool
        var positionMs = 10_000.0
        var mode = NamedMode.repeatAll

        mutating func take(_ action: ServerRoomAction) {
            let playing = queue.indices.contains(index) ? index : nil
            switch action {
            case .pause: isPaused = true
            case .unpause: isPaused = false
            case .seek(let toMs): positionMs = Double(toMs)
            case .jump(let place): (index, positionMs) = (place, 0)
            case .setMode(let mode): self.mode = mode
            case .add(let uris, let place):
                let at = place ?? queue.count
                queue.insert(contentsOf: uris, at: at)
                if let playing, at <= playing { index += uris.count }
            case .remove(let places):
                let gone = Set(places)
                index -= places.count { $0 < index }
                queue = queue.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
            case .move(let from, let to):
                let uri = queue.remove(at: from)
                queue.insert(uri, at: to)
            case .replace(let uris): (queue, index, positionMs) = (uris, 0, 0)
            }
        }

        var state: ServerRoomState {
            ServerRoomState(
                room: "main", name: "Main", positionMs: positionMs, isPaused: isPaused, index: index, mode: mode,
                queue: .init(queue.map { NewEntry(uri: $0, tags: Tags()) }))
        }
    }

    @Test(arguments: 0..<400) func `each step is shown by the state of a server that took it`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let items = (0..<Int.random(in: 1...8, using: &random)).map { _ in Int.random(in: 0...5, using: &random) }
        let index = Int.random(in: 0..<items.count, using: &random)
        let isPaused = Bool.random(using: &random)
        let view = view(of: items, at: index, isPaused: isPaused)
        var server = Server(queue: items.map { item($0).uri }, index: index, isPaused: isPaused)
        func some() -> EntryID { EntryID(UInt64(Int.random(in: 1...items.count, using: &random))) }
        let commands: [Command] = [
            .play(entry: nil), .play(entry: some()), .pause, .next(from: nil), .previous(from: nil), .jump(some()),
            .seek(entry: nil, toMs: 33_000),
            .skip(entry: nil, byMs: -20_000), .setModes(NamedMode.shuffle.change), .setModes(NamedMode.once.change),
            .add([item(7), item(1)], at: .next),
            .add([item(2)], at: .end), .remove([some(), some()]), .move([some(), some()], to: .end), .move([some()], to: .after(nil)),
            .replace(base: 9, with: [item(3), item(4)], start: 1, positionMs: 0, play: true), .clear(base: nil, keep: .none),
        ]
        let command = try #require(commands.randomElement(using: &random))
        guard case .steps(let steps) = try JoinedPress.meaning(of: command, in: view) else { return }
        for step in steps {
            server.take(step.action)
            #expect(step.sign.isShown(by: server.state, elapsedMs: 100), "seed \(seed): \(command) as \(step)")
        }
    }

    @Test func `one entry without repeating is refused, since the server repeats it`() throws {
        let playing = view(of: [1, 2], at: 0)
        #expect(throws: Refusal.self) {
            try JoinedPress.meaning(of: .setModes(ModeChange(single: .on)), in: view(of: [1, 2], at: 0, mode: .once))
        }
        #expect(throws: Refusal.self) { try JoinedPress.meaning(of: .setModes(ModeChange(repeat: false, single: .on)), in: playing) }
        let one = JoinedPress.Meaning.steps([JoinedPress.Step(.setMode(.repeatOne), shownBy: .mode(.repeatOne))])
        #expect(try JoinedPress.meaning(of: .setModes(ModeChange(single: .on)), in: playing) == one)
        let both = ModeChange(repeat: true, single: .on)
        #expect(try JoinedPress.meaning(of: .setModes(both), in: view(of: [1, 2], at: 0, mode: .once)) == one)
    }

    @Test(arguments: 0..<200) func `moving comes to the same at the server as in a queue of ours`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let items = Array(0..<Int.random(in: 2...8, using: &random))
        let view = view(of: items)
        let ids = view.queue.entries.map(\.id).shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        let place: InsertionPoint =
            [.end, .next, .after(nil), .after(view.queue.entries.randomElement(using: &random)?.id)].randomElement(using: &random) ?? .end
        var ours = view.queue
        _ = try ours.move(Array(ids), to: place)
        var server = Server(queue: items.map { item($0).uri }, index: 0, isPaused: false)
        if case .steps(let steps) = try JoinedPress.meaning(of: .move(Array(ids), to: place), in: view) {
            for step in steps { server.take(step.action) }
        }
        #expect(server.queue == ours.entries.map(\.uri), "seed \(seed): \(ids) to \(place)")
    }

    @Test func `places count in the whole queue of the server, of which a part is shown`() throws {
        let view = view(of: [1, 2, 3], at: 1, start: 5_000)
        #expect(
            try JoinedPress.meaning(of: .jump(EntryID(3)), in: view) == .steps([.init(.jump(5_002), shownBy: .index(5_002))]))
        #expect(
            try JoinedPress.meaning(of: .remove([EntryID(1)]), in: view)
                == .steps([.init(.remove([5_000]), shownBy: .atMost(0, of: ItemURI("loft:track/1")))]))
    }

    @Test func `what was meant for another entry or another queue changes nothing`() throws {
        let view = view(of: [1, 2, 3], at: 1)
        #expect(try JoinedPress.meaning(of: .next(from: EntryID(1)), in: view) == .nothing(.moved))
        #expect(throws: Refusal.self) { try JoinedPress.meaning(of: .clear(base: 8, keep: .none), in: view) }
        #expect(throws: Refusal.self) { try JoinedPress.meaning(of: .jump(EntryID(77)), in: view) }
        #expect(throws: Refusal.self) { try JoinedPress.meaning(of: .undo, in: view) }
    }

    @Test func `the end of the queue wraps unless it is played once`() throws {
        #expect(
            try JoinedPress.meaning(of: .next(from: nil), in: view(of: [1, 2], at: 1))
                == .steps([.init(.jump(0), shownBy: .index(0))]))
        #expect(throws: Refusal.self) { try JoinedPress.meaning(of: .next(from: nil), in: view(of: [1, 2], at: 1, mode: .once)) }
        #expect(
            try JoinedPress.meaning(of: .previous(from: nil), in: view(of: [1, 2], at: 0, mode: .once, positionMs: 100))
                == .steps([.init(.seek(toMs: 0), shownBy: .position(ms: 0))]))
    }

    @Test func `a state of before does not show what was asked`() {
        let state = ServerRoomState(room: "m", name: "M", positionMs: 50_000, index: 2, mode: .once)
        #expect(!JoinedSign.position(ms: 10_000).isShown(by: state, elapsedMs: 300))
        #expect(!JoinedSign.index(1).isShown(by: state, elapsedMs: 300))
        #expect(!JoinedSign.mode(.shuffle).isShown(by: state, elapsedMs: 300))
        #expect(!JoinedSign.atLeast(1, of: ItemURI("x")).isShown(by: state, elapsedMs: 300))
    }
}
