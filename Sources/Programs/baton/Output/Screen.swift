import BatonClient
import BatonCore

/// The output of `watch`: on a terminal the picture is replaced, in a pipe each change is a line.
actor Screen {
    private let json: Bool
    private let format: FormatText?
    private let ink: TextStyle
    private var drawn = 0
    /// Hash of the last output, because a state may be repeated when a connection begins.
    private var shown: Int?

    init(_ call: Invocation) {
        json = call.json
        format = call.format
        ink = call.ink
    }

    func show(_ mirror: Mirror, _ positionMs: Milliseconds) {
        guard mirror.revision != shown else { return }
        shown = mirror.revision
        let status = StatusText(mirror: mirror, positionMs: positionMs)
        if json { return Output.json(status.encode) }
        if let format { return Output.verbatim(status.filled(into: format)) }
        guard Output.isTerminal else { return Output.line(status.oneLine) }
        draw(mirror, positionMs)
    }

    func redraw(_ mirror: Mirror, _ positionMs: Milliseconds) {
        guard !json, format == nil, Output.isTerminal, mirror.timeline?.rate ?? 0 > 0 else { return }
        draw(mirror, positionMs)
    }

    func tell(_ sentence: String) {
        drawn = 0
        shown = nil
        Output.trouble(sentence)
    }

    /// One column is left free, because some terminals begin a new line in the last one.
    private func draw(_ mirror: Mirror, _ positionMs: Milliseconds) {
        let lines = StatusText(mirror: mirror, positionMs: positionMs, ink: ink, width: Columns.available - 1).lines
        let up = drawn > 0 ? "\u{1B}[\(drawn)A" : ""
        Output.verbatim(up + lines.map { "\r\u{1B}[2K\($0)" }.joined(separator: "\n") + "\u{1B}[0J")
        drawn = lines.count
    }
}
