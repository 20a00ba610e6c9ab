import BatonHub
import BatonProtocol
import BatonSeams
import Configuration
import Glibc

/// What a hub asks of the machine it runs on: an identity, and a place for its log.

enum StandardOutput {
    /// Output to a pipe is buffered, and its reader waits for it.
    static func flush() { fflush(nil) }
}

extension Log {
    /// One line each on standard error, with the level in front; a service manager adds the time.
    static func standardError(from threshold: Level) -> Log {
        Log(threshold: threshold) { level, sentence in
            var bytes = Array("\(level.name): \(sentence)\n".utf8)
            _ = write(STDERR_FILENO, &bytes, bytes.count)
        }
    }
}

extension HubIdentity {
    /// The id is random and kept beside the state; the boot names the life of the monotonic clock,
    /// which is that of the machine.
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
