package import BatonCore

/// A loop: one layer of a plan for some bars.
///
/// All clips of one recipe share its tempo, key and chords, so they sound together.
package struct Clip: Equatable, Sendable {
    package enum Layer: String, CaseIterable, Sendable {
        case rhythm, bass, harmony, lead, textures, vocals
    }

    package var layer: Layer
    package var bars: Int

    package static let bars = 1...64
    package static let usualBars = 4
    /// Maximum length; longer loops would need more memory than a job has.
    package static let longestMs: Milliseconds = 180_000

    package init(_ layer: Layer, bars: Int = usualBars) {
        self.layer = layer
        self.bars = bars
    }

    /// The length at the tempo of the recipe.
    package func durationMs(_ recipe: Recipe) -> Milliseconds { Milliseconds(bars * recipe.metre.beats * 60_000 / recipe.tempo) }
}

extension Clip.Layer {
    /// The part that a clip of the layer always has, with its instrument where the recipe names none.
    private var first: (role: PartRole, program: Int) {
        switch self {
        case .rhythm: (.drums, 0)
        case .bass: (.bass, 33)
        case .harmony: (.chords, 0)
        case .lead: (.lead, 0)
        case .textures: (.pad, 89)
        case .vocals: (.second, Self.choir)
        }
    }

    private static let choir = 52

    var roles: [PartRole] {
        switch self {
        case .harmony: [.chords, .arpeggio]
        case .textures: [.pad, .colour]
        case .rhythm, .bass, .lead, .vocals: [first.role]
        }
    }

    /// The recipe with an instrument for the layer. Vocals are a choir, whatever instrument the recipe's second part has.
    func completed(_ recipe: Recipe) -> Recipe {
        var completed = recipe
        if self == .vocals || recipe[first.role] == nil { completed.programs[first.role.rawValue] = first.program }
        return completed
    }
}
