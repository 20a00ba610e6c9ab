package import BatonCore

/// The hub's control of the local library: its folders, its scans, and its news.
package protocol LibraryControl: Sendable {
    func folders() async throws(SourceFault) -> [LibraryFolder]
    /// Folders with music that are not in the library and that every admin may add.
    func foundFolders() async throws(SourceFault) -> [LibraryFolder]
    /// Real paths of the subfolders of a folder in which the caller may add folders, in natural order. For `/` they are the top folders in which the
    /// trust permits adding.
    func folders(in path: String, trust: Trust) async throws(SourceFault) -> [String]
    /// Number of music files in each of these folders, as far as it can be counted quickly. Folders without a good estimate are left out.
    func tracks(in folders: [String]) async -> [String: Int]
    /// Adds a folder and scans it, or removes it; marks and playlist entries of its tracks stay. The trust decides which folders may be added.
    func setFolder(_ path: String, isWanted: Bool, holds: FolderContent?, trust: Trust) async throws(SourceFault) -> Bool
    /// Scans everything; `isFull` reads unchanged files too. Returns once the scan has begun, or `false` when one was running already.
    func scan(isFull: Bool) async -> Bool
    /// The report of the last scan of everything; `nil` before the first has ended.
    func lastReport() async throws(SourceFault) -> ScanReport?
    /// Scan reports a few times a second and at the end of a scan, and `nil` whenever the library has changed otherwise.
    var news: AsyncStream<ScanReport?> { get }
}

extension LibraryControl {
    package func foundFolders() async throws(SourceFault) -> [LibraryFolder] { [] }

    package func setFolder(_ path: String, isWanted: Bool, trust: Trust) async throws(SourceFault) -> Bool {
        try await setFolder(path, isWanted: isWanted, holds: nil, trust: trust)
    }
}
