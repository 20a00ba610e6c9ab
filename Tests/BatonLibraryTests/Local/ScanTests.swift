/// What a scan looks at, reads and keeps, in folders as they are and as they should not be.
import BatonCore
import BatonSeams
import Disk
import EventLoop
import Foundation
import Synchronization
import Testing
import Threads

@testable import BatonLibrary

struct ScanTests {
    @Test func `each file of music is read once, and what has not changed never again`() async throws {
        try await withMusic { folder in
            for name in ["a/1.mp3", "a/2.flac", "a/cover.txt", "b/c/3.ogg", ".hidden/4.mp3", "a/.5.mp3", "a/readme.md"] {
                try folder.file("music/" + name, Data("x".utf8))
            }
            let library = Scanned(folder)

            let first = await library.scan()
            let second = await library.scan()

            #expect(library.catalogue.names == ["a/1.mp3", "a/2.flac", "b/c/3.ogg"].map { folder.music + "/" + $0 })
            #expect(first.report.seen == 3 && first.report.read == 3 && first.report.failed == 0 && first.report.isDone)
            #expect(second.report.seen == 3 && second.report.read == 0 && second.report.total == 3 && !second.hasChanged)
            #expect(library.reader.asked.withLock(\.count) == 3)
            #expect((await library.scan(isFull: true)).report.read == 3)
        }
    }

    @Test func `a file without tags is called by its name`() async throws {
        try await withMusic { folder in
            try folder.file("music/04 - Hów to.flac", Data("x".utf8))
            let library = Scanned(folder)
            _ = await library.scan()

            let tags = library.catalogue.tracks(of: folder.music + "/04 - Hów to.flac")?.first?.tags

            #expect(tags?.title == "Hów to" && tags?.track == 4)
        }
    }

    @Test func `what changed is read again, what went is away, what came is there`() async throws {
        try await withMusic { folder in
            for name in ["1.mp3", "2.mp3", "3.mp3"] { try folder.file("music/" + name, Data("x".utf8)) }
            let library = Scanned(folder)
            _ = await library.scan()
            library.reader.asked.withLock { $0 = [] }

            try folder.file("music/1.mp3", Data("longer".utf8))
            try FileManager.default.removeItem(atPath: folder.music + "/2.mp3")
            try folder.file("music/4.mp3", Data("x".utf8))
            let outcome = await library.scan()

            #expect(library.reader.asked.withLock { $0.sorted() } == ["1.mp3", "4.mp3"].map { folder.music + "/" + $0 })
            #expect(library.catalogue.names == ["1.mp3", "3.mp3", "4.mp3"].map { folder.music + "/" + $0 })
            #expect(outcome.hasChanged)
        }
    }

    @Test func `what cannot be read is said, counted, and left alone until it changes`() async throws {
        try await withMusic { folder in
            try folder.file("music/bad.mp3", Data("x".utf8))
            try folder.file("music/empty.mp3")
            try folder.file("music/good.mp3", Data("x".utf8))
            let library = Scanned(folder)

            let first = await library.scan()
            let second = await library.scan()

            let sentences = ["\(folder.music)/bad.mp3 is broken.", "\(folder.music)/empty.mp3 is empty."]
            #expect(first.report.problems.sorted() == sentences && first.report.failed == 2)
            #expect(second.report.problems.sorted() == sentences && second.report.failed == 2 && second.report.read == 0)
            try folder.file("music/bad.mp3", Data("longer".utf8))
            #expect((await library.scan()).report.read == 1)
        }
    }

