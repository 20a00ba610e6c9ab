/// An event from the terminal: a key, a mouse action, a paste, or an answer to a query.
enum TerminalEvent: Equatable, Sendable {
    case key(Key)
    case mouse(MouseAct, Spot)
    /// Pasted text, which is never taken as commands.
    case pasted(String)
    case answer(TerminalAnswer)
}

/// A key that was pressed.
enum Key: Hashable, Sendable {
    case character(Character)
    /// A key with Ctrl, by its letter.
    case control(Character)
    case enter, escape, tab, backTab, backspace, delete, up, down, left, right, home, end, pageUp, pageDown
}

enum MouseAct: Equatable, Sendable {
    case press, wheelUp, wheelDown
}

/// A terminal's answer to a query about itself.
enum TerminalAnswer: Equatable, Sendable {
    /// Supports pictures of kitty's protocol.
    case kitty
    /// The final answer, with the numbers of its features. Sixel is 4.
    case attributes([Int])
    /// The size of a cell in dots.
    case cell(width: Int, height: Int)
    /// Supports synchronised updates.
    case synchronised
}

/// Parses bytes from a terminal. An incomplete sequence continues with the next bytes.
struct TerminalInput {
    private var waiting: [UInt8] = []
    /// Text of a paste that is still incomplete.
    private var pasted: [UInt8]?
    /// Limit of an incomplete sequence; no expected answer is longer.
    private static let mostWaiting = 4096
    private static let escape: UInt8 = 0x1B

    /// True after a lone escape, which is either the key or the start of a sequence.
    var isWaitingForRest: Bool { waiting.first == Self.escape }

    /// Ends waiting after a pause without more bytes: a lone escape was the key.
    mutating func giveUp() -> [TerminalEvent] {
        guard isWaitingForRest else { return [] }
        let isKey = waiting.count == 1
        waiting = []
        return isKey ? [.key(.escape)] : []
    }

    mutating func take(_ bytes: [UInt8]) -> [TerminalEvent] {
        waiting += bytes
        var events: [TerminalEvent] = []
        while !waiting.isEmpty {
            if pasted != nil {
                guard let event = takePaste() else { break }
                events.append(event)
                continue
            }
            guard let (event, length) = next() else { break }
            waiting.removeFirst(length)
            if let event { events.append(event) }
        }
        if waiting.count > Self.mostWaiting { waiting = [] }
        return events
    }

    /// The next event and its length in bytes; `nil` while it is incomplete.
    private mutating func next() -> (TerminalEvent?, Int)? {
        let first = waiting[0]
        if first == Self.escape { return sequence() }
        if first < 0x20 || first == 0x7F { return (.key(Self.control(first)), 1) }
        let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard waiting.count >= length else { return nil }
        guard let character = String(decoding: waiting[..<length], as: UTF8.self).first, character != "\u{FFFD}" else { return (nil, 1) }
        return (.key(.character(character)), length)
    }

    private static func control(_ byte: UInt8) -> Key {
        switch byte {
        case 9: .tab
        case 10, 13: .enter
        case 8, 0x7F: .backspace
        default: .control(Character(Unicode.Scalar(byte + 0x60)))
        }
    }

    // MARK: Sequences

    private mutating func sequence() -> (TerminalEvent?, Int)? {
        guard waiting.count > 1 else { return nil }
        switch waiting[1] {
        case UInt8(ascii: "["): return controlSequence()
        case UInt8(ascii: "O"):
            guard waiting.count > 2 else { return nil }
            return (Self.named[waiting[2]].map { .key($0) }, 3)
        // Answers that end with a terminator: kitty's, and reports of other settings.
        case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"): return report()
        // Alt with a letter has no meaning here, so this is Escape followed by another key.
        default: return (.key(.escape), 1)
        }
    }

    private func report() -> (TerminalEvent?, Int)? {
        guard let end = (2..<waiting.count).first(where: { waiting[$0] == 7 || (waiting[$0] == 0x5C && waiting[$0 - 1] == Self.escape) })
        else { return nil }
        let isKitty = waiting.starts(with: Array("\u{1B}_Gi=31;OK".utf8))
        return (isKitty ? .answer(.kitty) : nil, end + 1)
    }

    private static let named: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home,
        UInt8(ascii: "F"): .end, UInt8(ascii: "Z"): .backTab,
    ]
    private static let numbered: [Int: Key] = [1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end]
    private static let pasteBegins = 200
    private static let pasteEnds = Array("\u{1B}[201~".utf8)

    private mutating func controlSequence() -> (TerminalEvent?, Int)? {
        guard let end = (2..<waiting.count).first(where: { 0x40...0x7E ~= waiting[$0] }) else { return nil }
        let text = String(decoding: waiting[2..<end], as: UTF8.self)
        let numbers = text.drop { !$0.isNumber }.split(separator: ";").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        let length = end + 1
        switch waiting[end] {
        case UInt8(ascii: "~") where numbers.first == Self.pasteBegins:
            pasted = []
            return (nil, length)
        case UInt8(ascii: "~"): return (numbers.first.flatMap { Self.numbered[$0] }.map { .key($0) }, length)
        case UInt8(ascii: "M"), UInt8(ascii: "m"):
            return (text.hasPrefix("<") && waiting[end] == UInt8(ascii: "M") ? Self.mouse(numbers) : nil, length)
        case UInt8(ascii: "c"): return (text.hasPrefix("?") ? .answer(.attributes(numbers)) : nil, length)
        case UInt8(ascii: "t"):
            let isCell = numbers.count == 3 && numbers[0] == 6 && numbers[1] > 0 && numbers[2] > 0
            return (isCell ? .answer(.cell(width: numbers[2], height: numbers[1])) : nil, length)
        case UInt8(ascii: "y"):
            return (text.hasPrefix("?2026;") && [1, 2, 3].contains(numbers.last) ? .answer(.synchronised) : nil, length)
        default: return (Self.named[waiting[end]].map { .key($0) }, length)
        }
    }

    /// Parses the button, column and row, which are counted from 1.
    private static func mouse(_ numbers: [Int]) -> TerminalEvent? {
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let spot = Spot(row: numbers[2] - 1, column: numbers[1] - 1)
        // Shift, Alt and Ctrl are bits of the button's number.
        switch numbers[0] & ~0b11100 {
        case 0: return .mouse(.press, spot)
        case 64: return .mouse(.wheelUp, spot)
        case 65: return .mouse(.wheelDown, spot)
        default: return nil
        }
    }

    // MARK: Pasting

    /// Takes a paste; `nil` while its end is missing. Bytes that may start the end mark stay.
    private mutating func takePaste() -> TerminalEvent? {
        let end = Self.pasteEnds
        if let at = waiting.indices.first(where: { waiting[$0...].starts(with: end) }) {
            let text = (pasted ?? []) + waiting[..<at]
            waiting.removeFirst(at + end.count)
            pasted = nil
            return .pasted(String(decoding: text, as: UTF8.self))
        }
        let safe = max(0, waiting.count - end.count + 1)
        pasted = Array(((pasted ?? []) + waiting[..<safe]).suffix(Self.mostWaiting))
        waiting.removeFirst(safe)
        return nil
    }
}
