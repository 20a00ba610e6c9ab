import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

/// Ten seconds of silence in each file, and two chapters.
final class SilenceFinder: SilenceFinding {
    let looked = Mutex<[String]>([])

    func silences(in file: NamedFile) throws(SourceFault) -> any SilenceScan {
        looked.withLock { $0.append(file.path) }
        return Scan()
    }

    func chapters(in file: NamedFile) throws(SourceFault) -> [Chapter] {
        [0, 60_000].map { Chapter(title: "At \($0)", startMs: $0, endMs: $0 + 60_000) }
    }
}

private final class Scan: SilenceScan {
    private let isDone = Mutex(false)

    func next() throws(SourceFault) -> SilencePiece? {
        isDone.withLock { isDone in
            defer { isDone = true }
            return isDone ? nil : SilencePiece([10_000..<20_000], untilMs: 120_000, beginUs: 25)
        }
    }

    func close() {}
}

/// A file that is written anew when its version is set.
struct RewrittenFile: FileRange {
    final class Disk: Sendable {
        let version = Mutex<Int64>(1)
    }

    let disk: Disk
    var stamp: FileStamp { FileStamp(size: 1, modifiedNs: disk.version.withLock { $0 }, inode: 1) }
    var descriptor: Int32 { -1 }
    func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] { [] }
}

/// A hub and a remote that plays a book of it.
@Loop
final class SilenceWorld {
    let finder = SilenceFinder()
    let disk = RewrittenFile.Disk()
    let sim: SimulatedHub
    let owner: TestRemote

    init() async throws {
        sim = try SimulatedHub(
            library: LibraryParts(
                userMarks: MemoryUserMarks(), silences: finder, connectors: [MemorySource(file: RewrittenFile(disk: disk))]))
        owner = try sim.remote(id: "owner-1")
        try await play()
    }

    func play() async throws {
        await owner.play("lib:track/1", of: sim)
        try await until(sim) { [sim] in sim.player.playing != nil }
        // Its file names chapters, as books do.
        let entry = try #require(sim.player.playing)
        sim.player.tell(.chapters(entry, [0, 60_000].map { ChapterList.Mark(title: "", startMs: $0) }))
    }

    func trim(_ isOn: Bool) async throws {
        let begun = sim.player.begun.count
        owner.send(Commands.BookSet(trim: isOn))
        try await until(sim) { [sim] in (sim.player.loaded?.trim != nil) == isOn && sim.player.begun.count > begun }
    }
}
