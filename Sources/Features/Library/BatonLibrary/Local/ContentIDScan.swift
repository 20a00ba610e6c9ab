/// Computes content identifiers for files in the background, after the start and whenever the library has changed.
///
/// Files are read in small batches and the results stored after each, so that a restart loses little work. Unreadable
/// files are skipped until the next pass.
import BatonCore
package import BatonSeams

@Loop
package final class ContentIDScan {
    package struct Parts: Sendable {
        package var storage: any ContentIDStorage
        package let open: FileOpening
        /// Threads for background work.
        package var quiet: any TaskExecutor
        /// SHA-256 of the first `bytes` bytes of a file, or of the whole file for `nil`.
        package let hash: @Sendable (_ file: any FileRange, _ bytes: Int?) throws(SourceFault) -> [UInt8]
        package var log: Log

        package init(
            storage: any ContentIDStorage, open: @escaping FileOpening, quiet: any TaskExecutor,
            hash: @escaping @Sendable (_ file: any FileRange, _ bytes: Int?) throws(SourceFault) -> [UInt8], log: Log
        ) {
            self.storage = storage
            self.open = open
            self.quiet = quiet
            self.hash = hash
            self.log = log
        }
    }

    private let parts: Parts
    private var task: Task<Void, Never>?
    /// The library has changed since the current pass began.
    private var mustLookAgain = false

    package init(_ parts: Parts) { self.parts = parts }

    /// Starts a pass, or requests another one after the current pass. Returns at once.
    package func look() {
        guard task == nil else {
            mustLookAgain = true
            return
        }
        begin()
    }

    private func begin() {
        task = Task(executorPreference: parts.quiet) { [weak self, parts] in
            await Self.fill(parts)
            await self?.ended()
        }
    }

    private func ended() {
        guard let task else { return }
        self.task = nil
        guard mustLookAgain, !task.isCancelled else { return }
        mustLookAgain = false
        begin()
    }

    package func close() async {
        mustLookAgain = false
        task?.cancel()
        await task?.value
    }

    // MARK: On the threads for background work

    private nonisolated static let batch = 32

    private nonisolated static func fill(_ parts: Parts) async {
        var last: FileID?
        do throws(SourceFault) {
            while !Task.isCancelled {
                let files = try parts.storage.unnamedFiles(after: last, most: batch)
                guard let end = files.last else { return }
                try name(files, parts)
                last = end.id
                await Task.yield()
            }
        } catch {
            parts.log(.warning, "The names of files for music rooms were not all found: \(error.sentence)")
        }
    }

    /// Identifies files by a hash of their beginning; files that share a beginning are hashed as a whole.
    package nonisolated static func name(_ files: [UnnamedFile], _ parts: Parts) throws(SourceFault) {
        var opened: [FileID: any FileRange] = [:]
        for (file, result) in zip(files, parts.open(files.map(\.path))) {
            if case .success(let range) = result { opened[file.id] = range }
        }
        let heads = hashed(files, opened: opened, bytes: ContentID.headBytes, parts: parts)
        let alike = Set(try parts.storage.store(heads))
        guard !alike.isEmpty else { return }
        let whole = hashed(files.filter { alike.contains($0.id) }, opened: opened, bytes: nil, parts: parts)
        let same = Set(try parts.storage.store(whole))
        _ = try parts.storage.store(whole.filter { same.contains($0.file.id) }.map { (file: $0.file, id: ContentID?.none) })
    }

    private nonisolated static func hashed(
        _ files: [UnnamedFile], opened: [FileID: any FileRange], bytes: Int?, parts: Parts
    ) -> [(file: UnnamedFile, id: ContentID?)] {
        files.compactMap { file in
            // A file that has changed since its scan gets its identifier after the next scan.
            guard let range = opened[file.id], range.stamp.size == file.size, range.stamp.modifiedNs == file.modifiedNs,
                let hash = try? parts.hash(range, bytes)
            else { return nil }
            return (file, ContentID(hash: hash))
        }
    }
}
