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
        #expect(table.lines(width: 30) == ["久石譲  one    end", "Ash     three  a long end tha…"])
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
        #expect(Finding.fail("folder", "/m\u{1B}c", "Move /m\u{1B}c.").lines(.none).allSatisfy { !$0.contains("\u{1B}") })

        let text = #"{"t":"state","full":1,"rev":1,"room":"main","s":{"now":{"entry":"q7f5","title":"x\u001b[31my"}}}"#
        guard case .state(let update) = try HubMessage.decode(Array(text.utf8)) else { throw Stop(.usage, "no state") }
        var mirror = Mirror()
        _ = try mirror.apply(update)
        let status = StatusText(mirror: mirror, positionMs: 0)
        #expect(status.lines.contains(#"  x\u001b[31my"#))
        #expect(try status.filled(into: "{title}\n") == #"x\u001b[31my"# + "\n")
    }

    @Test(arguments: [
        (0, "just now"), (999, "just now"), (59_000, "59 s ago"), (3_599_000, "59 min ago"), (90_000_000, "1 d ago"), (-5, "just now"),
    ])
    func `how long ago, in one unit`(ms: Int64, text: String) {
        #expect(TimeText.ago(ms: ms) == text)
    }

    @Test(arguments: [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (73_728, "72 KiB"), (10 << 20, "10 MiB"), (3 << 29, "1.5 GiB")])
    func `sizes in three digits`(bytes: Int, text: String) {
        #expect(ByteText.show(bytes) == text)
    }
}

@Suite struct `Rooms are found as people name them` {
    private func names(_ rooms: (id: String, name: String)..., more: Int = 0) throws -> RoomNames {
        let list = rooms.map { RoomsSection.Room(id: RoomID($0.id), name: $0.name, state: .stopped, level: 30, isMuted: false) }
        let section = JSONWriter.bytes(RoomsSection(list, more: more).encode)
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

    @Test func `who is not there is missed with a list, unless the list is not whole`() throws {
        let known = try names(("main", "Living room"), ("kitchen", "Kitchen"))
        do {
            _ = try known.find("bath", from: "BATON_ROOM")
            Issue.record("it was found")
        } catch {
            #expect(
                error.sentence == "BATON_ROOM says “bath”, and there is no room “bath” on this hub. There is: Living room (main), Kitchen.")
        }
        #expect(try names(("main", "Living room"), more: 3).find("attic") == RoomID("attic"))
    }
}
