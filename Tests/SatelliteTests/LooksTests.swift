import BatonClient
import BatonCore
import BatonProtocol
import BatonWire
import Configuration
import Testing

@testable import baton

@Suite struct `What a terminal shows stays in its columns` {
    @Test(arguments: [
        ("plain", 5), ("Björk", 5), ("Bjo\u{308}rk", 5), ("久石譲", 6), ("ｆｕｌｌ", 8), ("🎷 solo", 7), ("❤️", 2), ("👩‍🚀", 2), ("한글", 4),
        ("", 0), ("e\u{200B}f", 2),
    ])
    func `text is as wide as a terminal draws it`(text: String, width: Int) {
        #expect(Columns.count(text) == width)
    }

    @Test func `what is too wide is cut at a character, with an ellipsis`() {
        #expect(Columns.cut("久石譲 – One Summer's Day", to: 8) == "久石譲 …")
        #expect(Columns.cut("久石譲", to: 6) == "久石譲")
        #expect(Columns.cut("久石譲", to: 5) == "久石…")
        #expect(Columns.cut("久石譲", to: 4) == "久…")
    }

    @Test func `columns stand below each other on a terminal, and are tabs in a pipe`() {
        var table = Table()
        table.add("久石譲", "one", "end")
        table.add("Ash", "three", "a long end that does not fit")

        #expect(table.lines(width: nil) == ["久石譲\tone\tend", "Ash\tthree\ta long end that does not fit"])
        #expect(table.lines(width: 50) == ["久石譲  one    end", "Ash     three  a long end that does not fit"])
        #expect(table.lines(width: 30) == ["久石譲  one    end", "Ash     three  a long end t…"])
    }

    @Test(arguments: [
        ([3, 4], 40, [3, 4]), ([3, 50, 50], 40, [3, 16, 16]), ([3, 90, 10], 40, [3, 18, 10]), ([0, 90], 40, [0, 40]), ([90], 40, [40]),
        ([30, 30, 30, 30], 20, [3, 3, 3, 3]),
    ]) func `narrow columns keep their width, and wide ones share what is left, none above 45 percent`(
        wanted: [Int], width: Int, widths: [Int]
    ) {
        #expect(Table.shared(wanted, among: width) == widths)
    }

    @Test func `headers stand above columns on a terminal, and not in a pipe`() {
        var table = Table(["", "title", "length", "note"])
        table.add("1", "Kid A", "4:44", "")

        #expect(table.lines(width: 40) == ["   title  length", "1  Kid A  4:44"])
        #expect(table.lines(width: nil) == ["1\tKid A\t4:44\t"])
    }

    private func around(_ environment: [String: String]) -> ProcessEnvironment {
        ProcessEnvironment(environment: environment, hostName: "here", home: "/", user: 0, workingFolder: "/")
    }

    @Test func `colours are as NO_COLOR and --color say`() {
        #expect(TextStyle(around(["NO_COLOR": "1"]), .always).isOn)
        #expect(!TextStyle(around([:]), .never).isOn)
        #expect(!TextStyle(around(["NO_COLOR": "1"]), .auto).isOn)
    }

    @Test func `colour is only for terminals`() {
        #expect(TextStyle.none.bold("x") == "x")
        #expect(TextStyle(isOn: true).red("x") == "\u{1B}[31mx\u{1B}[0m")
    }

    @Test func `control characters in text of a hub are shown and not obeyed`() throws {
        #expect(VisibleText.of("a\u{1B}[2Jb\u{9B}c\u{7F}\r\n") == #"a\u001b[2Jb\u009bc\u007f\u000d\u000a"#)
        #expect(VisibleText.of("Björk\t👩‍🚀\n", keeping: ["\t"]) == "Björk\t👩‍🚀\\u000a")

        var table = Table()
        table.add("forged\u{1B}[2Jname", "two\tcells\nand a row")
        #expect(table.lines(width: nil) == [#"forged\u001b[2Jname"# + "\t" + #"two\u0009cells\u000aand a row"#])
        #expect(Finding.fail("folder", "/m\u{1B}c", advice: "Move /m\u{1B}c.").lines(.none).allSatisfy { !$0.contains("\u{1B}") })

        let text = #"{"t":"state","full":1,"rev":1,"room":"main","s":{"now":{"entry":"q7f5","title":"x\u001b[31my"}}}"#
        guard case .state(let update) = try HubMessage.decode(Array(text.utf8)) else { throw Stop(.usage, "no state") }
        var mirror = Mirror()
        _ = try mirror.apply(update)
        let status = StatusText(mirror: mirror, positionMs: 0)
        #expect(status.lines.contains(#"  x\u001b[31my"#))
        #expect(try status.filled(into: FormatText("{title}\n")) == #"x\u001b[31my"# + "\n")
    }

    @Test func `a room that is called like its hub is named once`() throws {
        func head(_ room: String) throws -> String? {
            let text = """
                {"t":"state","full":1,"rev":1,"room":"main","s":{"hub":{"id":"h","version":"1","name":"Wohnzimmer"},"rooms":{"list":[
                {"id":"main","name":"\(room)","st":"stopped","level":30,"mute":false},
                {"id":"bad","name":"Bad","st":"stopped","level":30,"mute":false}]}}}
                """
            guard case .state(let update) = try HubMessage.decode(Array(text.utf8)) else { return nil }
            var mirror = Mirror()
            _ = try mirror.apply(update)
            return StatusText(mirror: mirror, positionMs: 0).lines.first
        }
        #expect(try head("wohnzimmer") == "■ Wohnzimmer, stopped")
        #expect(try head("Stube") == "■ Stube on Wohnzimmer, stopped")
    }

