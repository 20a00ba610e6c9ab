import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Saves titles of stations from their recorded past: finished ones at once, and current ones as they arrive.
///
/// A title is stored before its file is created, the file's name before any sound is written, and the end of the file
/// afterwards. So a hub that ended at any of these steps continues at its next start, and no title has two files.
@Loop
final class TitleSaving {
    private let sources: Sources
    private let clock: HubClock
    private let log: Log
    private var saved: Set<SavedTitle> = []
    private var tasks: [SavedTitle: Task<SourceFault?, Never>] = [:]
    private var opening: Task<Void, Never>?
    private var takingUp: Task<Void, Never>?
    private var isClosed = false

    private static let mostAtOnce = 12
    /// Time for which saved titles are remembered: longer than any buffer and nearly any connection lasts.
    private static let lifetimeMs: Milliseconds = 60 * 86_400_000

    init(sources: Sources, clock: HubClock, log: Log) {
        self.sources = sources
        self.clock = clock
        self.log = log
    }

    func open(_ parts: RecordingParts) {
        opening = Task(executorPreference: Loop.jobs) { [weak self] in await self?.read(parts.storage) }
    }

    private func read(_ storage: any RecordingStorage) async {
        let oldest = PastTitle.number(sinceMs: clock.wallMs() - Self.lifetimeMs)
        do throws(SourceFault) {
            saved.formUnion(
                try await sources.inBlockingPool { () async throws(SourceFault) in
                    try storage.forgetSavedTitles(before: oldest)
                    return try storage.savedTitles()
                })
        } catch {
            log(.warning, "Which titles of the radio were saved cannot be read: \(error.sentence)")
        }
    }

    /// The saved titles of this station, after the store was read.
    func numbers(of station: ItemURI) async -> Set<Int> {
        await opening?.value
        return Set(saved.lazy.filter { $0.uri == station }.map(\.number))
    }

    func close() async {
        isClosed = true
        await takingUp?.value
        for task in tasks.values { task.cancel() }
        for task in tasks.values { _ = await task.value }
        await opening?.value
    }

    /// Saves a title. False when it was saved already. Returns when its file is written, or, for a current title, when it is
    /// started.
    func save(_ found: FoundTitle, of uri: ItemURI, _ parts: RecordingParts) async throws(SourceFault) -> Bool {
        let title = SavedTitle(uri, found.title.number)
        await opening?.value
        guard !isClosed else { throw .cancelled }
        guard !saved.contains(title) else { return false }
        guard tasks.count < Self.mostAtOnce else {
            throw SourceFault(.quota, "\(Self.mostAtOnce) titles are being saved now. Try again when one of them has ended.")
        }
        saved.insert(title)
        do throws(SourceFault) {
            try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.put(title) }
        } catch {
            saved.remove(title)
            throw error
        }
        begin(title, called: "“\(found.title.text)”", parts: parts) { [weak self] () async throws(SourceFault) in
            try await self?.write(found, as: title, parts)
        }
        if found.title.endsMs != nil, let fault = await tasks[title]?.value { throw fault }
        return true
    }

    private func begin(
        _ title: SavedTitle, called text: String, parts: RecordingParts, work: @escaping @Loop () async throws(SourceFault) -> Void
    ) {
        tasks[title] = Task(executorPreference: Loop.jobs) { [weak self] () -> SourceFault? in
            var fault: SourceFault?
            do throws(SourceFault) { try await work() } catch { fault = error }
            await self?.ended(title, called: text, with: fault, parts: parts)
            return fault
        }
    }

    private func write(_ found: FoundTitle, as title: SavedTitle, _ parts: RecordingParts) async throws(SourceFault) {
        let row = try? await sources.station(title.uri)
        let picture = if let row { await sources.picture(of: row) } else { [UInt8]?.none }
        try await sources.inBlockingPool { () async throws(SourceFault) in
            let folder = NotedFolder(title: title, folder: parts.folder, storage: parts.storage)
            try await parts.recorder.save(found.title, in: found.station, picture: picture, into: folder)
        }
    }

    private func ended(_ title: SavedTitle, called text: String, with fault: SourceFault?, parts: RecordingParts) async {
        tasks[title] = nil
        if fault?.code == .cancelled { return }
        if let fault {
            log(.warning, "\(text) was not saved: \(fault.sentence)")
            saved.remove(title)
        }
        try? await sources.inBlockingPool { () async throws(SourceFault) in
            if fault == nil { try parts.storage.finish(title) } else { try parts.storage.remove(title) }
        }
    }

    // MARK: After a restart

    /// Resumes titles that were being saved when the hub ended. Finished ones are detected.
    func takeUp(_ parts: RecordingParts) {
        guard !isClosed else { return }
        takingUp = Task(executorPreference: Loop.jobs) { [weak self] in await self?.begin(parts) }
    }

    private func begin(_ parts: RecordingParts) async {
        do throws(SourceFault) {
            let left = try await sources.inBlockingPool { () async throws(SourceFault) in try parts.storage.unfinishedTitles() }
            for one in left where !isClosed && tasks[one.title] == nil {
                begin(one.title, called: "A title of \(one.title.uri.text)", parts: parts) { [weak self] () async throws(SourceFault) in
                    try await self?.takeUp(one, parts)
                }
            }
        } catch {
            log(.warning, "Which titles of the radio were being saved cannot be read: \(error.sentence)")
        }
    }

    /// Writes a title again from its beginning while that is recorded, or else completes its partial file.
    private func takeUp(_ left: UnfinishedTitle, _ parts: RecordingParts) async throws(SourceFault) {
        let state = try await sources.inBlockingPool { () async throws(SourceFault) in
            left.file.map { parts.folder.state(of: $0) } ?? .missing
        }
        if state == .finished { return }
        let found = try await find(left.title)
        if let found, state == .missing || found.title.hasBeginning {
            try await sources.inBlockingPool { () async throws(SourceFault) in if let file = left.file { parts.folder.remove(file) } }
            return try await write(found, as: left.title, parts)
        }
        let hasSound = try await sources.inBlockingPool { () async throws(SourceFault) in
            guard let file = left.file else { return false }
            return try parts.folder.finish(file)
        }
        guard hasSound else { throw SourceFault(.gone, "The hub ended before it was written, and its sound is not kept any more.") }
    }

    /// The title; `nil` also while its source is unavailable.
    private func find(_ title: SavedTitle) async throws(SourceFault) -> FoundTitle? {
        do throws(SourceFault) { return try await sources.past(of: title.uri) { $0.title(title.number) } } catch {
            guard error.code != .cancelled else { throw error }
            return nil
        }
    }
}

/// The folder of recordings for one title. It stores the file's name before any sound is written.
private struct NotedFolder: RecordingFolder {
    let title: SavedTitle
    let folder: any RecordingFolder
    let storage: any RecordingStorage

    var today: String { folder.today }
    func finishInterrupted(except names: Set<String>) -> Int { folder.finishInterrupted(except: names) }
    func state(of name: String) -> RecordedFileState { folder.state(of: name) }
    func finish(_ name: String) throws(SourceFault) -> Bool { try folder.finish(name) }
    func remove(_ name: String) { folder.remove(name) }

    func begin(_ song: RecordedSong) throws(SourceFault) -> any RecordedFile {
        let file = try folder.begin(song)
        try storage.note(file.name, of: title)
        return file
    }
}
