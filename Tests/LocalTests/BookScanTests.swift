/// What a scan makes of folders of books.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Local

struct BookScanTests {
    private static func scanned(_ folder: MusicFolder, holds: FolderContent = .books) throws -> Scanned {
        let reader = NameReader { path in
            var facts = NameReader.facts(path)
            facts.track.lengthUs = 1_000_000
            facts.track.isBook = path.hasSuffix(".m4b")
            return facts
        }
        let library = Scanned(folder, reader: reader)
        _ = try library.catalogue.setFolder(folder.music, isWanted: true, holds: holds)
        return library
    }

    private static func book(_ library: Scanned, _ path: String) -> (facts: TrackFacts, files: [ScannedFile])? {
        guard case .book(let facts, let files, _)? = library.catalogue.content(of: path) else { return nil }
        return (facts, files)
    }

    private static func put(_ folder: MusicFolder, _ names: String...) throws {
        for name in names { try folder.file("music/" + name, Data("x".utf8)) }
    }

    @Test func `each folder with sound is one book, and each file in the folder that was added`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "Ann/Tale/1 - One/2.mp3", "Ann/Tale/1 - One/1.mp3", "Ann/Tale/1 - One/cover.txt", "alone.mp3", "other.mp3")
            let library = try Self.scanned(folder)

            let first = await library.scan()
            let second = await library.scan()

            let one = try #require(Self.book(library, folder.music + "/Ann/Tale/1 - One/1.mp3"))
            #expect(one.facts.tags.title == "One" && one.facts.tags.artists == ["Ann"] && one.facts.book.series == "Tale")
            #expect(one.files.map(\.name) == ["1.mp3", "2.mp3"] && one.facts.parts.map(\.name) == ["1.mp3", "2.mp3"])
            #expect(Self.book(library, folder.music + "/alone.mp3")?.facts.tags.title == "alone")
            #expect(first.report.read == 4 && first.report.seen == 4)
            #expect(second.report.read == 0 && second.report.seen == 4 && !second.hasChanged)
        }
    }

    @Test func `a change to one file reads all files of its book, and of no other`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "A/1.mp3", "A/2.mp3", "B/1.mp3")
            let library = try Self.scanned(folder)
            _ = await library.scan()
            library.reader.asked.withLock { $0 = [] }

            try folder.file("music/A/2.mp3", Data("longer".utf8))
            _ = await library.scan()
            #expect(library.reader.asked.withLock { $0.sorted() } == ["1.mp3", "2.mp3"].map { folder.music + "/A/" + $0 })

            try FileManager.default.removeItem(atPath: folder.music + "/A/1.mp3")
            _ = await library.scan()
            #expect(Self.book(library, folder.music + "/A/2.mp3")?.facts.parts.isEmpty == true)
        }
    }

    @Test func `a file that cannot be read is left out of its book, and said each time`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "A/1.mp3", "A/2 bad.mp3", "A/3.mp3")
            let library = try Self.scanned(folder)

            let first = await library.scan()
            let second = await library.scan()

            #expect(Self.book(library, folder.music + "/A/1.mp3")?.facts.parts.map(\.name) == ["1.mp3", "3.mp3"])
            for report in [first.report, second.report] {
                #expect(report.problems == ["\(folder.music)/A/2 bad.mp3 is broken."] && report.failed == 1)
            }
        }
    }

    @Test func `a folder that holds books from now on is read again`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "A/1.mp3", "A/2.mp3")
            let library = try Self.scanned(folder, holds: .music)
            _ = await library.scan()
            #expect(library.catalogue.tracks(of: folder.music + "/A/1.mp3")?.count == 1)

            _ = try library.catalogue.setFolder(folder.music, isWanted: true, holds: .books)
            #expect((await library.scan()).report.read == 2)
            #expect(Self.book(library, folder.music + "/A/1.mp3")?.facts.parts.count == 2)
        }
    }

    @Test func `the innermost folder of the library decides what a file is`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "books/A/1.mp3", "books/A/2.mp3", "B/1.mp3", "B/talk.m4b")
            let library = try Self.scanned(folder, holds: .music)
            _ = try library.catalogue.setFolder(folder.music + "/books", isWanted: true, holds: .books)
            _ = await library.scan()

            #expect(Self.book(library, folder.music + "/books/A/1.mp3")?.facts.parts.count == 2)
            #expect(library.catalogue.tracks(of: folder.music + "/B/1.mp3")?.first?.tags.kind == .track)
            #expect(Self.book(library, folder.music + "/B/talk.m4b")?.facts.tags.kind == .book)
        }
    }

    @Test func `a book of more files than a batch has is read as one`() async throws {
        try await withMusic { folder in
            for number in 1...300 { try Self.put(folder, "A/\(number).mp3") }
            try Self.put(folder, "B/1.mp3")
            let library = try Self.scanned(folder)
            #expect((await library.scan()).report.read == 301)
            #expect(Self.book(library, folder.music + "/A/1.mp3")?.facts.parts.map(\.name) == (1...300).map { "\($0).mp3" })
        }
    }
}
