/// The file `crashes` in the data folder, to which `CrashNotes` appends lines during a crash for the next start.
///
/// It is opened once the folder is locked for this hub. If it cannot be read, the hub starts as if it had never crashed.
import BatonHub
import BatonKernel
import BatonSeams
import Glibc
import Threads

struct CrashFile: CrashNoting {
    let lines: String
    private let descriptor: Int32
    private static let mostBytes = 4096

    /// Opens the file and begins to record crashes; `nil` on failure.
    init?(in folder: String, _ log: Log) {
        let path = "\(folder)/crashes"
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            log(.warning, "\(path) cannot be opened, so crashes are not counted: \(String(cString: strerror(errno))).")
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
        let count = read(descriptor, &bytes, bytes.count)
        lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        CrashNotes.begin(in: descriptor)
    }

    /// Empties the file at once.
    func forget() { ftruncate(descriptor, 0) }

    func countFromNow() { CrashNotes.countFromNow() }
}
