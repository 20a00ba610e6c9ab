import Testing

@testable import MPD

/// Filters are read and refused as by mpd 0.23.12; `starts_with` and `added-since` are of 0.24.
@Suite struct FilterReaderTests {
    private func read(_ arguments: String..., folds: Bool = false) -> (filter: SongFilter?, sentence: String?) {
        do throws(Ack) {
            return (try FilterReader.filter(of: arguments, foldsCase: folds), nil)
        } catch {
            return (nil, error.sentence)
        }
    }

    private let amber = SongFilter.tag(.artist, TextTest(relation: .equals, value: "Amber Lane"))
    private let dawn = SongFilter.tag(.title, TextTest(relation: .equals, value: "Dawn"))

    @Test(arguments: [
        "(Artist == 'Amber Lane')", "(artist == 'Amber Lane')", "(Artist == \"Amber Lane\")", "( Artist == 'Amber Lane')",
        "(Artist =='Amber Lane' )", "(Artist=='Amber Lane') ", "((Artist == 'Amber Lane'))", "(!(!(Artist == 'Amber Lane')))",
        "(Artist == 'Amber\\ Lane')",
    ])
    func `one condition can be written in several ways`(text: String) {
        #expect(read(text).filter == amber)
    }

    @Test func `conditions are joined`() {
        #expect(read("((Artist == 'Amber Lane') AND (Title == 'Dawn'))").filter == .all([amber, dawn]))
        #expect(read("((Artist == 'Amber Lane')AND(!(Title == 'Dawn')))").filter == .all([amber, .not(dawn)]))
        #expect(read("(Artist == 'Amber Lane')", "(Title == 'Dawn')").filter == .all([amber, dawn]))
        #expect(read("(base 'Cellar')", "title", "Dawn").filter == .all([.base("Cellar"), dawn]))
        #expect(read("artist", "Amber Lane", "TITLE", "Dawn").filter == .all([amber, dawn]))
    }

    @Test(arguments: [
        ("(Title != 'x')", TextTest(relation: .equals, value: "x", isNegated: true)),
        ("(Title contains 'x')", TextTest(relation: .contains, value: "x")),
        ("(Title CONTAINS 'x')", TextTest(relation: .contains, value: "x")),
        ("(Title !contains 'x')", TextTest(relation: .contains, value: "x", isNegated: true)),
        ("(Title starts_with 'x')", TextTest(relation: .startsWith, value: "x")),
        ("(Title =~ '^x')", TextTest(relation: .matches, value: "^x")),
        ("(Title !~ 'x')", TextTest(relation: .matches, value: "x", isNegated: true)),
        ("(Title == '')", TextTest(relation: .equals, value: "")),
        ("(Title == 'It\\'s')", TextTest(relation: .equals, value: "It's")),
        ("(Title == \"It's\")", TextTest(relation: .equals, value: "It's")),
    ])
    func `each operator is known`(text: String, test: TextTest) {
        #expect(read(text).filter == .tag(.title, test))
    }

    @Test func `search folds case, and its pairs find parts`() {
        #expect(read("title", "x", folds: true).filter == .tag(.title, TextTest(relation: .contains, value: "x", foldsCase: true)))
        #expect(read("(Title == 'x')", folds: true).filter == .tag(.title, TextTest(relation: .equals, value: "x", foldsCase: true)))
    }

    @Test func `properties that are no tags are known`() {
        let value = TextTest(relation: .equals, value: "x")
        #expect(read("any", "x").filter == .anyTag(value))
        #expect(read("filename", "x").filter == .path(value))
        #expect(read("(file == 'x')").filter == .path(value))
        #expect(read("base", "a/b").filter == .base("a/b"))
        #expect(read("modified-since", "1600000000").filter == .changedSince(1_600_000_000))
        #expect(read("(modified-since '2020-09-13T12:26:40Z')").filter == .changedSince(1_600_000_000))
        #expect(read("(added-since '2020-09-13T14:26:40+02:00')").filter == .addedSince(1_600_000_000))
        #expect(read("audioformat", "44100:16:2").filter == .not(.all([])))
    }

    @Test(
        arguments: [
            ("== '44100:16:2'", 44_100, FormatMask.Depth.bits(16), 2), ("=='48000:f:1'", 48_000, .float, 1),
            ("== '2822400:dsd:2'", 2_822_400, .dsd, 2),
            ("== '96000:24_3:2'", 96_000, .bits(24), 2), ("== 'dsd64:2'", 352_800, .dsd, 2), ("=~ '*:*:1'", nil, nil, 1),
            ("=~ '*:16:*'", nil, .bits(16), nil),
            ("=~ 'dsd64:*'", 352_800, .dsd, nil),
        ] as [(String, Int?, FormatMask.Depth?, Int?)])
    func `sound is compared by its parts`(text: String, rate: Int?, depth: FormatMask.Depth?, channels: Int?) throws {
        guard case .format(let mask)? = read("(AudioFormat \(text))").filter else {
            Issue.record("\(text) is no format")
            return
        }
        #expect(mask.rate == rate)
        #expect(mask.depth == depth)
        #expect(mask.channels == channels)
    }

