/// Titles saved from what is stored of a station: the same bytes as a recording of them, also while they are on air.
import BatonCore
import BatonSeams
import Synchronization
import Testing

@testable import BatonRadio

@Suite struct TitleSavingTests {
    /// The stored past of a station, of which the last part comes while it is read.
    private final class Past: StationPast {
        private struct State {
            var stream: [UInt8]
            var arrived: Int
            var isReceiving = true
        }

        private static let first: Int64 = 1 << 40
        private let state: Mutex<State>
        private let said: [(at: Int, text: String)]
        /// Nothing of these was received; time passed as well.
        private let missing: Range<Int>
        private let gapMs: Milliseconds

        init(_ stream: [UInt8], said: [(at: Int, text: String)], arrived: Int, missing: Range<Int> = 0..<0, gapMs: Milliseconds = 0) {
            state = Mutex(State(stream: stream, arrived: arrived))
            self.said = said
            self.missing = missing
            self.gapMs = gapMs
        }

        var positions: Range<Int64> { Self.first..<Self.first + Int64(state.withLock { $0.arrived }) }
        var isReceiving: Bool { state.withLock { $0.isReceiving } }

        func titles() -> [StreamTitle] {
            let arrived = state.withLock { $0.arrived }
            return said.filter { $0.at < arrived }.map { StreamTitle(at: Self.first + Int64($0.at), timeMs: time($0.at), $0.text) }
        }
        private func time(_ at: Int) -> Milliseconds { Milliseconds(at) + (at >= missing.upperBound ? gapMs : 0) }
        func gaps() -> [StreamGap] {
            guard !missing.isEmpty else { return [] }
            return [StreamGap(at: Self.first + Int64(missing.upperBound), timesMs: time(missing.lowerBound)..<time(missing.upperBound))]
        }
        func timeMs(at place: Int64) -> Milliseconds? { positions.contains(place) ? time(Int(place - Self.first)) : nil }
        func entry(atMs timeMs: Milliseconds) -> (at: Int64, head: [UInt8]) { (Self.first, []) }

        func bytes(at place: Int64, count: Int) throws(SourceFault) -> (at: Int64, bytes: [UInt8]) {
            state.withLock { state in
                var at = Int(place - Self.first)
                if missing.contains(at) { at = missing.upperBound }
                let next = said.first { $0.at > at }?.at ?? .max
                let end = min(at + count, state.arrived, next, at < missing.lowerBound ? missing.lowerBound : .max)
                guard end > at else {
                    state.isReceiving = state.arrived < state.stream.count
                    state.arrived = state.stream.count
                    return (place, [])
                }
                return (Self.first + Int64(at), Array(state.stream[at..<end]))
            }
        }
    }

    private static let names = ["Anna - Eins", "Bert - Zwei", "Carl - Drei", "Dora - Vier"]

    /// Where each frame begins, and the end.
    private static func positions(of frames: [[UInt8]]) -> [Int] {
        frames.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    }

    /// BT-RAD-025
    @Test(arguments: 0..<30 as Range<UInt64>)
    func `a title is saved from the first frame behind its beginning to the frame in which the next one begins`(seed: UInt64) async throws {
        var random = SeededGenerator(seed)
        let form: SoundForm = [.mpeg, .adts][Int(seed % 2)]
        let frames = Frames.some(200, of: form, &random)
        let stream = Array(frames.joined())
        let begins = [0, 1, 2, 3].map { stream.count * $0 / 4 + Int.random(in: 0...900, using: &random) }
        let said = zip(begins, Self.names).map { ($0, $1) }
        let wanted = Int.random(in: 1...2, using: &random)
        // Half of the times the title is on air when it is saved.
        let arrived = seed % 3 == 0 ? (begins[wanted] + begins[wanted + 1]) / 2 : stream.count
        let past = Past(stream, said: said, arrived: arrived)
        let folder = WrittenSongs()
        let title = try #require(past.pastTitles().first { $0.text == Self.names[wanted] })
        #expect((title.endsMs == nil) == (seed % 3 == 0))
        #expect(SoundForm(of: Array(stream[begins[wanted]..<begins[wanted] + 8000])) == form)

        try await StationRecorder.write(title, of: past, form, station: "Harbour", into: folder)

        let cuts = Self.positions(of: frames)
        let bounds = [begins[wanted], begins[wanted + 1]].compactMap { begin in cuts.first { $0 >= begin } }
        let only = try #require(folder.only, "seed \(seed)")
        #expect(only.title == Self.names[wanted] && only.isWhole == true, "seed \(seed)")
        #expect(only.sound == Array(stream[bounds[0]..<bounds[1]]), "seed \(seed)")
    }

