/// Which rows of several sources are one track, for many sets of rows.
import BatonCore
import Testing

struct FoldedRowsTests {
    private struct Sample {
        var row: ItemRow
        var origin: FoldedRows.Origin
    }

    private static func samples(_ random: inout SeededGenerator) -> [Sample] {
        let titles = ["Élan", "elan", "ELAN!", "Other", ""]
        return (0..<60).map { number in
            let source = ["lib", "home", "away", "far"].randomElement(using: &random) ?? "lib"
            var tags = Tags(
                title: titles.randomElement(using: &random) ?? "", artists: [Bool.random(using: &random) ? "Björk" : "bjork"],
                durationMs: Int.random(in: 0...8, using: &random) == 0
                    ? nil : Milliseconds(100_000 + Int.random(in: 0...9, using: &random) * 800))
            tags.album = Bool.random(using: &random) ? "Album" : "album"
            tags.disc = [nil, 1, 2].randomElement(using: &random) ?? nil
            tags.track = Int.random(in: 1...2, using: &random)
            if Int.random(in: 0...9, using: &random) == 0 { tags.kind = .album }
            var row = ItemRow(uri: ItemURI("\(source):track/\(number)"), tags: tags)
            if Bool.random(using: &random) {
                row.quality = SoundQuality(
                    isLossless: Bool.random(using: &random), bitrate: Int.random(in: 1...3, using: &random) * 100)
            }
            return Sample(row: row, origin: FoldedRows.Origin(source, isLocal: source == "lib"))
        }
    }

    /// Whether one may be a place of the other, read off the rows themselves.
    private static func areAlike(_ a: Sample, _ b: Sample) -> Bool {
        guard let one = FoldKey(a.row), let other = FoldKey(b.row) else { return false }
        return one.text == other.text && (one.durationMs - other.durationMs).magnitude <= 2_000
    }

    @Test(arguments: 0..<300) func `each row is shown or is a place of one shown row, and nothing else folds`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let samples = Self.samples(&random)
        let byURI = Dictionary(uniqueKeysWithValues: samples.map { ($0.row.uri, $0) })
        var folded = FoldedRows()
        var shown: [ItemURI: [ItemURI]] = [:]

        for sample in samples {
            switch folded.add(sample.row, from: sample.origin) {
            case .row(let row):
                #expect(row == sample.row)
                // It is a row of its own since no earlier row had room for it.
                let hasRoom = shown.contains { head, variants in
                    byURI[head].map { Self.areAlike($0, sample) } == true
                        && !variants.contains { byURI[$0]?.origin.source == sample.origin.source }
                }
                #expect(!hasRoom, "\(seed): \(row.uri)")
                shown[row.uri] = [row.uri]
            case .joined(let head, let variants):
                let old = shown[head] ?? []
                #expect(Set(variants) == Set(old + [sample.row.uri]) && variants.count == old.count + 1, "\(seed)")
                #expect(byURI[head].map { Self.areAlike($0, sample) } == true, "\(seed): \(sample.row.uri)")
                shown[head] = variants
            }
        }

        let all = shown.values.flatMap { $0 }
        #expect(all.count == samples.count && Set(all) == Set(samples.map(\.row.uri)), "\(seed)")
        for variants in shown.values {
            let origins = variants.compactMap { byURI[$0]?.origin }
            #expect(Set(origins.map(\.source)).count == variants.count, "\(seed)")
            #expect(origins.map(\.isLocal) == origins.map(\.isLocal).sorted { $0 && !$1 }, "\(seed): local places come first")
            let far = variants.compactMap { byURI[$0] }.filter { !$0.origin.isLocal }.map(\.row.quality)
            let worse = zip(far, far.dropFirst()).contains { a, b in b.map { b in a.map { $0 < b } ?? true } ?? false }
            #expect(!worse, "\(seed): the better place comes first")
        }
    }

    @Test(arguments: 0..<100) func `a page that is added again comes to the same`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let samples = Self.samples(&random)
        var folded = FoldedRows()
        let first = samples.map { folded.add($0.row, from: $0.origin) }

        let again = samples.map { folded.add($0.row, from: $0.origin) }

        for (one, other) in zip(first, again) {
            switch (one, other) {
            case (.row(let a), .row(let b)): #expect(a.uri == b.uri)
            case (.joined(let a, let variants), .joined(let b, let more)): #expect(a == b && Set(variants).isSubset(of: more))
            default: Issue.record("\(seed): \(one) became \(other)")
            }
        }
    }

    @Test(arguments: 0..<100) func `what a person has split stays apart`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let samples = Self.samples(&random)
        var folded = FoldedRows()
        var pairs: [FoldSplit] = []
        for sample in samples {
            if case .joined(_, let variants) = folded.add(sample.row, from: sample.origin) {
                pairs += variants.filter { $0 != sample.row.uri }.map { FoldSplit(sample.row.uri, $0) }
            }
        }

        var split = FoldedRows(splits: FoldSplits(pairs))
        for sample in samples {
            guard case .joined(_, let variants) = split.add(sample.row, from: sample.origin) else { continue }
            #expect(!variants.contains { pairs.contains(FoldSplit($0, sample.row.uri)) && $0 != sample.row.uri }, "\(seed)")
        }
    }

    @Test func `rows fold up to two seconds apart, and into the nearest`() {
        func row(_ uri: String, _ ms: Milliseconds) -> ItemRow {
            ItemRow(uri: ItemURI(uri), tags: Tags(title: "Song", artists: ["Band"], durationMs: ms))
        }
        let (lib, far) = (FoldedRows.Origin("lib", isLocal: true), FoldedRows.Origin("far", isLocal: false))
        var folded = FoldedRows()
        _ = folded.add(row("lib:1", 100_000), from: lib)
        _ = folded.add(row("lib:2", 103_000), from: lib)

        #expect(folded.add(row("far:1", 102_000), from: far) == .joined(ItemURI("lib:2"), variants: [ItemURI("lib:2"), ItemURI("far:1")]))
        #expect(folded.add(row("far:2", 102_000), from: far) == .joined(ItemURI("lib:1"), variants: [ItemURI("lib:1"), ItemURI("far:2")]))
        #expect(folded.add(row("far:3", 105_001), from: far) == .row(row("far:3", 105_001)))
    }

    @Test func `a list without end is remembered up to a bound`() {
        var folded = FoldedRows()
        let far = FoldedRows.Origin("far", isLocal: false)
        func row(_ source: String, _ number: Int) -> ItemRow {
            ItemRow(uri: ItemURI("\(source):\(number)"), tags: Tags(title: "Song \(number)", artists: ["Band"], durationMs: 1))
        }
        for number in 0...FoldedRows.mostKept { _ = folded.add(row("far", number), from: far) }

        let near = FoldedRows.Origin("near", isLocal: false)
        #expect(folded.add(row("near", FoldedRows.mostKept - 1), from: near) != .row(row("near", FoldedRows.mostKept - 1)))
        #expect(folded.add(row("near", FoldedRows.mostKept), from: near) == .row(row("near", FoldedRows.mostKept)))
    }
}
