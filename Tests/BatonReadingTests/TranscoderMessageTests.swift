import Testing

@testable import BatonReading

/// What hub and transcoder say to each other comes through whole, and nothing else does.
@Suite struct TranscoderMessageTests {
    private static let requests: [TranscoderRequest] = [
        .begin(EncodedFormat(.opus, kilobits: 128)), .more(ms: 250, isSilent: true), .more(ms: 0, isSilent: false), .rest(ms: 60_000),
        .source(TranscoderSource(title: "Gö", artist: "")),
        .source(TranscoderSource(title: "", artist: "Ana", name: "a.flac", .file, fromMs: .max, untilMs: 7)),
        .source(TranscoderSource(title: "", artist: "", name: "live.mp3", .growing)),
        .source(TranscoderSource(title: "On", artist: "", .same)),
    ]
    private static let answers: [TranscoderAnswer] = [
        .sound(EncodedSound()), .sound(EncodedSound([1, 2], head: [3], atMs: 4_000_000_000, hasEnded: true)),
        .failed(ReaderFailure(.system, status: 5)),
    ]

    private func body(_ frame: [UInt8]) -> [UInt8] { Array(frame.dropFirst(FrameHead.length)) }

    @Test(arguments: requests) func `a request is understood as it was meant, and not when it is cut short or goes on`(
        request: TranscoderRequest
    ) throws {
        let whole = body(request.frame)
        #expect(try TranscoderRequest(whole) == request)
        for length in 0..<whole.count { #expect(throws: MalformedMessage.self) { try TranscoderRequest(Array(whole.prefix(length))) } }
        #expect(throws: MalformedMessage.self) { try TranscoderRequest(whole + [0]) }
    }

    @Test(arguments: answers) func `an answer is understood as it was meant, and not when it is cut short or goes on`(
        answer: TranscoderAnswer
    ) throws {
        let whole = body(answer.frame)
        #expect(try TranscoderAnswer(whole) == answer)
        for length in 0..<whole.count { #expect(throws: MalformedMessage.self) { try TranscoderAnswer(Array(whole.prefix(length))) } }
        #expect(throws: MalformedMessage.self) { try TranscoderAnswer(whole + [0]) }
    }

    @Test func `rates and lengths beyond the bounds are refused`() {
        for kilobits in [0, 31, 321, 60_000] {
            #expect(throws: MalformedMessage.self) {
                try TranscoderRequest(body(TranscoderRequest.begin(EncodedFormat(.mp3, kilobits: kilobits)).frame))
            }
        }
        #expect(throws: MalformedMessage.self) { try TranscoderRequest(body(TranscoderRequest.rest(ms: 60_001).frame)) }
        let long = TranscoderSource(title: String(repeating: "a", count: 1_025), artist: "")
        #expect(throws: MalformedMessage.self) { try TranscoderRequest(body(TranscoderRequest.source(long).frame)) }
    }
}
