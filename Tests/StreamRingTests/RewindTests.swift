/// Readers that begin in the past of a station, and the titles that are named in it.
import BatonCore
import BatonSeams
import Testing

@testable import Stores

@Suite struct RewindTests {
    private static let begin: Milliseconds = 1_760_000_000_000
    private static let titles = ["Anna - Eins", "Bert - Zwei", "Carl - Drei", "Dora - Vier"]

    /// One second of a station: its sound says when it was sent.
    private static func sound(_ second: Int) -> [UInt8] { Array(repeating: UInt8(truncatingIfNeeded: second), count: 100) }

    /// A station that is received and sometimes away, by hubs that are restarted. What a test did is what it should find.
    private final class Course {
        let place = SegmentTestFolder()
        private(set) var ring: MemoryRing
        private var writing = SegmentWriter()
        /// Keeps the ring open.
        private var listener: (any TitledBytes)?
        private(set) var second = 0
        private(set) var said: [(second: Int, title: String)] = []
        /// Every second of sound that was received.
        private(set) var received: [Int] = []

        init() {
            ring = MemoryRing(mostBytes: 2000, headStart: 500, past: place.past(segmentBytes: 5000))
            begin()
        }

        private func begin() {
            listener = ring.join()
            writing = SegmentWriter()
            ring.disk?.open(before: ring.begin)
            ring.disk?.setReceiving(true)
        }

        /// As the ring writes by itself twice a second.
        func receive(_ count: Int, title: String? = nil) {
            for index in 0..<count {
                let titles = title.map { index == 0 ? [StreamPiece.Title(at: 0, $0)] : [] } ?? []
                if index == 0, let title, said.last?.title != title { said.append((second, title)) }
                ring.append(StreamPiece(RewindTests.sound(second), titles: titles))
                received.append(second)
                ring.disk?.flush(&writing)
                pass(1)
            }
        }

        func pass(_ seconds: Int) {
            second += seconds
            place.pass(seconds)
        }

        func end() {
            listener = nil
            ring.disk?.setReceiving(false)
            ring.end(nil)
        }

        func restart() {
            end()
            ring = MemoryRing(mostBytes: 2000, headStart: 500, past: place.past(segmentBytes: 5000))
            begin()
        }
    }

