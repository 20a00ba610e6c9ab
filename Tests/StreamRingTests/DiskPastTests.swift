/// The past of a station on disk: what was received is there again after a pause, a restart, and damage.
import BatonCore
import BatonSeams
import Disk
import Glibc
import Synchronization
import Testing

@testable import Stores

@Suite struct DiskPastTests {
    @Test func `what was received is read again after a restart, with its titles, times and the gap between`() throws {
        let place = SegmentTestFolder()
        let first = place.receive(0..<60, into: place.past())
        place.pass(100)
        let past = place.past()
        place.receive(60..<80, into: past)

        #expect(try place.all(past) == SegmentTestFolder.sound(0..<80_000))
        #expect(past.titles().map(\.text) == (0..<8).map { "Song \($0)" })
        #expect(past.timeMs(at: first + 5500) == 1_760_000_005_000)
        #expect(past.gaps().map(\.timesMs) == [1_760_000_059_000..<1_760_000_160_000])
        #expect(past.entry(atMs: 1_760_000_030_000).at == first + 30_000)
        #expect(place.said.withLock { $0 }.isEmpty)
    }

    @Test(arguments: [0, 5, 31, 32, 1000, 1040, 20_000])
    func `a segment that was cut anywhere is read as far as it is whole`(kept: Int) throws {
        let place = SegmentTestFolder()
        place.receive(0..<60, into: place.past())
        let segment = try #require(place.segments().first)
        truncate(segment, kept)
        let past = place.past()
        place.receive(60..<61, into: past)

        let read = try place.all(past)
        let whole = read.dropLast(1000)
        #expect(whole.count % 1000 == 0 && Array(whole) == SegmentTestFolder.sound(0..<whole.count) && whole.count <= kept)
        #expect(read.suffix(1000) == SegmentTestFolder.sound(60_000..<61_000)[...])
    }

    @Test func `a segment full of zeros is left out, and what comes is kept`() throws {
        let place = SegmentTestFolder()
        place.receive(0..<60, into: place.past())
        let segment = try #require(place.segments().first)
        truncate(segment, 0)
        truncate(segment, 60_000)
        let past = place.past()
        place.receive(60..<70, into: past)

        #expect(try place.all(past) == SegmentTestFolder.sound(60_000..<70_000))
        #expect(place.said.withLock { $0.contains { $0.contains("is damaged: its last 60000 bytes are left out") } })
    }

    @Test func `segments that are older than the buffer are removed, and the title of the rest is known`() throws {
        let place = SegmentTestFolder()
        let past = place.past(minutes: 1, segmentBytes: 5000)
        place.receive(0..<205, into: past)

        let lasts = past.positions.upperBound - past.positions.lowerBound
        #expect(lasts >= 59_000 && lasts <= 71_000)
        #expect(place.segments().count <= 15)
        #expect(past.title(at: past.positions.lowerBound) != nil)
        #expect(try place.all(past) == SegmentTestFolder.sound(205_000 - Int(lasts)..<205_000))
    }

    /// Segments of 131 s, as at 128 kbit/s, and of less than one call of the disk each.
    @Test(arguments: [131_000, 20_000] as [Int64]) func `the disk itself is waited for twice a minute, and each segment has its turn`(
        segmentBytes: Int64
    ) throws {
        let place = SegmentTestFolder()
        let past = place.past(segmentBytes: segmentBytes)
        let first = past.firstPlace()
        past.open(before: first)
        var calls: [(second: Int, file: ObjectIdentifier)] = []
        var second = 0
        var writing = SegmentWriter { calls.append((second, ObjectIdentifier($0))) }
        while second < 600 {
            past.append(StreamPiece(SegmentTestFolder.sound(second * 1000..<second * 1000 + 1000)), at: first + Int64(second * 1000))
            past.flush(&writing)
            place.pass(1)
            second += 1
        }

        for minute in 0...540 { #expect(calls.count { minute..<minute + 60 ~= $0.second } == 2) }
        #expect(segmentBytes < 30_000 || Set(calls.map(\.file)).count == place.segments().count)
    }

    @Test func `without a folder the ring plays from memory, and says so once`() async throws {
        let place = SegmentTestFolder()
        let past = DiskPast(
            "\(place.folder)/none/one", keepMinutes: 60, nowMs: { 1_760_000_000_000 },
            Log(threshold: .trace) { _, sentence in place.said.withLock { $0.append(sentence) } })
        mkdir("\(place.folder)/one", 0o700)
        let file = open("\(place.folder)/none", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        close(file)
        defer { unlink("\(place.folder)/none") }
        let ring = MemoryRing(past: past)
        let reader = try #require(ring.join())
        ring.append(StreamPiece([1, 2, 3]))
        ring.end(nil)
        await ring.record()

        #expect(try await reader.read(at: 0, count: 9) == [1, 2, 3])
        #expect(place.said.withLock { $0.count } == 1)
        #expect(place.said.withLock { $0.first?.contains("The last minute is kept in memory") } == true)
    }

    @Test(arguments: [1, 40_000]) func `what came is on disk with the sound that comes later, and at once where it is much`(count: Int)
        async throws
    {
        let place = SegmentTestFolder()
        let ring = MemoryRing(past: place.past())
        let listener = ring.join()
        let keeping = Task { await ring.record() }
        let disk = try #require(ring.disk)
        await disk.untilOpen()
        ring.append(StreamPiece(SegmentTestFolder.sound(0..<count)))
        let limit = ContinuousClock.now.advanced(by: .seconds(20))
        while disk.positions.isEmpty, .now < limit {
            if count == 1 { ring.append(StreamPiece([1])) }
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(!disk.positions.isEmpty)
        withExtendedLifetime(listener) { ring.end(nil) }
        await keeping.value
    }

    @Test func `a reader that paused for longer than the memory lasts goes on where it was, and one can begin in the past`() async throws {
        let place = SegmentTestFolder()
        let ring = MemoryRing(mostBytes: 4000, headStart: 1000, past: place.past(segmentBytes: 20_000))
        let paused = try #require(ring.join())
        let keeping = Task { await ring.record() }
        for second in 0..<200 {
            #expect(await ring.untilWanted())
            let titles = second % 10 == 0 ? [StreamPiece.Title(at: 0, "Song \(second / 10)")] : []
            ring.append(StreamPiece(SegmentTestFolder.sound(second * 1000..<second * 1000 + 1000), titles: titles))
            place.pass(1)
        }
        ring.end(nil)
        await keeping.value

        var read: [UInt8] = []
        while true {
            let next = try await paused.read(at: Int64(read.count), count: 1500)
            if next.isEmpty { break }
            #expect(paused.title(at: Int64(read.count)) == "Song \(read.count / 10_000)")
            read += next
        }
        #expect(read == SegmentTestFolder.sound(0..<200_000))
    }
}
