import Foundation
import Testing

@testable import Media

/// How quick reading is, with more files where `BATON_FIGURES=1`. Printed, not judged: that depends on the machine.
@Suite struct FigureTests {
    private let copies = ProcessInfo.processInfo.environment["BATON_FIGURES"] == nil ? 200 : 1_000

    @Test func `many files by two readers`() async throws {
        try await MediaFolder.with { folder in
            let tags = ["title": "T", "artist": "A", "album": "B", "album_artist": "C", "track": "3/12", "date": "1999", "genre": "Jazz"]
            let cover = try folder.drawing("cover.jpg", 500, 500)
            var paths: [String] = []
            for kind in ["flac", "mp3"] {
                let song = try folder.tone("song.\(kind)", tags, seconds: 20)
                let words = ["-i", song, "-i", cover, "-map", "0:a", "-map", "1:v", "-c", "copy", "-disposition:v", "attached_pic"]
                let bytes = try folder.bytes(URL(filePath: folder.ffmpeg(words, "base.\(kind)")).lastPathComponent)
                for number in 0..<copies { paths.append(try folder.file("\(number).\(kind)", bytes)) }
            }
            let pool = Readers.pool(readers: 2)
            _ = pool.read([paths[0]])
            let clock = ContinuousClock()

            var read = 0
            let took = clock.measure { read = pool.read(paths).count { $0.fault == nil } }

            #expect(read == paths.count)
            let us = Double(took.components.attoseconds / 1_000_000_000_000 + took.components.seconds * 1_000_000) / Double(read)
            print("2 readers: \(Int(us)) us a file, \(Int(1_000_000 / us)) files a second (with covers and content hashes)")
        }
    }
}
