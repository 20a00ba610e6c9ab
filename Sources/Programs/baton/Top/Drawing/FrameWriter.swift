/// Generates the bytes that change a screen from one frame to another.
///
/// It writes only cells that differ, moves the cursor by the shortest sequence, and sends colours when they change.
/// Nothing is cleared first, so the screen does not flicker.
struct FrameWriter {
    let depth: ColourDepth
    /// The terminal supports synchronised updates: it shows everything between two marks at once.
    var isSynchronised = false

    private var bytes: [UInt8] = []
    private var look = Look()
    private var cursor: Spot?

    init(_ depth: ColourDepth, isSynchronised: Bool = false) {
        self.depth = depth
        self.isSynchronised = isSynchronised
    }

    /// The bytes from `before`, which is `nil` if the screen's content is unknown. Empty if nothing differs.
    static func bytes(
        from before: Frame?, to frame: Frame, _ depth: ColourDepth, isSynchronised: Bool = false
    ) -> [UInt8] {
        var writer = FrameWriter(depth, isSynchronised: isSynchronised)
        writer.write(from: before, to: frame)
        return writer.bytes
    }

    private mutating func write(from old: Frame?, to frame: Frame) {
        let before = old.flatMap { $0.width == frame.width && $0.height == frame.height ? $0 : nil }
        guard before != frame else { return }
        if before == nil { say("\u{1B}[0m\u{1B}[2J") }
        if before?.picture != frame.picture, let gone = before?.picture { take(gone, over: frame) }
        for row in 0..<frame.height { write(row: row, over: before, of: frame) }
        if before?.picture != frame.picture, let picture = frame.picture { draw(picture) }
        if look != Look() { say("\u{1B}[0m") }
        place(frame.cursor, wasSeen: before?.cursor != nil, isKnown: before != nil)
        guard !bytes.isEmpty, isSynchronised else { return }
        bytes = Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
    }

    private mutating func write(row: Int, over before: Frame?, of frame: Frame) {
        let start = row * frame.width
        var column = 0
        while column < frame.width {
            let cell = frame.cells[start + column]
            let old = before?.cells[start + column] ?? .blank
            // The second half of a wide character is drawn with its first half, which differs whenever this one does.
            if cell == old || cell.text.isEmpty {
                column += 1
                continue
            }
            if !bridge(to: column, row, frame) { move(to: Spot(row: row, column: column)) }
            setLook(cell.look)
            say(cell.text)
            let columns = column + 1 < frame.width && frame.cells[start + column + 1].text.isEmpty ? 2 : 1
            column += columns
            // After the last column, terminals differ in the cursor's position. They also differ in the width of
            // characters with several scalars. In both cases the position counts as unknown.
            let isSure = column < frame.width && columns == 1 && cell.text.unicodeScalars.count == 1
            cursor = isSure ? Spot(row: row, column: column) : nil
        }
    }

    // MARK: The cursor

    /// Rewrites the cells up to `column` if that is shorter than a cursor movement, as for the space between two words.
    private mutating func bridge(to column: Int, _ row: Int, _ frame: Frame) -> Bool {
        guard let cursor, cursor.row == row, cursor.column < column, column - cursor.column <= Self.longestBridge else { return false }
        let gap = frame.cells[row * frame.width + cursor.column..<row * frame.width + column]
        // Characters whose width differs between terminals would move the following text.
        guard gap.allSatisfy({ shown($0.look) == look && $0.text.utf8.count == 1 }) else { return false }
        for cell in gap { say(cell.text) }
        return true
    }

    /// Longest gap to rewrite: a movement to the right takes at least three bytes.
    private static let longestBridge = 2

    private mutating func move(to spot: Spot) {
        defer { cursor = spot }
        guard let cursor else { return say("\u{1B}[\(spot.row + 1);\(spot.column + 1)H") }
        guard cursor != spot else { return }
        let right = spot.column - cursor.column
        if cursor.row == spot.row, right > 0 { return say(right == 1 ? "\u{1B}[C" : "\u{1B}[\(right)C") }
        say("\u{1B}[\(spot.row + 1);\(spot.column + 1)H")
    }

    private mutating func place(_ spot: Spot?, wasSeen: Bool, isKnown: Bool) {
        if let spot {
            move(to: spot)
            if !wasSeen { say("\u{1B}[?25h") }
        } else if wasSeen || !isKnown {
            say("\u{1B}[?25l")
        }
    }

    // MARK: Styles

    private mutating func setLook(_ wanted: Look) {
        let wanted = shown(wanted)
        guard wanted != look else { return }
        var codes: [String] = []
        if (look.isBold && !wanted.isBold) || (look.isFaint && !wanted.isFaint) || (look.isReversed && !wanted.isReversed) {
            codes.append("0")
            look = Look()
        }
        if wanted.isBold, !look.isBold { codes.append("1") }
        if wanted.isFaint, !look.isFaint { codes.append("2") }
        if wanted.isReversed, !look.isReversed { codes.append("7") }
        if wanted.ink != look.ink { codes.append(code(wanted.ink, ground: false)) }
        if wanted.ground != look.ground { codes.append(code(wanted.ground, ground: true)) }
        look = wanted
        if !codes.isEmpty { say("\u{1B}[\(codes.joined(separator: ";"))m") }
    }

    /// The style without colours, if the terminal has none. A reversed row stays reversed, because it marks the
    /// selection.
    private func shown(_ look: Look) -> Look {
        guard depth == .none else { return look }
        return Look(isBold: look.isBold, isFaint: look.isFaint, isReversed: look.isReversed)
    }

    private func code(_ shade: Shade, ground: Bool) -> String {
        switch shade {
        case .usual: ground ? "49" : "39"
        case .palette(let index): "\((ground ? 40 : 30) + Int(index & 7))"
        case .exact(let colour) where depth == .full: "\(ground ? 48 : 38);2;\(colour.red);\(colour.green);\(colour.blue)"
        case .exact(let colour): "\(ground ? 48 : 38);5;\(colour.indexed)"
        }
    }

    // MARK: Pictures

    private mutating func draw(_ picture: ScreenPicture) {
        cursor = nil
        move(to: Spot(row: picture.area.row, column: picture.area.column))
        bytes += picture.bytes
        cursor = nil
    }

    /// Removes a picture. Kitty deletes it by its name; other pictures disappear when their cells are rewritten.
    private mutating func take(_ picture: ScreenPicture, over frame: Frame) {
        if picture.bytes.starts(with: KittyPicture.start) { return say(KittyPicture.removal) }
        for row in picture.area.rows.clamped(to: 0..<frame.height) {
            move(to: Spot(row: row, column: picture.area.column))
            setLook(Look())
            say(String(repeating: " ", count: max(0, min(picture.area.width, frame.width - picture.area.column))))
            cursor = nil
        }
    }

    private mutating func say(_ text: String) { bytes += text.utf8 }
}
