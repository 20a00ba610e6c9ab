/// The items that the protocol itself names (Protocol/profiles/library.md). Programs use these constants; all other URIs come from a hub.

/// A shelf of the music library.
package enum LibraryShelf: String, CaseIterable, Sendable {
    /// Containers of the music library, by what they list.
    case albums, artists, composers, genres, years, labels, folders, tracks, books, series, authors, narrators
    /// Lists that follow from marks, plays and the time of arrival.
    case favourites, recent, most, added, playlists, random

    /// The scheme of the library's URIs.
    package static let source = "lib"

    /// The URI with which the shelf is opened.
    package var uri: ItemURI { Self.uri(named: rawValue) }

    /// A shelf that a person named; the hub decides whether it exists.
    package static func uri(named name: String) -> ItemURI { ItemURI("\(source):shelf/\(name)") }
}

/// Mixes of the library that follow from a person's marks and plays: they can be browsed and played, not edited.
package enum LibraryMix: String, CaseIterable, Sendable {
    /// Favourites that were not heard for long.
    case unheard = "mix/unheard"
    /// Tracks that the person has never heard.
    case never = "mix/never"
    /// More of the genres of the last days.
    case week = "mix/week"
    /// Albums similar to those heard last.
    case similar = "shelf/similar"

    /// The mix that an item stands for; `nil` for other items.
    package init?(_ uri: ItemURI) {
        guard uri.isOfLibrary, let mix = Self.allCases.first(where: { $0.uri == uri }) else { return nil }
        self = mix
    }

    /// The URI with which the mix is opened and played.
    package var uri: ItemURI { ItemURI("\(LibraryShelf.source):\(rawValue)") }
}

extension ItemURI {
    /// A container of all tracks that a search of the library finds.
    package static func found(by words: String) -> ItemURI { ItemURI("\(LibraryShelf.source):search/\(PercentText.encoded(words))") }

    /// True for a starting point of the library. Its rows may be of any kind, so it is never opened within another container.
    package var isLibraryShelf: Bool { text.hasPrefix("\(LibraryShelf.source):shelf/") }

    /// True for an item of the music library, which is identified by its content and not by its location.
    package var isOfLibrary: Bool { source == LibraryShelf.source }

    /// Sources that every hub has; their URIs are `word:kind/id` without slashes after the colon.
    package static let usualSources: Set<String> = [LibraryShelf.source, PlaylistID.source, "file"]
}
