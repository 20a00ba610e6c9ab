/// One song while it is being written. It gets its name when it is finished; one that is released before is finished at the next start.
import BatonSeams
import Disk
import Glibc

final class SongFile: RecordedFile {
    private let file: AppendedFile
    private let names: SongNames
    let goesOn: Bool

    init(_ file: AppendedFile, _ names: SongNames, goesOn: Bool = false) {
        self.goesOn = goesOn
        self.file = file
        self.names = names
    }

    var name: String { names.name }

    /// A partially written frame would end the file with noise, so it is removed.
    func append(_ bytes: [UInt8]) throws(SourceFault) {
        if let cause = file.append(bytes) { throw RecordingStore.fault(cause) }
    }

    func finish(isWhole: Bool) throws(SourceFault) {
        guard Self.rename(names.open, isWhole ? names.whole : names.part) else { throw RecordingStore.fault(errno) }
    }

    /// Renames without replacing another file.
    static func rename(_ old: String, _ new: String) -> Bool {
        guard unsafe access(new, F_OK) != 0 else {
            errno = EEXIST
            return false
        }
        return unsafe Glibc.rename(old, new) == 0
    }
}

/// The three names of a song's file: while it is written, complete, and as a part.
struct SongNames {
    /// The name of the complete song, relative to the folder of recordings.
    let name: String
    let whole: String
    let part: String

    var open: String { whole + RecordingStore.ending }

    init(in folder: String, stem: String, suffix: String) {
        name = "\(stem).\(suffix)"
        whole = "\(folder)/\(name)"
        part = "\(folder)/\(stem) (part).\(suffix)"
    }

    /// `nil` for a name without an extension.
    init?(_ folder: String, _ name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        self.init(in: folder, stem: String(name[..<dot]), suffix: String(name[name.index(after: dot)...]))
    }

    var isFinished: Bool { unsafe (access(whole, F_OK) == 0 || access(part, F_OK) == 0) }

    /// Songs with the same name get numbers.
    static func stem(_ title: String, _ number: Int) -> String {
        RecordingNames.safe(title) + (number > 1 ? " (\(number))" : "")
    }
}
