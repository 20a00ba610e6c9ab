/// A place in a queue means the queue that a session was sent last: after any edits it means the same entry, or none.
import BatonCore
import BatonJSON
import BatonProtocol
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import MusicRoomServer

@Suite struct `Places in a queue that was sent` {
    private func queue(_ numbers: Int...) -> SentQueue {
        SentQueue(number: 1, revision: 1, entries: numbers.map { EntryID(UInt64($0)) })
    }

    @Test(arguments: [(0, 0), (0, 3), (3, 0), (1, 2), (2, 1), (3, 3)]) func `a move ends at the place that was named`(from: Int, to: Int)
        throws
    {
        let queue = queue(10, 11, 12, 13)
        let (entry, place) = try queue.move(from: from, to: to)

        var after = queue.entries
        after.removeAll { $0 == entry }
        var anchor: EntryID?
        if case .after(let found, _) = place { anchor = found } else { Issue.record("A move is anchored to an entry.") }
        after.insert(entry, at: anchor.flatMap { after.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
        var wanted = queue.entries
        wanted.insert(wanted.remove(at: from), at: to)
        #expect(after == wanted)
    }

    @Test func `a place outside of the queue is refused with its length`() {
        let queue = queue(1, 2)
        #expect(throws: RoomRefusal(400, "There is no place 2 in the queue: it has 2 entries.")) { try queue.entry(at: 2) }
        #expect(throws: RoomRefusal.self) { try queue.move(from: 0, to: 2) }
        #expect(throws: RoomRefusal.self) { try queue.insertion(at: 3) }
        #expect(throws: Never.self) { try queue.insertion(at: 2) }
    }

    @Test func `only so many queues are remembered, and the same entries keep their number`() {
        var queues = SentQueues()
        let first = queues.note([EntryID(1)], revision: 1)
        #expect(queues.note([EntryID(1)], revision: 2).number == first.number)
        #expect(queues[first.number]?.revision == 2)
        for number in 2...(SentQueues.most + 1) { _ = queues.note([EntryID(UInt64(number))], revision: number) }
        #expect(queues[first.number] == nil)
        #expect(queues.newest?.entries == [EntryID(UInt64(SentQueues.most + 1))])
    }

    /// Two sessions edit by places, each by the queue that it was sent last. A third edits without being seen.
    @Test(arguments: 0..<40) func `an edit by a stale place hits the entry that was meant, or none`(seed: UInt64) async throws {
        try await onLoop {
            var random = SeededGenerator(seed)
            let world = try RoomWorld()
            try await world.play(8)
            let tokens = [world.signedIn("ada"), world.signedIn("ben")]
            var seen: [String: [String]] = [:]
            for token in tokens { seen[token] = try await world.titles(as: token) }

            for _ in 0..<12 {
                let token = tokens.randomElement(using: &random) ?? tokens[0]
                let titles = seen[token] ?? []
                if Bool.random(using: &random) || titles.isEmpty {
                    seen[token] = try await world.titles(as: token)
                    continue
                }
                let before = world.entries
                let place = Int.random(in: 0..<titles.count, using: &random)
                let isRemoval = Bool.random(using: &random)
                let said = await world.ask(
                    .patch, "/api/channels/main/queue",
                    isRemoval ? #"{"remove":[\#(place)]}"# : #"{"move":{"from":\#(place),"to":0}}"#, as: token)

                // Entries of a queue have distinct titles here, so a title names the entry that was meant.
                let after = world.entries
                let changed = before.filter { entry in isRemoval ? !after.contains(entry) : false }
                #expect(changed.allSatisfy { $0 == titles[place] }, "seed \(seed)")
                if !isRemoval, said.status == 200, before.contains(titles[place]) { #expect(after.first == titles[place], "seed \(seed)") }
                if !isRemoval { #expect(Set(after) == Set(before), "seed \(seed)") }
            }
        }
    }
}

extension RoomWorld {
    /// The queue as the session is sent it.
    func titles(as token: String) async throws -> [String] {
        let said = await ask(.get, "/api/channels/main", as: token)
        return (said.json?["queue"]?.array ?? []).compactMap { $0["title"]?.string }
    }

    /// The queue as it is.
    var entries: [String] { sim.hub.rooms.first.room.queue.entries.map(\.tags.title) }
}
