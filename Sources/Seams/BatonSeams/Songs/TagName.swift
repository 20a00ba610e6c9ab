/// The tags of songs for programs that show a library as files with tags, by the names that Picard and MPD write.
package enum TagName: String, CaseIterable, Sendable {
    case artist = "Artist"
    case artistSort = "ArtistSort"
    case album = "Album"
    case albumSort = "AlbumSort"
    case albumArtist = "AlbumArtist"
    case albumArtistSort = "AlbumArtistSort"
    case title = "Title"
    case track = "Track"
    case name = "Name"
    case genre = "Genre"
    case date = "Date"
    case originalDate = "OriginalDate"
    case composer = "Composer"
    case composerSort = "ComposerSort"
    case performer = "Performer"
    case conductor = "Conductor"
    case work = "Work"
    case movement = "Movement"
    case movementNumber = "MovementNumber"
    case ensemble = "Ensemble"
    case location = "Location"
    case grouping = "Grouping"
    case disc = "Disc"
    case label = "Label"
    case comment = "Comment"
    case artistID = "MUSICBRAINZ_ARTISTID"
    case albumID = "MUSICBRAINZ_ALBUMID"
    case albumArtistID = "MUSICBRAINZ_ALBUMARTISTID"
    case trackID = "MUSICBRAINZ_TRACKID"
    case releaseTrackID = "MUSICBRAINZ_RELEASETRACKID"
    case workID = "MUSICBRAINZ_WORKID"

    /// The tag of a name in any case.
    package init?(anyCase text: some StringProtocol) {
        guard let tag = Self.byName[text.lowercased()] else { return nil }
        self = tag
    }

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })

    /// The tag whose values stand for this one where a song has none, when songs are found and sorted.
    package var fallback: TagName? {
        switch self {
        case .albumArtist, .artistSort: .artist
        case .albumArtistSort: .albumArtist
        case .albumSort: .album
        default: nil
        }
    }
}
