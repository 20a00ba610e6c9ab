import BatonCore
import BatonSeams
import Disk
import Foundation
import Glibc
import Testing

@testable import Media

/// The program that encodes, as it ships: what comes of it, and what becomes of one that is killed.
@Suite struct TranscoderTests {
    private func begin(_ coding: SoundCoding) throws -> any EncodingWork {
        let program = URL(filePath: Readers.program).deletingLastPathComponent().appending(path: "baton-transcoder").path
        return try Transcoders(.found(ReaderProgram(program))).begin(coding)
    }

    private func source(_ path: String, fromMs: Milliseconds = 0, untilMs: Milliseconds? = nil) throws -> EncodingSource {
        let file = NamedFile(path, try Disk().open([path], below: ["/"])[0].get())
        return EncodingSource(title: "Go", artist: "Ana", .file(file, fromMs: fromMs, untilMs: untilMs))
    }

    @Test func `Opus begins with a head that names the title, and each title with another`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("tone.flac", seconds: 3)
            let work = try begin(SoundCoding(.opus, kilobits: 96))

            let first = try work.play(try source(path))
            let sound = try work.more(ms: 1000, isSilent: false)
            let second = try work.play(EncodingSource(title: "Stop", artist: ""))

            #expect(first.bytes.isEmpty && first.head.starts(with: "OggS".utf8))
            #expect(String(decoding: first.head, as: UTF8.self).contains("title=Go"))
            #expect(sound.bytes.starts(with: "OggS".utf8) && sound.atMs == 1000 && !sound.hasEnded)
            #expect(second.bytes.starts(with: "OggS".utf8) && String(decoding: second.head, as: UTF8.self).contains("title=Stop"))
        }
    }

    @Test func `the sound begins and ends where it was asked to`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("tone.mp3", seconds: 4)
            let work = try begin(SoundCoding(.mp3, kilobits: 128))

            _ = try work.play(try source(path, fromMs: 1000, untilMs: 2500))
            let most = try work.more(ms: 1000, isSilent: false)
            let last = try work.more(ms: 1000, isSilent: false)

            #expect(most.atMs == 2000 && !most.hasEnded)
            #expect(last.atMs == 2500 && last.hasEnded)
            // What is missing is silence, so the stream is as long as was asked for.
            #expect((most.bytes + last.bytes).count > 128_000 / 8 * 18 / 10)
        }
    }

    @Test func `silence leaves the source where it is`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("tone.flac", seconds: 3)
            let work = try begin(SoundCoding(.mp3, kilobits: 128))
            _ = try work.play(try source(path))

            let sound = try work.more(ms: 500, isSilent: false)
            let silence = try work.more(ms: 500, isSilent: true)

            #expect(sound.atMs == 500 && silence.atMs == 500 && !silence.bytes.isEmpty)
        }
    }

    @Test func `a whole item ends with what the encoder held`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("tone.flac", seconds: 3)
            let work = try begin(SoundCoding(.aac, kilobits: 128))
            _ = try work.play(try source(path))

            let first = try work.rest(ms: 2000)
            let last = try work.rest(ms: 2000)

            #expect(!first.hasEnded && first.bytes.starts(with: [0xFF]) && last.hasEnded && last.atMs == 3000)
        }
    }

    @Test func `a file that grows is encoded as it comes, and what is late is silence`() async throws {
        try await MediaFolder.with { folder in
            let bytes = Array(try Data(contentsOf: URL(filePath: try folder.tone("tone.mp3", seconds: 4))))
            let growing = try #require(Transcoders(.missing("")).growingFile())
            let work = try begin(SoundCoding(.opus, kilobits: 64))
            #expect(growing.append(Array(bytes[..<(bytes.count / 2)])))

            let first = try work.play(EncodingSource(title: "One", artist: "", .growing(NamedFile("tone.mp3", growing))))
            let sound = try work.more(ms: 1500, isSilent: false)
            let late = try work.more(ms: 1500, isSilent: false)
            #expect(growing.append(Array(bytes[(bytes.count / 2)...])))
            let second = try work.play(EncodingSource(title: "Two", artist: "", .same))
            let more = try work.more(ms: 1500, isSilent: false)

            #expect(String(decoding: first.head, as: UTF8.self).contains("title=One"))
            #expect(sound.atMs == 1500 && !sound.hasEnded)
            #expect(late.atMs > 1500 && late.atMs < 2200 && !late.hasEnded)
            #expect(String(decoding: second.head, as: UTF8.self).contains("title=Two"))
            #expect(more.atMs == late.atMs + 1500 && !more.hasEnded)
        }
    }

    @Test func `a file of which hardly anything has come is begun, and goes on with what comes`() async throws {
        try await MediaFolder.with { folder in
            let bytes = Array(try Data(contentsOf: URL(filePath: try folder.tone("tone.mp3", seconds: 4))))
            let growing = try #require(Transcoders(.missing("")).growingFile())
            let work = try begin(SoundCoding(.mp3, kilobits: 128))
            #expect(growing.append(Array(bytes[..<3_000])))

            _ = try work.play(EncodingSource(title: "", artist: "", .growing(NamedFile("tone.mp3", growing))))
            let little = try work.more(ms: 1000, isSilent: false)
            #expect(growing.append(Array(bytes[3_000...])))
            let more = try work.more(ms: 1000, isSilent: false)

            #expect(little.atMs < 500 && !little.hasEnded)
            #expect(more.atMs == little.atMs + 1000)
        }
    }

    @Test func `of a file that grows only the last part is kept`() throws {
        let growing = try #require(Transcoders(.missing("")).growingFile())
        let piece = [UInt8](repeating: 7, count: 1 << 20)

        for _ in 0..<20 { #expect(growing.append(piece)) }

        #expect(try growing.read(at: 0, count: 4) == [0, 0, 0, 0])
        #expect(try growing.read(at: 19 << 20, count: 4) == [7, 7, 7, 7])
        var status = stat()
        #expect(fstat(growing.descriptor, &status) == 0 && status.st_blocks * 512 < 8 << 20)
    }

    @Test func `a file that is no sound is named, and the encoder goes on`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.file("words.mp3", "These are words.".utf8)
            let work = try begin(SoundCoding(.opus, kilobits: 64))

            let fault = #expect(throws: EncodingFault.self) { try work.play(try source(path)) }
            let head = try work.play(EncodingSource(title: "", artist: "")).head

            #expect(fault?.isOver == false && fault?.sentence.contains(path) == true)
            #expect(head.starts(with: "OggS".utf8))
        }
    }

    @Test func `one that has ended is named with what it was at`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("tone.flac", seconds: 3)
            let work = try begin(SoundCoding(.opus, kilobits: 64))
            _ = try work.play(try source(path))
            work.close()

            let fault = #expect(throws: EncodingFault.self) { try work.more(ms: 250, isSilent: false) }

            #expect(fault?.isOver == true && fault?.sentence.contains(path) == true)
        }
    }

    @Test func `without the program the sentence says what is missing`() {
        let fault = #expect(throws: EncodingFault.self) {
            try Transcoders(.missing("The program is missing.")).begin(SoundCoding(.mp3, kilobits: 128))
        }

        #expect(fault?.sentence == "The program is missing.")
    }
}