    @Test(arguments: [
        ("== '*:16:2'", "Failed to parse the sample rate"), ("== 'loud'", "Failed to parse the sample rate"),
        ("== '0:16:2'", "Invalid sample rate: 0"), ("== '-1:16:2'", "Invalid sample rate: 18446744073709551615"),
        ("== '44100'", "Sample format missing"), ("=~ '44100:'", "Failed to parse the sample format"),
        ("== '44100:17:2'", "Invalid sample format: 17"),
        ("== '44100:16'", "Channel count missing"), ("== '44100:16:x'", "Failed to parse the channel count"),
        ("== 'dsd64:*'", "Failed to parse the channel count"), ("== '44100:16:9'", "Invalid channel count: 9"),
        ("== '44100:16:2:3'", "Extra data after channel count: :3"), ("== '44100:16:2 '", "Extra data after channel count:  "),
        ("contains '44100'", "'==' or '=~' expected"),
    ])
    func `a wrong format has its sentence`(text: String, sentence: String) {
        #expect(read("(AudioFormat \(text))").sentence == sentence)
    }

    @Test(arguments: [
        ("(", "Word expected"), ("()", "Word expected"), ("(1rtist == 'x')", "Word expected"), ("((Artist == 'x') AND)", "Word expected"),
        ("((Artist == 'x') AND (Title == 'y') (Album == 'z'))", "Word expected"), ("((Artist == 'x') OR (Title == 'y'))", "'AND' expected"),
        ("((Artist == 'x') and (Title == 'y'))", "'AND' expected"), ("(Artist)", "'==' or '!=' expected"),
        ("(Artist = 'x')", "'==' or '!=' expected"), ("(any 'x')", "'==' or '!=' expected"),
        ("(Title ! contains 'x')", "'==' or '!=' expected"),
        ("(Artist ==)", "Quoted string expected"), ("(Artist == Amber)", "Quoted string expected"),
        ("(modified-since == '2020')", "Quoted string expected"), ("(Artist == 'x)", "Closing quote not found"),
        ("(Title == 'a\\')", "Closing quote not found"), ("(Artist == 'x'", "')' expected"),
        ("(Artist == 'x' AND Title == 'y')", "')' expected"),
        ("(nonsense == 'x')", "Unknown filter type: nonsense"), ("(-a == 'x')", "Unknown filter type: -a"),
        ("(!Artist == 'x')", "'(' expected"),
        ("(!!(Artist == 'x'))", "'(' expected"), ("(Artist == 'x') y", "Unparsed garbage after expression"),
        ("(Artist == 'x'))", "Unparsed garbage after expression"), ("(modified-since 'never')", "Failed to parse date"),
    ])
    func `a wrong expression has its sentence`(text: String, sentence: String) {
        #expect(read(text).sentence == sentence)
    }

    @Test func `a wrong pair has its sentence`() {
        #expect(read().sentence == "Incorrect number of filter arguments")
        #expect(read("artist").sentence == "Incorrect number of filter arguments")
        #expect(read("artist", "x", "album").sentence == "Incorrect number of filter arguments")
        #expect(read(" (Artist == 'x')").sentence == "Incorrect number of filter arguments")
        #expect(read("nonsense", "x").sentence == "Unknown filter type")
        #expect(read("modified-since", "yesterday").sentence == "Failed to parse date")
    }

    @Test func `depth is limited`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "(!", count: depth - 1) + "(Artist == 'Amber Lane')" + String(repeating: ")", count: depth - 1)
        }
        #expect(read(nested(1_000)).filter == .not(amber))
        #expect(read(nested(1_001)).sentence == "Filter is nested too deeply")
        #expect(read(String(repeating: "(", count: 60)).sentence == "Word expected")
        #expect(read(String(repeating: "(", count: 10_000)).sentence == "Filter is nested too deeply")
    }

    @Test(arguments: 0..<100 as Range<UInt64>) func `noise is refused, or read to its end`(seed: UInt64) {
        var state = seed &+ 1
        func next(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(below))
        }
        let pieces = [
            "(", ")", "!", "Artist", "any", "base", "AND", "==", "!=", "=~", "contains ", "'x'", "\"y\"", "'", "\\", " ", "AudioFormat",
            "é",
        ]
        let text = "(" + (0..<next(24)).map { _ in pieces[next(pieces.count)] }.joined()
        let (filter, sentence) = read(text)

        if filter != nil {
            #expect(read(text + ")").sentence == "Unparsed garbage after expression", "seed \(seed): \(text)")
            #expect(read("(" + text + ")").filter == filter, "seed \(seed): \(text)")
        } else {
            #expect(sentence?.isEmpty == false, "seed \(seed): \(text)")
        }
    }
}
