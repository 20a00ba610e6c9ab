package import BatonCore

/// Whole copies of tracks of other servers on this machine's disk, so that a track plays when its server does not.
package protocol TrackKeeping: Sendable {
    /// Whether there is a copy, as far as that is known without asking the disk.
    func has(_ uri: ItemURI) -> Bool

    /// The copy, opened, so that it is played to its end also when it gives way to newer ones. Blocks on the disk.
    func copy(of uri: ItemURI) -> NamedFile?

    /// Copies the whole track, and asks before each piece whether to go on. Older copies give way to it. Only a whole copy counts.
    func keep(_ track: NamedBytes, of uri: ItemURI, while mayGoOn: @Sendable () async -> Bool) async throws(SourceFault)
}
