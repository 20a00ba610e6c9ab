/// A log to journald: with levels for `journalctl -p`, and fields for searching.
///
/// `JOURNAL_STREAM` has the device and inode of the stream that journald reads. If standard error is that stream, entries go to journald's
/// own socket with their fields (systemd.journal-fields(7)). If the socket cannot be reached, they go to standard error with the level in
/// front, as `<4>`, which journald parses too.
package import BatonSeams
import Glibc

package struct JournalLog: Sendable {
    private let socket: LocalAddress?
    private let descriptor: Int32
    private let stream: Int32
    private let fields: [(name: String, value: String)]

    private static let usualSocket = "/run/systemd/journal/socket"

    /// `nil` if standard error is not connected to journald.
    package init?(
        environment: [String: String], standardError: Int32 = STDERR_FILENO, socketPath: String? = nil, fields: [(String, String)]
    ) {
        guard let named = environment["JOURNAL_STREAM"], named == Self.identity(of: standardError) else { return nil }
        stream = standardError
        self.fields = fields.map { (name: $0.0, value: $0.1) }
        let path = socketPath ?? Self.usualSocket
        socket = unsafe access(path, F_OK) == 0 ? LocalAddress(path: path) : nil
        descriptor = socket == nil ? -1 : Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    /// The descriptor's identity in the format of `JOURNAL_STREAM`.
    private static func identity(of descriptor: Int32) -> String? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : nil
    }

    package func write(_ level: Log.Level, _ sentence: String) {
        if let socket, descriptor >= 0, socket.send(entry(level, sentence), over: descriptor) { return }
        // A line break would start a separate entry without a level.
        let line = sentence.split(separator: "\n").map { "<\(Self.priority(of: level))>\($0)\n" }.joined()
        let bytes = Array(line.utf8)
        _ = unsafe Glibc.write(stream, bytes, bytes.count)
    }

    private func entry(_ level: Log.Level, _ sentence: String) -> [UInt8] {
        let usual = [("MESSAGE", sentence), ("PRIORITY", "\(Self.priority(of: level))"), ("BATON_LEVEL", level.name)]
        return (usual + fields.map { ($0.name, $0.value) }).flatMap { Self.field($0, $1) }
    }

    /// A field as `NAME=value`, or with its length in front if the value has several lines.
    private static func field(_ name: String, _ value: String) -> [UInt8] {
        let bytes = Array(value.utf8)
        guard bytes.contains(UInt8(ascii: "\n")) else { return Array("\(name)=".utf8) + bytes + [UInt8(ascii: "\n")] }
        let length = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(bytes.count) >> (8 * $0)) }
        return Array("\(name)\n".utf8) + length + bytes + [UInt8(ascii: "\n")]
    }

    /// The priority in syslog's numbers (syslog(3)).
    static func priority(of level: Log.Level) -> Int {
        switch level {
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .debug, .trace: 7
        }
    }
}