    @Test func `a title of Ogg gets the head of its chain`() async throws {
        var random = SeededGenerator(3)
        let frames = Frames.some(60, of: .ogg, &random)
        let stream = Array(frames.joined())
        let second = Self.positions(of: frames)[30]
        let past = Past(
            stream, said: [(0, "Anna - Eins"), (second, "Bert - Zwei"), (stream.count - 300, "Carl - Drei")], arrived: stream.count)
        let folder = WrittenSongs()
        let title = try #require(past.pastTitles().first { $0.text == "Bert - Zwei" })
        try await StationRecorder.write(title, of: past, .ogg, station: "Harbour", into: folder)
        let only = try #require(folder.only)
        #expect(only.sound.starts(with: frames[30]) && only.isWhole == true)
    }

    @Test func `a title with a gap in it, without a beginning or without an end is a part`() async throws {
        var random = SeededGenerator(4)
        let stream = Array(Frames.mpeg(120, &random).joined())
        let (third, middle) = (stream.count / 3, stream.count / 2)
        let said = [(0, "Anna - Eins"), (third, "Bert - Zwei"), (stream.count * 2 / 3, "Carl - Drei")]
        for (wanted, gapMs) in [("Bert - Zwei", Milliseconds(10_000)), ("Bert - Zwei", 90_000), ("Anna - Eins", 0), ("Carl - Drei", 0)] {
            let missing = gapMs > 0 ? middle..<middle + 700 : 0..<0
            let past = Past(stream, said: said, arrived: stream.count, missing: missing, gapMs: gapMs)
            let folder = WrittenSongs()
            let title = try #require(past.pastTitles().first { $0.text == wanted })
            try await StationRecorder.write(title, of: past, .mpeg, station: "Harbour", into: folder)
            let only = try #require(folder.only, "\(wanted) \(gapMs)")
            #expect(only.isWhole == false, "\(wanted) \(gapMs)")
            // A long gap ends it; sound goes on behind a short one.
            if wanted == "Bert - Zwei" { #expect((only.sound.count > middle + 1400 - third) == (gapMs < 30_000)) }
        }
    }

    @Test func `a title whose beginning is damaged on the disk is saved from where it is whole, as a part`() async throws {
        var random = SeededGenerator(6)
        let frames = Frames.mpeg(120, &random)
        let stream = Array(frames.joined())
        let cuts = Self.positions(of: frames)
        let (begin, end) = (cuts[40], cuts[80])
        let said = [(0, "Anna - Eins"), (begin, "Bert - Zwei"), (end, "Carl - Drei")]
        let past = Past(stream, said: said, arrived: stream.count, missing: begin..<cuts[50])
        let folder = WrittenSongs()
        let title = try #require(past.pastTitles().first { $0.text == "Bert - Zwei" })
        try await StationRecorder.write(title, of: past, .mpeg, station: "Harbour", into: folder)
        let only = try #require(folder.only)
        #expect(only.title == "Bert - Zwei" && only.isWhole == false && only.sound == Array(stream[cuts[50]..<end]))

        let none = Past(stream, said: said, arrived: stream.count, missing: begin..<end)
        let fault = await #expect(throws: SourceFault.self) {
            try await StationRecorder.write(title, of: none, .mpeg, station: "Harbour", into: folder)
        }
        #expect(fault?.code == .gone && folder.songs.count == 1)
    }

    @Test func `what sound is, is told from the sound`() {
        var random = SeededGenerator(5)
        #expect(SoundForm(of: Array(Frames.mpeg(30, &random).joined().dropFirst(77))) == .mpeg)
        #expect(SoundForm(of: Array(Frames.adts(30, &random).joined().dropFirst(5))) == .adts)
        #expect(SoundForm(of: Array(Frames.ogg(30, &random).joined())) == .ogg)
        let packets = (0..<20).flatMap { _ in [0x47] + (0..<187).map { _ in UInt8.random(in: 0...0x40, using: &random) } }
        #expect(SoundForm(of: packets) == .bytes)
        #expect(SoundForm(of: (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }) == nil)
        #expect(SoundForm(of: []) == nil)
    }
}
