import BatonHub
import BatonProtocol
import BatonSeams
import Configuration
import Glibc
import Processes

/// The machine's facts for a hub: an identity, and a destination for its log.

enum StandardOutput {
    /// Writes buffered output, for readers that wait at a pipe.
    static func flush() { fflush(nil) }
}

extension Log {
    /// Writes a line with its level to standard error, or an entry if that leads to journald. The latest lines are
    /// kept for admins. Secrets are removed from all lines.
    static func standardError(from threshold: Level, environment: [String: String], hub: String, lines: LogRing) -> Log {
        let journal = JournalLog(environment: environment, fields: [("SYSLOG_IDENTIFIER", "batond"), ("BATON_HUB", hub)])
        return Log(threshold: threshold) { level, sentence in
            let plain = SecretText.removed(from: sentence)
            lines.add(level, plain)
            if let journal { return journal.write(level, plain) }
            var bytes = Array("\(level.name): \(plain)\n".utf8)
            _ = write(STDERR_FILENO, &bytes, bytes.count)
        }
    }
}

extension LogRing {
    func answer(_ query: Commands.ReadLog) -> HubLog {
        let level = Log.Level.allCases.first { $0.name == query.level.rawValue } ?? .trace
        let found = lines(from: level, after: query.after, limit: query.limit)
        return HubLog(
            found.lines.map { line in
                HubLog.Line(
                    number: line.number, wallMs: line.wallMs, level: LogLevel(rawValue: line.level.name) ?? .notice, text: line.text)
            }, newest: found.newest, missed: found.missed)
    }
}

extension HubIdentity {
    /// The hub's identity. The id is random and stored beside the state. The boot id identifies the monotonic clock,
    /// which restarts with the machine.
    init(settings: HubSettings) {
        let kept = settings.data + "/hub-id"
        var id = SmallFile.firstLine(of: kept) ?? ""
        if id.utf8.count < 8 {
            id = Token.random(length: 8)
            SmallFile.replace(kept, with: id + "\n")
        }
        let boot = SmallFile.firstLine(of: "/proc/sys/kernel/random/boot_id") ?? Token.random(length: 8)
        self.init(id: id, name: settings.name, boot: String(boot.prefix(8)))
    }
}
