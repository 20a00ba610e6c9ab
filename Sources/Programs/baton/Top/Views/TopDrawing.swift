import BatonCore
import BatonProtocol

/// Draws the model to cells, and records the areas that the mouse can press.
struct TopDrawing {
    /// The meaning of a mouse press in an area.
    enum Target: Equatable, Sendable {
        case view(TopView)
        case help
        /// A row of the list, by its index.
        case row(Int)
        case list
        case searchField
        case progress
        case foot
    }

    let model: TopModel
    let layout: TopLayout
    private(set) var frame: Frame
    private(set) var targets: [(area: Area, target: Target)] = []
    private(set) var coverArea: Area?

    init(_ model: TopModel) {
        self.model = model
        layout = TopLayout(model)
        frame = Frame(width: model.columns, height: model.rows)
        if layout.isTooSmall { tooSmall() } else { drawAll() }
    }

    private mutating func drawAll() {
        drawHead()
        if model.showsHelp {
            drawHelp()
        } else {
            if !layout.now.isEmpty { drawNow() }
            if !layout.list.isEmpty || !layout.listHead.isEmpty { drawList() }
        }
        drawFoot()
    }

    func target(at spot: Spot) -> Target? { targets.last { $0.area.contains(spot) }?.target }

    // MARK: Access for other files

    mutating func edit(_ change: (inout Frame) -> Void) { change(&frame) }
    mutating func mark(_ area: Area, _ target: Target) { targets.append((area, target)) }
    mutating func wantCover(_ area: Area) { coverArea = area }

    private mutating func tooSmall() {
        let sentence = "baton top needs \(TopLayout.fewestColumns) columns and \(TopLayout.fewestRows) rows."
        var rest = sentence[...]
        for row in 0..<frame.height where !rest.isEmpty {
            frame.put(String(rest.prefix(frame.width)), row: row, column: 0)
            rest = rest.dropFirst(frame.width)
        }
    }

    // MARK: Head

    private struct Tab {
        /// The view; `nil` for the help.
        var view: TopView?
        var text: String
    }

    private static func tabs(_ text: (TopView) -> String) -> [Tab] { TopView.allCases.map { Tab(view: $0, text: text($0)) } }

    private mutating func drawHead() {
        let names = Self.tabs { "\($0.key) \($0.title)" } + [Tab(view: nil, text: "? Help")]
        let short = Self.tabs { "\($0.key)" } + [Tab(view: nil, text: "?")]
        let whole = names.reduce(0) { $0 + $1.text.count + 2 }
        let tabs = whole + 14 <= frame.width ? names : short
        let width = tabs.reduce(0) { $0 + $1.text.count + 2 } - 2
        var column = frame.width - width
        drawPlace(limit: column - 2)
        for tab in tabs {
            let isShown = model.showsHelp ? tab.view == nil : tab.view == model.view
            frame.put(tab.text, row: 0, column: column, look: isShown ? .chosen : .faint)
            mark(Area(0, column, height: 1, width: tab.text.count), tab.view.map { .view($0) } ?? .help)
            column += tab.text.count + 2
        }
    }

    private mutating func drawPlace(limit: Int) {
        let status = StatusText(mirror: model.mirror, positionMs: 0)
        let (sign, look): (String, Look) =
            switch model.mirror.timeline?.state ?? .stopped {
            case .buffering where model.isPlaying: ("…", .green)
            case _ where model.isPlaying: ("▶", .green)
            case .paused, .playing, .buffering: ("⏸", .faint)
            default: ("■", .faint)
            }
        let at = frame.put(sign, row: 0, column: 0, look: look, limit: limit)
        frame.put(status.place, row: 0, column: at + 1, look: .bold, limit: limit - at - 1)
    }

    // MARK: Foot

