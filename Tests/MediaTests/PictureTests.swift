import BatonSeams
import Foundation
import Testing

@testable import Media

/// Pictures: found, judged, and made as large as a screen wants them.
@Suite struct PictureTests {
    @Test(arguments: ["a.jpg", "a.png", "a.gif", "a.bmp", "a.webp"]) func `each kind is made exactly as large as asked`(name: String)
        async throws
    {
        try await MediaFolder.with { folder in
            let source = PictureSource.file(try folder.drawing(name, 320, 200))
            let pool = Readers.pool()

            let square = try pool.scaled(source, width: 64, height: 64, format: .jpeg, mostBytes: nil)
            let wide = try pool.scaled(source, width: 160, height: nil, format: .png, mostBytes: nil)
            let large = try pool.scaled(source, width: nil, height: 400, format: .jpeg, mostBytes: nil)

            #expect(try folder.size(of: square) == "64x64,jpeg" && square.format == .jpeg)
            #expect(try folder.size(of: wide) == "160x100,png" && wide.format == .png)
            #expect(try folder.size(of: large) == "640x400,jpeg")
            #expect(square.id == wide.id && square.id.count == 16)
            #expect((large.width, large.height) == (640, 400))
        }
    }

    @Test func `the maker's own bytes are handed out as they are`() async throws {
        try await MediaFolder.with { folder in
            let cover = try folder.drawing("cover.jpg", 300, 200)
            let song = try folder.tone("a.flac", seconds: 1, [])
            let with = try folder.ffmpeg(
                ["-i", song, "-i", cover, "-map", "0:a", "-map", "1:v", "-c", "copy", "-disposition:v", "attached_pic"], "b.flac")
            let pool = Readers.pool()

            let file = try pool.picture(.file(cover))
            let inside = try pool.picture(.embedded(in: with))
            let sent = try pool.picture(.bytes(folder.bytes("cover.jpg")))

            #expect(file.bytes == (try folder.bytes("cover.jpg")))
            #expect(inside == file && sent == file)
            #expect((file.format, file.width, file.height) == (.jpeg, 300, 200))
            #expect(try Readers.read(with).get().track.tags.art?.id == file.id)
            #expect(throws: SourceFault(.notFound, "\(song) holds no picture.")) { try pool.picture(.embedded(in: song)) }
        }
    }

    /// Greys, transparency, sixteen bits, one bit, and the four inks of printers.
    @Test(arguments: ["gray", "gray16be", "ya8", "rgba", "rgb48be", "monob", "pal8"]) func `odd pixels are pixels`(kind: String)
        async throws
    {
        try await MediaFolder.with { folder in
            let source = PictureSource.file(try folder.drawing("a.png", 101, 67, ["-pix_fmt", kind]))
            let pool = Readers.pool(readers: 1)

            for format in [Picture.Format.jpeg, .png] {
                let made = try pool.scaled(source, width: 33, height: 33, format: format, mostBytes: nil)
                #expect(try folder.size(of: made) == "33x33,\(format.rawValue)")
            }
            #expect(try pool.colours(of: source).count == 2)
        }
    }

    @Test func `a picture in the inks of printers is shown`() async throws {
        try await MediaFolder.with { folder in
            let source = try folder.file("cmyk.jpg", Self.cmyk)
            let made = try Readers.pool().scaled(.file(source), width: 16, height: 16, format: .png, mostBytes: nil)
            #expect(try folder.size(of: made) == "16x16,png")
        }
    }

    @Test func `what shines through becomes white where nothing can shine through`() async throws {
        try await MediaFolder.with { folder in
            let clear = try folder.ffmpeg(["-f", "lavfi", "-i", "color=c=red@0.0:s=32x32,format=rgba", "-frames:v", "1"], "clear.png")
            let made = try Readers.pool().scaled(.file(clear), width: 8, height: 8, format: .jpeg, mostBytes: nil)
            try folder.file("made.jpg", made.bytes)
            try folder.ffmpeg(["-i", folder.path("made.jpg"), "-pix_fmt", "rgb24"], "made.ppm")
            #expect(try folder.bytes("made.ppm").suffix(192).allSatisfy { $0 > 245 })
        }
    }

