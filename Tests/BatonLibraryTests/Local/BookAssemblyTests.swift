/// One book of its files, whatever their tags and folders say.
import BatonCore
import BatonSeams
import Testing

@testable import BatonLibrary

struct BookAssemblyTests {
    private static func part(_ name: String, _ title: String = "", seconds: Int = 60, _ change: (inout TrackFacts) -> Void = { _ in })
        -> BookAssembly.Part
    {
        var facts = TrackFacts()
        facts.tags = Tags(title: title)
        facts.lengthUs = Microseconds(seconds * 1_000_000)
        change(&facts)
        return BookAssembly.Part(name: name, facts: facts)
    }

    private static let place = BookPathFacts(["Ursula K. Le Guin", "Earthsea", "02 - The Tombs of Atuan"])

    // MARK: Folders

    @Test func `folders name the author, the series, the number and the title`() {
        let place = Self.place
        #expect(place.author == "Ursula K. Le Guin" && place.series == "Earthsea")
        #expect(place.number == "2" && place.title == "The Tombs of Atuan")
        #expect(BookPathFacts(["A", "B", "1.5. Between"]).number == "1.5")
        #expect(BookPathFacts(["Shelf", "A", "B", "10 – Ten"]).author == "A")
    }

    @Test(arguments: ["1984 - Nineteen", "2 Fast", "02 -", "The 3rd", "-1 - Minus"]) func `a title that is no number stays whole`(
        title: String
    ) {
        let place = BookPathFacts(["A", "B", title])
        #expect(place.title == title && place.number == "")
    }

    @Test func `without a folder of a series there is none`() {
        #expect(BookPathFacts(["Ann", "02 - Alone"]).title == "02 - Alone")
        #expect(BookPathFacts(["Ann", "02 - Alone"]).series == "")
        #expect(BookPathFacts(["Alone"]).author == "")
    }

    // MARK: Order and time

