import BatonCore
import BatonProtocol

/// Draws lists: the queue, the library, the rooms, lyrics.
extension TopDrawing {
    mutating func drawList() {
        if !layout.listHead.isEmpty { drawLibraryHead() }
        let area = layout.list
        guard !area.isEmpty else { return }
        mark(area, .list)
        let count = model.listCount
        guard count > 0 else {
            let sentence = emptiness
            return edit { $0.put(sentence, row: area.row, column: area.column, look: .faint, limit: area.width) }
        }
        var place = model.place
        place.settle(count: count, height: area.height)
        for at in place.top..<min(count, place.top + area.height) {
            let line = Area(area.row + at - place.top, area.column, height: 1, width: area.width)
            draw(row(at), line, isChosen: at == place.row && isChoosing)
            mark(line, .row(at))
        }
    }

    /// False while lyrics follow the song: then the current line is highlighted instead of a selection.
    private var isChoosing: Bool { model.list != .lyrics || !model.followsSong }

    private func row(_ at: Int) -> ListRow {
        switch model.list {
        case .now, .queue: queueRow(at)
        case .library: libraryRow(at)
        case .rooms: roomRow(at)
        case .lyrics: lyricRow(at)
        }
    }

    private var emptiness: String {
        switch model.list {
        case .now, .queue: model.queue == nil ? "" : "The queue is empty. Search with /"
        case .library:
            model.library.trouble
                ?? (model.library.isKnown && !model.library.isAsking ? "Nothing is called that. Fewer or shorter words find more." : "")
        case .rooms: ""
        case .lyrics: model.mirror.now == nil ? "Nothing plays." : "Of this there are no words that the hub knows of."
        }
    }

    // MARK: Rows

    private func queueRow(_ at: Int) -> ListRow {
        let entry = model.entries[at]
        let isCurrent = entry == model.current
        var row = ListRow(head: "\(isCurrent ? ">" : " ")\(at + 1)", text: "…", look: isCurrent ? .bold : .plain)
        guard let known = model.queue?.rows[entry] else { return row }
        (row.text, row.more) = TopText.line(known.tags)
        row.end = known.tags.durationMs.map { TimeText.show(ms: $0) } ?? model.mirror.job(of: known.uri).map(PromptWords.state) ?? ""
        return row
    }

    private func libraryRow(_ at: Int) -> ListRow {
        let row = model.library.rows[at]
        let marks = ItemLines.marks(row)
        return ListRow(
            text: ItemLines.title(row), more: ItemLines.whose(row),
            end: [marks, ItemLines.inside(row)].filter { !$0.isEmpty }.joined(separator: " "), look: row.isAway ? .faint : .plain)
    }

    private func roomRow(_ at: Int) -> ListRow {
        let room = model.rooms[at]
        let isHere = room.id == model.mirror.room
        let isPlaying = isHere ? model.isPlaying : room.state == .playing || room.state == .buffering
        let isMuted = isHere ? model.isMuted : room.isMuted
        let level = model.level(of: room.id)
        return ListRow(
            head: isHere ? ">" : " ", text: "\(isPlaying ? "▶" : " ") \(room.name)", more: room.title ?? "",
            end: isMuted
                ? "muted" : "\(String(repeating: "▮", count: level / 10))\(String(repeating: "▯", count: 10 - level / 10)) \(level) %",
            look: isHere ? .bold : .plain)
    }

    private func lyricRow(_ at: Int) -> ListRow {
        guard let lyrics = model.item?.lyrics else { return ListRow(text: "") }
        return ListRow(text: lyrics.lines[at].text, look: at == model.sungLine ? Look(ink: .palette(2), isBold: true) : .plain)
    }

    // MARK: Columns

    private static let gap = 2

    private mutating func draw(_ row: ListRow, _ area: Area, isChosen: Bool) {
        let headWidth = model.list == .queue ? max(3, "\(model.listCount)".count + 1) : row.head.isEmpty ? 0 : 1
        var left = area.width
        var column = area.column
        edit { frame in
            if headWidth > 0 {
                frame.putRight(row.head, row: area.row, column: column, look: row.look.isBold ? row.look : .faint, limit: headWidth)
                column += headWidth + 1
                left -= headWidth + 1
            }
            let end = CellText(row.end)
            // On a narrow screen the name is more important than the text after it.
            if end.columns > 0, end.columns + Self.gap + 10 <= left {
                frame.putRight(row.end, row: area.row, column: column, look: .faint, limit: left)
                left -= end.columns + Self.gap
            }
            // A second column of names is aligned if there is room for it.
            let hasTwo = !row.more.isEmpty && left >= 24
            let textWidth = hasTwo ? max(10, (area.column + area.width - column) * 45 / 100) : left
            frame.put(row.text, row: area.row, column: column, look: row.look, limit: textWidth)
            let behind = column + textWidth + Self.gap
            if hasTwo, behind < column + left {
                frame.put(row.more, row: area.row, column: behind, look: row.look.isFaint ? .faint : .plain, limit: column + left - behind)
            }
            if isChosen { frame.paint(area) { $0.reversed } }
        }
    }

    /// Draws the search text or the opened container, with the number of rows.
    private mutating func drawLibraryHead() {
        let area = layout.listHead
        let library = model.library
        mark(area, .searchField)
        let count =
            library.isAsking
            ? "…" : library.asked.isEmpty ? library.total.map { "\($0)" } ?? "" : "asking \(library.asked.joined(separator: ", "))"
        edit { frame in
            frame.putRight(count, row: area.row, column: area.column, look: .faint, limit: area.width)
            let limit = max(0, area.width - count.count - 1)
            if library.isTyping || (library.trail.isEmpty && !library.text.isEmpty) {
                let at = frame.put("/", row: area.row, column: area.column, look: .bold)
                // The end of the typed text stays visible, with the cursor after it.
                let room = max(1, limit - 2)
                var shown = CellText(library.text)
                while shown.columns > room { shown = CellText(String(shown.text.dropFirst())) }
                let behind = frame.put(shown.text, row: area.row, column: at, look: library.isTyping ? .plain : .bold, limit: room)
                if library.isTyping { frame.cursor = Spot(row: area.row, column: behind) }
            } else if library.trail.isEmpty {
                frame.put("/ to search", row: area.row, column: area.column, look: .faint, limit: limit)
            } else {
                frame.put(library.title, row: area.row, column: area.column, look: .bold, limit: limit)
            }
        }
    }
}
