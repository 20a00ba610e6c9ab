/// `crashes` in the data folder: lines that `CrashNotes` adds when the hub crashes, for the next start.
///
/// Opened once the folder is this hub's alone. A hub that cannot open or read it starts as if it had never crashed.
import BatonHub
import BatonKernel
import BatonSeams
import Glibc
import Threads

struct CrashFile: CrashNoting {
    let lines: String
    private let descriptor: Int32
    private static let mostBytes = 4096

    /// Crashes are noted from now on. `nil` where they cannot be.
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

    /// At once, as the journal is written in the same folder.
    func forget() { ftruncate(descriptor, 0) }

    func countFromNow() { CrashNotes.countFromNow() }
}
