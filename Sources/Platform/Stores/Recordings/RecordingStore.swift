/// Recordings of the radio as files: `STATION/DATE/ARTIST - TITLE.mp3` below one folder.
///
/// An unfinished file ends in `.part`, which no scan takes for music. Data is written immediately, so it survives a crash of this process;
/// the next start gives the file its final name.
package import BatonSeams
import Disk
import Glibc

package struct RecordingStore: RecordingFolder {
    private let folder: String
    private let now: @Sendable () -> Int
    static let ending = ".part"
    private static let mostNumber = 1_000
    /// Number of parts of one song on a day among which the one to continue is searched.
    private static let mostParts = 20
    /// Time within which a restarted hub, or a station that returns, continues a song.
    private static let mostPauseSeconds = 120

    /// `folder` is created with the first recording. `now` is in seconds since 1970.
    package init(folder: String, now: @escaping @Sendable () -> Int = { time(nil) }) {
        self.folder = folder
        self.now = now
    }

    /// A folder for recordings in the first of these folders that is writable.
    package static func below(_ folders: [String]) -> RecordingStore? {
        folders.first { unsafe access($0, W_OK | X_OK) == 0 }.map { RecordingStore(folder: $0 + "/Recordings") }
    }

    package var today: String { Self.day(of: now()) }

    private static func day(of time: Int) -> String {
        var seconds = time
        var parts = unsafe tm()
        unsafe localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    package func begin(_ song: RecordedSong) throws(SourceFault) -> any RecordedFile {
        let station = RecordingNames.safe(song.station)
        let suffix = RecordingNames.suffix(song.suffix)
        if song.mayGoOn, let file = interrupted(song, from: station, suffix: suffix) { return file }
        let day = "\(station)/\(today)"
        for path in [folder, "\(folder)/\(station)", "\(folder)/\(day)"] { try Self.make(path) }
        for number in 1...Self.mostNumber {
            let names = SongNames(in: folder, stem: "\(day)/\(SongNames.stem(song.title, number))", suffix: suffix)
            guard !names.isFinished else { continue }
            if let file = AppendedFile(names.open, isNew: true) { return SongFile(file, names) }
            guard errno == EEXIST else { throw Self.fault(errno) }
        }
        throw SourceFault(.quota, "There are too many recordings of “\(song.title)” of one day.")
    }

    /// The newest part of this song, if it was written until a moment ago, possibly on the day before.
    private func interrupted(_ song: RecordedSong, from station: String, suffix: String) -> SongFile? {
        let now = now()
        for day in Set([now, now - Self.mostPauseSeconds].map(Self.day)).sorted().reversed() {
            for number in (1...Self.mostParts).reversed() {
                let names = SongNames(in: folder, stem: "\(station)/\(day)/\(SongNames.stem(song.title, number))", suffix: suffix)
                var status = Glibc.stat()
                guard unsafe lstat(names.part, &status) == 0, abs(now - status.st_mtim.tv_sec) <= Self.mostPauseSeconds else { continue }
                guard SongFile.rename(names.part, names.open) else { return nil }
                if let file = AppendedFile(names.open) { return SongFile(file, names, goesOn: true) }
                _ = SongFile.rename(names.open, names.part)
                return nil
            }
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

    package func finishInterrupted(except stored: Set<String>) -> Int {
        var count = 0
        for station in FolderNames.visible(in: folder) {
            for day in FolderNames.visible(in: "\(folder)/\(station)") {
                for file in FolderNames.visible(in: "\(folder)/\(station)/\(day)") where file.hasSuffix(Self.ending) {
                    let name = "\(station)/\(day)/\(file.dropLast(Self.ending.count))"
                    guard !stored.contains(name), let names = SongNames(folder, name) else { continue }
                    if Self.finish(names) { count += 1 }
                }
            }
        }
        return count
    }

    /// False for an empty file, which is removed.
    private static func finish(_ names: SongNames) -> Bool {
        var status = Glibc.stat()
        guard unsafe lstat(names.open, &status) == 0, status.st_size == 0 else { return SongFile.rename(names.open, names.part) }
        unsafe unlink(names.open)
        return false
    }

    package func state(of name: String) -> RecordedFileState {
        guard let names = SongNames(folder, name) else { return .missing }
        if unsafe access(names.open, F_OK) == 0 { return .begun }
        return names.isFinished ? .finished : .missing
    }

    package func finish(_ name: String) throws(SourceFault) -> Bool {
        guard let names = SongNames(folder, name), state(of: name) == .begun else { return false }
        if Self.finish(names) { return true }
        guard state(of: name) == .begun else { return false }
        throw Self.fault(errno)
    }

    package func remove(_ name: String) {
        guard let names = SongNames(folder, name) else { return }
        unsafe unlink(names.open)
    }
}
