/// The order of songs and folders in the tree.
import BatonCore
import BatonSeams

/// A text that is compared as the root collation of Unicode does for Latin letters: punctuation before digits before letters, without regard to
/// accents and case unless nothing else differs.
struct CollationKey: Comparable {
    private let bytes: [UInt8]

    init(_ text: String) {
        var first: [UInt8] = []
        var second: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let weight = scalar.value < 0x80 ? Self.weights[Int(scalar.value)] : nil {
                first.append(weight)
                second.append(scalar.properties.isUppercase ? 2 : 1)
                continue
            }
            // Letters with accents follow the plain ones that they are folded to; letters of other scripts follow all of these.
            let folded = Folding.fold(String(scalar)).utf8
            let isPlain = !folded.isEmpty && folded.allSatisfy { $0 < 0x80 }
            for byte in folded where isPlain { first.append(Self.weights[Int(byte)] ?? Self.other) }
            if !isPlain { first += [Self.other] + String(scalar).utf8 }
            second += [scalar.properties.isUppercase ? 4 : 3] + String(scalar).utf8
        }
        bytes = first + [0] + second
    }

    static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

    private static let other: UInt8 = 0xFE
    private static let order = Array(#" _-,;:!?.'"()[]{}@*/\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"#.utf8)
    private static let weights: [UInt8?] = {
        var weights = [UInt8?](repeating: nil, count: 0x80)
        for (place, letter) in order.enumerated() { weights[Int(letter)] = UInt8(place + 1) }
        for letter in UInt8(ascii: "A")...UInt8(ascii: "Z") { weights[Int(letter)] = weights[Int(letter | 0x20)] }
        return weights
    }()
}

/// The place of a song among those of its folder: by album, then disc, then track, then name.
struct SongOrder: Comparable {
    private let album: CollationKey?
    private let disc: Int
    private let track: Int
    private let name: CollationKey

    init(name: String, lines: [UInt8]) {
        let tags = Song(uri: name, lines: lines).tags
        func value(_ name: TagName) -> String? { tags.first { $0.name == name }?.value }
        album = value(.album).map { CollationKey($0) }
        disc = value(.disc).flatMap { Int($0) } ?? 0
        track = value(.track).flatMap { Int($0) } ?? 0
        self.name = CollationKey(name)
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.album != right.album {
            guard let other = right.album else { return false }
            return left.album.map { $0 < other } ?? true
        }
        return (left.disc, left.track, left.name) < (right.disc, right.track, right.name)
    }
}
