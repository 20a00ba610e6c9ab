package import BatonCore

/// The store of tracks that people keep on this machine's disk: the wishes and the complete copies. Unlike copies of `TrackKeeping`, these are never
/// displaced by newer ones. Every call may wait for the disk.
package protocol KeptTracks: Sendable {
    /// All wishes and copies. A copy whose file was touched is checked, and does not count if it was changed.
    func contents() throws(SourceFault) -> KeptContents

    /// Stores a wish with its tracks, replacing the one with its name; forgets the dropped tracks, and removes their copies.
    func put(_ wish: KeptContents.Wish, _ tracks: [KeptContents.Track], dropping dropped: [ItemURI]) throws(SourceFault)

    /// Forgets a wish, and removes the copies of the dropped tracks.
    func remove(_ wish: KeepWish, dropping dropped: [ItemURI]) throws(SourceFault)

    /// Sets the maximum size of all copies together.
    func setLimit(_ bytes: Int64) throws(SourceFault)

    /// True when there is a copy, as far as is known without the disk.
    func has(_ uri: ItemURI) -> Bool

    /// The opened copy; `nil` when it is missing or was changed.
    func copy(of uri: ItemURI) -> NamedFile?

    /// Copies the whole track, or the rest of a partial copy, and reports the progress before each piece; `false` stops it, and the partial copy
    /// stays. Only a complete copy counts. `tooLarge` when it would exceed `most` bytes, `quota` when the disk is full.
    func fetch(
        _ track: NamedBytes, of uri: ItemURI, most: Int64, while mayGoOn: @Sendable (KeepPlan.Progress) async -> Bool
    ) async throws(SourceFault) -> Int64

    /// Free space on the disk for copies.
    var spareBytes: Int64? { get }
}

/// The stored wishes and copies.
package struct KeptContents: Equatable, Sendable {
    /// A stored wish with its tracks.
    package struct Wish: Equatable, Sendable {
        /// The wish, whose name identifies it.
        package var wish: KeepWish
        package var title: String
        /// The kind of the item; `nil` for a rule.
        package var kind: ItemKind?
        package var members: [ItemURI]

        package init(_ wish: KeepWish, title: String, kind: ItemKind? = nil, members: [ItemURI]) {
            self.wish = wish
            self.title = title
            self.kind = kind
            self.members = members
        }
    }

    /// A stored track of at least one wish.
    package struct Track: Equatable, Sendable {
        /// The item whose copy it is.
        package var uri: ItemURI
        package var title: String
        /// Size of the complete copy; `nil` while there is none.
        package var bytes: Int64?
        /// True when the server does not have it any more.
        package var hasLeft: Bool

        package init(_ uri: ItemURI, title: String, bytes: Int64? = nil, hasLeft: Bool = false) {
            self.uri = uri
            self.title = title
            self.bytes = bytes
            self.hasLeft = hasLeft
        }
    }

    /// Wishes in the order in which they were made.
    package var wishes: [Wish]
    /// All tracks of all wishes, each once.
    package var tracks: [Track]
    /// The size limit; `nil` when no command has set one.
    package var limit: Int64?

    package init(wishes: [Wish] = [], tracks: [Track] = [], limit: Int64? = nil) {
        self.wishes = wishes
        self.tracks = tracks
        self.limit = limit
    }
}
