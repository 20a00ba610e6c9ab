/// A failure of SQLite: its status, the attempted action, and its message.
package import BatonSeams
import CSQLite

package struct DatabaseError: Error, Equatable {
    /// The extended result code.
    package let status: Int32
    package let attempted: String
    package let message: String

    /// A change that does not fit the stored data. Such a bug of ours must not cost the queue, so it fails like any other error: nothing is
    /// written.
    package static func mismatch(_ sentence: String) -> DatabaseError {
        DatabaseError(status: SQLITE_MISMATCH, attempted: "a change", message: sentence)
    }

    private var primary: Int32 { status & 0xff }

    package var code: JournalFault.Code {
        switch primary {
        case SQLITE_FULL: .full
        // The memory map beside the log is filled with zeros first, so this fails if the disk is full.
        case SQLITE_IOERR where status == SQLITE_IOERR | (19 << 8): .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN: .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        default: .failed
        }
    }

    /// The error for people. `path` is the file in question.
    package func fault(at path: String) -> JournalFault {
        let detail = "\(message), status \(status)"
        let sentence =
            switch code {
            case .full: "There is no room left on the disk of \(path); nothing was changed. Free some space and try again."
            case .readOnly: "\(path) cannot be written (\(detail)). Check who owns it and whether its disk is mounted read-only."
            case .busy: "Another program keeps \(path) locked (\(detail)); nothing was changed. End it and try again."
            case .damaged: "\(path) is damaged (\(detail)). Restart the hub: it sets the file aside and starts a fresh one."
            case .newer, .failed: "\(path) could not be changed: \(detail), while attempting \(attempted)."
            }
        return JournalFault(code, sentence)
    }
}
