/// The items that the protocol itself names (Protocol/spec/07-library.md, "Names"). Programs take them from here; all other URIs they
/// take as a hub sends them.

/// A shelf of the music library.
package enum LibraryShelf: String, CaseIterable, Sendable {
    case albums, artists, composers, genres, years, labels, folders, tracks, books, series, authors, narrators
    case favourites, recent, most, added, playlists, random

    package static let source = "lib"

    package var uri: ItemURI { Self.uri(named: rawValue) }

    /// A shelf that a person named; the hub says whether there is one.
    package static func uri(named name: String) -> ItemURI { ItemURI("\(source):shelf/\(name)") }
}

/// Places of the library that follow from the marks and plays of a person: they are browsed and played, and not made.
package enum LibraryMix: String, CaseIterable, Sendable {
    /// Favourites that were not heard for long.
    case unheard = "mix/unheard"
    case never = "mix/never"
    /// More of the genres of the last days.
    case week = "mix/week"
    /// Albums that are like what was heard last.
    case similar = "shelf/similar"

    package init?(_ uri: ItemURI) {
        guard uri.isOfLibrary, let mix = Self.allCases.first(where: { $0.uri == uri }) else { return nil }
        self = mix
    }

    package var uri: ItemURI { ItemURI("\(LibraryShelf.source):\(rawValue)") }
}

extension ItemURI {
    /// All tracks that a search of the library finds.
    package static func found(by words: String) -> ItemURI { ItemURI("\(LibraryShelf.source):search/\(PercentText.encoded(words))") }

    /// Whether it is a place of the library to begin looking. Its rows may be of any kind, so it is never opened within another.
    package var isLibraryShelf: Bool { text.hasPrefix("\(LibraryShelf.source):shelf/") }

    /// Whether the item is the music library's, which knows it by its content and not by its place.
    package var isOfLibrary: Bool { source == LibraryShelf.source }

    /// Sources that every hub has, whose items are written as `word:kind/id` without slashes behind the colon.
    package static let usualSources: Set<String> = [LibraryShelf.source, PlaylistID.source, "file"]
}
