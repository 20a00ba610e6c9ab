import BatonAdmin
import BatonHub
import BatonSeams
import Configuration
import EventLoop
import Glibc
import Stores
/// Backups of the data folder: created while the hub runs, and restored by a restart in the same process.

@Loop
final class BackupAssembly {
    private let data: String
    private let identity: HubIdentity
    private let loop: EventLoop
    private let log: Log
    /// Only one backup or restore runs at a time, because they use the same folders.
    private var isBusy = false
    /// The backup that is being downloaded, whose folder must stay until then.
    private weak var archive: BackupArchive?
    /// A restored backup waits for the next start.
    private(set) var wantsRestart = false
    /// Delay of the restart, so that the answer is sent before it.
    private static let restartAfter = Duration.milliseconds(300)

    init(_ settings: HubSettings, of identity: HubIdentity, on loop: EventLoop, log: Log, in routes: inout Routes) {
        data = settings.data
        self.identity = identity
        self.loop = loop
        self.log = log
        BackupRoutes.register(
            make: { [weak self] secrets in await self?.make(withSecrets: secrets) ?? .failure(Self.closed) },
            take: { [weak self] body, others in await self?.take(body, others) ?? .failure(Self.closed) }, blockingPool: loop.blockingPool,
            in: &routes)
    }

    private nonisolated static let closed = SourceFault(.unavailable, "The hub is stopping.")
    private static let busy = SourceFault(.invalidState, "Another backup is under way. Wait for its end and try again.")

    // MARK: - Making

    private func make(withSecrets: Bool) async -> Result<BackupRoutes.Made, SourceFault> {
        guard !isBusy, !wantsRestart, archive == nil else { return .failure(Self.busy) }
        isBusy = true
        defer { isBusy = false }
        let list = BackupList(
            hub: identity.id, name: identity.name, version: HubIdentity.version, madeMs: Clock.system.wallMs, hasSecrets: withSecrets)
        let data = data
        let made = await withTaskExecutorPreference(loop.blockingPool) { await Self.make(of: data, list) }
        if case .failure(let fault) = made { log(.warning, "The backup was not made: \(fault.sentence)") }
        return made.map { archive in
            self.archive = archive
            log(.notice, "A backup of \(archive.length >> 20) MiB was made, \(withSecrets ? "with" : "without") secrets.")
            return BackupRoutes.Made(length: archive.length) { try? archive.read(at: $0, count: $1) }
        }
    }

    private nonisolated static func make(of data: String, _ list: BackupList) async -> Result<BackupArchive, SourceFault> {
        Result { () throws(SourceFault) in try BackupMaking(of: data, list).make() }
    }

    // MARK: - Restoring

    private func take(_ body: IncomingBody, _ takesOthers: Bool) async -> Result<BackupRoutes.Taken, SourceFault> {
        guard !isBusy, !wantsRestart else { return .failure(Self.busy) }
        isBusy = true
        defer { isBusy = false }
        do throws(SourceFault) {
            let restored = try await stage(body, Restore.Rules(hub: identity.id, takesOthers: takesOthers))
            wantsRestart = true
            log(.notice, "A backup of “\(restored.list.name)” is taken over; the hub starts again.")
            ending = loop.after(Self.restartAfter) { kill(getpid(), Restarting.signal) }
            let list = restored.list
            return .success(BackupRoutes.Taken(hub: list.name, madeMs: list.madeMs, version: list.version, again: restored.again))
        } catch {
            log(.warning, "The backup was not taken over: \(error.sentence)")
            return .failure(error)
        }
    }

    private var ending: (any Alarm)?
    private static let pieceBytes = 256 * 1024

    private func stage(_ body: IncomingBody, _ rules: Restore.Rules) async throws(SourceFault) -> Restored {
        let (data, pool) = (data, loop.blockingPool)
        let restore = try await withTaskExecutorPreference(pool) { await Self.begin(data, rules) }.get()
        var place: Int64 = 0
        while true {
            let piece = try await body.read(at: place, count: Self.pieceBytes)
            if piece.isEmpty { break }
            place += Int64(piece.count)
            try await withTaskExecutorPreference(pool) { await Self.put(piece, into: restore) }.get()
        }
        return try await withTaskExecutorPreference(pool) { await Self.stage(restore) }.get()
    }

    private nonisolated static func begin(_ data: String, _ rules: Restore.Rules) async -> Result<Restore, SourceFault> {
        Result { () throws(SourceFault) in try Restore(into: data, rules) }
    }

    private nonisolated static func put(_ piece: [UInt8], into restore: Restore) async -> Result<Void, SourceFault> {
        Result { () throws(SourceFault) in try restore.take(piece) }
    }

    private nonisolated static func stage(_ restore: Restore) async -> Result<Restored, SourceFault> {
        Result { () throws(SourceFault) in try restore.stage() }
    }
}
