package import BatonCore

/// Tracks that people want to have on this machine's disk: which, why, and their whole copies. Unlike those of `TrackKeeping`,
/// these copies give way to nothing. Every call may wait for the disk.
package protocol KeptTracks: Sendable {
    /// What is kept. A copy whose file is not as it was left is looked through, and does not count when it was changed.
    func contents() throws(SourceFault) -> KeptContents

    /// Keeps a wish with its tracks, in the place of the one of its name; forgets these tracks, and removes their copies.
    func put(_ wish: KeptContents.Wish, _ tracks: [KeptContents.Track], dropping dropped: [ItemURI]) throws(SourceFault)

    func remove(_ wish: KeepWish, dropping dropped: [ItemURI]) throws(SourceFault)

    /// How many bytes all copies together may have.
    func setLimit(_ bytes: Int64) throws(SourceFault)

    /// Whether there is a copy, as far as that is known without asking the disk.
    func has(_ uri: ItemURI) -> Bool

    /// The copy, opened; `nil` when there is none any more, or when it was changed.
    func copy(of uri: ItemURI) -> NamedFile?

    /// Copies the whole track, or the rest of it where a part is there already, and reports how far it is before each piece; `false`
    /// ends it, and the part stays. Only a whole copy counts. `tooLarge` when it would have more than `most` bytes, `quota` when the disk is full.
    func fetch(
        _ track: NamedBytes, of uri: ItemURI, most: Int64, while mayGoOn: @Sendable (KeepPlan.Progress) async -> Bool
    ) async throws(SourceFault) -> Int64

    /// Bytes that the disk has left for copies.
    var spareBytes: Int64? { get }
}

/// What is kept, as it is on the disk.
package struct KeptContents: Equatable, Sendable {
    package struct Wish: Equatable, Sendable {
        package var wish: KeepWish
        package var title: String
        package var kind: ItemKind?
        package var members: [ItemURI]

        package init(_ wish: KeepWish, title: String, kind: ItemKind? = nil, members: [ItemURI]) {
            self.wish = wish
            self.title = title
            self.kind = kind
            self.members = members
        }
    }

    package struct Track: Equatable, Sendable {
        package var uri: ItemURI
        package var title: String
        /// Of the whole copy; `nil` while there is none.
        package var bytes: Int64?
        package var hasLeft: Bool

        package init(_ uri: ItemURI, title: String, bytes: Int64? = nil, hasLeft: Bool = false) {
            self.uri = uri
            self.title = title
            self.bytes = bytes
            self.hasLeft = hasLeft
        }
    }

    /// In the order in which they were made.
    package var wishes: [Wish]
    package var tracks: [Track]
    /// `nil` when none was set by command.
    package var limit: Int64?

    package init(wishes: [Wish] = [], tracks: [Track] = [], limit: Int64? = nil) {
        self.wishes = wishes
        self.tracks = tracks
        self.limit = limit
    }
}
