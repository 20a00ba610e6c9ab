import BatonProtocol

/// Actions of the mouse, on the screen as it was last drawn.
extension TopModel {
    private static let wheelStep = 3

    mutating func mouse(_ act: MouseAct, _ spot: Spot, on drawing: TopDrawing) -> [TopEffect] {
        notice = nil
        defer { settle() }
        if showsHelp, act != .press || drawing.target(at: spot) == nil {
            scrollHelp(act == .wheelDown ? .down : act == .wheelUp ? .up : .help)
            return []
        }
        guard let target = drawing.target(at: spot) else { return [] }
        return began(effects(of: act, on: target, at: spot, in: drawing))
    }

    private mutating func effects(of act: MouseAct, on target: TopDrawing.Target, at spot: Spot, in drawing: TopDrawing) -> [TopEffect] {
        switch (target, act) {
        case (.row, .wheelDown), (.list, .wheelDown): return go(by: Self.wheelStep)
        case (.row, .wheelUp), (.list, .wheelUp): return go(by: -Self.wheelStep)
        case (.foot, .wheelUp), (.progress, .wheelUp): return level(of: mirror.room, to: level(of: nil) + Self.volumeStep)
        case (.foot, .wheelDown), (.progress, .wheelDown): return level(of: mirror.room, to: level(of: nil) - Self.volumeStep)
        case (.view(let view), .press): return show(view)
        case (.help, .press):
            showsHelp.toggle()
            return []
        case (.row(let row), .press): return press(onRow: row)
        case (.searchField, .press):
            library.isTyping = true
            return question()
        case (.progress, .press):
            guard let entry = mirror.now?.entry, let ms = drawing.positionMs(at: spot) else { return [] }
            return [.seek(entry, toMs: ms)]
        default: return []
        }
    }

    /// The first click selects a row; a click on the selected row acts like Enter.
    private mutating func press(onRow row: Int) -> [TopEffect] {
        library.isTyping = false
        guard row == place.row else { return go(by: row - place.row) }
        return choose()
    }
}