    @Test func `quality falls until it fits, and a sentence says when it cannot`() async throws {
        try await MediaFolder.with { folder in
            let noise = try folder.ffmpeg(
                ["-f", "lavfi", "-i", "nullsrc=s=400x400,geq=random(1)*255:128:128", "-frames:v", "1"], "noise.png")
            let pool = Readers.pool()

            let small = try pool.scaled(.file(noise), width: 240, height: 240, format: .jpeg, mostBytes: 16_384)

            #expect(small.bytes.count <= 16_384)
            #expect((small.width, small.height) == (240, 240))
            let fault = #expect(throws: SourceFault.self) {
                try pool.scaled(.file(noise), width: 240, height: 240, format: .png, mostBytes: 100)
            }
            #expect(fault?.code == .tooLarge && fault?.sentence.contains(noise) == true)
        }
    }

    @Test func `a bomb is refused before it is decoded, and the reader lives`() async throws {
        try await MediaFolder.with { folder in
            let png: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8)
            let bomb = try folder.file(
                "bomb.png", png + [0, 0, 0x3F, 0xFF, 0, 0, 0x3F, 0xFF, 8, 6, 0, 0, 0] + [UInt8](repeating: 0, count: 64))
            let huge = try folder.file("huge.jpg", [0xFF, 0xD8])
            truncate(huge, 40 << 20)
            let text = try folder.file("text.jpg", Array("no picture".utf8))
            let cut = try folder.drawing("whole.png", 200, 200)
            let half = try folder.file("half.png", folder.bytes("whole.png").prefix(60))
            let pool = Readers.pool(readers: 1)

            for (path, code) in [(bomb, SourceFault.Code.tooLarge), (huge, .tooLarge), (text, .unreadable), (half, .unreadable)] {
                let fault = #expect(throws: SourceFault.self) {
                    try pool.scaled(.file(path), width: 10, height: 10, format: .jpeg, mostBytes: nil)
                }
                #expect(fault?.code == code && fault?.sentence.contains(path) == true, "\(fault?.sentence ?? "")")
                #expect(fault?.sentence.contains("broke the program") == false)
            }
            #expect(try pool.scaled(.file(cut), width: 10, height: 10, format: .jpeg, mostBytes: nil).width == 10)
        }
    }

    @Test func `the longest side at its thinnest is scaled in no time`() async throws {
        try await MediaFolder.with { folder in
            let line = try folder.drawing("line.png", 16_384, 20)
            let made = try Readers.pool().scaled(.file(line), width: 2_048, height: 2_048, format: .jpeg, mostBytes: nil)
            let dot = try Readers.pool().scaled(.file(line), width: 1, height: nil, format: .png, mostBytes: nil)
            #expect(try folder.size(of: made) == "2048x2048,jpeg")
            #expect(try folder.size(of: dot) == "1x1,png")
        }
    }

    @Test(arguments: [(0, 10), (10, 3_000), (-1, 10)]) func `sides beyond reason are refused`(width: Int, height: Int) {
        let fault = #expect(throws: SourceFault.self) {
            try Readers.pool().scaled(.file("/a.png"), width: width, height: height, format: .jpeg, mostBytes: nil)
        }
        #expect(fault?.code == .badRequest)
    }

    @Test func `two colours stand for a picture`() async throws {
        try await MediaFolder.with { folder in
            let blue = "color=c=0x102040:s=300x300,drawbox=x=20:y=20:w=90:h=90:color=0xff8000:t=fill"
            let source = PictureSource.file(try folder.ffmpeg(["-f", "lavfi", "-i", blue, "-frames:v", "1"], "a.png"))

            let colours = try Readers.pool().colours(of: source)

            #expect(near(colours[0], 0x102040) && near(colours[1], 0xFF8000), "\(colours.map { String($0, radix: 16) })")
        }
    }

    private func near(_ a: Int, _ b: Int) -> Bool {
        [16, 8, 0].allSatisfy { shift in abs((a >> shift & 0xFF) - (b >> shift & 0xFF)) < 12 }
    }

    /// Sixteen by sixteen pixels of one colour in four inks, as Adobe writes them.
    private static let cmyk: [UInt8] = {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
        bytes += [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        bytes += [0xFF, 0xC0, 0, 20, 8, 0, 16, 0, 16, 4, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 4, 0x11, 0]
        // One code of one bit each: “nothing changes”, and “no more of this block”.
        for table: UInt8 in [0x00, 0x10] { bytes += [0xFF, 0xC4, 0, 20, table, 1] + [UInt8](repeating: 0, count: 15) + [0] }
        bytes += [0xFF, 0xDA, 0, 14, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 63, 0]
        // Four blocks of four inks, two bits each.
        return bytes + [0, 0, 0, 0] + [0xFF, 0xD9]
    }()
}

extension MediaFolder {
    /// What ffprobe says of it.
    fileprivate func size(of picture: Picture) throws -> String {
        let name = "probe-\(UUID().uuidString.prefix(6)).\(picture.format.rawValue)"
        let path = try file(name, picture.bytes)
        let out = self.path(name + ".txt")
        let words = ["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", path]
        try probe(words, out: out)
        let fields = try String(contentsOfFile: out, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ",")
        return "\(fields[1])x\(fields[2]),\(fields[0] == "mjpeg" ? "jpeg" : fields[0])"
    }
}