    @Test func `the folders of discs order the files before their names and numbers do`() throws {
        func parts(_ parts: [BookAssembly.Part]) throws -> [String] {
            try #require(BookAssembly(parts, at: Self.place).facts).parts.map(\.name)
        }
        let names = ["CD10/1.mp3", "CD9/2.mp3", "CD9/1.mp3", "Disc 2/1.mp3", "before.mp3"]
        let inOrder = ["before.mp3", "Disc 2/1.mp3", "CD9/1.mp3", "CD9/2.mp3", "CD10/1.mp3"]
        #expect(try parts(names.map { Self.part($0, $0) }) == inOrder)
        // Each disc counts anew, and all files say that they are on the first one.
        let numbers = [1, 2, 1, 1, 1]
        #expect(
            try parts(zip(names, numbers).map { name, track in Self.part(name, name) { ($0.tags.disc, $0.tags.track) = (1, track) } })
                == inOrder)
        // Only one disc is numbered.
        #expect(
            try parts(
                zip(names, numbers).map { name, track in Self.part(name, name) { $0.tags.track = name.hasPrefix("CD9") ? 3 - track : nil } }
            )
                == inOrder)
    }

    @Test func `numbers order the files, and without them their names do, as people count`() throws {
        let named = try #require(BookAssembly(["10.mp3", "9.mp3", "1.mp3"].map { Self.part($0, $0) }, at: Self.place).facts)
        #expect(named.parts.map(\.name) == ["1.mp3", "9.mp3", "10.mp3"])

        let numbers = [("a.mp3", 2, 1), ("b.mp3", 1, 2), ("c.mp3", 1, 1)]
        let numbered = try #require(
            BookAssembly(
                numbers.map { name, disc, track in Self.part(name, name) { ($0.tags.disc, $0.tags.track) = (disc, track) } }, at: Self.place
            ).facts)
        #expect(numbered.parts.map(\.name) == ["c.mp3", "b.mp3", "a.mp3"])

        let twice = try #require(BookAssembly(["2.mp3", "1.mp3"].map { Self.part($0, $0) { $0.tags.track = 1 } }, at: Self.place).facts)
        #expect(twice.parts.map(\.name) == ["1.mp3", "2.mp3"])
    }

    @Test func `chapters lie on the time line of the whole, to the microsecond`() throws {
        let parts = [
            Self.part("1.mp3", "Dawn") { $0.lengthUs = 1_000_700 }, Self.part("2.mp3", "Noon") { $0.lengthUs = 2_000_700 },
            Self.part("3.m4b", "Dusk", seconds: 3) {
                $0.chapters = [Chapter(title: "One", startMs: 0, endMs: 1000), Chapter(title: "Two", startMs: 1000, endMs: 9000)]
            },
        ]
        let facts = try #require(BookAssembly(parts, at: Self.place).facts)
        #expect(facts.tags.durationMs == 6001)
        #expect(facts.chapters.map(\.title) == ["Dawn", "Noon", "One", "Two"])
        #expect(facts.chapters.map(\.startMs) == [0, 1000, 3001, 4001])
        #expect(facts.chapters.map(\.endMs) == [1000, 3001, 4001, 6001])
    }

    @Test func `one file has its own chapters and no parts`() throws {
        let chapters = [Chapter(title: "One", startMs: 0, endMs: 9)]
        let facts = try #require(BookAssembly([Self.part("a.m4b") { $0.chapters = chapters }], at: BookPathFacts([])).facts)
        #expect(facts.chapters == chapters && facts.parts.isEmpty && facts.tags.kind == .book)
    }

    @Test func `parts that are called alike are told apart by numbers`() throws {
        let facts = try #require(BookAssembly((1...3).map { Self.part("\($0).mp3", "The Tombs") }, at: Self.place).facts)
        #expect(facts.parts.map(\.title) == ["Part 1", "Part 2", "Part 3"])
    }

    // MARK: People and titles

    @Test func `what all files say counts before what the folders say`() throws {
        let parts = (1...2).map { number in
            Self.part("\(number).mp3", "Chapter \(number)") {
                $0.tags.album = "Tombs"
                $0.tags.artists = ["Le Guin"]
                $0.composers = ["Rob Inglis"]
                $0.book.series = number == 2 ? "Sea" : ""
            }
        }
        let facts = try #require(BookAssembly(parts, at: Self.place).facts)
        #expect(facts.tags.title == "Tombs" && facts.tags.artists == ["Le Guin"])
        #expect(facts.book == BookTags(series: "Sea", number: "", narrators: ["Rob Inglis"]))
    }

    @Test func `what the files do not agree on is taken from the folders`() throws {
        let parts = (1...2).map { number in
            Self.part("\(number).mp3", "Chapter \(number)") { ($0.tags.album, $0.tags.artists) = ("CD \(number)", ["Guest \(number)"]) }
        }
        let facts = try #require(BookAssembly(parts, at: Self.place).facts)
        #expect(facts.tags.title == "The Tombs of Atuan" && facts.tags.artists == ["Ursula K. Le Guin"])
        #expect(facts.book == BookTags(series: "Earthsea", number: "2"))
    }

    // MARK: What is wrong with them

    @Test func `a number that is missing is said, and the book plays without`() throws {
        let assembly = BookAssembly([1, 2, 4].map { (n: Int) in Self.part("\(n).mp3", "C\(n)") { $0.tags.track = n } }, at: Self.place)
        #expect(try #require(assembly.facts).parts.count == 3)
        #expect(assembly.remarks == ["“The Tombs of Atuan” has gaps: of its numbered files 3 is missing. It plays without."])
    }

    @Test func `chapters that overlap, and more than are listed, are said`() {
        let overlapping = BookAssembly(
            [
                Self.part("a.m4b", "T") {
                    $0.chapters = [Chapter(title: "1", startMs: 0, endMs: 9), Chapter(title: "2", startMs: 5, endMs: 9)]
                }
            ],
            at: BookPathFacts([]))
        #expect(overlapping.remarks == ["The chapters of “T” overlap: each ends where the next one begins."])
        let many = BookAssembly(
            [
                Self.part("a.m4b", "T") {
                    $0.chapters = (0..<4096).map { Chapter(title: "\($0)", startMs: Milliseconds($0), endMs: Milliseconds($0 + 1)) }
                }
            ],
            at: BookPathFacts([]))
        #expect(many.remarks.count == 1 && many.facts?.chapters.count == 4096)
    }

    @Test func `a file without a length has no place in a book`() throws {
        let assembly = BookAssembly([Self.part("1.mp3", "One"), Self.part("2.mp3", "Two", seconds: 0)], at: Self.place)
        #expect(try #require(assembly.facts).tags.durationMs == 60_000)
        #expect(assembly.remarks == ["“The Tombs of Atuan” plays without 2.mp3: how long that file is cannot be told."])
        let none = BookAssembly([Self.part("1.mp3", "One", seconds: 0)], at: Self.place)
        #expect(none.facts == nil && none.remarks.count == 1)
    }
}
