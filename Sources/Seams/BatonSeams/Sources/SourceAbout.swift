package import BatonCore

/// What a source says of itself. The hub, the dialects and the programs know sources by this alone: no name of a source and
/// no scheme of its items stands in their code.
package struct SourceAbout: Equatable, Sendable {
    package var name: String
    /// The schemes of its items' URIs, in lower case; empty when there is only one, which is the source's own word.
    package var schemes: [String]
    /// The shelves that are there from the beginning, by the name that people type.
    package var shelves: [Shelf]
    package var abilities: Abilities

    package struct Shelf: Equatable, Sendable {
        package var name: String
        package var uri: ItemURI
        /// It holds all that the source has: what plays when nothing else was chosen.
        package var isEverything: Bool

        package init(name: String, uri: ItemURI, isEverything: Bool = false) {
            self.name = name
            self.uri = uri
            self.isEverything = isEverything
        }
    }

    package init(name: String, schemes: [String] = [], shelves: [Shelf] = [], abilities: Abilities = []) {
        self.name = name
        self.schemes = schemes
        self.shelves = shelves
        self.abilities = abilities
    }

    /// The shelf that holds all that the source has.
    package var everything: ItemURI? { shelves.first { $0.isEverything }?.uri }

    package struct Abilities: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let browse = Abilities(rawValue: 1)
        package static let search = Abilities(rawValue: 2)
        package static let pictures = Abilities(rawValue: 4)
        package static let lyrics = Abilities(rawValue: 8)
        package static let favourites = Abilities(rawValue: 16)
        package static let stars = Abilities(rawValue: 32)
        package static let plays = Abilities(rawValue: 64)
        package static let progress = Abilities(rawValue: 128)
        package static let queue = Abilities(rawValue: 256)
        /// Its rows bring their marks (favourites, stars, plays) along.
        package static let marks = Abilities(rawValue: 512)
        /// An absolute path without a scheme is one of its items.
        package static let paths = Abilities(rawValue: 1024)
        package static let nowPlaying = Abilities(rawValue: 2048)
        package static let similar = Abilities(rawValue: 4096)
        package static let mirror = Abilities(rawValue: 8192)
        package static let download = Abilities(rawValue: 16384)
        /// Keeps one queue for the devices of its account.
        package static let savedQueue = Abilities(rawValue: 32768)
        package static let lists = Abilities(rawValue: 65536)
        package static let rescan = Abilities(rawValue: 131_072)
        package static let upload = Abilities(rawValue: 262_144)
        /// It tells by itself what changes there, and which devices of the account play; what another one plays can be gone on with.
        package static let sessions = Abilities(rawValue: 1_048_576)
        /// Its search does not find tracks by their titles: where its rows are noted, they are searched too.
        package static let mirrorSearch = Abilities(rawValue: 4_194_304)
        /// It has rooms that can be joined.
        package static let rooms = Abilities(rawValue: 2_097_152)
        /// Its answers come over a network: a search does not wait for them before it shows what is here.
        package static let remote = Abilities(rawValue: 524_288)
    }
}
