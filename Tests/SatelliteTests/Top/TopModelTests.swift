import BatonClient
import BatonCore
import BatonProtocol
import Testing

@testable import baton

@Suite struct `Keys of the whole screen` {
    @Test func `every key of the table means one thing`() {
        let keys = TopKey.groups.flatMap(\.keys).flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test func `pause and volume are drawn before the hub has answered, and dropped with its answer`() throws {
        var model = try TopModel.sample()

        #expect(model.press(.character(" ")) == [.toggle(.paused)])
        #expect(model.press(.character("+")) == [.level(40, of: nil)])
        #expect(model.press(.character("+")) == [.level(45, of: nil)])

        #expect(TopDrawing(model).text.contains("volume 45 %") && TopDrawing(model).lines[0].hasPrefix("⏸"))
        model.answered(.toggle(.paused), "You may not.")
        // Of several levels only the newest is answered.
        model.answered(.level(45, of: nil), nil)
        #expect(TopDrawing(model).lines[0].hasPrefix("▶") && TopDrawing(model).lines.last == "You may not.")
        #expect(model.level(of: nil) == 35)
    }

    @Test func `a second pause is asked for as what the screen shows then`() throws {
        var model = try TopModel.sample()
        #expect(model.press(.character(" ")) == [.toggle(.paused)])
        #expect(model.press(.character(" ")) == [.toggle(.playing)])
        model.answered(.toggle(.paused), nil)
        #expect(model.isPlaying)
    }

    @Test func `next shows the row behind, and what another person did instead`() throws {
        var model = try TopModel.sample()
        #expect(model.press(.character("n")) == [.next])
        #expect(model.current == TopModel.id(2) && model.tags?.title == "Song 2")
        model.take(try TopModel.mirror(title: "Idioteque", current: 7, revision: 6))
        model.answered(.next, nil)
        #expect(model.tags?.title == "Idioteque")
    }

    @Test func `a level stays within what the room allows`() throws {
        var model = try TopModel.sample()
        for _ in 0..<30 { _ = model.press(.character("+")) }
        #expect(model.press(.character("+")) == [.level(100, of: nil)])
    }

    // MARK: The queue

    @Test func `the queue begins at what plays, and keys move in it`() throws {
        var model = try TopModel.sample(entries: 60)
        #expect(model.place.row == 0)
        _ = model.press(.character("2"))
        _ = model.press(.down)
        _ = model.press(.character("j"))
        #expect(model.place.row == 2)
        #expect(model.press(.enter) == [.jump(TopModel.id(3))])
        _ = model.press(.character("G"))
        #expect(model.place.row == 59 && TopDrawing(model).text.contains("60 Song 60"))
        _ = model.press(.character("g"))
        #expect(model.place == ListSelection())
    }

    @Test func `a row is moved and removed at once, by its name and not by its number`() throws {
        var model = try TopModel.sample(entries: 4)
        _ = model.press(.character("2"))
        _ = model.press(.down)
        #expect(model.press(.character("J")) == [.move(TopModel.id(2), behind: TopModel.id(3))])
        #expect(model.entries == [1, 3, 2, 4].map(TopModel.id) && model.place.row == 2)
        #expect(model.press(.character("K")) == [.move(TopModel.id(2), behind: TopModel.id(1))])
        #expect(model.press(.character("d")) == [.remove(TopModel.id(2))])
        #expect(model.entries == [1, 3, 4].map(TopModel.id))
    }

    @Test func `rows stay as they were put until the hub's rows show them`() throws {
        var model = try TopModel.sample(entries: 3)
        _ = model.press(.character("2"))
        #expect(model.press(.character("J")) == [.move(TopModel.id(1), behind: TopModel.id(2))])

        // The answer's state says that the queue is another one, and its rows are still on their way.
        model.take(try TopModel.mirror(entries: 3, revision: 6, queueRevision: 4))
        model.answered(.move(TopModel.id(1), behind: TopModel.id(2)), nil)
        #expect(model.entries == [2, 1, 3].map(TopModel.id))

        model.take(try TopModel.queue([2, 1, 3], revision: 4))
        #expect(model.ahead.rows == nil && model.entries == [2, 1, 3].map(TopModel.id) && model.place.row == 1)
    }

    @Test func `an edit that is refused is taken back, with the hub's sentence`() throws {
        var model = try TopModel.sample(entries: 3)
        _ = model.press(.character("2"))
        let effects = model.press(.character("d"))
        model.answered(effects[0], "Only an admin may do that.")
        #expect(model.entries == [1, 2, 3].map(TopModel.id) && model.notice?.text == "Only an admin may do that.")
    }

    @Test func `the chosen row is found again when another person puts rows above it`() throws {
        var model = try TopModel.sample(entries: 5)
        _ = model.press(.character("2"))
        for _ in 0..<3 { _ = model.press(.down) }
        model.take(try TopModel.queue([8, 9, 1, 2, 3, 4, 5], revision: 4))
        #expect(model.entries[model.place.row] == TopModel.id(4))
    }

    // MARK: The library

    @Test func `each letter asks, and an answer to older words is left out`() throws {
        var model = try TopModel.sample()
        #expect(model.press(.character("/")) == [.ask(LibraryQuestion(what: .shelves))])
        #expect(model.type("ki") == [.ask(LibraryQuestion(what: .search("k"))), .ask(LibraryQuestion(what: .search("ki")))])

        model.take(ItemList([row("Karma Police")]), of: LibraryQuestion(what: .search("k")))
        #expect(model.library.rows.isEmpty)
        model.take(ItemList([row("Kid A")]), of: LibraryQuestion(what: .search("ki")))
        #expect(model.library.rows.count == 1 && TopDrawing(model).frame.cursor == Spot(row: 2, column: 3))
        #expect(model.press(.enter) == [] && model.press(.enter) == [.play(ItemURI("lib:Kid A"), index: nil)])
        #expect(model.press(.character("a")) == [.add(ItemURI("lib:Kid A"), at: .end)])
    }

    @Test func `letters that are keys elsewhere are letters in a search`() throws {
        var model = try TopModel.sample()
        _ = model.press(.character("/"))
        for effect in model.type("q n?") { if case .ask = effect { continue } else { Issue.record("\(effect)") } }
        #expect(model.library.text == "q n?")
        _ = model.press(.control("w"))
        #expect(model.library.text == "q ")
        _ = model.press(.escape)
        #expect(model.library.text.isEmpty && model.press(.character("q")) == [.quit])
    }

    @Test func `pasted text is words and no keys`() throws {
        var model = try TopModel.sample()
        #expect(model.paste("q\nq") == [])
        _ = model.press(.character("/"))
        #expect(model.paste("kid\na\u{1B}") == [.ask(LibraryQuestion(what: .search("kid a")))])
    }

    @Test func `what holds others is opened, and the way back is where it was`() throws {
        var model = try TopModel.sample()
        _ = model.press(.character("3"))
        let rows = (0..<9).map { row("Album \($0)", .album) }
        model.take(ItemList(rows), of: LibraryQuestion(what: .shelves))
        for _ in 0..<4 { _ = model.press(.down) }
        #expect(model.press(.enter) == [.ask(LibraryQuestion(what: .node(ItemURI("lib:Album 4"))))])
        model.take(ItemList([row("One"), row("Two")]), of: LibraryQuestion(what: .node(ItemURI("lib:Album 4"))))
        #expect(model.place.row == 0 && TopDrawing(model).text.contains("Album 4"))
        _ = model.press(.down)
        #expect(model.press(.enter) == [.play(ItemURI("lib:Album 4"), index: 1)])
        #expect(model.press(.escape) == [.ask(LibraryQuestion(what: .shelves))])
        model.take(ItemList(rows), of: LibraryQuestion(what: .shelves))
        #expect(model.place.row == 4)
    }

    @Test func `more rows are asked for near the end of those that are there`() throws {
        var model = try TopModel.sample()
        _ = model.press(.character("3"))
        model.take(ItemList((0..<100).map { row("\($0)") }, cursor: "c1", total: 150), of: LibraryQuestion(what: .shelves))
        #expect(model.press(.down) == [])
        #expect(model.press(.character("G")) == [.ask(LibraryQuestion(what: .shelves, cursor: "c1"))])
        #expect(model.press(.character("k")) == [])
        model.take(ItemList((100..<150).map { row("\($0)") }), of: LibraryQuestion(what: .shelves, cursor: "c1"))
        #expect(model.library.rows.count == 150 && model.place.row == 98)
    }

    private func row(_ title: String, _ kind: ItemKind = .track) -> ItemRow {
        var tags = Tags(title: title)
        tags.kind = kind
        return ItemRow(uri: ItemURI("lib:\(title)"), tags: tags)
    }

    // MARK: Rooms and the mouse

    @Test func `in the list of rooms the volume is that of the room that is chosen`() throws {
        var model = try TopModel.sample()
        _ = model.press(.character("4"))
        _ = model.press(.down)
        #expect(model.press(.character("+")) == [.level(25, of: RoomID("bad"))])
        #expect(TopDrawing(model).text.contains("25 %"))
        #expect(model.press(.enter) == [.follow(RoomID("bad"))])
    }

    @Test func `another room has another queue`() throws {
        var model = try TopModel.sample()
        _ = model.press(.character("+"))
        var other = try TopModel.mirror(revision: 9)
        other = try other.inRoom("bad")
        model.take(other)
        #expect(model.entries.isEmpty && model.level(of: nil) == 35)
    }

    @Test func `a press chooses a row, and a second one plays it`() throws {
        var model = try TopModel.sample()
        _ = model.press(.character("2"))
        let third = Spot(row: TopLayout(model).list.row + 2, column: 5)
        #expect(model.mouse(.press, third, on: TopDrawing(model)) == [])
        #expect(model.place.row == 2)
        #expect(model.mouse(.press, third, on: TopDrawing(model)) == [.jump(TopModel.id(3))])
    }

    @Test func `the wheel moves in a list, and over the last rows it is the volume`() throws {
        var model = try TopModel.sample(entries: 60)
        _ = model.press(.character("2"))
        _ = model.mouse(.wheelDown, Spot(row: 5, column: 5), on: TopDrawing(model))
        #expect(model.place.row == 3)
        #expect(model.mouse(.wheelUp, Spot(row: 23, column: 5), on: TopDrawing(model)) == [.level(40, of: nil)])
    }

    @Test func `a press on the bar goes to that place`() throws {
        var model = try TopModel.sample()
        let drawing = TopDrawing(model)
        guard case .seek(let entry, let ms)? = model.mouse(.press, Spot(row: 22, column: 40), on: drawing).first else {
            Issue.record("no seek")
            return
        }
        #expect(entry == TopModel.id(1) && (130_000...150_000).contains(ms))
    }

    @Test func `a press on a name in the head shows that part`() throws {
        var model = try TopModel.sample()
        let drawing = TopDrawing(model)
        let place = try #require(drawing.targets.first { $0.target == .view(.rooms) }?.area)
        _ = model.mouse(.press, Spot(row: place.row, column: place.column), on: drawing)
        #expect(model.view == .rooms)
    }
}

@Suite struct `The words of a song on the whole screen` {
    private func model() throws -> TopModel {
        var model = try TopModel.sample()
        _ = model.press(.character("5"))
        let lines = (0..<40).map { Lyrics.Line(atMs: Milliseconds($0) * 5000, text: "Line \($0)") }
        model.take(TopModel.CurrentItem(uri: ItemURI("lib:track/1"), isFavourite: false, lyrics: Lyrics(lines: lines)))
        return model
    }

