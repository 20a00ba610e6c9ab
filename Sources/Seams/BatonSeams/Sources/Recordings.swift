/// What recording the radio needs: who keeps the plan, where the files go, and what hears a station.
package import BatonCore

/// Keeps what is recorded and when, across restarts. Every call may wait for the disk.
package protocol RecordingKeeper: Sendable {
    /// In the order in which they were made.
    func recordings() throws(SourceFault) -> [Recording]
    /// Keeps a new one; returns its number.
    func put(_ recording: Recording) throws(SourceFault) -> Int
    func removeRecording(_ id: Int) throws(SourceFault)
    /// The titles that were saved or are to be, apart from those that were forgotten.
    func savedTitles() throws(SourceFault) -> [SavedTitle]
    /// Those of them whose files are not finished.
    func unfinishedTitles() throws(SourceFault) -> [UnfinishedTitle]
    /// Keeps one that is to be saved.
    func put(_ saved: SavedTitle) throws(SourceFault)
    /// Keeps what its file is called (`RecordedFile.name`).
    func note(_ file: String, of saved: SavedTitle) throws(SourceFault)
    /// Its file is finished.
    func finish(_ saved: SavedTitle) throws(SourceFault)
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

/// A title that was to be saved when the hub ended, and the name of its file once that was begun.
package struct UnfinishedTitle: Equatable, Sendable {
    package var title: SavedTitle
    package var file: String?

    package init(_ title: SavedTitle, file: String?) {
        self.title = title
        self.file = file
    }
}

/// The folder of recordings. Every call may wait for the disk.
package protocol RecordingFolder: Sendable {
    /// Today where the hub is, as `2026-11-23`.
    var today: String { get }
    /// Finishes as parts what an earlier run of the program was writing when it ended, but for the files with these names; returns how
    /// many these were.
    func finishInterrupted(except names: Set<String>) -> Int
    /// What became of a file that an earlier run has begun.
    func state(of name: String) -> RecordedFileState
    /// Finishes a file of an earlier run as a part; false when there is none with any sound.
    func finish(_ name: String) throws(SourceFault) -> Bool
    /// Removes a file of an earlier run that is not finished.
    func remove(_ name: String)
    /// A file for a song, a new one unless the song goes on. Until it is finished, it has a name that is no music. `quota` when the disk
    /// is full.
    func begin(_ song: RecordedSong) throws(SourceFault) -> any RecordedFile
}

package enum RecordedFileState: Equatable, Sendable {
    case missing, begun, finished
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
    /// Names it among all files of the folder, before and after it is finished.
    var name: String { get }
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
    func record(_ station: HeardStation, into folder: any RecordingFolder, note: @escaping @Sendable (String) async -> Void)
        async throws(SourceFault)
    /// Writes a title from what is kept of a station; one that is on air until it ends. The file of one that is cancelled stays
    /// unfinished.
    func save(_ title: PastTitle, in station: PastStation, picture: [UInt8]?, into folder: any RecordingFolder) async throws(SourceFault)
}

/// A station while it is heard, as its source calls it.
package struct HeardStation: Sendable {
    package var title: String
    package var picture: [UInt8]?
    package var sound: Playable

    package init(_ title: String, picture: [UInt8]? = nil, _ sound: Playable) {
        self.title = title
        self.picture = picture
        self.sound = sound
    }
}
