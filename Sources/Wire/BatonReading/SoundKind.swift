/// The libavformat demuxer for a file, chosen by its first bytes.
///
/// By default libavformat probes with all of its demuxers, which for MP3 with a cover takes ten times as long as reading the file. These
/// few formats are nearly all music; for the rest, and for wrong guesses, libavformat probes.
package enum SoundKind {
    package static let enough = 16

    package static func name(of bytes: [UInt8]) -> String? { signs.first { $0.fits(bytes) }?.name }

    private struct Sign: Sendable {
        var name: String
        var at = 0
        var bytes: [UInt8]

        func fits(_ file: [UInt8]) -> Bool { file.count >= at + bytes.count && file[at..<at + bytes.count].elementsEqual(bytes) }
    }

    private static let signs = [
        Sign(name: "flac", bytes: Array("fLaC".utf8)),
        // An ID3 tag is rare before other formats, and then the first frame shows the format.
        Sign(name: "mp3", bytes: Array("ID3".utf8)),
        Sign(name: "ogg", bytes: Array("OggS".utf8)),
        Sign(name: "mov", at: 4, bytes: Array("ftyp".utf8)),
        Sign(name: "wav", at: 8, bytes: Array("WAVE".utf8)),
        Sign(name: "aiff", at: 8, bytes: Array("AIFF".utf8)),
        Sign(name: "wv", bytes: Array("wvpk".utf8)),
        Sign(name: "matroska", bytes: [0x1A, 0x45, 0xDF, 0xA3]),
        Sign(name: "ape", bytes: Array("MAC ".utf8)),
        Sign(name: "dsf", bytes: Array("DSD ".utf8)),
        Sign(name: "asf", bytes: [0x30, 0x26, 0xB2, 0x75]),
        Sign(name: "mp3", bytes: [0xFF, 0xFB]),
        Sign(name: "mp3", bytes: [0xFF, 0xFA]),
        Sign(name: "mp3", bytes: [0xFF, 0xF3]),
    ]
}
