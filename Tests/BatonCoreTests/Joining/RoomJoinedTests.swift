/// A room that shows what another server's room plays.
import Testing

@testable import BatonCore

@Suite struct RoomJoinedTests {
    private func item(_ number: Int) -> NewEntry {
        NewEntry(uri: ItemURI("loft:track/\(number)"), tags: Tags(title: "\(number)", durationMs: 60_000))
    }

    private func state(_ items: [Int]?, track: Int?, at index: Int? = 0, start: Int = 0) -> ServerRoomState {
        ServerRoomState(
            room: "main", name: "Main", track: track.map(item), index: index, mode: .repeatAll,
            queue: items.map { .init($0.map(item), start: start) })
    }

    private func joined() -> Room { Room(id: RoomID("main"), name: "Main room").joined() }

    @Test(arguments: 0..<300) func `whatever the server says, its queue is shown and its track is current`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var room = joined()
        var numbers = EntryNumbers(next: 1_000)
        var shown: [Int] = []
        for step in 0..<12 {
            let isWhole = step == 0 || Bool.random(using: &random)
            if isWhole { shown = (0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 0...6, using: &random) } }
            let track = Int.random(in: 0...8, using: &random)
            let index = Bool.random(using: &random) ? shown.firstIndex(of: track) : Int.random(in: -3...12, using: &random)
            let before = room.queue
            _ = room.show(state(isWhole ? shown : nil, track: track, at: index), numbers: &numbers, at: Moment(us: Microseconds(step)))
            #expect(room.currentEntry?.uri == item(track).uri, "seed \(seed)")
            if isWhole { #expect(Array(room.queue.entries.map(\.uri).prefix(shown.count)) == shown.map { item($0).uri }, "seed \(seed)") }
            #expect(Set(room.queue.entries.map(\.id)).count == room.queue.count && room.queue.count <= shown.count + 1, "seed \(seed)")
            if room.queue.entries.map(\.id) != before.entries.map(\.id) { #expect(room.queue.revision > before.revision) }
        }
    }

    @Test func `entries that stay keep their ids, and the same state changes nothing`() {
        var room = joined()
        var numbers = EntryNumbers(next: 1)
        _ = room.show(state([1, 2, 3], track: 2, at: 1), numbers: &numbers, at: Moment(us: 0))
        let ids = room.queue.entries.map(\.id)
        #expect(room.show(state([1, 2, 3], track: 2, at: 1), numbers: &numbers, at: Moment(us: 1)).status == .noop)
        _ = room.show(state([3, 1, 9, 2], track: 2, at: 3), numbers: &numbers, at: Moment(us: 2))
        #expect(room.queue.entries.map(\.id) == [ids[2], ids[0], room.queue.entries[2].id, ids[1]])
        #expect(room.queue.current == ids[1])
    }

    @Test func `what is prepared is silent until its moment, and a report of its beginning does not begin it`() {
        var room = joined()
        var numbers = EntryNumbers(next: 1)
        _ = room.show(state([1, 2], track: 1), numbers: &numbers, at: Moment(us: 0))
        let entry = room.queue.entries[0].id
        let prepared = room.prepare(atMs: 5_000, thenPlays: true, at: Moment(us: 0))
        #expect(prepared.orders == [.load(entry, item(1).uri, fromMs: 5_000, paused: true)])
        #expect(!room.hear(.began(entry), at: Moment(us: 100)).orders.contains(.setPaused(false)))
        #expect(room.timeline.state == .buffering && room.timeline.rate == 0)
        #expect(room.letGo(at: Moment(us: 300_000)).orders == [.setPaused(false)])
        #expect(room.timeline.state == .playing && room.timeline.positionMs == 5_000)
        #expect(room.letGo(at: Moment(us: 300_001)).orders == [])
    }

    @Test func `at the end of a track the room waits for the server, and never goes on by itself`() {
        var room = joined()
        var numbers = EntryNumbers(next: 1)
        _ = room.show(state([1, 2], track: 1), numbers: &numbers, at: Moment(us: 0))
        let entry = room.queue.entries[0].id
        let orders = room.prepare(atMs: 0, thenPlays: true, at: Moment(us: 0)).orders + room.letGo(at: Moment(us: 0)).orders
        #expect(!orders.contains { if case .follow = $0 { true } else { false } })
        _ = room.hear(.began(entry), at: Moment(us: 0))
        let outcome = room.hear(.ended(entry), at: Moment(us: 60_000_000))
        #expect(room.queue.current == entry && outcome.orders.isEmpty && !room.hasJoinedSound)
        #expect(room.timeline.state == .buffering)
    }

    @Test func `leaving gives the own queue back under a newer revision`() {
        var numbers = EntryNumbers(next: 1)
        var own = Room(id: RoomID("main"), name: "Main room")
        _ = try? own.apply(.add([item(5), item(6)], at: .end), at: Moment(us: 0), numbers: &numbers)
        var room = own.joined()
        for step in 0..<5 { _ = room.show(state([step, 2], track: 2), numbers: &numbers, at: Moment(us: 0)) }
        let left = room.left(for: own)
        #expect(left.queue.entries == own.queue.entries && left.queue.current == own.queue.current && left.modes == own.modes)
        #expect(left.queue.revision > room.queue.revision && !left.isJoined)
    }
}
