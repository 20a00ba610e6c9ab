import BatonProtocol
import Terminals

/// The way in which a terminal shows pictures; half blocks until it has answered.
enum PictureWay: Equatable, Sendable {
    /// Two dots in each cell, in colours.
    case halfBlocks
    /// The terminal reads PNG files itself.
    case kitty
    /// Rows of six dots, the format of DEC printers.
    case sixel
}

/// Kitty's protocol: a PNG file in pieces of base64, scaled to a number of cells.
enum KittyPicture {
    static let start = Array("\u{1B}_Ga=T".utf8)
    /// Only one picture is shown at a time, so one number is enough.
    static let removal = "\u{1B}_Ga=d,d=I,i=77,q=2\u{1B}\\"
    /// The protocol's limit for a piece.
    private static let mostInPiece = 4096

    static func bytes(png: [UInt8], _ area: Area) -> [UInt8] {
        let text = base64(png)
        var bytes: [UInt8] = []
        var from = 0
        repeat {
            let to = min(text.count, from + mostInPiece)
            let more = to < text.count ? 1 : 0
            let head = from == 0 ? "\u{1B}_Ga=T,f=100,i=77,q=2,C=1,c=\(area.width),r=\(area.height),m=\(more);" : "\u{1B}_Gm=\(more);"
            bytes += Array(head.utf8) + text[from..<to] + Array("\u{1B}\\".utf8)
            from = to
        } while from < text.count
        return bytes
    }
}

extension KittyPicture {
    /// Standard base64 with padding.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let text = Base64URL.text(bytes).utf8.map {
            $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
        }
        return text + Array(repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    }
}

/// Sixel pictures with 216 colours; the error of each dot is spread to its neighbours.
enum SixelPicture {
    static func bytes(_ picture: PixelPicture) -> [UInt8] {
        let indexes = dithered(picture)
        var text = "\u{1B}P0;1q\"1;1;\(picture.width);\(picture.height)"
        for colour in Set(indexes).sorted() {
            let (red, green, blue) = (colour / 36, colour / 6 % 6, colour % 6)
            text += "#\(colour);2;\(red * 20);\(green * 20);\(blue * 20)"
        }
        var bytes = Array(text.utf8)
        for top in stride(from: 0, to: picture.height, by: 6) {
            let rows = top..<min(picture.height, top + 6)
            let inBand = Set(indexes[rows.lowerBound * picture.width..<rows.upperBound * picture.width])
            for colour in inBand.sorted() {
                bytes += Array("#\(colour)".utf8) + line(of: colour, in: indexes, rows: rows, width: picture.width) + [UInt8(ascii: "$")]
            }
            bytes.append(UInt8(ascii: "-"))
        }
        return bytes + Array("\u{1B}\\".utf8)
    }

    /// A row of six dots; equal columns are run-length encoded.
    private static func line(of colour: Int, in indexes: [Int], rows: Range<Int>, width: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var (last, count) = (UInt8(0), 0)
        func flush() {
            guard count > 0 else { return }
            bytes += count > 3 ? Array("!\(count)".utf8) + [last] : Array(repeating: last, count: count)
        }
        for column in 0..<width {
            var bits: UInt8 = 0
            for (bit, row) in rows.enumerated() where indexes[row * width + column] == colour { bits |= 1 << UInt8(bit) }
            if bits + 63 != last {
                flush()
                (last, count) = (bits + 63, 0)
            }
            count += 1
        }
        flush()
        return bytes
    }

    /// Floyd–Steinberg dithering to six steps for each colour.
    private static func dithered(_ picture: PixelPicture) -> [Int] {
        var parts = picture.rgb.map { Int($0) }
        var indexes: [Int] = []
        indexes.reserveCapacity(picture.width * picture.height)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                var index = 0
                for part in 0..<3 {
                    let value = max(0, min(255, parts[(y * picture.width + x) * 3 + part]))
                    let step = (value * 5 + 127) / 255
                    index = index * 6 + step
                    let error = value - step * 51
                    for (dx, dy, weight) in [(1, 0, 7), (-1, 1, 3), (0, 1, 5), (1, 1, 1)]
                    where (0..<picture.width).contains(x + dx) && y + dy < picture.height {
                        parts[((y + dy) * picture.width + x + dx) * 3 + part] += error * weight / 16
                    }
                }
                indexes.append(index)
            }
        }
        return indexes
    }
}
