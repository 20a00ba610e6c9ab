import BatonCore
import BatonProtocol
import Terminals

/// Draws the current item with its cover and details.
extension TopDrawing {
    mutating func drawNow() {
        let area = layout.now
        guard let tags = model.tags else { return drawEmpty(area) }
        var text = area
        if model.hasPictures, tags.art != nil, let cover = layout.cover(isWide: layout.isWide) {
            draw(cover)
            text =
                layout.isWide
                ? Area(cover.row + cover.height + 1, area.column, height: area.height - cover.height - 1, width: area.width)
                : Area(area.row, cover.column + cover.width + 2, height: area.height, width: area.width - cover.width - 2)
        }
        draw(tags, in: text)
    }

    private mutating func drawEmpty(_ area: Area) {
        let lines = ["Nothing plays.", "", "/ searches the library, 3 shows it.", "? shows all keys."]
        edit { frame in
            for (row, line) in lines.prefix(area.height).enumerated() {
                frame.put(line, row: area.row + row, column: area.column, look: .faint, limit: area.width)
            }
        }
    }

    /// Draws the cover. Half blocks are cells; other pictures are drawn by the terminal over blank cells.
    private mutating func draw(_ area: Area) {
        wantCover(area)
        guard let cover = model.cover, cover.area == area, cover.id == model.tags?.art?.id else { return }
        edit { frame in
            frame.picture = cover.placed
            guard let pixels = cover.pixels else { return }
            for row in 0..<min(area.height, pixels.height / 2) {
                for column in 0..<min(area.width, pixels.width) {
                    let (upper, lower) = (pixels[column, row * 2], pixels[column, row * 2 + 1])
                    frame.dot(
                        area.row + row, area.column + column, upper: RGB(red: upper.red, green: upper.green, blue: upper.blue),
                        lower: RGB(red: lower.red, green: lower.green, blue: lower.blue))
                }
            }
        }
    }

    private mutating func draw(_ tags: Tags, in area: Area) {
        var lines: [(text: String, look: Look)] = [(TopText.title(tags) + (model.isFavourite ? " ♥" : ""), .bold)]
        let artist = tags.artists.joined(separator: ", ")
        if !artist.isEmpty { lines.append((artist, .plain)) }
        let album = [tags.album, tags.year.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        if !album.isEmpty { lines.append((album, .plain)) }
        if tags.streamTitle != nil, !tags.title.isEmpty { lines.append((tags.title, .faint)) }
        lines += facts.map { ($0, .faint) }
        if let lyric { lines += [("", .plain), (lyric, .green)] }
        if let there = model.mirror.now?.elsewhere {
            lines += [("", .plain), ("\(there.device) plays this too, at \(TimeText.show(ms: there.positionMs)).", .yellow)]
        }
        if !layout.isWide { lines += others }
        edit { frame in
            for (row, line) in lines.prefix(area.height).enumerated() {
                frame.put(line.text, row: area.row + row, column: area.column, look: line.look, limit: area.width)
            }
        }
    }

    /// Lines below the names: the next item, and the format of the sound.
    private var facts: [String] {
        var facts: [String] = []
        if let format = model.mirror.now?.format {
            let depth = format.bits.map { ", \($0) bits" } ?? ""
            facts.append("\(format.codec), \(Double(format.rate) / 1000) kHz\(depth)")
        }
        if let book = model.mirror.book { facts.append("\(book.number) of \(book.count): \(book.title)") }
        if let next = model.mirror.queue?.nextText, !layout.isWide { facts.append("next: \(next)") }
        return facts.isEmpty ? [] : [""] + facts
    }

    /// The current line of the lyrics.
    private var lyric: String? {
        guard let line = model.sungLine, let lyrics = model.item?.lyrics else { return nil }
        return lyrics.lines[line].text
    }

    /// Further rooms that are playing.
    private var others: [(text: String, look: Look)] {
        let playing = model.rooms.filter { $0.id != model.mirror.room && $0.state == .playing }
        guard !playing.isEmpty else { return [] }
        return [("", .plain)] + playing.map { ("▶ \($0.name): \($0.title ?? "")", .faint) }
    }
}

/// Texts that several parts use.
enum TopText {
    static func title(_ tags: Tags) -> String { tags.streamTitle ?? tags.title }

    static func line(_ tags: Tags) -> (title: String, by: String) { (title(tags), tags.artists.joined(separator: ", ")) }
}
