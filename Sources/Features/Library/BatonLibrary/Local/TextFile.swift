/// Small text files beside music, in any common encoding.
import BatonSeams

enum TextFile {
    /// The file's text; `nil` if it is missing, too large or outside the folders. Throws if the disk does not respond.
    static func read(_ path: String, below folders: [String], _ disk: any FileReading, most: Int) throws(SourceFault) -> String? {
        do throws(SourceFault) {
            let file = try disk.open(path, below: folders)
            return file.stamp.size <= most ? text(try file.read(at: 0, count: most)) : nil
        } catch {
            if error.isLate { throw error }
            return nil
        }
    }

    /// Decodes UTF-8 and UTF-16 by their byte order marks, UTF-16 also by its zero bytes, then valid UTF-8, and else
    /// Latin-1, in which every byte is a character.
    static func text(_ bytes: [UInt8]) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes[3...], as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) { return wide(bytes.dropFirst(2), low: 0) }
        if bytes.starts(with: [0xFE, 0xFF]) { return wide(bytes.dropFirst(2), low: 1) }
        if bytes.count >= 4, bytes[0] != 0, bytes[1] == 0, bytes[3] == 0 { return wide(bytes[...], low: 0) }
        if bytes.count >= 4, bytes[0] == 0, bytes[1] != 0, bytes[2] == 0 { return wide(bytes[...], low: 1) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Self.western(byte)) }
        return String(text)
    }

    /// Decodes UTF-16; `low` is the index of the lower byte in each unit.
    private static func wide(_ bytes: ArraySlice<UInt8>, low: Int) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var rest = bytes
        while rest.count >= 2 {
            let (a, b) = (UInt16(rest.removeFirst()), UInt16(rest.removeFirst()))
            units.append(low == 0 ? a | b << 8 : b | a << 8)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Decodes Latin-1 with the characters that Windows puts in place of control codes.
    private static func western(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(windows[Int(byte) - 0x80]) ?? Unicode.Scalar(byte)
    }

    private static let windows: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
