/// Restores a backup: with `batond --restore` while no hub runs, or at the start of a hub that received a backup.
import BatonSeams
import Configuration
import EventLoop
import Glibc
import Stores

enum Restoring {
    /// Runs `batond --restore FILE`.
    static func run(_ settings: HubSettings, _ file: String, takesOthers: Bool) -> Daemon.Exit {
        do {
            // The lock keeps another hub out of the folder.
            let folder = try DataFolder(settings.data)
            defer { folder.release() }
            let hub = SmallFile.firstLine(of: settings.data + "/hub-id")
            let restored = try stage(file, in: settings.data, Restore.Rules(hub: hub, takesOthers: takesOthers))
            print("The next start of the hub takes the backup of “\(restored.list.name)” over.")
            print("What it has now is in \(settings.data)/replaced then.")
            for sentence in restored.again { print("To enter again: \(sentence)") }
            return .done
        } catch let fault as JournalFault {
            Daemon.complain(fault.sentence)
        } catch let fault as SourceFault {
            Daemon.complain(fault.sentence)
        } catch {
            Daemon.complain("\(error)")
        }
        return .failed
    }

    private static let pieceBytes = 1 << 20

    private static func stage(_ path: String, in data: String, _ rules: Restore.Rules) throws -> Restored {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SourceFault(.unreadable, "\(path) cannot be read: \(String(cString: strerror(errno))).") }
        defer { close(file) }
        let restore = try Restore(into: data, rules)
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        while true {
            let count = read(file, &piece, piece.count)
            guard count >= 0 else { throw SourceFault(.unreadable, "\(path) cannot be read: \(String(cString: strerror(errno))).") }
            if count == 0 { return try restore.stage() }
            try restore.take(Array(piece[..<count]))
        }
    }

    /// Moves restored data into place, before any store is opened.
    static func takeOver(in data: String, _ log: Log) throws(JournalFault) {
        do throws(SourceFault) {
            if let sentence = try RestoredData(in: data).takeOver() { log(.warning, sentence) }
        } catch {
            throw JournalFault(.failed, error.sentence)
        }
    }

    /// Confirms that the hub runs with the restored data.
    @Loop
    static func hasStarted(_ data: String, _ loop: EventLoop) async {
        await withTaskExecutorPreference(loop.blockingPool) { await note(data) }
    }

    private nonisolated static func note(_ data: String) async { RestoredData(in: data).hasStarted() }
}
