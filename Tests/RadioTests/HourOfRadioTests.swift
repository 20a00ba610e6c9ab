/// An hour of a station with titles, at full speed: its recordings joined are the stream, and each title that is saved from what was stored
/// of it has the same bytes. Ten minutes of it, unless BATON_SLOW=1; the clock is that of the bytes.
import BatonCore
import BatonSeams
import Foundation
import Synchronization
import Testing

@testable import BatonRadio
@testable import Stores

@Suite struct HourOfRadioTests {
    private static let isSlow = ProcessInfo.processInfo.environment["BATON_SLOW"].map { !$0.isEmpty && $0 != "0" } ?? false
    private static let seconds = isSlow ? 3_600 : 600
    private static let metaint = 16_000
    private static let bytesPerSecond = 6_000

    /// A stream as a server sends it: frames, and after each 16,000 bytes of them what plays.
    private struct Station {
        var sound: [UInt8] = []
        /// Where frames begin.
        var starts: [Int] = []
        /// Where titles are said.
        var said: [(at: Int, text: String)] = []
        var wire: [UInt8] = []

        init(_ form: SoundForm, _ random: inout SeededGenerator) {
            let most = HourOfRadioTests.seconds * HourOfRadioTests.bytesPerSecond
            sound.reserveCapacity(most + 200)
            while sound.count < most {
                starts.append(sound.count)
                sound += Self.frame(form, starts.count)
            }
            var (at, next) = (0, 0)
            while at + HourOfRadioTests.metaint <= sound.count {
                wire += sound[at..<at + HourOfRadioTests.metaint]
                at += HourOfRadioTests.metaint
                guard at > next else {
                    wire.append(0)
                    continue
                }
                said.append((at, "Artist \(said.count) - Title"))
                next = at + Int.random(in: 100_000...1_500_000, using: &random)
                let block = Array("StreamTitle='\(said[said.count - 1].text)';".utf8)
                let sixteenths = (block.count + 15) / 16
                wire += [UInt8(sixteenths)] + block + [UInt8](repeating: 0, count: sixteenths * 16 - block.count)
            }
            wire += sound[at...]
        }

        /// Each one is another.
        private static func frame(_ form: SoundForm, _ number: Int) -> [UInt8] {
            let length = form == .mpeg ? 156 + number % 2 : 139
            var frame = [UInt8](repeating: UInt8(number & 0x7F), count: length)
            let head: [UInt8] =
                form == .mpeg
                ? [0xFF, 0xFB, 0x30 | UInt8(number % 2) << 1, 0x40]
                : [0xFF, 0xF1, 0x50, 0x40 | UInt8(length >> 11), UInt8(length >> 3 & 255), UInt8(length & 7) << 5 | 0x1F, 0xFC]
            frame.replaceSubrange(0..<head.count, with: head)
            for place in 0..<4 { frame[20 + place] = UInt8(number >> (place * 7) & 0x7F) }
            return frame
        }

        /// The first frame at or behind a place.
        func frame(from place: Int) -> Int { starts.first { $0 >= place } ?? sound.count }
    }

    /// Bytes as fast as they are read.
    private final class Wire: HTTPBody {
        private let bytes: [UInt8]
        private let place = Mutex(0)
        init(_ bytes: [UInt8]) { self.bytes = bytes }
        func next() async throws(HTTPCallFault) -> [UInt8]? {
            place.withLock { place in
                guard place < bytes.count else { return nil }
                defer { place += 9_973 }
                return Array(bytes[place..<min(bytes.count, place + 9_973)])
            }
        }
        func cancel() {}
    }

    private final class WallClock: Sendable {
        let nowMs = Mutex<Milliseconds>(1_760_000_000_000)
    }

    /// Moves what comes into the ring of those who hear it, and on disk.
    private func receive(_ station: Station, _ form: SoundForm, _ ring: MemoryRing, _ past: DiskPast, _ clock: WallClock) async throws {
        let headers = [HTTPCall.Header("icy-metaint", "16000"), .init("content-type", form == .mpeg ? "audio/mpeg" : "audio/aac")]
        let feed = SoundFeed(HTTPAnswer(status: 200, headers: headers, body: Wire(station.wire)), first: [])
        let first = past.firstPlace()
        past.open(before: first)
        var writing = SegmentWriter()
        var received = 0
        while let piece = try await feed.next() {
            guard await ring.untilWanted() else { break }
            ring.append(piece)
            past.append(piece, at: first + Int64(received))
            past.flush(&writing)
            received += piece.sound.count
            let receivedMs = Milliseconds(received) * 1000 / Self.bytesPerSecond
            clock.nowMs.withLock { $0 = 1_760_000_000_000 + receivedMs }
        }
        ring.end(nil)
    }

    /// BT-RAD-011 BT-RAD-025
    @Test(arguments: [SoundForm.mpeg, .adts])
    func `all recordings of an hour joined are the stream, and saved titles are its bytes from frame to frame`(form: SoundForm) async throws
    {
        var random = SeededGenerator(7)
        let station = Station(form, &random)
        let path = NSTemporaryDirectory() + "baton-hour-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let clock = WallClock()
        let past = DiskPast("\(path)/one", keepMinutes: 120, nowMs: { clock.nowMs.withLock { $0 } }, .silent)
        let ring = MemoryRing()
        let heard = try #require(ring.join())
        let folder = WrittenSongs()
        var writer = SongWriter(folder, station: "Harbour", suffix: form.suffix, picture: nil, form)

        async let receiving: Void = receive(station, form, ring, past, clock)
        try await StationRecorder.write(heard, to: &writer) { _ in }
        try writer.end()
        try await receiving

        let songs = folder.songs
        #expect(Array(songs.map(\.sound).joined()) == station.sound)
        #expect(songs.map(\.title) == ["Harbour"] + station.said.map(\.text))
        // What the station says first had begun before, and the last song had no end.
        #expect(songs.map { $0.isWhole == true } == songs.indices.map { 2..<songs.count - 1 ~= $0 })
        let bounds = station.said.map { station.frame(from: $0.at) } + [station.sound.count]
        let titles = past.pastTitles()
        #expect(titles.map(\.text) == station.said.map(\.text))
        for (index, title) in titles.enumerated() {
            let saved = WrittenSongs()
            try await StationRecorder.write(title, of: past, form, station: "Harbour", into: saved)
            let one = saved.songs
            #expect(one.map(\.title) == [title.text] && one.first?.sound == Array(station.sound[bounds[index]..<bounds[index + 1]]))
            #expect(songs[index + 1].sound == one.first?.sound)
        }
    }
}
