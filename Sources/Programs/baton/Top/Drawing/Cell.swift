/// One cell of the screen: a character and its style.
///
/// A wide character is stored in the first of its two cells; the second is empty.
struct Cell: Equatable, Sendable {
    /// A character with its combining marks; empty after a wide one.
    var text: String
    var look: Look

    static let blank = Cell(text: " ", look: Look())
}

/// The style of a character.
struct Look: Equatable, Sendable {
    var ink = Shade.usual
    var ground = Shade.usual
    var isBold = false
    var isFaint = false
    var isReversed = false

    static let plain = Look()
    static let bold = Look(isBold: true)
    static let faint = Look(isFaint: true)
    static let green = Look(ink: .palette(2))
    static let yellow = Look(ink: .palette(3))
    static let red = Look(ink: .palette(1))
    /// Reversed, which is visible without colours.
    static let chosen = Look(isReversed: true)

    var reversed: Look {
        var look = self
        look.isReversed = true
        // Some terminals show faint text on a reversed background illegibly.
        look.isFaint = false
        return look
    }
}

/// A colour of a cell.
enum Shade: Equatable, Sendable {
    /// The terminal's default colour.
    case usual
    /// One of the first eight colours, whose shades depend on the terminal.
    case palette(UInt8)
    case exact(RGB)
}

/// A colour as three bytes.
struct RGB: Equatable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    private static let steps: [Int] = [0, 95, 135, 175, 215, 255]

    /// The nearest of the 216 colours and 24 greys in the common palette of 256 colours.
    var indexed: UInt8 {
        let levels = [red, green, blue].map { Self.nearestStep(Int($0)) }
        let cube = levels.map { Self.steps[$0] }
        let grey = max(0, min(23, (Int(red) + Int(green) + Int(blue)) / 3 - 3) / 10)
        let shade = 8 + 10 * grey
        if distance(to: cube) <= distance(to: [shade, shade, shade]) { return UInt8(16 + 36 * levels[0] + 6 * levels[1] + levels[2]) }
        return UInt8(232 + grey)
    }

    private static func nearestStep(_ value: Int) -> Int {
        steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
    }

    private func distance(to other: [Int]) -> Int {
        zip([red, green, blue], other).reduce(0) { $0 + (Int($1.0) - $1.1) * (Int($1.0) - $1.1) }
    }
}

/// The number of colours that a terminal has.
enum ColourDepth: Sendable {
    case none, palette, full

    /// `COLORTERM` announces full colours, which terminal databases do not; otherwise the terminal's name decides.
    init(_ ink: TextStyle, colorterm: String?, term: String?) {
        guard ink.isOn else {
            self = .none
            return
        }
        let isFull = ["truecolor", "24bit"].contains(colorterm ?? "") || term?.hasSuffix("-direct") == true
        self = isFull ? .full : .palette
    }
}
