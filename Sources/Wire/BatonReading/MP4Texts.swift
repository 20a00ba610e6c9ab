/// Texts of an MP4 file that libavformat skips: the narrator of a book, its series and the number in it.
///
/// They are in `moov/udta/meta/ilst`, one box in the other. Boxes state their own length, so only the heads of those on the path are read,
/// and a limited number of them, since a file may contain millions.
package struct MP4Texts {
    package private(set) var values: [(name: String, value: [UInt8])] = []

    private static let way = ["moov", "udta", "meta", "ilst"]
    /// Names that begin with a byte that is invalid in UTF-8.
    private static let names: [[UInt8]: String] = [
        [0xA9] + Array("nrt".utf8): "narrator", [0xA9] + Array("mvn".utf8): "movementname", [0xA9] + Array("mvi".utf8): "movement",
    ]
    private static let mostBoxes = 4_096

    private var boxesLeft = Self.mostBoxes

    /// `bytes` reads at most the given number of bytes at a place of the file.
    package init(size: Int64, _ bytes: (Int64, Int) -> [UInt8]) {
        var inside = Box(name: [], start: 0, end: size)
        for name in Self.way {
            guard let next = boxes(in: inside, bytes, until: Array(name.utf8)).last, next.name == Array(name.utf8) else { return }
            inside = next
            if name == "meta" { inside.start += Self.versionBytes(of: inside, bytes) }
        }
        for item in boxes(in: inside, bytes) {
            guard let name = Self.names[item.name] else { continue }
            let data = boxes(in: item, bytes, until: Array("data".utf8)).last
            if let data, let text = Self.text(of: data, bytes) { values.append((name, text)) }
        }
    }

    private struct Box {
        var name: [UInt8]
        /// Start of its content.
        var start: Int64
        var end: Int64
    }

    /// The boxes directly inside this one; with `last` up to the first of that name.
    private mutating func boxes(in outer: Box, _ bytes: (Int64, Int) -> [UInt8], until last: [UInt8]? = nil) -> [Box] {
        var found: [Box] = []
        var at = outer.start
        while at < outer.end, boxesLeft > 0, let box = Self.box(bytes(at, 16), at: at, within: outer.end) {
            boxesLeft -= 1
            found.append(box)
            if box.name == last { break }
            at = box.end
        }
        return found
    }

    /// Parses a head. A length of 1 means that the real one follows in eight bytes, and 0 that the box lasts to the end.
    private static func box(_ head: [UInt8], at: Int64, within end: Int64) -> Box? {
        guard head.count >= 8 else { return nil }
        let short = number(head[..<4])
        let isLong = short == 1
        guard !isLong || head.count == 16 else { return nil }
        let length = isLong ? number(head[8..<16]) : short == 0 ? UInt64(end - at) : short
        let headLength: Int64 = isLong ? 16 : 8
        guard length >= UInt64(headLength), length <= UInt64(end - at) else { return nil }
        return Box(name: Array(head[4..<8]), start: at + headLength, end: at + Int64(length))
    }

    /// MP4 has four bytes in front of the boxes of `meta`, QuickTime has none.
    private static func versionBytes(of meta: Box, _ bytes: (Int64, Int) -> [UInt8]) -> Int64 {
        meta.end - meta.start < 8 || Array(bytes(meta.start, 8).dropFirst(4)) == Array("hdlr".utf8) ? 0 : 4
    }

    /// UTF-8 (1), or an integer (21), as text.
    private static func text(of data: Box, _ bytes: (Int64, Int) -> [UInt8]) -> [UInt8]? {
        let length = data.end - data.start - 8
        guard (1...Int64(FileFacts.longestValue)).contains(length) else { return nil }
        let content = bytes(data.start, Int(length) + 8)
        guard content.count == Int(length) + 8 else { return nil }
        switch number(content[..<4]) {
        case 1: return Array(content[8...])
        case 21 where length <= 4: return Array(String(number(content[8...])).utf8)
        default: return nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
