package import BatonCore

/// The description that a source gives of itself. The hub, the dialects and the programs use nothing else: their code contains no name of a source
/// and no scheme of its items.
package struct SourceAbout: Equatable, Sendable {
    /// The title of the source for people.
    package var name: String
    /// The schemes of its items' URIs, in lower case; empty when the only one is the name of the source.
    package var schemes: [String]
    /// The fixed shelves of the source, with the names that people type.
    package var shelves: [Shelf]
    package var abilities: Abilities

    /// A container that is always there and from which browsing begins.
    package struct Shelf: Equatable, Sendable {
        /// The name that people type, such as `favourites`.
        package var name: String
        /// The container that it opens.
        package var uri: ItemURI
        /// True for the shelf of all items, which plays when nothing else was chosen.
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

    /// The shelf of all items.
    package var everything: ItemURI? { shelves.first { $0.isEverything }?.uri }

    /// The calls that the source supports, so that the hub need not try the others.
    package struct Abilities: OptionSet, Sendable {
        /// One bit for each ability.
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// It has containers that can be opened.
        package static let browse = Abilities(rawValue: 1)
        package static let search = Abilities(rawValue: 2)
        package static let pictures = Abilities(rawValue: 4)
        package static let lyrics = Abilities(rawValue: 8)
        /// It wants to know which items are favourites.
        package static let favourites = Abilities(rawValue: 16)
        /// It wants to know the stars of items.
        package static let stars = Abilities(rawValue: 32)
        /// It wants to know what was played.
        package static let plays = Abilities(rawValue: 64)
        /// It stores places in spoken items.
        package static let progress = Abilities(rawValue: 128)
        /// It wants to know the queue of a room.
        package static let queue = Abilities(rawValue: 256)
        /// Its rows include marks (favourites, stars, plays).
        package static let marks = Abilities(rawValue: 512)
        /// Absolute paths without a scheme are items of this source.
        package static let paths = Abilities(rawValue: 1024)
        /// It wants to know what plays now.
        package static let nowPlaying = Abilities(rawValue: 2048)
        /// It can name tracks that are similar to one.
        package static let similar = Abilities(rawValue: 4096)
        /// It can be read as a whole for the mirror.
        package static let mirror = Abilities(rawValue: 8192)
        /// Its items can be copied to the hub's disk, for keeping and reading ahead.
        package static let download = Abilities(rawValue: 16384)
        /// The server stores one queue for the devices of its account.
        package static let savedQueue = Abilities(rawValue: 32768)
        /// Its lists can be created, edited and deleted by `edit`.
        package static let lists = Abilities(rawValue: 65536)
        /// It can be told to look for new music.
        package static let rescan = Abilities(rawValue: 131_072)
        /// It takes music files, which `upload` sends it.
        package static let upload = Abilities(rawValue: 262_144)
        /// The server reports changes, and which devices of the account play; playback of another device can be continued here.
        package static let sessions = Abilities(rawValue: 1_048_576)
        /// Its search does not find tracks by title, so its mirrored rows are searched too.
        package static let mirrorSearch = Abilities(rawValue: 4_194_304)
        /// Its rooms can be joined.
        package static let rooms = Abilities(rawValue: 2_097_152)
        /// Its answers come over a network, so a search shows local results without waiting for them.
        package static let remote = Abilities(rawValue: 524_288)
    }
}
