import BatonCore
import Testing

@testable import baton

@Suite struct `A screen is drawn by what has changed` {
    private func frame(_ lines: String..., look: Look = .plain) -> Frame {
        var frame = Frame(width: 10, height: 3)
        for (row, line) in lines.enumerated() { frame.put(line, row: row, column: 0, look: look) }
        return frame
    }

    private func text(from before: Frame?, to after: Frame, _ depth: ColourDepth = .full) -> String {
        String(decoding: FrameWriter.bytes(from: before, to: after, depth), as: UTF8.self)
    }

    @Test func `a screen that did not change is not written`() {
        #expect(FrameWriter.bytes(from: frame("1:23 ━━━──"), to: frame("1:23 ━━━──"), .full).isEmpty)
    }

    @Test func `one character that changes costs its place and itself`() {
        let bytes = text(from: frame("vol 35 %", "x", "1:23"), to: frame("vol 35 %", "x", "1:24"))
        #expect(bytes == "\u{1B}[3;4H4")
    }

    @Test func `colours are said once for a run, and put back`() {
        let bytes = text(from: frame("abcdefghij"), to: frame("abcdefghij", look: .green))
        #expect(bytes == "\u{1B}[1;1H\u{1B}[32mabcdefghij\u{1B}[0m")
    }

    @Test func `a gap in a row is passed over, and not written again`() {
        #expect(text(from: frame("abcdefghij"), to: frame("Xbcdefghij")) == "\u{1B}[1;1HX")
        #expect(text(from: frame("abcdefghij"), to: frame("XbcdeYghij")) == "\u{1B}[1;1HX\u{1B}[4CY")
    }

    @Test func `a screen of another size is written whole, and one that is known is never cleared`() {
        let whole = text(from: Frame(width: 9, height: 3), to: frame("a"))
        #expect(whole.contains("\u{1B}[2J"))
        #expect(!text(from: frame("abcdefghij"), to: frame("b")).contains("\u{1B}[2J"))
    }

    @Test(arguments: 0..<60) func `the bytes turn one screen into the other, whatever the two are`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let (width, height) = (Int.random(in: 1...24, using: &random), Int.random(in: 1...6, using: &random))
        var screen = DrawnScreen(width: width, height: height)
        var before: Frame?
        for _ in 0..<8 {
            let after = Frame.random(width: width, height: height, before, using: &random)
            screen.obey(FrameWriter.bytes(from: before, to: after, .full))
            #expect(screen.cells == after.cells)
            #expect(screen.isCursorSeen == (after.cursor != nil))
            before = after
        }
    }

    @Test func `without colours a frame says none, and a chosen row is still seen`() {
        var after = frame("abc", look: Look(ink: .palette(2), isBold: true))
        after.paint(Area(0, 0, height: 1, width: 3)) { $0.reversed }
        let bytes = text(from: frame(), to: after, .none)
        #expect(bytes == "\u{1B}[1;1H\u{1B}[1;7mabc\u{1B}[0m")
    }

    @Test func `colours of pictures are the nearest of 256 where there are no more`() {
        var after = frame()
        after.dot(0, 0, upper: RGB(red: 255, green: 0, blue: 0), lower: RGB(red: 8, green: 8, blue: 8))
        #expect(text(from: frame(), to: after, .palette) == "\u{1B}[1;1H\u{1B}[38;5;196;48;5;232m▀\u{1B}[0m")
        #expect(text(from: frame(), to: after) == "\u{1B}[1;1H\u{1B}[38;2;255;0;0;48;2;8;8;8m▀\u{1B}[0m")
    }

    @Test func `an update that can be shown at once is marked so`() {
        let bytes = FrameWriter.bytes(from: frame("a"), to: frame("b"), .full, isSynchronised: true)
        #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[?2026h\u{1B}[1;1Hb\u{1B}[?2026l")
    }

    // MARK: Text of others

    @Test(arguments: [
        "a\u{1B}[2Jb", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{90}q\u{9C}", "line\nbreak\ttab\r", "\u{0}\u{8}\u{7F}", "\u{1B}_Ga=d\u{1B}\\",
    ]) func `no text can bring a control character onto the screen`(hostile: String) {
        var after = Frame(width: 60, height: 1)
        after.put(hostile, row: 0, column: 0)
        let bytes = FrameWriter.bytes(from: Frame(width: 60, height: 1), to: after, .none)
        // After the one sequence that places the cursor there is text alone.
        let drawn = String(decoding: bytes.dropFirst("\u{1B}[1;1H".utf8.count), as: UTF8.self)
        #expect(drawn.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
        #expect(drawn.contains("\\u00"))
    }

    @Test func `characters that turn the direction of writing around are shown`() {
        #expect(CellText("gpj\u{202E}exe").text == "gpj\\u202eexe")
        #expect(CellText("\u{2067}a\u{2069}\u{200F}").text == "\\u2067a\\u2069\\u200f")
    }

    @Test(arguments: [
        ("Björk", 5), ("Bjo\u{308}rk", 5), ("久石譲", 6), ("ｆｕ", 4), ("🎷", 2), ("❤\u{FE0F}", 1), ("👩\u{200D}🚀", 4), ("🇩🇪", 2),
        ("e\u{200B}f", 2),
        ("\u{308}x", 1), ("한글", 4), ("a\u{AD}b", 2), ("\u{2028}", 1),
    ]) func `each character has the columns that wcwidth gives it`(text: String, columns: Int) {
        let shown = CellText(text)
        #expect(shown.columns == columns)
        var frame = Frame(width: 8, height: 1)
        #expect(frame.put(text, row: 0, column: 0) == columns)
    }

    @Test func `a hundred marks on one letter are no more than four`() {
        #expect(CellText("a" + String(repeating: "\u{308}", count: 100)).text.unicodeScalars.count == 5)
    }

    @Test func `a wide character is never cut in half`() {
        #expect(CellText("久石譲").cut(to: 5).text == "久石…")
        #expect(CellText("久石譲").cut(to: 4).text == "久…")
        #expect(CellText("久").cut(to: 1).text == "…")
        #expect(CellText("久").cut(to: 0).text == "")
    }
}

