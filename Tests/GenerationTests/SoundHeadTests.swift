/// What is believed of a file, and of what a service says again and again.
import BatonJSON
import BatonSeams
import Testing

@testable import MusicWorkers

@Suite struct SoundHeadTests {
    private static func little(_ number: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }

    private static func wav(promised: Int) -> [UInt8] {
        let format = little(1, 2) + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2) + little(16, 2)
        return Array("RIFF".utf8) + little(36 + promised, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + format + Array("data".utf8)
            + little(promised, 4)
    }

    @Test func `a WAV file is as long as its head and its size agree on`() {
        #expect(SoundHead(Self.wav(promised: 352_800), size: 44 + 352_800) == .wav(ms: 2000))
        #expect(SoundHead(Self.wav(promised: 352_800), size: 44 + 352_799) == .cut)
        #expect(SoundHead(Self.wav(promised: 0xFFFF_FFFF), size: 44 + 176_400) == .wav(ms: 1000))
        #expect(SoundHead(Self.wav(promised: 0), size: 44) == .none)
        #expect(SoundHead(Array("RIFF....WAVE".utf8), size: 12) == .none && SoundHead([], size: 0) == .none)
    }

    @Test func `a FLAC file is as long as its first block says`() {
        // 44,100 samples a second in two channels of 16 bits, and 88,200 samples.
        let facts: [UInt8] = [0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0, 0x00, 0x01, 0x58, 0x88]
        let head = Array("fLaC".utf8) + [0, 0, 0, 34] + facts + [UInt8](repeating: 0, count: 16)
        #expect(SoundHead(head, size: 5_000) == .flac(ms: 2000))
        #expect(SoundHead(Array(head.prefix(20)), size: 20) == .none)
    }

    @Test func `every head that is cut or changed is read without harm`() {
        let heads = [Self.wav(promised: 1_000), Array("fLaC".utf8) + [UInt8](repeating: 0xFF, count: 40)]
        for head in heads {
            for length in 0...head.count {
                _ = SoundHead(Array(head.prefix(length)), size: Int64(length))
                for byte in [UInt8(0), 0x7F, 0xFF] where length < head.count {
                    var changed = head
                    changed[length] = byte
                    _ = SoundHead(changed, size: 1 << 40)
                }
            }
        }
    }

    private func found(_ text: String) -> Polling.Found { Polling.Found(try? JSON.parse(Array(text.utf8)), "studio") }

    @Test func `states and progress of any kind are read as work, an end or nothing`() {
        #expect(found(#"{"state":"running","progress":0.4,"message":"a"}"#) == .making(40, "a"))
        #expect(found(#"{"state":"running","progress":-3}"#) == .making(0, nil) && found(#"{"state":"running"}"#) == .making(0, nil))
        #expect(
            found(#"{"state":"running","progress":5}"#) == .making(100, nil)
                && found(#"{"state":"running","progress":1e300}"#) == .unreadable)
        #expect(found(#"{"state":"completed"}"#) == .done && found(#"{"state":"failed","message":"b"}"#) == .failed("b"))
        #expect(found(#"{"state":"warming"}"#) == .making(nil, "The worker says “warming”."))
        #expect(found(#"{"state":"running","progress":NaN}"#) == .unreadable && found("[]") == .unreadable)
    }

    @Test func `nonsense is borne for a while, and one good answer makes up for it`() throws {
        var polling = Polling()
        for _ in 0..<20 { _ = try polling.take(.unreadable, "studio") }
        _ = try polling.take(.making(1, nil), "studio")
        for _ in 0..<20 { _ = try polling.take(.unreadable, "studio") }
        #expect(throws: SourceFault.self) { try polling.take(.unreadable, "studio") }
    }

    @Test func `a piece that is there again and again and cannot be had fails the job`() throws {
        var polling = Polling()
        for _ in 0..<3 { _ = try polling.take(.done, "studio") }
        #expect(throws: SourceFault.self) { try polling.take(.done, "studio") }
    }
}
