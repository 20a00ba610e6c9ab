/// The role of a part in the piece. The order is that of the recipe and of the tracks in the MIDI file.
package enum PartRole: Int, CaseIterable, Sendable {
    case lead, second, chords, arpeggio, pad, bass, drums, colour

    package var name: String {
        switch self {
        case .lead: "lead"
        case .second: "second"
        case .chords: "chords"
        case .arpeggio: "arpeggio"
        case .pad: "pad"
        case .bass: "bass"
        case .drums: "drums"
        case .colour: "colour"
        }
    }

    /// The MIDI channel; General MIDI reserves channel 9 for drums.
    package var channel: Int { self == .drums ? 9 : rawValue }

    /// The panning of the part between left (0) and right (127).
    var pan: Int {
        switch self {
        case .lead, .bass, .drums: 64
        case .second: 84
        case .chords: 50
        case .arpeggio: 92
        case .pad: 70
        case .colour: 34
        }
    }

    /// The amount of the part that goes to the reverb.
    var reverb: Int {
        switch self {
        case .bass: 12
        case .drums: 28
        case .lead, .chords: 48
        case .second, .arpeggio: 56
        case .pad, .colour: 70
        }
    }

    /// The register in which the part is written, before the instrument's own range narrows it.
    var register: ClosedRange<Int> {
        switch self {
        case .lead: 60...84
        case .second: 52...72
        case .chords: 50...72
        case .arpeggio: 55...84
        case .pad: 48...72
        case .bass: 28...50
        case .drums: 35...81
        case .colour: 67...91
        }
    }

    /// The intensity (0 to 100) from which on a section has the part.
    var threshold: Int {
        switch self {
        case .lead, .chords: 0
        case .pad: 10
        case .bass: 22
        case .arpeggio: 42
        case .drums: 36
        case .colour: 52
        case .second: 58
        }
    }
}
