/// The section `radio` and the answers about stations: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct RadioTextTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [StationList.self, TitleList.self]

    private static let late = Milliseconds(1 << 52)
    private static let harbour = Station(
        title: "Harbour FM", url: "https://a/x", picture: "https://a/p", country: "France", language: "french", tags: ["jazz"])

    /// BT-SEC-radio
    @Test func `the section of presets`() throws {
        let section = RadioSection([.init(uri: ItemURI("radio:station/1"), title: "Harbour FM", art: "radio:1")], count: 3)
        let expected = #"{"n":3,"list":[{"uri":"radio:station/1","title":"Harbour FM","art":"radio:1"}]}"#
        #expect(text(section.encode) == expected)
        #expect(try RadioSection(from: parse(expected)) == section)
    }

    /// BT-RAD-013
    @Test func `recordings stand before the presets, and leave them room`() throws {
        let one = Recording(id: 3, ItemURI("radio:station/1"), title: "Harbour FM", beginsMs: 1_000, endsMs: 9_000, repeats: .day)
        let later = Recording(id: 4, ItemURI("radio:station/2"), title: "Nordlicht", beginsMs: 5_000)
        let section = RadioSection(
            [], count: 1,
            recorded: [
                .init(recording: one, state: .on, song: "Anna - Eins"),
                .init(recording: later, state: .trouble, sentence: "The disk is full."),
            ])
        let expected =
            #"{"n":1,"rec":[{"id":3,"uri":"radio:station/1","title":"Harbour FM","st":"on","at":1000,"end":9000,"every":"day","song":"Anna - Eins"},{"id":4,"uri":"radio:station/2","title":"Nordlicht","st":"trouble","at":5000,"msg":"The disk is full."}],"list":[]}"#
        #expect(text(section.encode) == expected)
        #expect(try RadioSection(from: parse(expected)) == section)

        let long = String(repeating: "x", count: 300)
        let largest = Recording(
            id: 1 << 50, ItemURI("radio:station/100000000"), title: long, beginsMs: Self.late, endsMs: Self.late, repeats: .week)
        let full = RadioSection(
            (1...48).map { .init(uri: ItemURI("radio:station/\($0)"), title: long, art: "radio:\($0)") }, count: 48,
            recorded: Array(repeating: .init(recording: largest, state: .trouble, song: long, sentence: long), count: Recording.most))
        let bytes = text(full.encode)
        let read = try RadioSection(from: parse(bytes))
        #expect(bytes.utf8.count <= Section.radio.cap && read.recorded.count == Recording.most && read.presets.count >= 6)
    }

    /// BT-SEC-001
    @Test func `presets of the longest names fit into the section or are counted`() throws {
        let long = String(repeating: "x", count: 300)
        let section = RadioSection(
            (1...48).map { .init(uri: ItemURI("radio:station/\($0)00000000"), title: long, art: "radio:\($0)00000000") }, count: 48)
        let bytes = text(section.encode)
        let read = try RadioSection(from: parse(bytes))
        #expect(bytes.utf8.count <= Section.radio.cap && read.presets.count + read.more == 48)
    }

    /// BT-CMD-radio.list
    @Test func `the list of stations, and one without addresses`() throws {
        let list = StationList(
            [
                .init(uri: ItemURI("radio:station/1"), station: Self.harbour, preset: 2, art: "radio:1"),
                .init(uri: ItemURI("radio:station/2"), station: Station(title: "Nordlicht", url: "")),
            ], total: 9, cursor: "2")
        let expected =
            #"{"total":9,"stations":[{"uri":"radio:station/1","title":"Harbour FM","preset":2,"art":"radio:1","url":"https://a/x","picture":"https://a/p","country":"France","language":"french","tags":["jazz"]},{"uri":"radio:station/2","title":"Nordlicht"}],"cursor":"2"}"#
        #expect(text { list.encode(into: &$0, bytes: 48_000) } == expected)
        #expect(try StationList(from: parse(expected)) == list)
    }

    @Test func `rows that do not fit into a page are asked for from there`() throws {
        let rows = (0..<10).map { StationList.Row(uri: ItemURI("radio:station/\($0 + 1)"), station: Self.harbour) }
        for (cursor, end) in [("30", 20), (nil, 20)] {
            let page = StationList(rows, total: 30, cursor: cursor)
            let read = try StationList(from: parse(text { page.encode(into: &$0, bytes: 500) }))
            #expect(1..<10 ~= read.rows.count && read.cursor == String(end + read.rows.count))
        }
    }

    @Test func `the list of titles, with what is missing`() throws {
        let list = TitleList(
            [
                .init(number: 100, beginsMs: 1000, endsMs: 5000, title: "Anna - Eins", isPart: true),
                .init(number: 200, beginsMs: 5000, title: "Bert - Zwei", isSaved: true),
            ], more: 2, nowMs: 9000, fromMs: 1000, toMs: 8000, gaps: [.init(beginsMs: 2000, endsMs: 3000)])
        let expected =
            #"{"now":9000,"from":1000,"to":8000,"titles":[{"n":100,"at":1000,"end":5000,"title":"Anna - Eins","part":1},{"n":200,"at":5000,"title":"Bert - Zwei","saved":1}],"gaps":[{"at":2000,"end":3000}],"more":2}"#
        #expect(text { list.encode(into: &$0, bytes: 10_000) } == expected)
        #expect(try TitleList(from: parse(expected)) == list)
        #expect(text { TitleList([], nowMs: 9000).encode(into: &$0, bytes: 10_000) } == #"{"now":9000,"titles":[]}"#)
    }

    @Test func `titles of any length fit into a page, the newest first, and the rest is counted`() throws {
        let long = String(repeating: "\u{0}ß", count: 3000)
        let rows = (0..<100).map {
            TitleList.Row(number: $0, beginsMs: Self.late, endsMs: Self.late, title: long, isPart: true, isSaved: true)
        }
        let gaps = (0..<150).map { TitleList.Gap(beginsMs: Milliseconds($0), endsMs: Self.late) }
        let list = TitleList(rows, more: 7, nowMs: Self.late, fromMs: 0, toMs: Self.late, gaps: gaps)
        for bytes in [8_000, 20_000, 64_000] {
            let written = text { list.encode(into: &$0, bytes: bytes) }
            let read = try TitleList(from: parse(written))
            #expect(written.utf8.count <= bytes && read.rows.last?.number == 99 && read.rows.count + read.more == 107 && !read.rows.isEmpty)
        }
    }
}
