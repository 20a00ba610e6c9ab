import BatonKernel

/// Titles between the bytes of a stream, in the format of SHOUTcast: after each interval one byte gives the length of the
/// title in units of 16 bytes, and 0 means that it has not changed.
///
/// A value; each listener has its own, since each counts from its own start.
struct StreamTitles {
    private let interval: Int
    private var left: Int
    private var told: String?

    init(every interval: Int) {
        self.interval = interval
        left = interval
    }

    mutating func add(_ bytes: [UInt8], title: String) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while rest.count >= left {
            result += rest.prefix(left)
            rest = rest.dropFirst(left)
            result += block(title)
            left = interval
        }
        result += rest
        left -= rest.count
        return result
    }

    private mutating func block(_ title: String) -> [UInt8] {
        guard title != told else { return [0] }
        told = title
        // A quote followed by a semicolon would end the title, and the format has no escape for it.
        let text = "StreamTitle='\(title.replacing("';", with: "’;"))';"
        let bytes = Array(Self.cut(text))
        let units = (bytes.count + 15) / 16
        return [UInt8(units)] + bytes + [UInt8](repeating: 0, count: units * 16 - bytes.count)
    }

    /// The text cut to a block, in whole characters, with its end.
    private static func cut(_ text: String) -> [UInt8] {
        let most = 255 * 16
        guard text.utf8.count > most else { return Array(text.utf8) }
        return Array((text.prefix(bytes: most - 2) + "';").utf8)
    }
}
