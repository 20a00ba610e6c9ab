/// Texts that libavformat passes over, in bytes as they should be and as they should not.
import Testing

@testable import BatonReading

@Suite struct TextTests {
    private static func box(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
        let length = UInt32(content.count + 8)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + name + content
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] { box(Array(name.utf8), content) }

    private static func item(_ name: String, _ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        box([0xA9] + Array(name.utf8), box("data", [0, 0, 0, type, 0, 0, 0, 0] + value))
    }

    private static func file(_ items: [UInt8], isQuickTime: Bool = false) -> [UInt8] {
        let meta = (isQuickTime ? [] : [0, 0, 0, 0]) + box("hdlr", [UInt8](repeating: 0, count: 25)) + box("ilst", items)
        return box("ftyp", Array("M4B ".utf8)) + box("mdat", [UInt8](repeating: 7, count: 500))
            + box("moov", box("mvhd", [1, 2, 3]) + box("udta", box("meta", meta)))
    }

    private static func texts(_ file: [UInt8], size: Int? = nil) -> [String] {
        MP4Texts(size: Int64(size ?? file.count)) { Array(file.dropFirst(Int($0)).prefix($1)) }.values.map {
            $0.name + "=" + String(decoding: $0.value, as: UTF8.self)
        }
    }

    private static let items =
        item("nam", 1, Array("Title".utf8)) + item("nrt", 1, Array("Rob Inglis".utf8)) + item("mvn", 1, Array("Earthsea".utf8))
        + item("mvi", 21, [0, 2])

    @Test(arguments: [false, true]) func `narrator, series and number of an MP4 file`(isQuickTime: Bool) {
        let expected = ["narrator=Rob Inglis", "movementname=Earthsea", "movement=2"]
        #expect(Self.texts(Self.file(Self.items, isQuickTime: isQuickTime)) == expected)
    }

    @Test func `a file that ends anywhere is read as far as it goes`() {
        let file = Self.file(Self.items)
        for length in 0..<file.count {
            let cut = Array(file.prefix(length))
            #expect(Self.texts(cut).count <= 3)
            #expect(Self.texts(cut, size: file.count).count <= 3)
        }
    }

    @Test func `millions of boxes are not looked through`() {
        var asked = 0
        let boxes = MP4Texts(size: 1 << 40) { _, most in
            asked += 1
            return Array(([0, 0, 0, 8] + Array("free".utf8)).prefix(most))
        }
        #expect(boxes.values.isEmpty && asked < 5_000)
    }

    @Test func `a text of another kind, or longer than any title, is left out`() {
        #expect(Self.texts(Self.file(Self.item("nrt", 13, [1, 2]) + Self.item("mvn", 1, [UInt8](repeating: 65, count: 5_000)))).isEmpty)
    }

    @Test(arguments: [UInt8(3), 4]) func `the series of an ID3 tag, in both versions`(version: UInt8) {
        func frame(_ name: String, _ text: String) -> [UInt8] {
            Array(name.utf8) + [0, 0, 0, UInt8(text.utf8.count + 1), 0, 0, 3] + Array(text.utf8)
        }
        let frames = frame("TIT2", "Title") + frame("MVNM", "Earthsea") + frame("MVIN", "2/5")
        let tag = Array("ID3".utf8) + [version, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
        let found = ID3Texts(tag).values.map { $0.name + "=" + String(decoding: $0.values[0], as: UTF8.self) }
        #expect(found == ["movementname=Earthsea", "movement=2/5"])
    }
}
