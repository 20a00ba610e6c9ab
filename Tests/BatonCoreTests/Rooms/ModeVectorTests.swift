/// `Protocol/vectors/v1/modes.json`: what one event does in each combination of the four modes.
import BatonCore
import Foundation
import Testing

struct ModeVectorTests {
    private struct File: Decodable { let cases: [Case] }

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        struct Expected: Decodable, Sendable {
            let queue, mixed: [String]?
            let cur, curNot: String?
            let st, single, consume: String
        }

        let name: String
        let `repeat`, shuffle: Bool
        let single, consume: String
        let queue: [String]
        let cur, st, event: String
        let n: Int?
        let expect: Expected

        var testDescription: String { name }
    }

    static func cases() throws -> [Case] {
        let path = URL(filePath: #filePath).appending(path: "../../../../Protocol/vectors/v1/modes.json").standardized
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: path)).cases
    }

    /// The room of a case. Its queue is shuffled in the order that the case gives.
    private func room(_ vector: Case) throws -> LiveRoom {
        var modes = Modes()
        (modes.repeat, modes.shuffle) = (vector.repeat, vector.shuffle)
        modes.single = try #require(ModeSwitch(rawValue: vector.single))
        modes.consume = try #require(ModeSwitch(rawValue: vector.consume))
        let entries = try vector.queue.map { name in
            let id = try #require(EntryID(text: name))
            return QueueEntry(id: id, uri: ItemURI("file:track/\(name)"), tags: Tags(title: name, durationMs: 180_000))
        }
        var live = try LiveRoom()
        live.room = Room(
            id: RoomID("living"), name: "Living room",
            queue: PlaybackQueue(entries: entries, current: EntryID(text: vector.cur), revision: 1), modes: modes, positionMs: 0,
            volume: VolumeRail())
        guard vector.st != "stopped" else { return live }
        try live.ask(.play())
        live.hear(.began(try #require(live.current)))
        if vector.st == "paused" { try live.ask(.pause) }
        return live
    }

    @Test(arguments: try cases()) func `a room does as the vector says`(vector: Case) throws {
        var live = try room(vector)
        let current = try #require(live.current)
        switch vector.event {
        case "end": live.hear(.ended(current))
        case "failed": live.hear(.failed(current, reason: "Broken."))
        case "next": try live.ask(.next(from: current, count: vector.n ?? 1))
        case "prev": try live.ask(.previous(from: current))
        default: Issue.record("There is no event \(vector.event).")
        }
        try expect(vector, live)

        // The player that went on by itself leads to the same.
        guard vector.event == "end", vector.expect.st == "playing" else { return }
        live = try room(vector)
        let next = try #require(live.orders.compactMap(\.follows).last)
        live.hear(.began(next))
        try expect(vector, live)
    }

    private func expect(_ vector: Case, _ live: LiveRoom) throws {
        let (ids, expected) = (live.ids.map(\.text), vector.expect)
        if let mixed = expected.mixed {
            #expect(ids.sorted() == mixed)
            #expect(live.current != nil && live.current?.text != expected.curNot)
        } else {
            #expect(ids == expected.queue && live.current?.text == expected.cur)
        }
        #expect((live.state == .buffering ? "playing" : live.state.rawValue) == expected.st)
        #expect(live.room.modes.single.rawValue == expected.single && live.room.modes.consume.rawValue == expected.consume)
        #expect(live.room.timeline.entry == live.current)
    }
}
