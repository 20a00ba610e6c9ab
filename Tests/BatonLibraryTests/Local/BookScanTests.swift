/// What a scan makes of folders of books.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import BatonLibrary

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

    @Test func `the folders of discs are no books, their files are parts of the book around them`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "Ann/Tale/CD1/1.mp3", "Ann/Tale/CD1/2.mp3", "Ann/Tale/CD2/1.mp3", "Ann/Tale/CD 10/1.mp3", "CD1/1.mp3")
            let library = try Self.scanned(folder)
            let tale = folder.music + "/Ann/Tale/"

            let first = await library.scan()
            let second = await library.scan()

            let book = try #require(Self.book(library, tale + "CD1/1.mp3"))
            #expect(book.facts.tags.title == "Tale" && book.facts.tags.artists == ["Ann"])
            #expect(book.facts.parts.map(\.name) == ["CD1/1.mp3", "CD1/2.mp3", "CD2/1.mp3", "CD 10/1.mp3"].map { tale + $0 })
            #expect(Self.book(library, folder.music + "/CD1/1.mp3")?.files.count == 1)
            #expect(first.report.read == 5 && second.report.read == 0 && second.report.seen == 5 && !second.hasChanged)

            try FileManager.default.removeItem(atPath: tale + "CD1/1.mp3")
            let third = await library.scan()
            let rest = try #require(Self.book(library, tale + "CD1/2.mp3"))
            #expect(third.report.read == 3 && rest.facts.parts.map(\.name) == ["CD1/2.mp3", "CD2/1.mp3", "CD 10/1.mp3"].map { tale + $0 })
        }
    }

    @Test func `a disc that comes or goes changes the book, which stays the same`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "Ann/Tale/CD1/1.mp3", "Ann/Tale/CD2/1.mp3")
            let library = try Self.scanned(folder)
            let tale = folder.music + "/Ann/Tale/"
            _ = await library.scan()

            try Self.put(folder, "Ann/Tale/CD3/1.mp3")
            let longer = await library.scan()
            #expect(longer.report.read == 3)
            #expect(Self.book(library, tale + "CD1/1.mp3")?.facts.parts.map(\.name) == (1...3).map { "\(tale)CD\($0)/1.mp3" })

            try FileManager.default.removeItem(atPath: tale + "CD2")
            let shorter = await library.scan()
            #expect(shorter.report.read == 2, "in the same scan")
            #expect(Self.book(library, tale + "CD1/1.mp3")?.facts.parts.map(\.name) == [1, 3].map { "\(tale)CD\($0)/1.mp3" })
            #expect(library.catalogue.names == [1, 3].map { "\(tale)CD\($0)/1.mp3" })
            let again = await library.scan()
            #expect(again.report.read == 0 && again.report.seen == 2 && !again.hasChanged)
        }
    }

    @Test func `what lies beside the discs of a book comes before them`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "Ann/Tale/CD1/1.mp3", "Ann/Tale/CD2/1.mp3", "Ann/Tale/intro.mp3")
            let library = try Self.scanned(folder)
            let tale = folder.music + "/Ann/Tale/"
            _ = await library.scan()
            let names = ["intro.mp3", "CD1/1.mp3", "CD2/1.mp3"].map { tale + $0 }
            #expect(Self.book(library, names[0])?.facts.parts.map(\.name) == names)
        }
    }

    @Test(arguments: [("CD1", 1), ("cd 02", 2), ("Disc-3", 3), ("Disc 1", 1), ("Disk1", 1), ("Disk 12", 12), ("Teil 4", 4)])
    func `a disc is known by the name of its folder`(name: String, number: Int) {
        #expect(DiscFolder.number(name) == number)
    }

    @Test(arguments: ["CD", "CDs 1", "Disc one", "CD1 b", "Disc 1234", "Teile 2", "1"]) func `other names are none of discs`(name: String) {
        #expect(DiscFolder.number(name) == nil)
    }

    @Test func `a change in the folder of a disc looks at the book`() throws {
        let library = ScannedFolders([LibraryFolder(path: "/b", tracks: 0, holds: .books), LibraryFolder(path: "/m", tracks: 0)])
        var request = ScanRequest()
        for path in ["/b/Ann/Tale/CD2", "/b/CD1", "/m/A/CD1"] { request.note(.changed(path)) }
        #expect(request.order(library).looks.map(\.path) == ["/b/Ann/Tale", "/b/CD1", "/m/A/CD1"])
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

    @Test func `a book that is to play says which of its files is missing, and stays`() async throws {
        try await withMusic { folder in
            try Self.put(folder, "A/CD1/1.mp3", "A/CD2/1.mp3")
            let library = try Self.scanned(folder)
            _ = await library.scan()
            let book = ItemURI("lib:track\(folder.music)/A/CD1/1.mp3")
            let connector = try await onLoop { MusicLibrary(library.parts, reactor: VirtualTime()) }
            guard case .parts(let parts) = try await connector.resolve(book, trust: .itemsOnly).location else {
                Issue.record("It has two parts.")
                return
            }
            #expect(parts.map(\.file.path) == ["CD1", "CD2"].map { "\(folder.music)/A/\($0)/1.mp3" })

            try FileManager.default.removeItem(atPath: folder.music + "/A/CD2/1.mp3")
            let fault = await #expect(throws: SourceFault.self) { try await connector.resolve(book, trust: .itemsOnly) }
            let sentence = "A part of this book, “Part 2”, cannot be played. There is no \(folder.music)/A/CD2/1.mp3"
            #expect(fault?.sentence.contains(sentence) == true)
            #expect(Self.book(library, folder.music + "/A/CD1/1.mp3")?.facts.parts.count == 2)
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
