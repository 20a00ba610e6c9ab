package import BatonCore

/// A composed piece: the notes of every instrument, in ticks.
package struct Score: Equatable, Sendable {
    package struct Note: Equatable, Sendable {
        package var start: Int
        package var length: Int
        package var pitch: Int
        package var velocity: Int

        package var end: Int { start + length }
    }

    /// A change of a part's loudness, as MIDI's expression controller.
    package struct Swell: Equatable, Sendable {
        package var at: Int
        package var value: Int
    }

    package struct Part: Equatable, Sendable {
        package var role: PartRole
        package var program: Int
        package var notes: [Note]
        package var swells: [Swell]

        package var channel: Int { role.channel }

        package var instrument: String {
            role == .drums ? Instrument.kits[program] ?? "Drums" : Instrument.of(program)?.name ?? "Program \(program)"
        }
    }

    package var recipe: Recipe
    package var sections: [Section]
    package var parts: [Part]
    /// Number of bars, including the final one in which the last chord sounds.
    package var bars: Int
    package var ticks: Int
    /// The clip, if the score is a loop.
    package var clip: Clip?

    /// Microseconds per quarter note, the tempo of a MIDI file.
    package var quarterUs: Microseconds { 60_000_000 * Metre.quarter / (recipe.tempo * recipe.metre.beatTicks) }

    package var durationMs: Milliseconds { clip?.durationMs(recipe) ?? Milliseconds.seconds(recipe.seconds) }
}