    @Test func `a name that is not UTF-8 is left out with a sentence`() async throws {
        try await withMusic { folder in
            let path = Array((folder.music + "/Caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)] + Array(".mp3".utf8CString)
            close(open(path, O_CREAT | O_WRONLY, 0o644))
            try folder.file("music/good.mp3", Data("x".utf8))
            let library = Scanned(folder)

            let outcome = await library.scan()

            #expect(outcome.report.failed == 1 && library.catalogue.names.count == 1)
            #expect(outcome.report.problems.first?.contains("/Caf\\xE9.mp3 was left out") == true)
        }
    }

    @Test func `loops end, and nothing is there twice or from outside`() async throws {
        try await withMusic { folder in
            try folder.file("music/a/1.mp3", Data("x".utf8))
            try folder.file("outside/secret.mp3", Data("x".utf8))
            try folder.file("music/.store/2.mp3", Data("x".utf8))
            try folder.file("music/.store/deep/3.mp3", Data("x".utf8))
            try folder.link("music/a/again", to: folder.music + "/a")
            try folder.link("music/a/up", to: "..")
            try folder.link("music/a/itself", to: "itself")
            try folder.link("music/way out", to: folder.outside)
            try folder.link("music/out.mp3", to: folder.outside + "/secret.mp3")
            try folder.link("music/twice.mp3", to: "a/1.mp3")
            try folder.link("music/2.mp3", to: ".store/2.mp3")
            try folder.link("music/deep", to: ".store/deep")
            let library = Scanned(folder)
            _ = try library.catalogue.setFolder(folder.music + "/a", isWanted: true)

            _ = await library.scan()

            #expect(library.catalogue.names == ["2.mp3", "a/1.mp3", "deep/3.mp3"].map { folder.music + "/" + $0 })
        }
    }

    @Test func `a folder that is missing or empty all at once is said, and what was in it is kept`() async throws {
        try await withMusic { folder in
            try folder.file("music/1.mp3", Data("x".utf8))
            let library = Scanned(folder)
            _ = await library.scan()
            library.catalogue.state.withLock { $0.folders[folder.music]?.tracks = 1 }
            try FileManager.default.moveItem(atPath: folder.music, toPath: folder.root + "/elsewhere")

            let missing = await library.scan()

            #expect(missing.problems[folder.music] == "There is no \(folder.music) on the hub's machine.")
            #expect(library.catalogue.names == [folder.music + "/1.mp3"])
            #expect(try library.catalogue.folders().first?.problem != nil)
            try FileManager.default.createDirectory(atPath: folder.music, withIntermediateDirectories: true)
            let empty = await library.scan()
            #expect(empty.problems[folder.music]?.contains("is its disk there?") == true)
            #expect(library.catalogue.names == [folder.music + "/1.mp3"])

            try FileManager.default.removeItem(atPath: folder.music)
            try FileManager.default.moveItem(atPath: folder.root + "/elsewhere", toPath: folder.music)
            let back = await library.scan()
            #expect(back.problems.isEmpty && back.report.read == 0)
            #expect(try library.catalogue.folders().first?.problem == nil)
        }
    }

    @Test func `a picture, a sheet and words beside a file belong to it`() async throws {
        try await withMusic { folder in
            try folder.file("music/a/Disc.flac", Data("x".utf8))
            try folder.file("music/a/Song.mp3", Data("x".utf8))
            try folder.file("music/a/Folder.JPG", Data("x".utf8))
            try folder.file("music/a/song.LRC", Data("[00:01.00]la".utf8))
            let sheet = "FILE \"Disc.wav\" WAVE\nTRACK 01 AUDIO\nTITLE A\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nTITLE B\nINDEX 01 01:00:00\n"
            try folder.file("music/a/disc.cue", Data(sheet.utf8))
            let library = Scanned(folder)

            _ = await library.scan()

            let disc = try #require(library.catalogue.tracks(of: folder.music + "/a/Disc.flac"))
            #expect(disc.map(\.tags.title) == ["A", "B"] && disc.map(\.startMs) == [0, 60_000])
            #expect(disc.allSatisfy { $0.tags.art == Artwork(id: "id-of-Folder.JPG", width: 3, height: 2) })
            #expect(disc[0].picture == .file(folder.music + "/a/Folder.JPG"))
            guard case .tracks(_, _, let lyrics) = library.catalogue.content(of: folder.music + "/a/Song.mp3") else {
                Issue.record("The song is not in the catalogue.")
                return
            }
            #expect(lyrics == Lyrics(lines: []))

            // Any of them changes what is known of the files it belongs to.
            library.reader.asked.withLock { $0 = [] }
            try folder.file("music/a/song.LRC", Data("[00:01.00]lala".utf8))
            _ = await library.scan()
            #expect(library.reader.asked.withLock { $0 } == [folder.music + "/a/Song.mp3"])
            try FileManager.default.removeItem(atPath: folder.music + "/a/disc.cue")
            #expect((await library.scan()).report.read == 2)
            #expect(library.catalogue.tracks(of: folder.music + "/a/Disc.flac")?.count == 1)
        }
    }

    @Test func `the first are kept at once, and the many together`() async throws {
        try await withMusic { folder in
            for number in 0..<3_000 { try folder.file("music/\(number % 10)/\(number).mp3", Data("x".utf8)) }
            let library = Scanned(folder)

            let outcome = await library.scan()

            let kept = library.catalogue.state.withLock(\.kept)
            #expect(outcome.report.read == 3_000 && kept.reduce(0, +) == 3_000)
            #expect(kept.first == 16 && kept.count < 30)
        }
    }

    @Test func `a scan that is cut short is gone on with`() async throws {
        try await withMusic { folder in
            for number in 0..<1_000 { try folder.file("music/\(number).mp3", Data("x".utf8)) }
            let gate = Gate(after: 600)
            let library = Scanned(folder, reader: NameReader { path in gate.pass(NameReader.facts(path)) })
            let cut = Task { await library.scan() }
            while !gate.isReached { try await Task.sleep(for: .milliseconds(1)) }
            cut.cancel()
            gate.open()
            let outcome = await cut.value
            let kept = library.catalogue.names.count
            library.reader.asked.withLock { $0 = [] }

            let rest = await library.scan()

            #expect(outcome.wasCancelled && kept > 0 && kept < 1_000)
            #expect(rest.report.read == 1_000 - kept && library.catalogue.names.count == 1_000)
            #expect(library.catalogue.state.withLock(\.scans) == 1)
        }
    }

    @Test func `a catalogue that cannot be written ends the scan with its sentence`() async throws {
        try await withMusic { folder in
            for number in 0..<100 { try folder.file("music/\(number).mp3", Data("x".utf8)) }
            let library = Scanned(folder)
            library.catalogue.state.withLock { $0.fault = SourceFault(.unavailable, "The disk is full.") }

            #expect((await library.scan()).failure?.sentence == "The disk is full.")
        }
    }

    @Test func `folders there was no time for are looked at later`() async throws {
        try await withMusic { folder in
            for number in 0..<100 { try folder.file("music/\(number / 10)/\(number % 10)/1.mp3", Data("x".utf8)) }
            let library = Scanned(folder, disk: OneByOneDisk())

            #expect(await library.scan().report.read == 100)
            #expect(await library.scan().report.seen == 100)
        }
    }

    @Test func `pictures give way to a scan, and get their colours after it`() async throws {
        let loop = try await EventLoop.background()
        try await withMusic { folder in
            try folder.file("music/1.mp3", Data("x".utf8))
            // All of them would take twenty seconds, so that the scan begins among them however busy the machine is.
            let reader = NameReader(pauseUs: 50_000)
            let library = Scanned(folder, reader: reader)
            library.catalogue.state.withLock { state in for number in 0..<400 { state.pictures["p\(number)"] = .some(nil) } }
            let music = await MusicLibrary(library.parts, reactor: loop)
            await music.begin()
            while library.catalogue.withoutColours.count == 400 { try await Task.sleep(for: .milliseconds(2)) }

            while !(await music.scan(isFull: false)) { try await Task.sleep(for: .milliseconds(2)) }
            let left = library.catalogue.withoutColours.count
            reader.pauseUs.withLock { $0 = 0 }
            for _ in 0..<2_000 where !library.catalogue.withoutColours.isEmpty { try await Task.sleep(for: .milliseconds(10)) }

            #expect(left > 0)
            #expect(library.catalogue.withoutColours.isEmpty)
            await music.close()
        }
    }

    @Test func `a disk that does not answer holds up nobody but its own files`() async throws {
        try await withMusic { folder in
            try folder.file("music/1.mp3", Data("x".utf8))
            for number in 0..<50 { try folder.file("outside/\(number)/1.mp3", Data("x".utf8)) }
            let disk = StalledDisk(folder.music)
            let library = Scanned(folder, disk: disk)
            _ = try library.catalogue.setFolder(folder.outside, isWanted: true)

            let scan = Task { await library.scan() }
            while library.catalogue.names.count < 50 { try await Task.sleep(for: .milliseconds(10)) }
            disk.isStalled.withLock { $0 = false }

            #expect(await scan.value.report.read == 51)
        }
    }
}

/// A library of one folder, with what is behind it.
struct Scanned: Sendable {
    let catalogue = MemoryCatalogue()
    let reader: NameReader
    let disk: any FolderReading & FileReading
    static let quiet = BlockingPool(threads: 16, isQuiet: true)

    init(_ folder: MusicFolder, reader: NameReader = NameReader(), disk: any FolderReading & FileReading = Disk()) {
        self.reader = reader
        self.disk = disk
        _ = try? catalogue.setFolder(folder.music, isWanted: true)
    }

    var parts: MusicLibrary.Parts {
        MusicLibrary.Parts(
            catalogue: catalogue, media: reader, disk: disk, watching: nil, quiet: Self.quiet,
            log: .silent, folders: [])
    }

    func scan(isFull: Bool = false) async -> Scan.Outcome {
        var request = ScanRequest()
        request.all(isFull: isFull)
        // Threads of their own, as in the hub: these block.
        return await withTaskExecutorPreference(Self.quiet) { await request.carryOut(parts) { _ in } }
    }
}

/// Lets so many through, and then nobody until it is opened.
final class Gate: Sendable {
    private let state: Mutex<(left: Int, isOpen: Bool)>

    init(after count: Int) { state = Mutex((count, false)) }

    var isReached: Bool { state.withLock { $0.left < 0 } }

    func open() { state.withLock { $0.isOpen = true } }

    func pass<Value>(_ value: Value) -> Value {
        state.withLock { $0.left -= 1 }
        while state.withLock({ $0.left < 0 && !$0.isOpen }) { usleep(1_000) }
        return value
    }
}

/// However many folders it is asked about, there is only time for the first.
private struct OneByOneDisk: FolderReading, FileReading {
    private let disk = Disk()

    func look(
        at paths: [String], within folders: [String], watchedBy watching: (any FolderWatching)?,
        wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> [FolderSnapshot] {
        [sight(of: paths[0], within: folders, watchedBy: watching, wanting: isWanted)]
    }

    func list(
        _ path: String, within folders: [String], wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> FolderListing {
        try disk.list(path, within: folders, wanting: isWanted)
    }

    func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange { try disk.open(path, below: folders) }
    func open(plainly path: String) throws(SourceFault) -> any FileRange { try disk.open(plainly: path) }
    func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String { try disk.realPath(path, below: folders) }
    func realFolder(_ path: String) throws(SourceFault) -> String { try disk.realFolder(path) }
}

/// One folder of it does not answer.
final class StalledDisk: FolderReading, FileReading {
    let isStalled = Mutex(true)
    private let folder: String
    private let disk = Disk()

    init(_ folder: String) { self.folder = folder }

    func list(
        _ path: String, within folders: [String], wanting isWanted: @escaping @Sendable (String) -> Bool
    ) throws(SourceFault) -> FolderListing {
        while path == folder, isStalled.withLock({ $0 }) { usleep(10_000) }
        return try disk.list(path, within: folders, wanting: isWanted)
    }

    func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange { try disk.open(path, below: folders) }
    func open(plainly path: String) throws(SourceFault) -> any FileRange { try disk.open(plainly: path) }
    func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String { try disk.realPath(path, below: folders) }
    func realFolder(_ path: String) throws(SourceFault) -> String { try disk.realFolder(path) }
}
