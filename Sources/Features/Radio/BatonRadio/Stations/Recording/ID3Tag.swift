/// ID3v2.4 tags at the start of an MPEG or AAC recording, whose sound is not changed.
struct ID3Tag {
    var title: String
    var artist: String?
    var album: String
    /// The date as `2026-11-23`.
    var date: String
    var picture: (type: String, bytes: [UInt8])?

    var bytes: [UInt8] {
        var frames = Self.text("TIT2", title) + Self.text("TALB", album) + Self.text("TDRC", date)
        if let artist { frames += Self.text("TPE1", artist) }
        if let picture {
            // The media type, the picture type "front cover" and an empty description.
            let about: [UInt8] = [3] + Array(picture.type.utf8) + [0, 3, 0]
            frames += Self.frame("APIC", about + picture.bytes)
        }
        return Array("ID3".utf8) + [4, 0, 0] + Self.size(frames.count) + frames
    }

    private static func text(_ name: String, _ text: String) -> [UInt8] {
        let isUTF8: UInt8 = 3
        return frame(name, [isUTF8] + Array(text.utf8))
    }

    private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] { Array(name.utf8) + size(content.count) + [0, 0] + content }

    /// Encodes a size with seven bits a byte, so that it cannot look like the sync word of a frame.
    private static func size(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }
}
