/// Two colours that represent a picture on a screen too small for it: the ground, which most of it has, and an accent that is readable on
/// that ground.
package struct PictureColours: Equatable, Sendable {
    package var ground: Colour
    package var accent: Colour

    /// Minimum contrast for large letters in the weakest level of the accessibility guidelines.
    package static let contrast = 3.0

    /// The colours of a small picture, given as red, green, blue and opacity for each pixel.
    package init(rgba: [UInt8]) {
        let shades = Self.shades(of: rgba)
        guard let most = shades.max(by: { $0.count < $1.count }) else {
            self.init(ground: .white, accent: .black)
            return
        }
        let ground = most.colour
        // Shades with very few pixels are ignored.
        let enough = max(1, rgba.count / 4 / 400)
        let choice = shades.filter { $0.count >= enough }
        let readable = choice.filter { $0.colour.contrast(to: ground) >= Self.contrast }
        let best = (readable.isEmpty ? choice : readable).max { $0.vividness(on: ground) < $1.vividness(on: ground) }
        self.init(ground: ground, accent: (best?.colour ?? ground).readable(on: ground))
    }

    package init(ground: Colour, accent: Colour) {
        self.ground = ground
        self.accent = accent
    }

    /// Ground first.
    package var numbers: [Int] { [ground.number, accent.number] }

    /// A group of similar pixels, and their average.
    private struct Shade {
        var count = 0
        var red = 0
        var green = 0
        var blue = 0

        var colour: Colour { Colour(red: red / count, green: green / count, blue: blue / count) }

        func vividness(on ground: Colour) -> Double {
            (colour.vividness + colour.contrast(to: ground) / 400) * Double(Int.bitWidth - count.leadingZeroBitCount)
        }
    }

    private static func shades(of rgba: [UInt8]) -> [Shade] {
        // Three bits of each component: fewer would mix different colours, more would split similar ones.
        var shades = [Shade](repeating: Shade(), count: 512)
        for at in stride(from: 0, to: rgba.count - 3, by: 4) where rgba[at + 3] >= 128 {
            let (red, green, blue) = (Int(rgba[at]), Int(rgba[at + 1]), Int(rgba[at + 2]))
            let place = (red & 0xE0) << 1 | (green & 0xE0) >> 2 | blue >> 5
            shades[place].count += 1
            shades[place].red += red
            shades[place].green += green
            shades[place].blue += blue
        }
        return shades.filter { $0.count > 0 }
    }
}

package struct Colour: Equatable, Sendable {
    package var red: Int
    package var green: Int
    package var blue: Int

    package init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    package static let black = Colour(red: 0, green: 0, blue: 0)
    package static let white = Colour(red: 255, green: 255, blue: 255)

    /// `0xRRGGBB`.
    package var number: Int { red << 16 | green << 8 | blue }

    /// Distance from grey, 0 to 1.
    var vividness: Double { Double(max(red, green, blue) - min(red, green, blue)) / 255 }

    /// Perceived brightness, 0 to 1.
    private var light: Double { 0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue) }

    /// The sRGB curve, exact to a thousandth, without a math library.
    private static func linear(_ part: Int) -> Double {
        let value = Double(part) / 255
        return value * (value * (value * 0.305_306_011 + 0.682_171_111) + 0.012_522_878)
    }

    /// Contrast ratio: 1 for equal colours, 21 for black and white.
    package func contrast(to other: Colour) -> Double {
        (max(light, other.light) + 0.05) / (min(light, other.light) + 0.05)
    }

    /// This colour if it is readable there, else the nearest lighter or darker one that is.
    func readable(on ground: Colour) -> Colour {
        let end = Colour.white.contrast(to: ground) >= Colour.black.contrast(to: ground) ? Colour.white : .black
        return (0...16).lazy.map { mixed(with: end, sixteenths: $0) }.first { $0.contrast(to: ground) >= PictureColours.contrast } ?? end
    }

    private func mixed(with other: Colour, sixteenths: Int) -> Colour {
        func mix(_ a: Int, _ b: Int) -> Int { (a * (16 - sixteenths) + b * sixteenths) / 16 }
        return Colour(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
