/// Requests to a disk that does not answer fail after a time limit, and all others are answered.
import BatonSeams
import Foundation
import Synchronization
import Testing

@testable import Disk

struct TimedDiskTests {
    @Test func `a silent disk is said in a sentence, and holds up no other folder`() throws {
        try withFolder { folder in
            try folder.file("music/a/1.mp3", [1, 2, 3])
            try folder.file("outside/2.mp3", [4])
            let held = HeldDisk(folder.music)
            defer { held.go() }
            let disk = TimedDisk(held, patienceMs: 50)
            let folders = [folder.music, folder.outside]

            let first = #expect(throws: SourceFault.self) { try disk.open(folder.music + "/a/1.mp3", below: folders) }
            let second = #expect(throws: SourceFault.self) { try disk.list(folder.music, within: folders) { _ in true } }

            #expect(first?.isLate == true && first?.code == .unavailable)
            #expect(first?.sentence.contains("\(folder.music)/a/1.mp3") == true && first?.sentence.contains("does not answer") == true)
            #expect(second?.isLate == true)
            // The second was told without the disk being asked once more.
            #expect(held.asked == 1)
            #expect(try disk.open(folder.outside + "/2.mp3", below: folders).read(at: 0, count: 9) == [4])
        }
    }

    @Test func `of several folders the one that does not answer is named`() throws {
        try withFolder { folder in
            try folder.file("music/a/1.mp3", [1])
            try folder.file("music/b/2.mp3", [2])
            let held = HeldDisk(folder.music + "/b")
            defer { held.go() }
            let disk = TimedDisk(held, patienceMs: 50)
            let paths = ["a", "b", "c"].map { folder.music + "/" + $0 }

            let fault = #expect(throws: SourceFault.self) {
                try disk.look(at: paths, within: [folder.music], watchedBy: nil) { _ in true }
            }

            #expect(fault?.isLate == true && fault?.sentence.contains("\(folder.music)/b cannot be reached") == true)
        }
    }

    /// As many as are looked at within a batch, and the others with the next question.
    @Test func `several folders are answered in their order, the missing among them`() throws {
        try withFolder { folder in
            try folder.file("music/a/1.mp3", [1])
            try folder.file("music/c/3.mp3", [3])
            let paths = ["a", "b", "c"].map { folder.music + "/" + $0 }

            let disk = TimedDisk()
            var sights: [FolderSnapshot] = []

            while sights.count < paths.count {
                let left = Array(paths.dropFirst(sights.count))
                let batch = try disk.look(at: left, within: [folder.music], watchedBy: nil) { _ in true }
                try #require(!batch.isEmpty)
                sights += batch
            }

            #expect(sights.map { (try? $0.listing.get())?.files.map(\.name) } == [["1.mp3"], nil, ["3.mp3"]])
        }
    }

    @Test func `a disk that answers again is asked again, and that is told`() async throws {
        let root = NSTemporaryDirectory() + "baton-patient-\(UUID().uuidString)"
        let folder = TestFolder(root: root)
        try folder.file("music/1.mp3", [1, 2, 3])
        defer { try? FileManager.default.removeItem(atPath: root) }
        let held = HeldDisk(folder.music)
        let disk = TimedDisk(held, patienceMs: 50)
        #expect(throws: SourceFault.self) { try disk.realFolder(folder.music) }

        held.go()
        var returned = disk.returned.makeAsyncIterator()

        #expect(await returned.next() == folder.music)
        #expect(try disk.list(folder.music, within: [folder.music]) { _ in true }.files.map(\.name) == ["1.mp3"])
    }

    @Test func `as many as ask one disk at once are answered`() async throws {
        let root = NSTemporaryDirectory() + "baton-patient-\(UUID().uuidString)"
        let folder = TestFolder(root: root)
        try folder.file("music/1.mp3", [1, 2, 3])
        defer { try? FileManager.default.removeItem(atPath: root) }
        let music = try #require(RealPath.of(folder.music))
        let disk = TimedDisk()

        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask { Int(try disk.open(music + "/1.mp3", below: [music]).read(at: Int64(number % 3), count: 1)[0]) }
            }
            return try await group.reduce(0, +)
        }

        #expect(sums == 67 * 1 + 67 * 2 + 66 * 3)
    }
}

/// A disk of which one folder does not answer until it is let go.
private final class HeldDisk: FolderReading, FileReading {
    private let folder: String
    private let disk = Disk()
    private let state = Mutex((isHeld: true, asked: 0))

    init(_ folder: String) { self.folder = folder }

    var asked: Int { state.withLock(\.asked) }

    func go() { state.withLock { $0.isHeld = false } }

    private func wait(for path: String) {
        guard path.hasPrefix(folder) else { return }
        state.withLock { $0.asked += 1 }
        while state.withLock(\.isHeld) { usleep(1_000) }
    }

    func list(
        _ path: String, within folders: [String], wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> FolderListing {
        wait(for: path)
        return try disk.list(path, within: folders, wanting: isWanted)
    }

    func realFolder(_ path: String) throws(SourceFault) -> String {
        wait(for: path)
        return try disk.realFolder(path)
    }

    func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange {
        wait(for: path)
        return try disk.open(path, below: folders)
    }

    func open(plainly path: String) throws(SourceFault) -> any FileRange {
        wait(for: path)
        return try disk.open(plainly: path)
    }

    func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String {
        wait(for: path)
        return try disk.realPath(path, below: folders)
    }
}
