package import BatonCore

/// Complete copies of other servers' tracks on this machine's disk, so that a track plays while its server is unavailable.
package protocol TrackKeeping: Sendable {
    /// True when there is a copy, as far as is known without the disk.
    func has(_ uri: ItemURI) -> Bool

    /// The opened copy, which can be played to its end even after newer ones have displaced it. Blocks on the disk.
    func copy(of uri: ItemURI) -> NamedFile?

    /// Copies the whole track, and asks before each piece whether to go on. It displaces older copies. Only a complete copy counts.
    func keep(_ track: NamedBytes, of uri: ItemURI, while mayGoOn: @Sendable () async -> Bool) async throws(SourceFault)
}
