/// Type and size of a picture, read from its first bytes without decoding.
package struct PictureHeader: Equatable, Sendable {
    package var type: PictureType
    package var width: Int
    package var height: Int

    /// Limits for decoding: a few bytes can claim gigabytes of pixels.
    package static let longestSide = 16_384
    package static let mostPixels = 64_000_000

    package init(type: PictureType, width: Int, height: Int) {
        self.type = type
        self.width = width
        self.height = height
    }

    /// The reason why there is no header.
    package enum Refusal: Error, Equatable {
        case unknown, tooManyPixels
    }

    package init(of bytes: some RandomAccessCollection<UInt8>) throws(Refusal) {
        let view = View(bytes: Array(bytes.prefix(Self.longestSearch)))
        guard let found = Self.looks.lazy.compactMap({ $0(view) }).first, found.width > 0, found.height > 0 else {
            throw .unknown
        }
        guard max(found.width, found.height) <= Self.longestSide, found.width * found.height <= Self.mostPixels else {
            throw .tooManyPixels
        }
        self = found
    }

    /// Search limit for JPEG, whose size comes after profiles and thumbnails, which may be long.
    private static let longestSearch = 1 << 20

    private static let looks: [@Sendable (View) -> PictureHeader?] = [jpeg, png, webp, gif, bmp]

    /// Bytes that may be cut off anywhere.
    private struct View {
        let bytes: [UInt8]

        subscript(_ at: Int) -> Int? { bytes.indices.contains(at) ? Int(bytes[at]) : nil }

        func has(_ text: StaticString, at start: Int) -> Bool {
            guard bytes.count >= start + text.utf8CodeUnitCount else { return false }
            return text.withUTF8Buffer { $0.elementsEqual(bytes[start..<start + $0.count]) }
        }

        func big(_ at: Int, bytes count: Int) -> Int? { number(at..<at + count) }

        func little(_ at: Int, bytes count: Int) -> Int? { number((at..<at + count).reversed()) }

        private func number(_ places: some Sequence<Int>) -> Int? {
            var number = 0
            for place in places {
                guard let byte = self[place] else { return nil }
                number = number << 8 | byte
            }
            return number
        }
    }

    private static func png(_ view: View) -> PictureHeader? {
        guard view[0] == 0x89, view.has("PNG\r\n", at: 1), view.has("IHDR", at: 12) else { return nil }
        guard let width = view.big(16, bytes: 4), let height = view.big(20, bytes: 4) else { return nil }
        return PictureHeader(type: .png, width: width, height: height)
    }

    private static func gif(_ view: View) -> PictureHeader? {
        guard view.has("GIF87a", at: 0) || view.has("GIF89a", at: 0) else { return nil }
        guard let width = view.little(6, bytes: 2), let height = view.little(8, bytes: 2) else { return nil }
        return PictureHeader(type: .gif, width: width, height: height)
    }

    private static func bmp(_ view: View) -> PictureHeader? {
        guard view.has("BM", at: 0), let length = view.little(14, bytes: 4), length >= 40, length <= 124 else { return nil }
        guard let width = view.little(18, bytes: 4), let height = view.little(22, bytes: 4) else { return nil }
        // A negative height means that the rows are stored from the top.
        return PictureHeader(type: .bmp, width: width, height: Int(Int32(truncatingIfNeeded: height).magnitude))
    }

    private static func webp(_ view: View) -> PictureHeader? {
        guard view.has("RIFF", at: 0), view.has("WEBP", at: 8) else { return nil }
        if view.has("VP8 ", at: 12), view[23] == 0x9D, view[24] == 0x01, view[25] == 0x2A {
            guard let width = view.little(26, bytes: 2), let height = view.little(28, bytes: 2) else { return nil }
            return PictureHeader(type: .webp, width: width & 0x3FFF, height: height & 0x3FFF)
        }
        if view.has("VP8L", at: 12), view[20] == 0x2F, let bits = view.little(21, bytes: 4) {
            return PictureHeader(type: .webp, width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        }
        if view.has("VP8X", at: 12), let width = view.little(24, bytes: 3), let height = view.little(27, bytes: 3) {
            return PictureHeader(type: .webp, width: width + 1, height: height + 1)
        }
        return nil
    }

    /// Goes from marker to marker until one contains the size.
    private static func jpeg(_ view: View) -> PictureHeader? {
        guard view[0] == 0xFF, view[1] == 0xD8 else { return nil }
        var at = 2
        while let lead = view[at], let mark = view[at + 1] {
            guard lead == 0xFF else { return nil }
            switch mark {
            case 0xFF: at += 1  // Padding.
            case 0x01, 0xD0...0xD8: at += 2  // Markers without a length.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = view.big(at + 5, bytes: 2), let width = view.big(at + 7, bytes: 2) else { return nil }
                return PictureHeader(type: .jpeg, width: width, height: height)
            case 0xD9, 0xDA: return nil  // The image data, with no size before it.
            default:
                guard let length = view.big(at + 2, bytes: 2), length >= 2 else { return nil }
                at += 2 + length
            }
        }
        return nil
    }
}
