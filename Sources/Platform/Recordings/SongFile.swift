/// One song while it is written. It is named when it is finished, or when it is let go.
import BatonSeams
import Disk
import Glibc

final class SongFile: RecordedFile {
    private let file: AppendedFile
    /// Its path without its ending.
    private let stem: String
    private let suffix: String
    let goesOn: Bool

    init(_ file: AppendedFile, stem: String, suffix: String, goesOn: Bool = false) {
        self.goesOn = goesOn
        self.file = file
        self.stem = stem
        self.suffix = suffix
    }

    private var part: String { "\(stem).\(suffix)\(RecordingStore.ending)" }

    /// A frame that was written in part would end the file with noise, so it is taken back.
    func append(_ bytes: [UInt8]) throws(SourceFault) {
        if let cause = file.append(bytes) { throw RecordingStore.fault(cause) }
    }

    func finish(isWhole: Bool) throws(SourceFault) {
        guard Self.name(part, "\(stem)\(isWhole ? "" : " (part)").\(suffix)") else { throw RecordingStore.fault(errno) }
    }

    /// Never in the place of another file.
    static func name(_ part: String, _ whole: String) -> Bool {
        guard unsafe access(whole, F_OK) != 0 else {
            errno = EEXIST
            return false
        }
        return unsafe rename(part, whole) == 0
    }
}