/// What a terminal would show: it obeys the few sequences that `FrameWriter` says, and stops at any other.
private struct DrawnScreen {
    let width: Int
    let height: Int
    var cells: [Cell]
    var isCursorSeen = false
    private var at = Spot(row: 0, column: 0)
    private var look = Look()

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        cells = Array(repeating: Cell(text: "?", look: .plain), count: width * height)
    }

    mutating func obey(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                put(scalar)
                continue
            }
            #expect(rest.popFirst() == "[")
            var numbers = ""
            while let next = rest.popFirst() {
                if next.properties.isAlphabetic {
                    obey(next, numbers)
                    break
                }
                numbers.unicodeScalars.append(next)
            }
        }
    }

    private mutating func obey(_ letter: Unicode.Scalar, _ text: String) {
        let numbers = text.split(separator: ";").compactMap { Int($0) }
        switch letter {
        case "H": at = Spot(row: numbers[0] - 1, column: numbers[1] - 1)
        case "C": at.column += numbers.first ?? 1
        case "J": cells = Array(repeating: .blank, count: cells.count)
        case "h", "l": if text == "?25" { isCursorSeen = letter == "h" }
        case "m": wear(numbers)
        default: Issue.record("The sequence \(text)\(letter) is not known.")
        }
    }

    private mutating func wear(_ numbers: [Int]) {
        var rest = numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 0: look = Look()
            case 1: look.isBold = true
            case 2: look.isFaint = true
            case 7: look.isReversed = true
            case 30...37: look.ink = .palette(UInt8(number - 30))
            case 39: look.ink = .usual
            case 49: look.ground = .usual
            case 38, 48:
                let parts = rest.prefix(4).map { UInt8($0) }
                rest = rest.dropFirst(4)
                let shade = Shade.exact(RGB(red: parts[1], green: parts[2], blue: parts[3]))
                if number == 38 { look.ink = shade } else { look.ground = shade }
            default: Issue.record("The look \(number) is not known.")
            }
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let columns = Columns.count(scalar)
        if columns == 0 { return cells[at.row * width + at.column - 1].text.unicodeScalars.append(scalar) }
        let place = at.row * width + at.column
        cells[place] = Cell(text: String(Character(scalar)), look: look)
        if columns == 2 { cells[place + 1] = Cell(text: "", look: look) }
        at.column += columns
    }
}

extension Frame {
    /// Most of the frame before, with a few texts in it that are new.
    fileprivate static func random(width: Int, height: Int, _ before: Frame?, using random: inout SeededGenerator) -> Frame {
        var frame = before ?? Frame(width: width, height: height)
        let texts = ["a", "久石", "x久", "long text here", "      ", "e", "🎷!", "▀▀▀", "…"]
        let looks: [Look] = [
            .plain, .bold, .faint, .green, .chosen,
            Look(ink: .exact(RGB(red: 1, green: 2, blue: 3)), ground: .exact(RGB(red: 9, green: 8, blue: 7))),
        ]
        // A frame is made anew each time, so nothing of a wide character is left half.
        if Bool.random(using: &random) { frame = Frame(width: width, height: height) }
        for row in 0..<height where Int.random(in: 0..<3, using: &random) > 0 {
            var fresh = ""
            for _ in 0..<Int.random(in: 0...4, using: &random) { fresh += texts.randomElement(using: &random) ?? "" }
            frame.put(
                fresh + String(repeating: " ", count: width), row: row, column: 0, look: looks.randomElement(using: &random) ?? .plain)
        }
        frame.cursor = Bool.random(using: &random) ? Spot(row: 0, column: 0) : nil
        return frame
    }
}
