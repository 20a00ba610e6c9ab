package import BatonCore

/// The local library as the hub steers it: its folders, its scans, and its voice when something
/// changed.
package protocol LibraryKeeper: Sendable {
    func folders() async throws(SourceFault) -> [LibraryFolder]
    /// Folders with music that are not in the library and that every admin may add.
    func foundFolders() async throws(SourceFault) -> [LibraryFolder]
    /// Real paths of the folders right inside of one that a folder may be added from, which depends on who asks; of `/` those below
    /// which folders may be added. In the order in which people count.
    func folders(in path: String, trust: Trust) async throws(SourceFault) -> [String]
    /// How many files of music are in each of these, as far as a moment allows. One of which too little is known is left out.
    func tracks(in folders: [String]) async -> [String: Int]
    /// Adds a folder and scans it, or takes it out; its tracks' marks and places in playlists stay. How much of the
    /// machine may be added depends on who asks.
    func setFolder(_ path: String, isWanted: Bool, holds: FolderContent?, trust: Trust) async throws(SourceFault) -> Bool
    /// Looks at everything again; `isFull` reads also what seems unchanged. Returns once it has begun:
    /// `false` when one was going on already.
    func scan(isFull: Bool) async -> Bool
    func lastReport() async throws(SourceFault) -> ScanReport?
    /// How it goes, a few times a second while it goes, and once when it is done; and `nil` whenever the
    /// library has changed otherwise.
    var news: AsyncStream<ScanReport?> { get }
}

extension LibraryKeeper {
    package func foundFolders() async throws(SourceFault) -> [LibraryFolder] { [] }

    package func setFolder(_ path: String, isWanted: Bool, trust: Trust) async throws(SourceFault) -> Bool {
        try await setFolder(path, isWanted: isWanted, holds: nil, trust: trust)
    }
}
