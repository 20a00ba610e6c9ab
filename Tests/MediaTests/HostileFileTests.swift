import BatonSeams
import Foundation
import Testing

@testable import Media

/// Files that are no music: each is reported in a sentence that names it, and the next one is read.
@Suite struct HostileFileTests {
    @Test func `what is no music is named, and what follows is read`() async throws {
        try await MediaFolder.with { folder in
            let good = try folder.tone("good.flac", ["title": "Good"])
            let flac = try folder.bytes("good.flac")
            mkfifo(folder.path("pipe.mp3"), 0o600)
            let bad = [
                try folder.file("empty.mp3", []),
                try folder.file("text.mp3", Array("This is no music.\n".utf8)),
                try folder.file("zeros.flac", [UInt8](repeating: 0, count: 100_000)),
                try folder.file("list.mp3", Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:1/a.ts\n".utf8)),
                try folder.file("concat.mp3", Array("ffconcat version 1.0\nfile 'good.flac'\n".utf8)),
                try folder.file("head.flac", flac.prefix(20)),
                folder.path("pipe.mp3"), folder.root, folder.path("missing.mp3"), "/dev/zero",
            ]
            let paths = bad.flatMap { [$0, good] }

            let results = Readers.pool().read(paths)

            for (path, result) in zip(paths, results) {
                if path == good {
                    #expect(try result.get().track.tags.title == "Good")
                } else {
                    let fault = try #require(result.fault, "\(path) was read.")
                    #expect(fault.sentence.contains(path) && fault.sentence.hasSuffix("."), "\(fault.sentence)")
                    #expect(!fault.sentence.contains("took too long") && !fault.sentence.contains("broke the program"), "\(fault.sentence)")
                }
            }
        }
    }

    @Test func `bytes in disorder break no reader, or only theirs`() async throws {
        try await MediaFolder.with { folder in
            let cover = try folder.drawing("cover.png", 64, 64)
            var paths: [String] = []
            for name in ["a.flac", "b.mp3", "c.m4a", "d.ogg", "e.opus", "f.wv", "g.mka", "h.aiff", "i.wav"] {
                let pictures = name.hasPrefix("a") || name.hasPrefix("b") || name.hasPrefix("c")
                let cover = pictures ? ["-i", cover, "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic"] : []
                try folder.ffmpeg(
                    ["-f", "lavfi", "-i", "sine=duration=1"] + cover + ["-metadata", "title=T", "-metadata", "artist=A", "-ar", "48000"],
                    name)
                let whole = try folder.bytes(name)
                var random = SystemRandomNumberGenerator()
                for seed in 0..<12 {
                    var bytes = whole
                    for _ in 0..<(1 << (seed % 6)) {
                        bytes[Int.random(in: 0..<min(bytes.count, 4_096), using: &random)] = UInt8.random(in: 0...255, using: &random)
                    }
                    if seed % 4 == 3 { bytes.removeLast(bytes.count / 2) }
                    paths.append(try folder.file("\(seed)-\(name)", bytes))
                }
            }

            let results = Readers.pool(patienceMs: 5_000).read(paths)

            for (path, result) in zip(paths, results) {
                if let fault = result.fault { #expect(fault.sentence.contains(path)) }
            }
            #expect(results.contains { $0.fault == nil })
        }
    }

    @Test func `a picture of two gigabytes is not read`() async throws {
        try await MediaFolder.with { folder in
            // A box of 2 GiB within the tags of an MP4, in a file with a hole: nothing of it stands on the disk.
            let huge = 2 << 30
            func box(_ name: String, _ body: [UInt8], _ extra: Int = 0) -> [UInt8] {
                let size = 8 + body.count + extra
                return [24, 16, 8, 0].map { UInt8(size >> $0 & 0xFF) } + Array(name.utf8) + body
            }
            let data = box("data", [0, 0, 0, 13, 0, 0, 0, 0, 0xFF, 0xD8, 0xFF, 0xE0], huge)
            let covr = box("covr", data, huge)
            let ilst = box("ilst", covr, huge)
            let hdlr = box("hdlr", [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9))
            let meta = box("meta", [0, 0, 0, 0] + hdlr + ilst, huge)
            let file = box("ftyp", Array("M4A ".utf8) + [0, 0, 0, 0]) + box("moov", box("udta", meta, huge), huge)
            let mp4 = try folder.file("huge.m4a", file)
            truncate(mp4, off_t(file.count + huge))
            let id3 = try folder.file(
                "huge.mp3", Array("ID3".utf8) + [3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F] + Array("APIC".utf8) + [0x0F, 0xFF, 0xFF, 0xF0, 0, 0, 0])
            truncate(id3, off_t(huge))
            let good = try folder.tone("good.flac", ["title": "Good"])

            // To read all that they claim would take a reader longer than it is given, and then the sentence says so.
            let results = Readers.pool(readers: 1).read([mp4, id3, good])

            #expect(results[0].fault?.sentence.contains(mp4) == true)
            #expect(results[1].fault?.sentence.contains(id3) == true)
            #expect(try results[2].get().track.tags.title == "Good")
            #expect(results.allSatisfy { $0.fault?.sentence.contains("took too long") != true }, "It was read all the same.")
        }
    }

    @Test func `tags longer than any sensible one are left out`() async throws {
        try await MediaFolder.with { folder in
            let path = try folder.tone("a.flac", ["title": String(repeating: "x", count: 100_000), "artist": "Short"])

            let tags = try Readers.read(path).get().track.tags

            #expect(tags.title.isEmpty)
            #expect(tags.artists == ["Short"])
        }
    }
}
