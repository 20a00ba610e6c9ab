/// Texts of an ID3v2 tag that libavformat skips.
///
/// In version 4, one frame may contain several values separated by zeros. libavformat keeps only the first, and so drops every artist of a
/// song but one. It does not read the series of a book and the number in it (`MVNM`, `MVIN`), since the names of these frames do not begin
/// with T. It reads all other texts.
package struct ID3Texts {
    /// Values by libavformat's name for the frame.
    package private(set) var values: [(name: String, values: [[UInt8]])] = []

    /// Number of bytes of a file that suffice: in good tags the texts come before the picture.
    package static let most = 65_536

    private static let names = ["TPE1": "artist", "TPE2": "album_artist", "TCON": "genre", "TCOM": "composer"]
    private static let movements = ["MVNM": "movementname", "MVIN": "movement"]

    /// Reads the beginning of a file; an incomplete tag is read as far as it goes.
    package init(_ bytes: [UInt8]) {
        guard bytes.count > 10, bytes.starts(with: Array("ID3".utf8)), 3...4 ~= bytes[3] else { return }
        let isPlain = bytes[3] == 3
        // Old and rare features are not supported: scrambling of the whole tag, and an extended header.
        guard bytes[5] & 0b1100_0000 == 0, let size = Self.size(bytes[6..<10], bits: 7) else { return }
        let end = min(bytes.count, 10 + size)
        var at = 10
        while at + 10 <= end, bytes[at] != 0, let length = Self.size(bytes[at + 4..<at + 8], bits: isPlain ? 8 : 7) {
            let body = at + 10
            // Neither compressed nor encrypted.
            if length > 1, body + length <= end, bytes[at + 9] & (isPlain ? 0b1110_0000 : 0b0000_1111) == 0 {
                take(String(decoding: bytes[at..<at + 4], as: UTF8.self), body: bytes[body..<body + length], isPlain: isPlain)
            }
            at = body + length
        }
    }

    /// A size, with seven bits in each byte, except in frames of version 3.
    private static func size(_ bytes: ArraySlice<UInt8>, bits: Int) -> Int? {
        guard bits == 8 || bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << bits | Int($1) }
    }

    private mutating func take(_ frame: String, body: ArraySlice<UInt8>, isPlain: Bool) {
        guard let encoding = body.first else { return }
        if let name = Self.movements[frame] {
            if let text = Self.texts(Array(body.dropFirst()), encoding).first { values.append((name, [text])) }
            return
        }
        // Version 3 has one value in a frame.
        guard !isPlain, frame == "TXXX" || Self.names[frame] != nil else { return }
        var texts = Self.texts(Array(body.dropFirst()), encoding)
        var name = Self.names[frame]
        if frame == "TXXX" {
            // The first value is the name of the tag.
            name = texts.isEmpty ? nil : String(decoding: texts.removeFirst(), as: UTF8.self)
        }
        guard let name, texts.count > 1 else { return }
        values.append((name, texts))
    }

    /// Texts in UTF-8; Latin texts stay as they are.
    private static func texts(_ bytes: [UInt8], _ encoding: UInt8) -> [[UInt8]] {
        switch encoding {
        case 1, 2: wide(bytes, isBig: encoding == 2)
        default: bytes.split(separator: 0).map(Array.init)
        }
    }

    private static func wide(_ bytes: [UInt8], isBig: Bool) -> [[UInt8]] {
        var isBig = isBig
        var texts: [[UInt8]] = []
        var units: [UInt16] = []
        func close() {
            if !units.isEmpty { texts.append(Array(String(decoding: units, as: UTF16.self).utf8)) }
            units = []
        }
        for at in stride(from: 0, to: bytes.count - 1, by: 2) {
            let unit = UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
            switch unit {
            // Each value begins with its own byte order mark.
            case 0xFEFF: isBig = true
            case 0xFFFE: isBig = false
            case 0: close()
            default: units.append(isBig ? unit : unit.byteSwapped)
            }
        }
        close()
        return texts
    }
}
