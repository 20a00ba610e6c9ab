import BatonCore

/// Times as servers write them: `2026-11-23T03:04:36.123456Z`, with an offset, or without a zone, which means UTC.
enum ServerTime {
    /// Milliseconds since 1970; `nil` for other text.
    static func ms(_ text: String) -> Milliseconds? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == minus, bytes[7] == minus, bytes[13] == colon, bytes[16] == colon else { return nil }
        let figures = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap { number(bytes[$0]) }
        guard figures.count == 6, 1...12 ~= figures[1], 1...31 ~= figures[2] else { return nil }
        var seconds = LocalTime.days(to: figures[0], figures[1], figures[2]) * 86_400 + figures[3] * 3_600 + figures[4] * 60 + figures[5]
        var rest = bytes[19...]
        var ms: Milliseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { digits.contains($0) }
            rest = rest.dropFirst(1 + fraction.count)
            ms = number((Array(fraction) + Array("000".utf8)).prefix(3)).map { Milliseconds($0) } ?? 0
        }
        if let sign = rest.first, sign == minus || sign == UInt8(ascii: "+") {
            let zone = rest.dropFirst().filter { $0 != colon }
            guard zone.count >= 4, let hours = number(zone.prefix(2)), let minutes = number(zone.dropFirst(2).prefix(2)) else { return nil }
            seconds += (hours * 3_600 + minutes * 60) * (sign == minus ? 1 : -1)
        }
        return Milliseconds.seconds(seconds) + ms
    }

    private static let minus = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func number(_ text: some Sequence<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in text {
            guard digits.contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
