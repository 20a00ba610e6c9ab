/// One layer of a plan for some bars, made to go round and round.
///
/// All clips of one recipe have its tempo, key and chords, so they sound together.
package struct Clip: Equatable, Sendable {
    package enum Layer: String, CaseIterable, Sendable {
        case rhythm, bass, harmony, lead, textures, vocals
    }

    package var layer: Layer
    package var bars: Int

    package static let bars = 1...64
    package static let usualBars = 4
    /// Longer loops would need more memory than a job has.
    package static let longestMs = 180_000

    package init(_ layer: Layer, bars: Int = usualBars) {
        self.layer = layer
        self.bars = bars
    }

    /// At the tempo of the recipe.
    package func durationMs(_ recipe: Recipe) -> Int { bars * recipe.metre.beats * 60_000 / recipe.tempo }
}

extension Clip.Layer {
    /// The part that a clip of the layer always has, with the instrument where the recipe names none.
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

    /// The recipe with an instrument for the layer. Voices sing whatever the recipe's second part is played by.
    func completed(_ recipe: Recipe) -> Recipe {
        var completed = recipe
        if self == .vocals || recipe[first.role] == nil { completed.programs[first.role.rawValue] = first.program }
        return completed
    }
}
