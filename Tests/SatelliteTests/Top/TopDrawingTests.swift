import BatonClient
import BatonCore
import BatonProtocol
import Terminals
import Testing

@testable import baton

@Suite struct `The whole screen at every size` {
    static let sizes = [(80, 24), (120, 40), (300, 80), (40, 12), (20, 8)]

    @Test(arguments: sizes) func `says what plays, where, how far and how loud`(columns: Int, rows: Int) throws {
        let text = TopDrawing(try TopModel.sample(columns: columns, rows: rows)).text
        for part in ["Kid A", "Radiohead", "1:00", "4:44", "volume 35 %"] { #expect(text.contains(part), "\(part) in\n\(text)") }
    }

    @Test(arguments: sizes) func `shows each list, and what plays below it`(columns: Int, rows: Int) throws {
        for (key, part) in [("2", "Song 2"), ("4", "Bath"), ("5", columns < 40 ? "Of this" : "no words")] {
            var model = try TopModel.sample(columns: columns, rows: rows)
            _ = model.type(key)
            let text = TopDrawing(model).text
            #expect(text.contains(part), "\(part) in\n\(text)")
            if rows >= 10 { #expect(text.contains("Kid A")) }
        }
    }

    @Test(arguments: 1...60) func `nothing is drawn outside of a screen of any size`(size: Int) throws {
        for (columns, rows) in [(size, 24), (80, size), (size, size), (size * 4, size)] {
            var model = try TopModel.sample(columns: columns, rows: rows, title: "久石譲 久石譲 久石譲", art: "p1")
            for key in "12345?" {
                _ = model.press(.character(key))
                let frame = TopDrawing(model).frame
                #expect(frame.width == columns && frame.height == rows)
                for row in 0..<rows { #expect(CellText(frame.text(ofRow: row)).columns == columns) }
            }
        }
    }

    @Test func `a screen that is too small says what is needed`() throws {
        let text = TopDrawing(try TopModel.sample(columns: 12, rows: 3)).lines.joined()
        #expect(text.hasPrefix("baton top needs 20 columns"))
    }

    @Test(arguments: sizes) func `the help names every key`(columns: Int, rows: Int) throws {
        var model = try TopModel.sample(columns: columns, rows: rows)
        _ = model.press(.character("?"))
        let text = TopDrawing(model).text
        for entry in TopKey.groups.flatMap(\.keys).prefix(rows >= 24 ? .max : 3) {
            #expect(text.contains(entry.says.prefix(8)), "\(entry.says)")
        }
    }

    @Test func `a hub that does not answer is named in the last row`() throws {
        var model = try TopModel.sample()
        model.link = .silent
        #expect(TopDrawing(model).lines.last == "The hub does not answer.")
        model.link = .away("The connection was lost.")
        #expect(TopDrawing(model).lines.last == "The hub does not answer: The connection was lost. Trying again.")
    }

    @Test func `a title with control characters stays in its row`() throws {
        let model = try TopModel.sample(title: #"x\u001b[2J\u001b]0;y\u0007\n\u202e"#)
        let drawing = TopDrawing(model)
        #expect(drawing.text.contains(#"x\u001b[2J\u001b]0;y\u0007\u000a\u202e"#))
        for cell in drawing.frame.cells { #expect(cell.text.unicodeScalars.allSatisfy { $0.value >= 0x20 }) }
    }

    // MARK: What a frame costs

    @Test(arguments: sizes) func `a second of playing writes a few bytes`(columns: Int, rows: Int) throws {
        var model = try TopModel.sample(columns: columns, rows: rows)
        var before = TopDrawing(model).frame
        var most = 0
        for second in 61..<90 {
            model.positionMs = Milliseconds.seconds(second)
            let after = TopDrawing(model).frame
            most = max(most, FrameWriter.bytes(from: before, to: after, .full).count)
            before = after
        }
        // The time, and the end of the bar with its colours.
        #expect((1...80).contains(most), "\(most) bytes")
    }

    @Test func `going down a row writes two rows and no more`() throws {
        var model = try TopModel.sample()
        _ = model.press(.character("2"))
        let before = TopDrawing(model).frame
        _ = model.press(.down)
        let bytes = FrameWriter.bytes(from: before, to: TopDrawing(model).frame, .full)
        #expect(bytes.count < 2 * 80 + 60, "\(bytes.count) bytes")
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{1B}[2J"))
    }

    // MARK: Covers

    @Test(arguments: sizes) func `a cover is a square where there is room for one`(columns: Int, rows: Int) throws {
        let drawing = TopDrawing(try TopModel.sample(columns: columns, rows: rows, art: "p1"))
        guard let area = drawing.coverArea else {
            #expect(rows < 10)
            return
        }
        #expect(area.width == area.height * 2 && area.height >= 4)
    }

    @Test func `two dots of a cover are one cell`() throws {
        var model = try TopModel.sample(art: "p1")
        let area = try #require(TopDrawing(model).coverArea)
        var rgb: [UInt8] = []
        for y in 0..<area.height * 2 { for x in 0..<area.width { rgb += [UInt8(x), UInt8(y), 7] } }
        model.cover = .init(id: "p1", area: area, pixels: PixelPicture(width: area.width, height: area.height * 2, rgb: rgb), placed: nil)
        let frame = TopDrawing(model).frame
        let cell = frame[area.row + 2, area.column + 3]
        #expect(
            cell == Cell(text: "▀", look: Look(ink: .exact(RGB(red: 3, green: 4, blue: 7)), ground: .exact(RGB(red: 3, green: 5, blue: 7))))
        )
        // The cover of another track is not shown meanwhile.
        model.cover?.id = "p0"
        #expect(TopDrawing(model).frame[area.row + 2, area.column + 3] == .blank)
    }
}

extension Mirror {
    /// The same state, of another room.
    func inRoom(_ room: String) throws -> Mirror {
        let text = #"{"t":"state","full":1,"rev":\#(revision + 1),"room":"\#(room)","s":{"vol":{"level":35,"mute":false}}}"#
        return try TopModel.applied(text)
    }
}
