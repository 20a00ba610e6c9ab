import BatonCore

/// All values that decide how a piece of the built-in composer sounds: the same recipe gives the same piece.
///
/// A value made from a prompt (`Prompt`), from another recipe (`Recipe+Changes.swift`), or from its text (`Recipe+Text.swift`). It holds no words of
/// the prompt.
package struct Recipe: Equatable, Sendable {
    package var seed: UInt64
    package var seconds: Int
    /// Beats per minute, with the beat of the metre.
    package var tempo: Int
    package var key: Key
    package var metre: Metre
    /// From 0 for calm to 100 for lively.
    package var energy: Int
    /// From 0 for dark to 100 for bright.
    package var brightness: Int
    package var style: Style
    package var form: FormKind
    /// A MIDI program for each role, in the order of `PartRole`; `nil` where the piece has no such part.
    package var programs: [Int?]
    package var motif: Motif

    package static let seconds = 10...180
    package static let tempos = 40...200

    package subscript(role: PartRole) -> Int? { programs[role.rawValue] }
}

/// The division of a recipe's time into bars.
struct Layout: Equatable {
    /// Number of bars without the final one, in which the last chord sounds.
    let bars: Int
    /// The length of the whole piece, including the end of the last chord.
    let ticks: Int
    let barTicks: Int

    static let fewestBars = 4
    /// The preferred length of the last chord.
    private static let wishedEndMs: Milliseconds = 3200
    private static let shortestEndMs: Milliseconds = 1500

    init(_ recipe: Recipe) {
        let barMs = Self.barMs(recipe.metre, recipe.tempo)
        barTicks = recipe.metre.barTicks
        let musicMs = Milliseconds.seconds(recipe.seconds) - Self.shortestEndMs
        bars = max(0, Int(musicMs / barMs))
        ticks = recipe.seconds * recipe.tempo * recipe.metre.beatTicks / 60
    }

    /// The layout of a loop, with nothing after its bars.
    init(_ metre: Metre, bars: Int) {
        barTicks = metre.barTicks
        self.bars = bars
        ticks = bars * metre.barTicks
    }

    private static func barMs(_ metre: Metre, _ tempo: Int) -> Milliseconds { Milliseconds(metre.beats * 60_000 / tempo) }

    /// The tempo near the wanted one that gives the last chord the best length.
    static func tempo(near wanted: Int, within percent: Int, seconds: Int, metre: Metre) -> Int {
        let reach = wanted * percent / 100
        let choices = (wanted - reach...wanted + reach).filter { Recipe.tempos.contains($0) }
        func misfit(_ tempo: Int) -> Int {
            let barMs = barMs(metre, tempo)
            let endMs = (Milliseconds.seconds(seconds) - shortestEndMs) % barMs + shortestEndMs
            return Int((endMs - wishedEndMs).magnitude) + abs(tempo - wanted) * 40
        }
        return choices.min { (misfit($0), $0) < (misfit($1), $1) } ?? wanted
    }
}

extension Recipe {
    /// The recipe with room for four bars: a short and slow piece gets shorter bars, and if those are still too long a faster tempo.
    func fitted(tempoWithin percent: Int) -> Recipe {
        var fitted = self
        fitted.tempo = min(Self.tempos.upperBound, max(Self.tempos.lowerBound, tempo))
        fitted.tempo = Layout.tempo(near: fitted.tempo, within: percent, seconds: seconds, metre: metre)
        if !fitted.hasRoom { fitted.metre = metre == .sixEight || metre == .threeFour ? .threeFour : .twoFour }
        while !fitted.hasRoom, fitted.tempo < Self.tempos.upperBound { fitted.tempo += 1 }
        fitted.motif = motif.filled(to: fitted.metre.steps)
        return fitted
    }

    var hasRoom: Bool { Layout(self).bars >= Layout.fewestBars }
}
