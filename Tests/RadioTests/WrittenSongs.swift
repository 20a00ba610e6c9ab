/// A folder of recordings in memory: the sound of each song, without the tag before it.
import BatonSeams
import Synchronization

final class WrittenSongs: RecordingFolder {
    struct Song: Equatable {
        var title: String
        var sound: [UInt8] = []
        var isWhole: Bool?
    }

    private final class File: RecordedFile {
        let folder: WrittenSongs
        let number: Int

        init(_ folder: WrittenSongs, _ number: Int) { (self.folder, self.number) = (folder, number) }

        var name: String { "\(number)" }

        func append(_ bytes: [UInt8]) throws(SourceFault) {
            guard !bytes.starts(with: "ID3".utf8) else { return }
            folder.written.withLock { $0[number].sound += bytes }
        }

        func finish(isWhole: Bool) throws(SourceFault) { folder.written.withLock { $0[number].isWhole = isWhole } }
    }

    private let written = Mutex<[Song]>([])
    let today = "2026-11-23"

    var songs: [Song] { written.withLock { $0 } }
    var only: Song? { written.withLock { $0.count == 1 ? $0.first : nil } }

    func begin(_ song: RecordedSong) throws(SourceFault) -> any RecordedFile {
        File(
            self,
            written.withLock { written in
                written.append(Song(title: song.title))
                return written.count - 1
            })
    }

    // Nothing is left from an earlier run.
    func finishInterrupted(except names: Set<String>) -> Int { 0 }
    func state(of name: String) -> RecordedFileState { .missing }
    func finish(_ name: String) throws(SourceFault) -> Bool { false }
    func remove(_ name: String) {}
}
