/// What the system's watch tells, and when.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Disk

struct FolderWatchTests {
    @Test func `a folder is named once it has been quiet, and once for many changes`() async throws {
        try await withWatch { folder, watch in
            try watch.watch(folder.music)
            for number in 0..<20 { try folder.file("music/\(number).mp3", [1]) }
            try folder.file("music/notes.txt", [1])

            #expect(await watch.next() == .changed(folder.music))
            try folder.file("music/1.mp3", [1, 2])
            #expect(await watch.next() == .changed(folder.music))
        }
    }

    @Test func `events of no interest and hidden files are not reported`() async throws {
        try await withWatch { folder, watch in
            try watch.watch(folder.music)
            try folder.file("music/notes.txt", [1])
            try folder.file("music/.a.mp3", [1])
            try folder.file("music/b.mp3", [1])
            try FileManager.default.removeItem(atPath: folder.music + "/b.mp3")
            try FileManager.default.createDirectory(atPath: folder.music + "/sub", withIntermediateDirectories: true)

            let told = [await watch.next(), await watch.next()]
            #expect(told.contains(.changed(folder.music)) && told.contains(.came(folder.music + "/sub")))
        }
    }

    @Test func `a folder that is renamed has gone and come`() async throws {
        try await withWatch { folder, watch in
            try folder.file("music/old/1.mp3", [1])
            try watch.watch(folder.music)
            try watch.watch(folder.music + "/old")
            try FileManager.default.moveItem(atPath: folder.music + "/old", toPath: folder.music + "/new")

            #expect(await watch.next() == .gone(folder.music + "/old"))
            #expect(await watch.next() == .came(folder.music + "/new"))
        }
    }

    @Test func `a link and another name for a file are told, a file that is being written is not yet`() async throws {
        try await withWatch { folder, watch in
            try folder.file("outside/1.mp3", [1])
            try watch.watch(folder.music)
            let open = open(folder.music + "/slow.mp3", O_CREAT | O_WRONLY, 0o644)
            defer { close(open) }
            try FileManager.default.linkItem(atPath: folder.outside + "/1.mp3", toPath: folder.music + "/2.mp3")

            #expect(await watch.next() == .changed(folder.music))
        }
    }

    @Test func `a folder that is not there cannot be watched, and says so`() async throws {
        try await withWatch { folder, watch in
            let fault = #expect(throws: SourceFault.self) { try watch.watch(folder.music + "/none") }
            #expect(fault?.code == .notFound)
        }
    }

    @Test func `quiet is waited for, but not for ever`() {
        var quiet = FolderDebounce()
        for count in stride(from: 0, through: 16_000, by: 500) {
            let ms = Milliseconds(count)
            quiet.note(.changed("/m"), atMs: ms)
            if ms < FolderDebounce.longestMs { #expect(quiet.take(atMs: ms).isEmpty) }
        }
        #expect(quiet.take(atMs: 16_000) == [.changed("/m")])
        // What was still being written then is looked at once more.
        #expect(quiet.take(atMs: 17_000) == [.changed("/m")])
        #expect(quiet.nextMs == nil)
    }

    @Test func `what came is looked at whole, whatever happened in it since, and what went goes first`() {
        var quiet = FolderDebounce()
        quiet.note(.came("/m/new"), atMs: 0)
        quiet.note(.changed("/m/new"), atMs: 10)
        quiet.note(.gone("/m/old"), atMs: 10)

        #expect(quiet.take(atMs: 2_000) == [.gone("/m/old"), .came("/m/new")])
    }

    @Test func `a name that is not UTF-8 can be read`() {
        #expect(Escaped.text(Array("Caf".utf8) + [0xE9, 0x20] + Array("né".utf8) + [0xC3]) == "Caf\\xE9 né\\xC3")
    }
}

private func withWatch(_ body: (TestFolder, Watched) async throws -> Void) async throws {
    let root = NSTemporaryDirectory() + "baton-watch-\(UUID().uuidString)"
    for name in ["music", "outside"] {
        try FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(atPath: root) }
    let watch = try #require(FolderWatch { $0.hasSuffix(".mp3") })
    defer { watch.close() }
    try await body(TestFolder(root: root), Watched(watch))
}

/// Its events, one after the other.
private final class Watched {
    private let source: FolderWatch
    private var events: AsyncStream<FolderEvent>.Iterator

    init(_ source: FolderWatch) {
        self.source = source
        events = source.events.makeAsyncIterator()
    }

    func watch(_ folder: String) throws { try source.watch(folder) }
    func next() async -> FolderEvent? { await events.next() }
}
