/// A configuration file, parsed by inih: names and values with their line numbers.
///
/// inih calls back on the caller's thread, inside `init` only; name and value are valid for one callback and are copied. Nothing has to be
/// released. It counts lines but does not pass the number on, so the reader that feeds it counts them too. Its options are process-wide:
/// the file is read once, at start.
import CInih
import Glibc

struct INIFile {
    struct Line: Equatable {
        var section: String
        var name: String
        var value: String
        var number: Int
    }

    private(set) var lines: [Line] = []
    /// Numbers of lines that are neither a section, nor `name = value`, nor a comment.
    private(set) var strayLines: [Int] = []

    static let longestLine = 4096
    static let largestFile = 1 << 20

    init(text: [UInt8]) {
        let feed = Feed(text)
        cinih_configure(Int32(Self.longestLine))
        let context = unsafe Unmanaged.passUnretained(feed).toOpaque()
        let firstStray = unsafe ini_parse_stream(
            { buffer, room, context in
                guard let buffer = unsafe buffer, let context = unsafe context else { return nil }
                let feed = unsafe Unmanaged<Feed>.fromOpaque(context).takeUnretainedValue()
                return unsafe feed.nextLine(into: buffer, room: Int(room)) ? buffer : nil
            }, context,
            { context, section, name, value in
                guard let context = unsafe context, let section = unsafe section, let name = unsafe name, let value = unsafe value else {
                    return 0
                }
                let feed = unsafe Unmanaged<Feed>.fromOpaque(context).takeUnretainedValue()
                feed.take(
                    section: unsafe String(cString: section), name: unsafe String(cString: name), value: unsafe String(cString: value))
                return 1
            }, context)
        lines = feed.lines
        strayLines = feed.longLines
        if firstStray > 0, !strayLines.contains(Int(firstStray)) { strayLines.append(Int(firstStray)) }
        strayLines.sort()
    }

    /// The text for inih, and the parsed result.
    private final class Feed {
        private var rest: ArraySlice<UInt8>
        private var number = 0
        var lines: [Line] = []
        var longLines: [Int] = []

        init(_ text: [UInt8]) { rest = text[...] }

        /// Copies one line with its end and a zero. A line that is too long or contains a zero becomes an empty one, so that later lines
        /// keep their numbers.
        func nextLine(into buffer: UnsafeMutablePointer<CChar>, room: Int) -> Bool {
            guard !rest.isEmpty else { return false }
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            var line = rest[..<end]
            rest = rest[min(end + 1, rest.endIndex)...]
            if line.count > min(INIFile.longestLine, room - 2) || line.contains(0) {
                longLines.append(number)
                line = []
            }
            for (index, byte) in (line + [UInt8(ascii: "\n"), 0]).enumerated() { unsafe buffer[index] = CChar(bitPattern: byte) }
            return true
        }

        func take(section: String, name: String, value: String) {
            lines.append(Line(section: section, name: name, value: value, number: number))
        }
    }
}
