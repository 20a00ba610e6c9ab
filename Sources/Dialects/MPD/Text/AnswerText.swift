import BatonCore

/// Lines of an answer, as bytes. Numbers and times are written digit by digit, since a whole library has some hundred thousand of them.
struct AnswerText {
    private(set) var bytes: [UInt8] = []
    /// The last time that was written, with a line break, and its day since 1970: files of one library mostly share a few.
    private var stamp: (day: Int, text: [UInt8])?

    /// Makes room for so many bytes of a first line.
    mutating func expect(_ count: Int) { if bytes.isEmpty { bytes.reserveCapacity(count) } }

    /// Adds `name: value`. Both may come from a file.
    mutating func line(_ name: String, _ value: String) {
        let start = bytes.count
        begin(name)
        bytes.append(contentsOf: value.utf8)
        endLine(from: start)
    }

    mutating func line(_ name: String, _ value: some BinaryInteger) {
        begin(name)
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        add(UInt(value.magnitude))
        bytes.append(0x0A)
    }

    /// Adds two numbers, as `12:60`.
    mutating func line(_ name: String, _ part: Int, of whole: Int) {
        begin(name)
        add(UInt(max(0, part)))
        bytes.append(UInt8(ascii: ":"))
        add(UInt(max(0, whole)))
        bytes.append(0x0A)
    }

    /// Adds a value that `add` adds. It may come from a file.
    mutating func line(_ beginning: LineBeginning, _ add: (inout [UInt8]) -> Void) {
        let start = bytes.count
        bytes += beginning.bytes
        add(&bytes)
        endLine(from: start)
    }

    /// The same; no line where `add` adds nothing.
    mutating func lineIfAny(_ beginning: LineBeginning, _ add: (inout [UInt8]) -> Void) {
        let start = bytes.count
        line(beginning, add)
        let length = bytes.count - start
        if length == beginning.bytes.count + 1 { bytes.removeLast(length) }
    }

    /// Adds lines that are written already, by `add`.
    mutating func lines(_ add: (inout [UInt8]) -> Void) { add(&bytes) }

    mutating func line(_ beginning: LineBeginning, _ value: Int) {
        bytes += beginning.bytes
        add(UInt(max(0, value)))
        bytes.append(0x0A)
    }

    /// Adds seconds with three digits behind the point.
    mutating func line(_ beginning: LineBeginning, secondsOfMs ms: Int) {
        bytes += beginning.bytes
        add(UInt(max(0, ms) / 1000))
        bytes.append(UInt8(ascii: "."))
        add(UInt(max(0, ms) % 1000), digits: 3)
        bytes.append(0x0A)
    }

    /// Adds a time in seconds since 1970, as `2020-09-13T12:26:40Z`.
    mutating func line(_ beginning: LineBeginning, utc seconds: Int) {
        let second = (seconds % 86_400 + 86_400) % 86_400
        let day = (seconds - second) / 86_400
        var text = stamp.flatMap { $0.day == day ? $0.text : nil } ?? Self.midnight(day)
        stamp = nil
        // From behind: `HH:MM:SSZ` and the line break.
        for (place, part) in [(10, second / 3600), (7, second / 60 % 60), (4, second % 60)] {
            text[text.count - place] = UInt8(ascii: "0") + UInt8(part / 10)
            text[text.count - place + 1] = UInt8(ascii: "0") + UInt8(part % 10)
        }
        bytes += beginning.bytes
        bytes += text
        stamp = (day, text)
    }

    private static func midnight(_ day: Int) -> [UInt8] {
        Array("\(LocalTime.utc.day(ofMs: Milliseconds(day * 86_400) * 1000))T00:00:00Z\n".utf8)
    }

    private mutating func begin(_ name: String) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
    }

    private mutating func add(_ number: UInt, digits least: Int = 1) {
        var divisor: UInt = 1
        var count = 1
        while count < least || number / divisor >= 10 {
            divisor *= 10
            count += 1
        }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    mutating func line(_ name: String, flag: Bool) { line(name, flag ? "1" : "0") }

    /// Adds lines that are written already.
    mutating func lines(_ lines: some Collection<UInt8>) { bytes.append(contentsOf: lines) }

    /// Adds a line that has no name.
    mutating func whole(_ line: String) {
        let start = bytes.count
        bytes.append(contentsOf: line.utf8)
        endLine(from: start)
    }

    /// Ends the line that begins at a place. A line break within it would be read as the beginning of another answer, so it becomes a space.
    private mutating func endLine(from start: Int) {
        for place in start..<bytes.count where bytes[place] == 0x0A || bytes[place] == 0x0D { bytes[place] = 0x20 }
        bytes.append(0x0A)
    }

    /// Adds bytes of any kind, with a line break behind them.
    mutating func chunk(_ bytes: ArraySlice<UInt8>) {
        self.bytes.append(contentsOf: bytes)
        self.bytes.append(0x0A)
    }

    /// The text, which is empty afterwards.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

/// The beginning of a line, `name: `, as bytes: a long list has the same few again and again.
struct LineBeginning {
    let bytes: [UInt8]

    init(_ name: String) { bytes = Array("\(name): ".utf8) }

    static let file = LineBeginning("file")
    static let changed = LineBeginning("Last-Modified")
    static let format = LineBeginning("Format")
    static let time = LineBeginning("Time")
    static let duration = LineBeginning("duration")
    static let elapsed = LineBeginning("elapsed")
}