    private func all(_ reader: any TitledBytes) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = try await reader.read(at: Int64(bytes.count), count: 333)
            if next.isEmpty { return bytes }
            bytes += next
        }
    }

    /// BT-RAD-022 BT-RAD-024
    @Test(arguments: 0..<24 as Range<UInt64>) func `a reader begins with what was received then, over gaps and restarts`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed)
        let course = Course()
        var numbers: [Int: String] = [:]
        for _ in 0..<8 {
            switch random.next() % 4 {
            case 0: course.pass(Int(random.next() % 90))
            case 1: course.restart()
            default: course.receive(Int(random.next() % 12) + 1, title: Self.titles[Int(random.next() % 4)])
            }
            for title in course.ring.disk?.pastTitles() ?? [] {
                #expect(numbers[title.number] ?? title.text == title.text, "seed \(seed)")
                numbers[title.number] = title.text
            }
        }
        course.receive(3, title: "Last")
        let past = try #require(course.ring.disk)
        #expect(past.pastTitles().map(\.text) == course.said.map(\.title), "seed \(seed)")
        var readers: [(from: Int, reader: any TitledBytes)] = []
        for _ in 0..<6 {
            let from = Int(random.next() % UInt64(course.second))
            let reader = try #require(await course.ring.join(at: .received(atMs: Self.begin + Milliseconds.seconds(from))), "seed \(seed)")
            readers.append((from, reader))
        }
        for title in past.pastTitles() {
            let reader = try #require(await course.ring.join(at: .position(title.positions.lowerBound)), "seed \(seed)")
            #expect(reader.title(at: 0) == title.text, "seed \(seed)")
            readers.append((Int((title.beginsMs - Self.begin).seconds), reader))
        }
        let first = try #require(readers.first)
        let age = try #require(first.reader.age(at: 0))
        let heard = try #require(course.received.first { $0 >= first.from })
        #expect(
            Int(age.ms) == (course.second - heard) * 1000 && Int(age.oldestMs) == (course.second - (course.received.first ?? 0)) * 1000,
            "seed \(seed)")
        course.end()
        for (from, reader) in readers {
            #expect(try await all(reader) == course.received.filter { $0 >= from }.flatMap(Self.sound), "seed \(seed), from \(from)")
        }
    }

    @Test func `a reader in the past holds up nothing that comes, and what lies behind all is not there`() async throws {
        let course = Course()
        course.receive(100)
        course.restart()
        course.receive(1)
        let old = try #require(await course.ring.join(at: .received(atMs: 0)))
        #expect(try await old.read(at: 0, count: 9) == Array(Self.sound(0).prefix(9)))
        #expect(await course.ring.join(at: .received(atMs: Self.begin * 2)) == nil)
        // The places of the first connection are far before those of the second.
        #expect(await course.ring.untilWanted())
        course.end()
        #expect(await course.ring.join(at: .received(atMs: 0)) == nil)
    }

    @Test func `a ring in memory alone has no past`() async throws {
        let ring = MemoryRing()
        let reader = try #require(ring.join())
        ring.append(StreamPiece([1, 2, 3]))
        #expect(!reader.keepsPast && reader.age(at: 0) == nil)
        #expect(await reader.begin(at: .received(atMs: 0)) == nil)
    }

    @Test func `one who comes before the disk was read waits for it`() async throws {
        let course = Course()
        course.receive(5)
        course.end()
        let ring = MemoryRing(past: course.place.past())
        let listener = ring.join()
        async let early = ring.join(at: .received(atMs: 0))
        let keeping = Task { await ring.record() }
        let reader = try #require(await early)
        #expect(try await reader.read(at: 0, count: 100) == Self.sound(0))
        withExtendedLifetime(listener) { ring.end(nil) }
        await keeping.value
    }

    /// BT-RAD-025
    @Test func `a title that the station says right after it was connected to had begun before`() throws {
        let course = Course()
        course.receive(2)
        course.receive(9, title: "Anna - Eins")
        course.receive(9, title: "Bert - Zwei")
        course.pass(40)
        course.receive(1)
        course.receive(9, title: "Carl - Drei")
        course.receive(1, title: "Dora - Vier")
        #expect(try #require(course.ring.disk).pastTitles().map(\.isPart) == [true, true, true, false])
    }

    /// BT-RAD-024 BT-RAD-026
    @Test func `a title ends at a long gap and goes on over a short one, and the last is on air`() async throws {
        let course = Course()
        course.receive(5, title: "Anna - Eins")
        course.pass(10)
        course.receive(5)
        course.pass(60)
        course.receive(5)
        course.receive(5, title: "Bert - Zwei")
        let past = try #require(course.ring.disk)
        let titles = past.pastTitles()
        #expect(titles.map(\.text) == ["Anna - Eins", "Bert - Zwei"])
        #expect(titles.map(\.isPart) == [true, false])
        #expect(titles.map { $0.positions.upperBound - $0.positions.lowerBound } == [1000, 500])
        #expect(titles[0].endsMs == Self.begin + 19_000 && titles[1].endsMs == nil)
        #expect(past.gaps().map(\.timesMs) == [Self.begin + 4000..<Self.begin + 15_000, Self.begin + 19_000..<Self.begin + 80_000])
        course.end()

        let again = course.place.past()
        again.openToRead()
        #expect(again.pastTitles().map(\.number) == titles.map(\.number))
        #expect(again.pastTitle(titles[1].number)?.isPart == true && again.pastTitle(7) == nil)
        #expect(again.pastTitles().last?.endsMs == Self.begin + 89_000)
        #expect(titles[1].number < 1 << 53 && PastTitle.number(sinceMs: Self.begin) <= titles[0].number)
    }
}
