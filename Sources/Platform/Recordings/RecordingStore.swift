/// Recordings of the radio as files: `STATION/DATE/ARTIST - TITLE.mp3` below one folder.
///
/// A file that is being written ends in `.part`, which no scan takes for music. What was written is in the system's hands at once, so
/// it survives the death of this process; the next start gives the file its name.
package import BatonSeams
import Disk
import Glibc

package struct RecordingStore: RecordingFolder {
    private let folder: String
    static let ending = ".part"
    private static let mostNumber = 1_000
    /// Among so many parts of one song of a day the one that goes on is looked for.
    private static let mostParts = 20
    /// A hub that was restarted, or a station that was away, goes on with a song within this time.
    private static let mostPauseSeconds = 120

    /// `folder` is made with the first recording.
    package init(folder: String) { self.folder = folder }

    /// The first of these folders in which something can be written has a folder of recordings.
    package static func below(_ folders: [String]) -> RecordingStore? {
        folders.first { unsafe access($0, W_OK | X_OK) == 0 }.map { RecordingStore(folder: $0 + "/Recordings") }
    }

    package var today: String {
        var seconds = time(nil)
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    package func begin(_ song: RecordedSong) throws(SourceFault) -> any RecordedFile {
        let below = [RecordingNames.safe(song.station), today]
        var path = folder
        try Self.make(path)
        for name in below {
            path += "/" + name
            try Self.make(path)
        }
        let stem = RecordingNames.safe(song.title)
        let suffix = RecordingNames.suffix(song.suffix)
        if song.mayGoOn, let file = Self.interrupted("\(path)/\(stem)", suffix) { return file }
        for number in 1...Self.mostNumber {
            let name = "\(path)/\(stem)\(number > 1 ? " (\(number))" : "")"
            let whole = "\(name).\(suffix)"
            guard unsafe access(whole, F_OK) != 0, unsafe access("\(name) (part).\(suffix)", F_OK) != 0 else { continue }
            if let file = AppendedFile(whole + Self.ending, isNew: true) { return SongFile(file, stem: name, suffix: suffix) }
            guard errno == EEXIST else { throw Self.fault(errno) }
        }
        throw SourceFault(.quota, "There are too many recordings of “\(song.title)” of one day.")
    }

    /// The newest part of this song, if it was written until a moment ago.
    private static func interrupted(_ stem: String, _ suffix: String) -> SongFile? {
        let now = time(nil)
        for number in (1...mostParts).reversed() {
            let name = number > 1 ? "\(stem) (\(number))" : stem
            let (part, open) = ("\(name) (part).\(suffix)", "\(name).\(suffix)\(ending)")
            var status = Glibc.stat()
            guard unsafe lstat(part, &status) == 0, abs(now - status.st_mtim.tv_sec) <= mostPauseSeconds else { continue }
            guard SongFile.name(part, open) else { return nil }
            if let file = AppendedFile(open) { return SongFile(file, stem: name, suffix: suffix, goesOn: true) }
            _ = SongFile.name(open, part)
            return nil
        }
        return nil
    }

    private static func make(_ path: String) throws(SourceFault) {
        guard unsafe mkdir(path, 0o755) != 0, errno != EEXIST else { return }
        throw fault(errno)
    }

    static func fault(_ cause: Int32) -> SourceFault {
        switch cause {
        case ENOSPC, EDQUOT: SourceFault(.quota, "The disk is full, so nothing is recorded.")
        case EACCES, EPERM, EROFS: SourceFault(.forbidden, "Recordings cannot be written: the hub may not write in their folder.")
        default: SourceFault(.unavailable, "A recording cannot be written: \(unsafe String(cString: strerror(cause))).")
        }
    }

    // MARK: After a restart

    package func finishInterrupted() -> Int {
        var count = 0
        for station in FolderNames.visible(in: folder) {
            for day in FolderNames.visible(in: "\(folder)/\(station)") {
                let path = "\(folder)/\(station)/\(day)"
                for name in FolderNames.visible(in: path) where name.hasSuffix(Self.ending) {
                    let whole = name.dropLast(Self.ending.count)
                    guard let dot = whole.lastIndex(of: ".") else { continue }
                    let stem = "\(path)/\(whole[..<dot])"
                    if SongFile.name("\(path)/\(name)", "\(stem) (part).\(whole[whole.index(after: dot)...])") { count += 1 }
                }
            }
        }
        return count
    }
}
