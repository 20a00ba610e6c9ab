/// Strings and numbers, which make up most of a message.
extension JSONParser {
    /// Reads a quoted string. A string without escapes, which is the usual case, is checked and copied at once.
    package mutating func string(_ text: Span<UInt8>, limit: Int, tooLong: JSONFault.Kind) throws(JSONFault) -> String {
        let start = position + 1
        var end = start
        while end < text.count, !Self.isSpecial(text[end]) { end += 1 }
        guard end < text.count else { throw JSONFault(.syntax, at: end) }
        guard text[end] == UInt8(ascii: "\"") else { return try escapedString(text, upTo: end, limit: limit, tooLong: tooLong) }
        guard end - start <= limit else { throw JSONFault(tooLong, at: position) }
        move(to: end + 1)
        do { return String(copying: try UTF8Span(validating: text.extracting(start..<end))) } catch {
            throw JSONFault(.notUTF8, at: start + error.byteOffsets.lowerBound)
        }
    }

    /// Ends a run of plain bytes: the closing mark, an escape, or a control character, which is illegal.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
    }

    private mutating func escapedString(
        _ text: Span<UInt8>, upTo plainEnd: Int, limit: Int, tooLong: JSONFault.Kind
    ) throws(JSONFault) -> String {
        let opening = position
        var bytes: [UInt8] = []
        for index in (opening + 1)..<plainEnd { bytes.append(text[index]) }
        move(to: plainEnd)
        while true {
            guard position < text.count else { throw JSONFault(.syntax, at: position) }
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "\""):
                guard bytes.count <= limit else { throw JSONFault(tooLong, at: opening) }
                move(to: position + 1)
                do { return String(copying: try UTF8Span(validating: bytes.span)) } catch { throw JSONFault(.notUTF8, at: opening) }
            case UInt8(ascii: "\\"): try escape(text, into: &bytes)
            case 0..<0x20: throw JSONFault(.syntax, at: position)
            default:
                bytes.append(byte)
                move(to: position + 1)
            }
        }
    }

    private mutating func escape(_ text: Span<UInt8>, into bytes: inout [UInt8]) throws(JSONFault) {
        let start = position
        guard start + 1 < text.count else { throw JSONFault(.syntax, at: start) }
        switch text[start + 1] {
        case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): bytes.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): return try unicodeEscape(text, into: &bytes)
        default: throw JSONFault(.syntax, at: start)
        }
        move(to: start + 2)
    }

    private mutating func unicodeEscape(_ text: Span<UInt8>, into bytes: inout [UInt8]) throws(JSONFault) {
        let start = position
        let first = try hexUnit(text, at: start)
        var scalar = UInt32(first)
        move(to: start + 6)
        if 0xD800...0xDBFF ~= first {
            guard start + 7 < text.count, text[start + 6] == UInt8(ascii: "\\"), text[start + 7] == UInt8(ascii: "u") else {
                throw JSONFault(.loneSurrogate, at: start)
            }
            let second = try hexUnit(text, at: start + 6)
            guard 0xDC00...0xDFFF ~= second else { throw JSONFault(.loneSurrogate, at: start) }
            scalar = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            move(to: start + 12)
        }
        guard let scalar = Unicode.Scalar(scalar) else { throw JSONFault(.loneSurrogate, at: start) }
        bytes.append(contentsOf: UTF8.encode(scalar)!)  // Every scalar has a UTF-8 form.
    }

    /// The four digits behind `\u` at `start`.
    private func hexUnit(_ text: Span<UInt8>, at start: Int) throws(JSONFault) -> UInt16 {
        guard start + 6 <= text.count else { throw JSONFault(.syntax, at: start) }
        var unit: UInt16 = 0
        for index in (start + 2)..<(start + 6) {
            guard let digit = Self.hexDigit(text[index]) else { throw JSONFault(.syntax, at: index) }
            unit = unit << 4 | digit
        }
        return unit
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Reads a number at the position, which must be a digit or a minus sign; whole ones become `int` however they are written.
    package mutating func number(_ text: Span<UInt8>) throws(JSONFault) -> JSON {
        let start = position
        var index = start
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }

        let whole = index
        var magnitude: Int64 = 0
        while index < text.count, let digit = Self.digit(text[index]) {
            // Capped above the largest number, so that it cannot overflow.
            magnitude = min(magnitude * 10 + digit, JSON.largestNumber + 1)
            index += 1
        }
        guard index > whole, text[whole] != UInt8(ascii: "0") || index == whole + 1 else { throw JSONFault(.syntax, at: index) }

        if index < text.count, Self.continuesNumber(text[index]) {
            return try fraction(text, from: start, index)
        }
        guard magnitude <= JSON.largestNumber else {
            guard limits.largeNumbers == .text, index - start <= limits.stringBytes else { throw JSONFault(.numberOutOfRange, at: start) }
            move(to: index)
            return .string(Self.spelling(text, start..<index))
        }
        move(to: index)
        return .int(isNegative ? -magnitude : magnitude)
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        0x30...0x39 ~= byte ? Int64(byte &- 0x30) : nil
    }

    private static func continuesNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    }

    private static func spelling(_ text: Span<UInt8>, _ places: Range<Int>) -> String {
        var spelling = ""
        for place in places { spelling.unicodeScalars.append(Unicode.Scalar(text[place])) }
        return spelling
    }

    /// The rest of a number with a fraction or an exponent. The grammar is checked here, and the standard library, which accepts more than
    /// JSON does, computes the value.
    private mutating func fraction(_ text: Span<UInt8>, from start: Int, _ wholeEnd: Int) throws(JSONFault) -> JSON {
        var index = wholeEnd
        if text[index] == UInt8(ascii: ".") { index = try digits(text, from: index + 1) }
        if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
            index = try digits(text, from: index)
        }
        let spelling = Self.spelling(text, start..<index)
        guard let value = Double(spelling), value.magnitude <= Double(JSON.largestNumber) else {
            throw JSONFault(.numberOutOfRange, at: start)
        }
        move(to: index)
        // The digits decide: 1e-999 is not an integer, although the nearest double is 0.
        return Self.isWhole(spelling) ? .int(Int64(value)) : .double(value)
    }

    /// Whether a valid number has no fraction, whatever its spelling: 10e-1 has none.
    private static func isWhole(_ spelling: String) -> Bool {
        let parts = spelling.lowercased().split(separator: "e", maxSplits: 1)
        let halves = parts[0].split(separator: ".", maxSplits: 1)
        let fraction = halves.count > 1 ? halves[1] : ""
        let digits = halves[0].filter(\.isNumber) + fraction
        guard let last = digits.lastIndex(where: { $0 != "0" }) else { return true }
        let zeros = digits.distance(from: last, to: digits.endIndex) - 1
        guard parts.count > 1 else { return zeros >= fraction.count }
        // An exponent that does not fit an Int exceeds the possible number of digits in a text.
        let isSmall = parts[1].hasPrefix("-")
        return Int(parts[1]).map { zeros - fraction.count >= -$0 } ?? !isSmall
    }

    private func digits(_ text: Span<UInt8>, from start: Int) throws(JSONFault) -> Int {
        var index = start
        while index < text.count, Self.digit(text[index]) != nil { index += 1 }
        guard index > start else { throw JSONFault(.syntax, at: index) }
        return index
    }
}
