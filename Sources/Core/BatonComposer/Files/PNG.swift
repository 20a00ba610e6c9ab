/// A PNG of sixteen colours, four bits a pixel, stored without compression, so that its bytes do not depend on a library's version.
enum PNG {
    static func bytes(_ pixels: [UInt8], edge: Int, palette: [[UInt8]]) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", big(UInt32(edge)) + big(UInt32(edge)) + [4, 3, 0, 0, 0])
        file += chunk("PLTE", palette.flatMap { $0 })
        file += chunk("IDAT", stored(rows(pixels, edge)))
        return file + chunk("IEND", [])
    }

    /// Two pixels a byte; each row begins with filter type 0, which means no filter.
    private static func rows(_ pixels: [UInt8], _ edge: Int) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<edge {
            rows.append(0)
            for x in stride(from: 0, to: edge, by: 2) { rows.append(pixels[y * edge + x] << 4 | pixels[y * edge + x + 1]) }
        }
        return rows
    }

    /// zlib's format with stored blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        for first in stride(from: 0, to: bytes.count, by: 65_535) {
            let piece = bytes[first..<min(bytes.count, first + 65_535)]
            let count = UInt16(piece.count)
            out.append(first + piece.count == bytes.count ? 1 : 0)
            out += [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
            out += piece
        }
        return out + big(adler(bytes))
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return big(UInt32(data.count)) + named + big(crc(named))
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func big(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
}