    private mutating func drawFoot() {
        if !layout.nowLine.isEmpty, !model.showsHelp, let tags = model.tags { drawNowLine(tags) }
        drawProgress()
        mark(layout.foot, .foot)
        let row = layout.foot.row
        if let trouble { return _ = frame.put(trouble.text, row: row, column: 0, look: trouble.look) }
        frame.put(model.showsHelp && model.helpTop < mostHelp ? "↓ shows more keys" : footer, row: row, column: 0, look: .faint)
    }

    /// The message in the last row, which replaces the volume.
    private var trouble: (text: String, look: Look)? {
        switch model.link {
        case .away(let sentence): ("The hub does not answer: \(sentence) Trying again.", .red)
        case .silent: ("The hub does not answer.", .red)
        case .answering:
            model.notice.map { ($0.text, $0.isTrouble ? .yellow : .plain) }
                ?? model.mirror.problemsOfPlaying.first.map { ("! \($0.message)", .yellow) }
        }
    }

    private var footer: String {
        let level = model.level(of: nil)
        var parts = [model.isMuted ? "muted (volume \(level) %)" : "volume \(level) %"]
        let modes = model.modes
        if modes.repeat { parts.append(modes.single == .on ? "repeat one" : "repeat all") }
        if modes.shuffle { parts.append("shuffle") }
        if modes.single == .once || modes.single == .on && !modes.repeat { parts.append("single \(modes.single.rawValue)") }
        if modes.consume != .off { parts.append("consume \(modes.consume.rawValue)") }
        if modes.speed != 1000 { parts.append("speed \(Double(modes.speed) / 1000)") }
        if let current = model.current, let at = model.entries.firstIndex(of: current), let queue = model.queue {
            parts.append("\(at + 1) of \(max(queue.length, model.entries.count))")
        }
        if let left = model.sleepLeftMs { parts.append("sleeps in \(TimeText.length(ms: left))") }
        return parts.joined(separator: ", ")
    }

    private mutating func drawNowLine(_ tags: Tags) {
        let row = layout.nowLine.row
        let column = frame.put(TopText.title(tags) + (model.isFavourite ? " ♥" : ""), row: row, column: 0, look: .bold)
        let artist = tags.artists.joined(separator: ", ")
        if !artist.isEmpty, column + 3 < frame.width { frame.put(" – \(artist)", row: row, column: column) }
    }

    /// Draws the progress bar: `1:23 ━━━━━───── 4:56`.
    private mutating func drawProgress() {
        let row = layout.progress.row
        guard let tags = model.tags else {
            frame.put("The queue is empty. Search with /", row: row, column: 0, look: .faint)
            return
        }
        let isAhead = model.ahead.current.map { $0 != model.mirror.now?.entry } ?? false
        let positionMs = isAhead ? 0 : model.positionMs
        let here = TimeText.show(ms: positionMs)
        guard let durationMs = tags.durationMs, durationMs > 0 else {
            let live =
                model.mirror.timeline?.isLive == true ? model.behindMs.map { "  \(TimeText.length(ms: $0)) behind live" } ?? "  live" : ""
            frame.put(here + live, row: row, column: 0)
            return
        }
        let whole = TimeText.show(ms: durationMs)
        let start = frame.put(here, row: row, column: 0) + 1
        let length = max(0, frame.width - start - whole.count - 1)
        // Half cells double the resolution of the bar.
        let halves = min(length * 2, Int(max(0, positionMs) * length * 2 / durationMs))
        let bar = String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
        frame.put(bar, row: row, column: start, look: model.isPlaying ? .green : .plain)
        frame.put(String(repeating: "─", count: length - bar.count), row: row, column: start + bar.count, look: .faint)
        frame.putRight(whole, row: row, column: 0, look: .plain, limit: frame.width)
        mark(Area(row, start, height: 1, width: length), .progress)
    }

    /// The position in the item at which the bar was pressed.
    func positionMs(at spot: Spot) -> Milliseconds? {
        guard let area = targets.first(where: { $0.target == .progress })?.area, area.contains(spot),
            let durationMs = model.tags?.durationMs
        else { return nil }
        return durationMs * (spot.column - area.column) / max(1, area.width)
    }
}
