/// A picture for a piece, drawn from its recipe: waves of the motif in colours of the mood.
package enum Cover {
    package static let edge = 256

    package static func png(_ recipe: Recipe) -> [UInt8] {
        PNG.bytes(pixels(recipe), edge: edge, palette: palette(recipe))
    }

    /// Colours from background to foreground: bright pieces are light, and lively ones more colourful.
    static func palette(_ recipe: Recipe) -> [[UInt8]] {
        var random = TopicRandom(recipe.seed, "colours")
        let hues: [[Int]] = [[38, 70, 120], [24, 96, 92], [96, 52, 110], [120, 62, 48], [44, 84, 52], [110, 90, 40]]
        let base = random.pick(hues)
        let accent = random.pick(hues.filter { $0 != base })
        let light = 30 + recipe.brightness
        return (0..<16).map { step in
            (0..<3).map { channel in
                let mixed = (base[channel] * (15 - step) + accent[channel] * step) / 15
                let lifted = mixed * light / 60 + step * (40 + recipe.energy) / 14
                return UInt8(clamping: lifted)
            }
        }
    }

    private static func pixels(_ recipe: Recipe) -> [UInt8] {
        let degrees = recipe.motif.tones.compactMap(\.degree)
        let heights = (0..<edge).map { x -> Int in
            let place = x * degrees.count
            let at = place / edge
            let share = place % edge
            let here = degrees[at]
            let next = degrees[(at + 1) % degrees.count]
            return (here * (edge - share) + next * share) * 10 / edge
        }
        return (0..<edge).flatMap { y in
            (0..<edge).map { x in
                var layer = 0
                for wave in 0..<7 {
                    let level = 30 + wave * 34 - heights[(x + wave * (17 + recipe.energy / 4)) % edge]
                    if y > level { layer = wave + 1 }
                }
                return UInt8(min(15, layer * 2 + (y / 2 + x / 3) % 2))
            }
        }
    }
}
