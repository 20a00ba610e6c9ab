/// Seams for recording the radio: the store of the plan, the folder of files, and the recorder.
package import BatonCore

/// The store of planned recordings and saved titles. Every call may wait for the disk.
package protocol RecordingStorage: Sendable {
    /// All recordings in the order in which they were made.
    func recordings() throws(SourceFault) -> [Recording]
    /// Stores a new recording and returns its number.
    func put(_ recording: Recording) throws(SourceFault) -> Int
    func removeRecording(_ id: Int) throws(SourceFault)
    /// The titles that were saved or are to be, except forgotten ones.
    func savedTitles() throws(SourceFault) -> [SavedTitle]
    /// The saved titles whose files are not finished.
    func unfinishedTitles() throws(SourceFault) -> [UnfinishedTitle]
    /// Stores a title that is to be saved.
    func put(_ saved: SavedTitle) throws(SourceFault)
    /// Stores the name of its file (`RecordedFile.name`).
    func note(_ file: String, of saved: SavedTitle) throws(SourceFault)
    /// Marks its file as finished.
    func finish(_ saved: SavedTitle) throws(SourceFault)
    func remove(_ saved: SavedTitle) throws(SourceFault)
    /// Forgets titles with smaller numbers, whose sound is no longer recorded.
    func forgetSavedTitles(before number: Int) throws(SourceFault)
}

/// A title of a station that was saved, or is to be.
package struct SavedTitle: Hashable, Sendable {
    package var uri: ItemURI
    /// The title's `PastTitle.number`.
    package var number: Int

    package init(_ uri: ItemURI, _ number: Int) {
        self.uri = uri
        self.number = number
    }
}

/// A title that was being saved when the hub ended, and the name of its file if that was begun.
package struct UnfinishedTitle: Equatable, Sendable {
    /// The title that was being saved.
    package var title: SavedTitle
    /// The name of its file; `nil` when none was begun.
    package var file: String?

    package init(_ title: SavedTitle, file: String?) {
        self.title = title
        self.file = file
    }
}

/// The folder of recordings. Every call may wait for the disk.
package protocol RecordingFolder: Sendable {
    /// Today's date at the hub, as `2026-11-23`.
    var today: String { get }
    /// Finishes the files that an earlier run left unfinished as parts, except those with these names; returns their number.
    func finishInterrupted(except names: Set<String>) -> Int
    /// The state of a file that an earlier run began.
    func state(of name: String) -> RecordedFileState
    /// Finishes a file of an earlier run as a part; false when there is none with any sound.
    func finish(_ name: String) throws(SourceFault) -> Bool
    /// Removes an unfinished file of an earlier run.
    func remove(_ name: String)
    /// Begins a file for a song, or continues one. Until it is finished, its name is not that of a music file. `quota` when the disk is full.
    func begin(_ song: RecordedSong) throws(SourceFault) -> any RecordedFile
}

/// The state of a file that an earlier run began.
package enum RecordedFileState: Equatable, Sendable {
    /// The file is gone, has some sound, or is complete under its final name.
    case missing, begun, finished
}

/// The facts that name a recorded file.
package struct RecordedSong: Equatable, Sendable {
    package var station: String
    /// The title as the station sent it, `Artist - Title`.
    package var title: String
    /// The suffix of the file name, without a dot.
    package var suffix: String
    /// True when the recording begins in the middle of the song. If a part of it was written until a moment ago, the same file gets the rest, so that
    /// a restart leaves one file with a gap.
    package var mayGoOn: Bool

    package init(station: String, title: String, suffix: String, mayGoOn: Bool = false) {
        self.station = station
        self.title = title
        self.suffix = suffix
        self.mayGoOn = mayGoOn
    }
}

/// A file that one task writes.
package protocol RecordedFile: AnyObject, Sendable {
    /// The id of the file in the folder, before and after it is finished.
    var name: String { get }
    /// True when an earlier recording has written the beginning of the song, with its tags.
    var goesOn: Bool { get }
    /// Appends bytes, which then survive a crash of this process.
    func append(_ bytes: [UInt8]) throws(SourceFault)
    /// Gives the file its final name, which says so when it is only a part.
    func finish(isWhole: Bool) throws(SourceFault)
}

extension RecordedFile {
    /// Default for a file that begins with this recording.
    package var goesOn: Bool { false }
}

/// Records a station until its task is cancelled.
package protocol StationRecording: Sendable {
    /// Returns when the station ends, and throws when the connection breaks or the disk is full. The written part is finished in any case. `note`
    /// gets the title of the song that is being written.
    func record(_ station: HeardStation, into folder: any RecordingFolder, note: @escaping @Sendable (String) async -> Void)
        async throws(SourceFault)
    /// Writes a title from the recorded past of a station; one that is on air until it ends. If it is cancelled, the file stays unfinished.
    func save(_ title: PastTitle, in station: StationWithPast, picture: [UInt8]?, into folder: any RecordingFolder)
        async throws(SourceFault)
}

/// A station that is being recorded, with the title from its source.
package struct HeardStation: Sendable {
    /// The title of the station, as its source has it.
    package var title: String
    /// The picture for the files; `nil` where there is none.
    package var picture: [UInt8]?
    /// The station as it is played, whose sound is written as it comes.
    package var sound: Playable

    package init(_ title: String, picture: [UInt8]? = nil, _ sound: Playable) {
        self.title = title
        self.picture = picture
        self.sound = sound
    }
}
