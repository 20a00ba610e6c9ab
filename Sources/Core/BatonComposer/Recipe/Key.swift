/// A tonic and a mode.
package struct Key: Equatable, Sendable {
    package enum Mode: String, CaseIterable, Sendable {
        case major, minor, dorian, mixolydian, lydian, phrygian

        /// Semitones of the seven degrees above the tonic.
        var scale: [Int] {
            switch self {
            case .major: [0, 2, 4, 5, 7, 9, 11]
            case .minor: [0, 2, 3, 5, 7, 8, 10]
            case .dorian: [0, 2, 3, 5, 7, 9, 10]
            case .mixolydian: [0, 2, 4, 5, 7, 9, 10]
            case .lydian: [0, 2, 4, 6, 7, 9, 11]
            case .phrygian: [0, 1, 3, 5, 7, 8, 10]
            }
        }

        var isMinor: Bool { scale[2] == 3 }

        /// All modes from the darkest to the brightest.
        static let byBrightness: [Mode] = [.phrygian, .minor, .dorian, .mixolydian, .major, .lydian]
    }

    static let tonicNames = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]

    /// The tonic in semitones above C.
    package var tonic: Int
    package var mode: Mode

    package init(_ tonic: Int, _ mode: Mode) {
        self.tonic = ((tonic % 12) + 12) % 12
        self.mode = mode
    }

    /// The name for people: “D minor”.
    package var name: String { "\(Self.tonicNames[tonic]) \(mode.rawValue)" }

    /// The name in a recipe: “D-minor”.
    var code: String { "\(Self.tonicNames[tonic])-\(mode.rawValue)" }

    init?(code: Substring) {
        let parts = code.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let tonic = Self.tonicNames.firstIndex(of: String(parts[0])), let mode = Mode(rawValue: String(parts[1]))
        else { return nil }
        self.init(tonic, mode)
    }

    /// The MIDI note of a degree. Degree 0 is the tonic at or above `base`, 7 the one an octave higher, -1 the scale note below.
    func pitch(_ degree: Int, above base: Int) -> Int {
        let octave = degree >= 0 ? degree / 7 : (degree - 6) / 7
        return base + (tonic - base % 12 + 12) % 12 + octave * 12 + mode.scale[degree - octave * 7]
    }

    /// This key, the two that share all notes but one, and the relative key.
    var related: [Key] {
        let relative = mode.isMinor ? Key(tonic + 3, .major) : Key(tonic + 9, .minor)
        return [self, Key(tonic + 7, mode), Key(tonic + 5, mode), relative]
    }
}
