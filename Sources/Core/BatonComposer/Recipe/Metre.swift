/// The time signature of a piece, with bars counted on a grid of sixteenths.
package enum Metre: String, CaseIterable, Sendable {
    case twoFour = "2/4", threeFour = "3/4", fourFour = "4/4", fiveFour = "5/4", sixEight = "6/8"

    /// Ticks of a quarter note, in the score and in the MIDI file.
    package static let quarter = 480
    /// Ticks of a sixteenth, the grid for all rhythms.
    package static let step = 120

    package var barTicks: Int { steps * Self.step }

    /// Number of sixteenths in a bar.
    var steps: Int {
        switch self {
        case .twoFour: 8
        case .threeFour, .sixEight: 12
        case .fourFour: 16
        case .fiveFour: 20
        }
    }

    /// Ticks of the beat that the tempo counts: a quarter, or in 6/8 a dotted quarter.
    package var beatTicks: Int { self == .sixEight ? 720 : Self.quarter }

    var beats: Int { barTicks / beatTicks }

    var beatSteps: Int { beatTicks / Self.step }

    /// The step of the middle accent.
    var middleStep: Int {
        switch self {
        case .twoFour: 4
        case .threeFour: 8
        case .sixEight: 6
        case .fourFour: 8
        case .fiveFour: 12
        }
    }

    func isStrong(_ step: Int) -> Bool { step % steps == 0 || step % steps == middleStep }

    /// Numerator and denominator of the time signature.
    package var signature: (Int, Int) {
        switch self {
        case .twoFour: (2, 4)
        case .threeFour: (3, 4)
        case .fourFour: (4, 4)
        case .fiveFour: (5, 4)
        case .sixEight: (6, 8)
        }
    }
}
