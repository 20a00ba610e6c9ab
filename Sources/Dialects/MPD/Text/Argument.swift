/// Readers of arguments, which accept and refuse what those of the original do, with the same sentences.
///
/// Numbers may begin with spaces and a sign, because the original reads them by functions of C that allow both.
enum Argument {
    /// A number with a sign.
    static func integer(_ text: String, in range: ClosedRange<Int> = Int(Int32.min)...Int(Int32.max)) throws(Ack) -> Int {
        guard let number = LeadingNumber(text), number.rest.isEmpty else { throw Ack(.argument, "Integer expected: \(text)") }
        guard range.contains(number.value) else { throw Ack(.argument, "Number too large: \(text)") }
        return number.value
    }

    /// A number without a sign. A negative one is too large, since the original makes it a large positive one.
    static func count(_ text: String, most: Int = Int(UInt32.max)) throws(Ack) -> Int { try integer(text, in: 0...most) }

    /// The version of a queue. Each number is one: the original keeps its last 32 bits.
    static func version(_ text: String) throws(Ack) -> UInt32 {
        guard let number = LeadingNumber(text), number.rest.isEmpty else { throw Ack(.argument, "Integer expected: \(text)") }
        return UInt32(truncatingIfNeeded: number.value)
    }

    /// A flag.
    static func flag(_ text: String) throws(Ack) -> Bool {
        guard let number = LeadingNumber(text), number.rest.isEmpty, 0...1 ~= number.value else {
            throw Ack(.argument, "Boolean (0/1) expected: \(text)")
        }
        return number.value == 1
    }

    /// A place, a range with or without an end, or -1 for everything.
    static func range(_ text: String) throws(Ack) -> SongRange {
        let most = Int(Int32.max)
        func bound(_ value: Int) throws(Ack) -> Int {
            if value < 0 { throw Ack(.argument, "Number is negative: \(text)") }
            if value > most { throw Ack(.argument, "Number too large: \(text)") }
            return value
        }
        let wrong = Ack(.argument, "Integer or range expected: \(text)")
        guard let first = LeadingNumber(text) else { throw wrong }
        if first.rest.isEmpty { return first.value == -1 ? .everything : SongRange(try bound(first.value)) }
        guard first.rest.first == UInt8(ascii: ":") else { throw wrong }
        let start = try bound(first.value)
        let rest = first.rest.dropFirst()
        if rest.isEmpty { return SongRange(start: start, end: most) }
        guard let second = LeadingNumber(rest), second.rest.isEmpty else { throw wrong }
        let end = try bound(second.value)
        guard start <= end else { throw Ack(.argument, "Malformed range: \(text)") }
        return SongRange(start: start, end: end)
    }

    /// Where something new comes into a queue of `length` songs: a place, or one relative to the current song. `+0` is directly behind it, and `-0`
    /// before it.
    static func place(_ text: String, current: Int?, length: Int) throws(Ack) -> Int {
        guard let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return try count(text, most: length)
        }
        guard let current else { throw Ack(.playerState, "No current song") }
        let number = String(text.dropFirst())
        return sign == UInt8(ascii: "+")
            ? current + 1 + (try count(number, most: length - current - 1)) : current - (try count(number, most: current))
    }

    /// A number with a fraction. Infinity, `nan` and hexadecimal digits are some, too.
    static func float(_ text: String) throws(Ack) -> Float {
        let trimmed = text.utf8.drop { LeadingNumber.isSpace($0) }
        guard let value = Float(String(Substring(trimmed))) else { throw Ack(.argument, "Float expected: \(text)") }
        return value
    }

    /// Seconds from the beginning of a song, in milliseconds; 0 for what is no finite number.
    static func time(_ text: String) throws(Ack) -> Int {
        let seconds = try float(text)
        if seconds < 0 { throw Ack(.argument, "Negative value not allowed: \(text)") }
        return milliseconds(seconds)
    }

    /// A time, or one relative to the present position, which begins with its sign.
    static func jump(_ text: String) throws(Ack) -> Jump {
        let ms = milliseconds(try float(text))
        return text.utf8.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } == true ? .by(ms) : .to(ms)
    }

    enum Jump: Equatable {
        case to(Int)
        case by(Int)
    }

    /// Positions beyond a day of a thousand hours are cut, so that no sum overflows.
    private static func milliseconds(_ seconds: Float) -> Int {
        guard seconds.isFinite else { return 0 }
        return Int((Double(seconds) * 1000).rounded().clamped(to: -3.6e9...3.6e9))
    }
}

/// Places of a queue or of a list, from `start` up to and without `end`.
struct SongRange: Equatable, Sendable {
    var start: Int
    var end: Int

    init(start: Int, end: Int) {
        self.start = start
        self.end = end
    }

    /// One place.
    init(_ place: Int) { self.init(start: place, end: place + 1) }

    static let everything = SongRange(start: 0, end: Int(Int32.max))

    /// The part that a list of this length has.
    func within(_ length: Int) -> Range<Int> {
        let start = min(start, length)
        return start..<max(start, min(end, length))
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double { max(range.lowerBound, min(self, range.upperBound)) }
}
