import Terminals
import Testing

@Suite struct `A PNG file becomes dots` {
    /// 3 by 2 dots, which other programs have written: red, green, blue; white, grey, black.
    private static let rgb: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 128, 128, 128, 0, 0, 0]

    private static func file(colour: UInt8 = 2, depth: UInt8 = 8, width: UInt8 = 3, rows: [UInt8]) -> [UInt8] {
        chunked([0, 0, 0, width, 0, 0, 0, 2, depth, colour, 0, 0, 0], stored(rows))
    }

    private static func chunked(_ head: [UInt8], _ packed: [UInt8]) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", head) + chunk("IDAT", packed) + chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(content.count >> 8), UInt8(content.count & 255)] + Array(name.utf8) + content + [0, 0, 0, 0]
    }

    /// What zlib calls stored: as it is, with its length and its sum around it.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        var (one, two) = (UInt32(1), UInt32(0))
        for byte in bytes {
            one = (one + UInt32(byte)) % 65_521
            two = (two + one) % 65_521
        }
        let sum = two << 16 | one
        return [0x78, 0x01, 1, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)] + bytes
            + (0..<4).reversed().map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    }

    @Test(
        arguments: [
            // As it is; the difference to the left; to the row above; to the mean of both; to the nearest of three.
            ([0, 255, 0, 0, 0, 255, 0, 0, 0, 255], [0, 255, 255, 255, 128, 128, 128, 0, 0, 0]),
            ([1, 255, 0, 0, 1, 255, 0, 0, 1, 255], [2, 0, 255, 255, 128, 129, 128, 0, 0, 1]),
            ([0, 255, 0, 0, 0, 255, 0, 0, 0, 255], [3, 128, 255, 255, 1, 129, 1, 192, 192, 65]),
            ([0, 255, 0, 0, 0, 255, 0, 0, 0, 255], [4, 0, 255, 255, 128, 129, 129, 128, 0, 1]),
        ] as [([UInt8], [UInt8])]) func `whichever way its rows were made smaller`(first: [UInt8], second: [UInt8]) throws
    {
        let picture = try #require(PixelPicture(png: Self.file(rows: first + second)))
        #expect(picture.width == 3 && picture.height == 2 && picture.rgb == Self.rgb)
    }

    @Test func `grey and how opaque it is are understood too`() {
        #expect(PixelPicture(png: Self.file(colour: 0, width: 2, rows: [0, 7, 9, 0, 1, 2]))?.rgb == [7, 7, 7, 9, 9, 9, 1, 1, 1, 2, 2, 2])
        #expect(
            PixelPicture(png: Self.file(colour: 6, width: 1, rows: [0, 7, 8, 9, 255, 0, 1, 2, 3, 0]))?.rgb == [7, 8, 9, 1, 2, 3])
    }

    @Test func `what is no such file is none`() {
        let whole = Self.file(rows: [0] + Self.rgb[..<9] + [0] + Self.rgb[9...])
        #expect(PixelPicture(png: whole) != nil)
        for end in 0..<whole.count - 24 { #expect(PixelPicture(png: Array(whole[..<end])) == nil) }
        #expect(PixelPicture(png: Self.file(depth: 16, rows: [0])) == nil)
        #expect(PixelPicture(png: Self.file(colour: 3, rows: [0])) == nil)
        #expect(PixelPicture(png: Self.file(width: 0, rows: [0])) == nil)
        #expect(PixelPicture(png: Self.file(width: 200, rows: [0, 1, 2])) == nil)
        // A way that there is not.
        #expect(PixelPicture(png: Self.file(rows: [9] + Self.rgb[..<9] + [0] + Self.rgb[9...])) == nil)
    }
}
