import BatonCore
import Testing

@testable import MPD

/// Changes of a queue since a version are those that mpd 0.23.12 was seen to tell.
@Suite struct QueueVersionsTests {
    private func ids(_ numbers: [UInt64]) -> [EntryID] { numbers.map { EntryID($0) } }

    private func queue(_ numbers: [UInt64], version: UInt32 = 10) -> QueueVersions { QueueVersions(ids(numbers), version: version) }

    @Test(
        arguments: [
            ([43, 44, 42, 45, 46, 47], [0, 1, 2]), ([42, 43, 44, 45, 46], [5]), ([42, 44, 45, 46, 47], [1, 2, 3, 4]),
            ([42, 43, 44, 45, 46, 47, 48], [6]),
            ([47, 43, 44, 45, 46, 42], [0, 5]), ([], []), ([42, 43, 44, 45, 46, 47], []),
        ] as [([UInt64], [Int])])
    func `places with another song have changed`(after: [UInt64], places: [Int]) {
        var queue = queue([42, 43, 44, 45, 46, 47])
        queue.take(ids(after), version: 11)

        #expect(queue.changes(since: 10) == places.filter { $0 < after.count })
        #expect(queue.changes(since: queue.version) == [])
        // A version of the same songs is none of theirs.
        #expect(queue.version == (after == [42, 43, 44, 45, 46, 47] ? 10 : 11))
    }

    @Test func `each place has a version of its own`() {
        var queue = queue([1, 2, 3, 4])
        queue.take(ids([2, 1, 3, 4]), version: 12)
        queue.take(ids([2, 1, 4, 3]), version: 15)

        #expect(queue.changes(since: 10) == [0, 1, 2, 3])
        #expect(queue.changes(since: 12) == [2, 3])
        #expect(queue.changes(since: 14) == [2, 3])
        #expect(queue.changes(since: 10, in: SongRange(start: 1, end: 3)) == [1, 2])
        #expect(queue.changes(since: 10, in: SongRange(start: 3, end: 99)) == [3])
    }

    @Test func `an unknown version gets everything`() {
        var queue = queue([1, 2, 3], version: 10)
        queue.take(ids([1, 3]), version: 11)

        #expect(queue.changes(since: 9) == [0, 1])
        #expect(queue.changes(since: 12) == [0, 1])
        #expect(queue.changes(since: 0) == [0, 1])
        #expect(queue.changes(since: .max) == [0, 1])
    }

    @Test func `other tags change a place`() {
        var queue = queue([1, 2, 3])
        queue.describe(EntryID(2), version: 11)

        #expect(queue.changes(since: 10) == [1])
        #expect(queue.place(of: EntryID(3)) == 2)
        #expect(queue.place(of: EntryID(4)) == nil)
    }

    @Test(arguments: 0..<100 as Range<UInt64>) func `a client that follows has the queue`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var songs = ids([1, 2, 3, 4, 5])
        var queue = QueueVersions(songs, version: 1)
        var client = (songs: songs, version: UInt32(1))
        for version in UInt32(2)..<40 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: songs.insert(EntryID(UInt64(version) + 10), at: Int.random(in: 0...songs.count, using: &random))
            case 1 where !songs.isEmpty: songs.remove(at: Int.random(in: 0..<songs.count, using: &random))
            case 2: songs.shuffle(using: &random)
            default: songs = Array(songs.reversed())
            }
            queue.take(songs, version: version)
            guard Bool.random(using: &random) else { continue }

            // The client does as the protocol's manual says: it cuts or extends its list, and puts in what changed.
            let changes = queue.changes(since: client.version)
            client.songs = (0..<songs.count).map { changes.contains($0) ? songs[$0] : client.songs[$0] }
            client.version = version
            #expect(client.songs == songs, "seed \(seed), version \(version)")
        }
    }
}
