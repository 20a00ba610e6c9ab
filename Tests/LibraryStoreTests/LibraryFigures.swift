/// What a library of 100,000 tracks costs, as figures to look at: `BATON_FIGURES=1`. Nothing here can
/// fail for being slow.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Stores

@Suite struct LibraryFigures {
    /// A small one that is asked little, unless the figures are wanted.
    private static let isWanted = ProcessInfo.processInfo.environment["BATON_FIGURES"] != nil
    private let albums = isWanted ? 8_334 : 40
    private let questions = isWanted ? 200 : 10

    @Test func `a large library in figures`() throws {
        try withLibrary { library in
            let empty = Self.memory()
            var music = SyntheticMusic()
            let scan = try library.beginScan(atMs: 1)
            var keeping = 0.0
            var slowest = 0.0
            for first in stride(from: 0, to: albums, by: 40) {
                let files = (first..<min(first + 40, albums)).flatMap { music.album($0) }.map(\.scanned)
                let took = try Self.ms { try library.store(files, in: scan, atMs: 1) }
                keeping += took
                slowest = max(slowest, took)
            }
            let tracks = library.libraryCounts().tracks
            #expect(tracks >= albums)
            Self.line("keep", "\(tracks) tracks, \(Int(Double(tracks) / keeping * 1000)) a second, slowest batch \(Self.text(slowest))")
            try search(library, "search during a scan")
            Self.line("end of scan", Self.text(try Self.ms { try library.endScan(scan, below: ["/music"], ScanReport(), atMs: 1) }))
            for number in 0..<200 {
                let entry = NewEntry(uri: ItemURI("lib:track/\(try Self.track(library, number * 97 % tracks))"), tags: Tags())
                try library.notePlayed(entry, room: RoomID("living"), atMs: Milliseconds(number))
            }
            try search(library, "search")
            try pages(library)
            let again = try library.beginScan(atMs: 2)
            let rescan = try Self.ms { try library.endScan(again, below: [], ScanReport(), atMs: 2) }
            Self.line("a scan that ends", Self.text(rescan))
            let size = try FileManager.default.attributesOfItem(atPath: library.path)[.size] as? Int ?? 0
            Self.line("file", "\(size >> 20) MiB")
            Self.line("memory above empty", "\((Self.memory() - empty) >> 10) MiB")
        }
    }

    private func search(_ library: LibraryStore, _ name: String) throws {
        var music = SyntheticMusic(seed: 6)
        var times: [Int: [Double]] = [:]
        var pairs: [Double] = []
        var typing: [Double] = []
        var whole: [Double] = []
        var tolerant: [Double] = []
        var mistyped: [Double] = []
        let terms = (0..<questions).map { _ in music.name(2).lowercased() }
        for term in terms {
            for length in 1...term.count {
                let text = String(term.prefix(length))
                guard !SearchWords(text).isEmpty else { continue }
                let took = try Self.ms { _ = try library.search(SearchQuery(text, window: PageWindow(limit: 80))) }
                times[min(length, 8), default: []].append(took)
                let query = SearchQuery(text, window: PageWindow(limit: 80), toleratesMistakes: true)
                typing.append(try Self.ms { _ = try library.search(query) })
            }
            var query = SearchQuery(term, window: PageWindow(limit: 80))
            whole.append(try Self.best { _ = try library.search(query) })
            query.toleratesMistakes = true
            tolerant.append(try Self.best { _ = try library.search(query) })
            query.text = Self.mistyped(term)
            mistyped.append(try Self.best { _ = try library.search(query) })
            pairs.append(try Self.ms { _ = try library.search(SearchQuery("\(term.prefix(1)) \(terms[3].prefix(1))")) })
        }
        for (length, some) in times.sorted(by: { $0.key < $1.key }) { Self.line("\(name), \(length) letters", Self.spread(some)) }
        Self.line("\(name), all prefixes", Self.spread(times.values.flatMap(\.self)))
        Self.line("\(name), two letters apart", Self.spread(pairs))
        Self.line("\(name), all prefixes where mistakes are tolerated", Self.spread(typing))
        Self.line("\(name), whole names", Self.spread(whole))
        Self.line("\(name), whole names where mistakes are tolerated", Self.spread(tolerant))
        Self.line("\(name), whole names with a mistake", Self.spread(mistyped))
    }

    /// With two letters of the longest word swapped.
    private static func mistyped(_ name: String) -> String {
        let words = name.split(separator: " ").map(String.init)
        guard let longest = words.indices.max(by: { words[$0].count < words[$1].count }), words[longest].count >= 4 else { return name }
        var letters = Array(words[longest])
        letters.swapAt(1, 2)
        return words.indices.map { $0 == longest ? String(letters) : words[$0] }.joined(separator: " ")
    }

    private func pages(_ library: LibraryStore) throws {
        let sorts: [BrowseQuery.Sort?] = [nil, .artist, .year, .added, .plays, .played]
        for sort in sorts {
            var times: [Double] = []
            for from in [0, 90, 1_000, 20_000, 50_000, 77_777, 99_900, 99_000, 60_000, 33_333] {
                let query = BrowseQuery(node: ItemURI("lib:shelf/tracks"), sort: sort, window: PageWindow(from: from, limit: 100))
                times.append(try Self.ms { _ = try library.browse(query) })
            }
            Self.line("page of tracks by \(sort?.rawValue ?? "default")", "\(Self.spread(times)), all: \(times.map(Self.text))")
        }
        var cursor: String?
        var walked: [Double] = []
        var rows = 0
        repeat {
            walked.append(
                try Self.ms {
                    let page = try library.browse(
                        BrowseQuery(node: ItemURI("lib:shelf/tracks"), window: PageWindow(limit: 100, cursor: cursor)))
                    cursor = page.cursor
                    rows += page.rows.count
                })
        } while cursor != nil
        Self.line("pages by cursor", "\(rows) rows, \(Self.spread(walked))")
    }

    private static func track(_ library: LibraryStore, _ number: Int) throws -> String {
        let page = try library.browse(BrowseQuery(node: ItemURI("lib:shelf/tracks"), window: PageWindow(from: number, limit: 1)))
        return String(page.rows[0].uri.text.dropFirst("lib:track/".count))
    }

    // MARK: - Measuring

    private static func ms(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        let took = ContinuousClock.now - start
        return Double(took.components.seconds) * 1000 + Double(took.components.attoseconds) / 1e15
    }

    /// The shortest of some times, for figures that are compared.
    private static func best(_ body: () throws -> Void) rethrows -> Double {
        var least = try ms(body)
        for _ in 0..<4 { least = min(least, try ms(body)) }
        return least
    }

    private static func spread(_ times: [Double]) -> String {
        let sorted = times.sorted()
        return
            "p50 \(text(sorted[sorted.count / 2])) p99 \(text(sorted[sorted.count * 99 / 100])) most \(text(sorted[sorted.count - 1])) of \(sorted.count)"
    }

    private static func text(_ ms: Double) -> String { String(format: "%.2f ms", ms) }

    private static func line(_ name: String, _ text: String) { print("| \(name) | \(text) |") }

    private static func memory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }
}
