import CZlib

/// A picture as pixels of three bytes each, read from a PNG file.
///
/// The hub scales pictures to the requested size, so a terminal needs one format only and no picture library. zlib, which libwebsockets
/// needs anyway, inflates the content in one call into memory that Swift owns.
package struct PixelPicture: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// Pixels row by row, from the upper left corner.
    package let rgb: [UInt8]

    package init(width: Int, height: Int, rgb: [UInt8]) {
        precondition(rgb.count == width * height * 3, "A picture has three bytes for each dot.")
        (self.width, self.height, self.rgb) = (width, height, rgb)
    }

    /// Limit for a side.
    private static let longest = 2048
    private static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// `nil` if it is not a PNG file, or one that no hub creates: with more than eight bits, a palette, or interlacing.
    package init?(png bytes: [UInt8]) {
        guard bytes.starts(with: Self.mark) else { return nil }
        var head: Head?
        var packed: [UInt8] = []
        var at = Self.mark.count
        while at + 12 <= bytes.count {
            let length = Self.number(bytes[at..<at + 4])
            guard length <= bytes.count - at - 12 else { return nil }
            let content = bytes[at + 8..<at + 8 + length]
            switch String(decoding: bytes[at + 4..<at + 8], as: UTF8.self) {
            case "IHDR": head = Head(Array(content))
            case "IDAT": packed += content
            default: break
            }
            at += 12 + length
        }
        guard let head, let rows = Self.inflated(packed, to: head.height * (1 + head.bytesInRow)) else { return nil }
        guard let rgb = head.dots(in: rows) else { return nil }
        (width, height, self.rgb) = (head.width, head.height, rgb)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func inflated(_ packed: [UInt8], to count: Int) -> [UInt8]? {
        var rows = [UInt8](repeating: 0, count: count)
        var written = UInt(count)
        guard unsafe czlib_inflate(&rows, &written, packed, UInt(packed.count)) == Z_OK, written == count else { return nil }
        return rows
    }

    /// The head of the file, before the pixels.
    private struct Head {
        let width: Int
        let height: Int
        /// Bytes for each pixel: grey, grey and opacity, colours, colours and opacity.
        let channels: Int
        var bytesInRow: Int { width * channels }

        init?(_ bytes: [UInt8]) {
            guard bytes.count == 13, bytes[8] == 8, bytes[12] == 0, let channels = [0: 1, 2: 3, 4: 2, 6: 4][bytes[9]] else { return nil }
            width = PixelPicture.number(bytes[0..<4])
            height = PixelPicture.number(bytes[4..<8])
            self.channels = channels
            guard (1...longest).contains(width), (1...longest).contains(height) else { return nil }
        }

        /// Undoes the filter of each row, which is named in the row's first byte: no filter, or the difference to its neighbours.
        func dots(in rows: [UInt8]) -> [UInt8]? {
            var above = [UInt8](repeating: 0, count: bytesInRow)
            var rgb: [UInt8] = []
            rgb.reserveCapacity(width * height * 3)
            for row in 0..<height {
                let start = row * (bytesInRow + 1)
                guard let line = restored(by: rows[start], Array(rows[start + 1..<start + 1 + bytesInRow]), below: above) else {
                    return nil
                }
                for dot in 0..<width {
                    let place = dot * channels
                    rgb += channels < 3 ? [line[place], line[place], line[place]] : [line[place], line[place + 1], line[place + 2]]
                }
                above = line
            }
            return rgb
        }

        private func restored(by way: UInt8, _ line: [UInt8], below above: [UInt8]) -> [UInt8]? {
            var line = line
            switch way {
            case 0: break
            case 1: for at in channels..<max(channels, line.count) { line[at] &+= line[at - channels] }
            case 2: for at in line.indices { line[at] &+= above[at] }
            case 3:
                for at in line.indices {
                    let left = at < channels ? 0 : Int(line[at - channels])
                    line[at] &+= UInt8((left + Int(above[at])) / 2)
                }
            case 4:
                for at in line.indices {
                    let (left, corner) = at < channels ? (0, 0) : (Int(line[at - channels]), Int(above[at - channels]))
                    line[at] &+= UInt8(Self.nearest(left: left, above: Int(above[at]), corner: corner))
                }
            default: return nil
            }
            return line
        }

        /// Paeth's predictor: the neighbour nearest to `left + above - corner`.
        private static func nearest(left: Int, above: Int, corner: Int) -> Int {
            let guess = left + above - corner
            let (toLeft, toAbove, toCorner) = (abs(guess - left), abs(guess - above), abs(guess - corner))
            if toLeft <= toAbove, toLeft <= toCorner { return left }
            return toAbove <= toCorner ? above : corner
        }
    }

    package subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let at = (y * width + x) * 3
        return (rgb[at], rgb[at + 1], rgb[at + 2])
    }
}
