/// A disk on which no caller waits forever, even if the drive or the network behind it fails.
///
/// Each folder of the library has a queue of its own, so a stalled one delays only its own files. A call that times out fails with a
/// sentence. Further calls to that folder fail at once until the late answer arrives; then `returned` names the folder.
package import BatonCore
package import BatonSeams
import Synchronization

package final class TimedDisk: FolderReading, FileReading {
    /// Folders that did not answer for a while and answer again.
    package let returned: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation
    private let disk: any FolderReading & FileReading
    private let patienceMs: Milliseconds
    /// Queues by folder; files outside of all folders share one.
    private let queues = Mutex<[String: DiskQuestions]>([:])

    /// The default patience is longer than a drive's wake-up, and shorter than a remote's wait for the hub.
    package init(_ disk: any FolderReading & FileReading = Disk(), patienceMs: Milliseconds = 8_000) {
        self.disk = disk
        self.patienceMs = patienceMs
        (returned, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100))
    }

    package func list(
        _ path: String, within folders: [String], wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> FolderListing {
        try ask(path, within: folders) { [disk] () throws(SourceFault) in try disk.list(path, within: folders, wanting: isWanted) }
    }

    package func look(
        at paths: [String], within folders: [String], watchedBy watching: (any FolderWatching)?,
        wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> [FolderSnapshot] {
        guard let first = paths.first else { return [] }
        return try ask(first, within: folders) { [disk] about throws(SourceFault) in
            var sights: [FolderSnapshot] = []
            let endMs = Clock.system.nowMs + Self.batchMs
            for path in paths where sights.isEmpty || Clock.system.nowMs < endMs {
                about.path.withLock { $0 = path }
                sights.append(disk.sight(of: path, within: folders, watchedBy: watching, wanting: isWanted))
            }
            return sights
        }
    }

    /// Time limit for one batch of folders, so that other requests are served between two batches.
    private static let batchMs: Milliseconds = 20

    package func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange {
        let file = try ask(path, within: folders) { [disk] () throws(SourceFault) in try disk.open(path, below: folders) }
        return Opened(file: file, path: path, folders: folders, disk: self)
    }

    /// Opens files with one request; all are in one folder of the library.
    package func open(_ paths: [String], below folders: [String]) -> [Result<any FileRange, SourceFault>] {
        guard let first = paths.first else { return [] }
        guard paths.count > 1, let folder = folder(of: first, folders), paths.allSatisfy({ self.folder(of: $0, folders) == folder }) else {
            return paths.map { path in Result { () throws(SourceFault) in try open(path, below: folders) } }
        }
        do throws(SourceFault) {
            let files = try ask(first, within: folders) { [disk] () throws(SourceFault) in disk.open(paths, below: folders) }
            return zip(paths, files).map { path, file in
                file.map { Opened(file: $0, path: path, folders: folders, disk: self) }
            }
        } catch {
            return paths.map { _ in .failure(error) }
        }
    }

    package func open(plainly path: String) throws(SourceFault) -> any FileRange {
        let file = try ask(path, within: []) { [disk] () throws(SourceFault) in try disk.open(plainly: path) }
        return Opened(file: file, path: path, folders: [], disk: self)
    }

    package func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String {
        try ask(path, within: folders) { [disk] () throws(SourceFault) in try disk.realPath(path, below: folders) }
    }

    package func realFolder(_ path: String) throws(SourceFault) -> String {
        try ask(path, within: [path]) { [disk] () throws(SourceFault) in try disk.realFolder(path) }
    }

    /// The path that is being accessed.
    private final class Subject: Sendable {
        let path: Mutex<String>
        init(_ path: String) { self.path = Mutex(path) }
    }

    private func ask<Answer: Sendable>(
        _ path: String, within folders: [String], run body: @escaping @Sendable () throws(SourceFault) -> Answer
    ) throws(SourceFault) -> Answer {
        try ask(path, within: folders) { _ throws(SourceFault) in try body() }
    }

    private func ask<Answer: Sendable>(
        _ path: String, within folders: [String], run body: @escaping @Sendable (Subject) throws(SourceFault) -> Answer
    ) throws(SourceFault) -> Answer {
        let folder = folder(of: path, folders)
        let queue = queues.withLock { queues in
            if let queue = queues[folder ?? ""] { return queue }
            let queue = DiskQuestions(patienceMs: patienceMs) { [tell] in if let folder { tell.yield(folder) } }
            queues[folder ?? ""] = queue
            return queue
        }
        let subject = Subject(path)
        return try queue.ask(orElse: { .silent(subject.path.withLock { $0 }, in: folder ?? path) }) { () throws(SourceFault) in
            try body(subject)
        }
    }

    private func folder(of path: String, _ folders: [String]) -> String? {
        folders.first { path == $0 || RealPath.rest(of: path, below: $0) != nil }
    }

    private struct Opened: FileRange {
        let file: any FileRange
        let path: String
        let folders: [String]
        let disk: TimedDisk
        var stamp: FileStamp { file.stamp }
        var descriptor: Int32 { file.descriptor }

        func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] {
            try disk.ask(path, within: folders) { [file] () throws(SourceFault) in try file.read(at: position, count: count) }
        }

        func pass(at position: Int64, count: Int, into pipe: any PipeEnd) throws(SourceFault) -> Int? {
            try disk.ask(path, within: folders) { [file] () throws(SourceFault) in try file.pass(at: position, count: count, into: pipe) }
        }
    }
}

extension SourceFault {
    fileprivate static func silent(_ path: String, in folder: String) -> SourceFault {
        var fault = SourceFault(
            .unavailable, "\(path) cannot be reached, because the disk of \(folder) does not answer; what is there waits until it does.")
        fault.isLate = true
        return fault
    }
}