    @Test func `move with it, until a person moves in them`() throws {
        var model = try model()
        model.tick(TopPosition(ms: 101_000))
        #expect(model.place.row == 20 && TopDrawing(model).text.contains("Line 20"))
        _ = model.press(.character("g"))
        model.tick(TopPosition(ms: 106_000))
        #expect(model.place.row == 0)
        for _ in 0..<3 { _ = model.press(.down) }
        #expect(model.press(.enter) == [.seek(TopModel.id(1), toMs: 15_000)])
        model.tick(TopPosition(ms: 15_000))
        #expect(model.place.row == 3 && model.followsSong)
    }

    @Test func `show the line that is sung beside what plays`() throws {
        var model = try model()
        _ = model.press(.character("1"))
        model.tick(TopPosition(ms: 12_000))
        #expect(TopDrawing(model).text.contains("Line 2"))
    }
}

@Suite struct `The help of the whole screen` {
    @Test func `is scrolled where it is longer than the screen, and ends with any other key`() throws {
        var model = try TopModel.sample(columns: 20, rows: 8)
        _ = model.press(.character("?"))
        #expect(TopDrawing(model).lines.last == "↓ shows more keys")
        var seen = Set<String>()
        for _ in 0..<40 {
            for line in TopDrawing(model).lines { seen.insert(String(line.prefix(9))) }
            #expect(model.press(.down) == [] && model.showsHelp)
        }
        for entry in TopKey.groups.flatMap(\.keys) { #expect(seen.contains { $0.hasPrefix(entry.name.prefix(9)) }, "\(entry.name)") }
        #expect(TopDrawing(model).lines.last?.hasPrefix("volume") == true)
        #expect(model.press(.character("n")) == [] && !model.showsHelp)
    }
}
