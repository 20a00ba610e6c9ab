/// What recording the radio needs: who keeps the plan, where the files go, and what hears a station.
package import BatonCore

/// Keeps what is recorded and when, across restarts. Every call may wait for the disk.
package protocol RecordingKeeper: Sendable {
    /// In the order in which they were made.
    func recordings() throws(SourceFault) -> [Recording]
    /// Keeps a new one; returns its number.
    func put(_ recording: Recording) throws(SourceFault) -> Int
    func removeRecording(_ id: Int) throws(SourceFault)
    /// The titles that were saved, apart from those that were forgotten.
    func savedTitles() throws(SourceFault) -> [SavedTitle]
    func put(_ saved: SavedTitle) throws(SourceFault)
    func remove(_ saved: SavedTitle) throws(SourceFault)
    /// Those with smaller numbers, whose sound is kept no more.
    func forgetSavedTitles(before number: Int) throws(SourceFault)
}

/// A title of a station that was saved, or is to be.
package struct SavedTitle: Hashable, Sendable {
    package var uri: ItemURI
    /// Its `PastTitle.number`.
    package var number: Int

    package init(_ uri: ItemURI, _ number: Int) {
        self.uri = uri
        self.number = number
    }
}

/// The folder of recordings. Every call may wait for the disk.
package protocol RecordingFolder: Sendable {
    /// Today where the hub is, as `2026-11-23`.
    var today: String { get }
    /// Finishes what an earlier run of the program was writing when it ended; returns how many these were.
    func finishInterrupted() -> Int
    /// A file for a song, a new one unless the song goes on. Until it is finished, it has a name that is no music. `quota` when the disk
    /// is full.
    func begin(_ song: RecordedSong) throws(SourceFault) -> any RecordedFile
}

/// What a file of a recording is called.
package struct RecordedSong: Equatable, Sendable {
    package var station: String
    /// `Artist - Title`, as the station said it.
    package var title: String
    /// The ending of its name, without a dot.
    package var suffix: String
    /// A recording begins in its middle. Where a part of it was written until a moment ago, the same file gets the rest, so that a
    /// restart leaves one file of it, with a gap.
    package var mayGoOn: Bool

    package init(station: String, title: String, suffix: String, mayGoOn: Bool = false) {
        self.station = station
        self.title = title
        self.suffix = suffix
        self.mayGoOn = mayGoOn
    }
}

/// One task writes it.
package protocol RecordedFile: AnyObject, Sendable {
    /// An earlier recording has written the beginning of the song, with its tags.
    var goesOn: Bool { get }
    /// What was appended survives the death of this process.
    func append(_ bytes: [UInt8]) throws(SourceFault)
    /// Gives it its name. One that is not whole is named as a part.
    func finish(isWhole: Bool) throws(SourceFault)
}

extension RecordedFile {
    package var goesOn: Bool { false }
}

/// Records a station for as long as its task is not cancelled.
package protocol StationRecording: Sendable {
    /// Returns when the station ended, and throws when it broke or the disk is full. What was written is finished in any case.
    /// `note` is told which song is written.
    func record(_ uri: ItemURI, into folder: any RecordingFolder, note: @escaping @Sendable (String) async -> Void)
        async throws(SourceFault)
    /// Writes a title from what is kept of a station; one that is on air until it ends.
    func save(_ title: PastTitle, in station: PastStation, of uri: ItemURI, into folder: any RecordingFolder) async throws(SourceFault)
}

extension StationRecording {
    package func save(
        _ title: PastTitle, in station: PastStation, of uri: ItemURI, into folder: any RecordingFolder
    ) async throws(SourceFault) {
        throw SourceFault(.unsupported, "Titles of this station cannot be saved.")
    }
}
