import Testing

@testable import BatonReading

/// What hub and reader say to each other comes through whole, and nothing else does.
@Suite struct MessageTests {
    private static let facts: FileFacts = {
        var facts = FileFacts()
        facts.content = .init(high: .max, low: 1)
        facts.durationUs = 1_234_567
        facts.codec = Array("flac".utf8)
        (facts.rate, facts.bits, facts.channels) = (96_000, 24, 6)
        facts.loudness.track = -7_030_000
        facts.tags = [.init(name: Array("title".utf8), value: [0xFF, 0x00, 0x41]), .init(name: [], value: [])]
        facts.parts = [.init(title: Array("One".utf8), startMs: 0, endMs: 5)]
        facts.cover = .init(name: 7, header: PictureHeader(type: .png, width: 3, height: 4))
        return facts
    }()

    private static let answers: [ReaderAnswer] = [
        .facts(facts), .facts(FileFacts()), .colours([0, 0xFF_FFFF]), .failed(ReaderFailure(.system, status: 2)), .left,
        .cover(.init(name: 8, header: PictureHeader(type: .jpeg, width: 5, height: 6))),
        .silences(SilencesFound([0..<700, 900..<4_000_000_000], untilMs: 4_000_000_000, beginUs: -25, isLast: true)),
        .picture(PictureFound(name: 9, header: PictureHeader(type: .webp, width: 1, height: 16_384), bytes: [1, 2, 3])),
    ]
    private static let requests: [ReaderRequest] = [
        .read([]), .read(["/a", "/ü"]), .covers(["/c"]), .picture(.file("/a")), .picture(.embedded("/b")), .colours(.bytes([1, 2])),
        .silences("/a"), .moreSilences,
        .scaled(.file("/a"), PictureRequest(width: 100, height: nil, type: .jpeg, mostBytes: 16_384)),
    ]

    @Test(arguments: answers) func `an answer is understood as it was meant`(answer: ReaderAnswer) throws {
        #expect(try ReaderAnswer(body(answer.frame)) == answer)
    }

    @Test(arguments: requests) func `a request is understood as it was meant`(request: ReaderRequest) throws {
        #expect(try ReaderRequest(body(request.frame)) == request)
    }

    @Test(arguments: answers) func `an answer that is cut short or goes on is refused`(answer: ReaderAnswer) {
        let whole = body(answer.frame)
        for length in 0..<whole.count { #expect(throws: MalformedMessage.self) { try ReaderAnswer(Array(whole.prefix(length))) } }
        #expect(throws: MalformedMessage.self) { try ReaderAnswer(whole + [0]) }
    }

    @Test(arguments: 0..<300) func `noise is refused or means something`(seed: UInt64) throws {
        var random = Noise(seed)
        var bytes = body(Self.answers[Int(seed) % Self.answers.count].frame)
        for _ in 0..<(1 + seed % 5) where !bytes.isEmpty { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 0xFF) }

        if let answer = try? ReaderAnswer(bytes) { #expect(try ReaderAnswer(body(answer.frame)) == answer) }
        if let request = try? ReaderRequest(bytes) { #expect(try ReaderRequest(body(request.frame)) == request) }
    }

    @Test func `lengths beyond the bounds are refused`() {
        var long = FileFacts()
        long.tags = [.init(name: Array("title".utf8), value: [UInt8](repeating: 65, count: 5_000))]
        var lyrics = FileFacts()
        lyrics.tags = [.init(name: Array("LYRICS".utf8), value: [UInt8](repeating: 65, count: 5_000))]
        var turned = FileFacts()
        turned.parts = [.init(title: [], startMs: 6, endMs: 5)]

        #expect(throws: MalformedMessage.self) { try ReaderAnswer(body(ReaderAnswer.facts(long).frame)) }
        #expect(throws: Never.self) { try ReaderAnswer(body(ReaderAnswer.facts(lyrics).frame)) }
        #expect(throws: MalformedMessage.self) { try ReaderAnswer(body(ReaderAnswer.facts(turned).frame)) }
    }

    private func body(_ frame: [UInt8]) -> [UInt8] {
        #expect(FrameHead.size(frame) == frame.count - FrameHead.length)
        return Array(frame.dropFirst(FrameHead.length))
    }

    private struct Noise {
        var state: UInt64
        init(_ seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
