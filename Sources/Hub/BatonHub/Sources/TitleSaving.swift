import BatonCore
import BatonProtocol
import BatonSeams

/// Saves titles of stations from what is kept of their sound: at once where they have ended, and as they come while they are on air.
///
/// What was saved is in the store, so that the same title is not saved twice. A title that was on air when the hub ended is a part by
/// then, as with all recordings, and is not begun again.
@Loop
final class TitleSaving {
    private let sources: Sources
    private let clock: HubClock
    private let log: Log
    private var saved: Set<SavedTitle> = []
    private var tasks: [SavedTitle: Task<SourceFault?, Never>] = [:]
    private var opening: Task<Void, Never>?
    private var isClosed = false

    private static let mostAtOnce = 12
    /// Longer than any buffer and nearly any connection lasts.
    private static let keptMs: Int64 = 60 * 86_400_000

    init(_ sources: Sources, _ clock: HubClock, _ log: Log) {
        self.sources = sources
        self.clock = clock
        self.log = log
    }

    func open(_ parts: RecordingParts) {
        opening = Task(executorPreference: Loop.jobs) { [weak self] in await self?.read(parts.keeper) }
    }

    private func read(_ keeper: any RecordingKeeper) async {
        let oldest = PastTitle.number(sinceMs: clock.wallMs() - Self.keptMs)
        do throws(SourceFault) {
            saved.formUnion(
                try await sources.inBlockingPool { () async throws(SourceFault) in
                    try keeper.forgetSavedTitles(before: oldest)
                    return try keeper.savedTitles()
                })
        } catch {
            log(.warning, "Which titles of the radio were saved cannot be read: \(error.sentence)")
        }
    }

    /// Those of this station, once the store was read.
    func numbers(of station: ItemURI) async -> Set<Int> {
        await opening?.value
        return Set(saved.lazy.filter { $0.uri == station }.map(\.number))
    }

    func close() async {
        isClosed = true
        for task in tasks.values { task.cancel() }
        for task in tasks.values { _ = await task.value }
        await opening?.value
    }

    /// False when it was saved already. Returns when its file is written; for a title on air when it is begun.
    func save(
        _ past: PastTitle, in station: PastStation, of uri: ItemURI, _ parts: RecordingParts
    ) async throws(SourceFault) -> Bool {
        let title = SavedTitle(uri, past.number)
        await opening?.value
        guard !isClosed else { throw .cancelled }
        guard !saved.contains(title) else { return false }
        guard tasks.count < Self.mostAtOnce else {
            throw SourceFault(.quota, "\(Self.mostAtOnce) titles are being saved now. Try again when one of them has ended.")
        }
        saved.insert(title)
        do throws(SourceFault) {
            try await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.put(title) }
        } catch {
            saved.remove(title)
            throw error
        }
        begin(title, past, in: station, parts)
        if past.endsMs != nil, let fault = await tasks[title]?.value { throw fault }
        return true
    }

    private func begin(_ title: SavedTitle, _ past: PastTitle, in station: PastStation, _ parts: RecordingParts) {
        tasks[title] = Task(executorPreference: Loop.jobs) { [weak self, sources] () -> SourceFault? in
            var fault: SourceFault?
            do throws(SourceFault) {
                try await sources.inBlockingPool { () async throws(SourceFault) in
                    try await parts.recorder.save(past, in: station, of: title.uri, into: parts.folder)
                }
            } catch {
                fault = error
            }
            await self?.ended(title, called: past.text, fault, parts)
            return fault
        }
    }

    private func ended(_ title: SavedTitle, called text: String, _ fault: SourceFault?, _ parts: RecordingParts) async {
        tasks[title] = nil
        guard let fault, fault.code != .cancelled else { return }
        log(.warning, "“\(text)” was not saved: \(fault.sentence)")
        saved.remove(title)
        try? await sources.inBlockingPool { () async throws(SourceFault) in try parts.keeper.remove(title) }
    }
}
