/// Searches with typing mistakes.
import BatonCore
import BatonSeams
import Harness
import SQLite
import Testing

@testable import Stores

@Suite struct `A search tolerates one mistake in a word` {
    private let songs = [
        Song("Creep", by: ["Radiohead"], on: "Pablo Honey"), Song("Creed", by: ["Ann"], on: "First"),
        Song("Creek", by: ["Bob"], on: "Blink182"),
    ]

    private func found(_ library: LibraryStore, _ text: String, kinds: [ItemKind] = [.track], from: Int = 0, limit: Int = 80) throws
        -> [String]
    {
        let window = PageWindow(from: from, limit: limit)
        return try library.search(SearchQuery(text, kinds: kinds, window: window, toleratesMistakes: true)).rows.map(\.tags.title)
    }

    @Test(arguments: ["radiohaed", "radioohead", "radiohed", "radiokead", "Rádiokead creep", "creep radiohaed", "rdioh"])
    func `a letter too many, a missing, another and two swapped ones are one mistake`(text: String) throws {
        try withLibrary { library in
            try library.scan(songs)
            #expect(try found(library, text) == ["Creep"])
            #expect(try library.titles(text).isEmpty, "programs mean what they ask for")
        }
    }

    @Test func `what is exact comes first, and what has a mistake only where the page has room`() throws {
        try withLibrary { library in
            try library.scan(songs + [Song("Blonk", by: ["Dan"]), Song("Brink", by: ["Eve"])])
            #expect(try found(library, "blink") == ["Creek", "Blonk", "Brink"])
            #expect(try found(library, "blink", limit: 2) == ["Creek", "Blonk"] && found(library, "blink", limit: 1) == ["Creek"])
            #expect(try found(library, "blink", from: 1) == ["Blonk", "Brink"] && found(library, "blink", from: 2, limit: 2).isEmpty)
            // A word that is there as it stands was meant.
            #expect(try found(library, "creep") == ["Creep"] && found(library, "creep radiohead") == ["Creep"])
            #expect(try found(library, "cread ann") == ["Creed"] && found(library, "crxxp").isEmpty)
            #expect(try found(library, "radiohaed", kinds: []) == ["Radiohead", "Pablo Honey", "Creep"])
        }
    }

    @Test func `at most ten with a mistake stand behind any number of exact ones, each once`() throws {
        try withLibrary { library in
            let names = (0..<15).map { "Blue Radio \($0)" } + (0..<12).map { "Blue Rodio \($0)" }
            try library.scan(names.map { Song($0, by: ["Ann"]) })

            let titles = try found(library, "blue radi")

            #expect(titles.count == 25 && Set(titles).count == 25 && titles.prefix(15).allSatisfy { $0.hasPrefix("Blue Radio") })
        }
    }

    @Test func `words that came later are known, also those with digits behind letters`() throws {
        try withLibrary { library in
            try library.scan(songs)
            #expect(try found(library, "paranoyd").isEmpty && found(library, "blink") == ["Creek"])
            try library.scan(songs + [Song("Paranoid", by: ["Cay"])])
            #expect(try found(library, "paranoyd") == ["Paranoid"] && found(library, "blink") == ["Creek"])
        }
    }

    @Test func `a library of a version that kept no words has those of its index`() throws {
        let folder = try TemporaryFolder()
        let old = try LibraryStore(folder: folder.path)
        try old.scan(songs)
        old.close()
        let database = try Database(old.path)
        try database.execute(
            """
            DROP TABLE song_found; DROP TABLE song_text; DROP TABLE song; DROP TABLE song_folder;
            ALTER TABLE folder DROP COLUMN changed;
            DROP TABLE word; DROP TABLE artist_picture; PRAGMA user_version = 21
            """)
        database.close()

        let library = try LibraryStore(folder: folder.path)
        defer { library.close() }

        #expect(try found(library, "radiohaed") == ["Creep"])
    }
}