    @Test func `what a hub lacks is said in a sentence of its own, for every profile that brings commands`() {
        let profiles = Set(CommandKind.allCases.map(\.level)).subtracting(["core"])
        for profile in profiles {
            let command = CommandKind.allCases.first { $0.level == profile }
            let missing = command.map { MissingProfile(command: $0) }
            #expect(missing?.inWords.hasPrefix("This hub") == true && missing?.inWords != missing?.sentence, "\(profile)")
        }
    }

    @Test func `an open pairing window names where the code is typed`() {
        let ways = Verb.ways(to: "https://192.0.2.7:9443/#pair=abc&id=x")
        #expect(ways == ["On the other machine: baton pair, or baton pair wss://192.0.2.7:9443", "In a browser: https://192.0.2.7:9443/"])
        #expect(Verb.ways(to: nil).first?.contains("tls in batond.conf") == true)
    }

    @Test(arguments: [
        (0, "just now"), (999, "just now"), (59_000, "59 s ago"), (3_599_000, "59 min ago"), (90_000_000, "1 d ago"), (-5, "just now"),
    ])
    func `how long ago, in one unit`(ms: Milliseconds, text: String) {
        #expect(TimeText.ago(ms: ms) == text)
    }

    @Test(arguments: [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (73_728, "72 KiB"), (10 << 20, "10 MiB"), (3 << 29, "1.5 GiB")])
    func `sizes in three digits`(bytes: Int, text: String) {
        #expect(ByteText.show(bytes) == text)
    }
}

@Suite struct `Rooms are found as people name them` {
    private func names(_ rooms: (id: String, name: String)...) throws -> RoomNames {
        let list = rooms.map { RoomsSection.Room(id: RoomID($0.id), name: $0.name, state: .stopped, level: 30, isMuted: false) }
        let section = JSONWriter.bytes(RoomsSection(list).encode)
        let text = Array(#"{"t":"state","full":1,"rev":1,"room":"main","s":{"rooms":"#.utf8) + section + Array("}}".utf8)
        guard case .state(let update) = try HubMessage.decode(text) else { throw Stop(.usage, "no state") }
        var mirror = Mirror()
        _ = try mirror.apply(update)
        return RoomNames(mirror)
    }

    @Test func `by id, or by name in any case`() throws {
        let names = try names(("main", "Living room"), ("kitchen", "Kitchen"))
        for text in ["kitchen", "Kitchen", "KITCHEN"] { #expect(try names.find(text) == RoomID("kitchen")) }
        #expect(try names.find("living ROOM") == RoomID("main"))
    }

    @Test func `an id goes before a name, and two of one name must be told apart`() throws {
        let names = try names(("a", "b"), ("b", "c"), ("d", "Twin"), ("e", "Twin"))
        #expect(try names.find("b") == RoomID("b"))
        #expect(throws: Stop.self) { try names.find("twin") }
    }

    @Test func `on a hub that lists no rooms, the one that it plays in is found, and no other`() throws {
        var mirror = Mirror()
        guard case .state(let update) = try HubMessage.decode(Array(#"{"t":"state","full":1,"rev":1,"room":"main","s":{}}"#.utf8)) else {
            throw Stop(.usage, "no state")
        }
        _ = try mirror.apply(update)
        let known = RoomNames(mirror)
        #expect(try known.find("main") == RoomID("main"))
        do {
            _ = try known.find("bath")
            Issue.record("it was found")
        } catch {
            #expect(error.sentence == "This hub has one room, “main”.")
        }
    }

    @Test func `who is not there is missed with a list`() throws {
        let known = try names(("main", "Living room"), ("kitchen", "Kitchen"))
        do {
            _ = try known.find("bath", from: "BATON_ROOM")
            Issue.record("it was found")
        } catch {
            #expect(
                error.sentence == "BATON_ROOM says “bath”, and there is no room “bath” on this hub. There is: Living room (main), Kitchen.")
        }
    }
}

@Suite struct `Lists in pages end` {
    @Test func `where nothing is behind a page, and where a page is empty or repeats the last rows`() {
        for (pages, whole) in [([[1, 2], [3]], [1, 2, 3]), ([[1, 2], []], [1, 2]), ([[1, 2], [1, 2]], [1, 2])] as [([[Int]], [Int])] {
            var list = GrowingList<Int>()
            for (number, page) in pages.enumerated() {
                #expect(list.isCut)
                list.take(page, more: page == [3] ? 0 : 5 - number)
            }
            #expect(!list.isCut && list.rows == whole)
        }
    }

    @Test func `after ten thousand rows, whatever the hub says`() {
        var list = GrowingList<Int>()
        while list.isCut, list.rows.count < 20_000 { list.take(Array(list.rows.count..<list.rows.count + 100), more: 1) }
        #expect(list.rows.count == 10_000)
    }
}
