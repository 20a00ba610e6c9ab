import BatonCore
import BatonProtocol
import BatonSeams

/// The answer to `status` until something changes: its lines are made once, but for those of the position, which are made for each answer.
@Loop
final class StatusText {
    private let status: RoomStatus
    /// The time to which the position belongs, from which the later ones follow.
    private let timeline: TimelineSection?
    private let before: [UInt8]
    private let behind: [UInt8]

    init(_ status: RoomStatus, _ timeline: TimelineSection?) {
        self.status = status
        self.timeline = timeline
        var text = AnswerText()
        status.writeBeforePosition(to: &text)
        before = text.take()
        status.writeBehindPosition(to: &text)
        behind = text.take()
    }

    /// The current song.
    var song: RoomStatus.Song? { status.song }

    /// Bytes that hold the lines of a position.
    private static let positionBytes = 48

    func write(to text: inout AnswerText, atUs nowUs: Microseconds) {
        text.expect(before.count + behind.count + Self.positionBytes)
        text.lines(before)
        if status.state != .stop { status.writePosition(elapsedMs(atUs: nowUs), to: &text) }
        text.lines(behind)
    }

    private func elapsedMs(atUs nowUs: Microseconds) -> Int {
        guard status.song != nil, let timeline else { return 0 }
        let position = Int(timeline.positionMs) + Int(max(0, nowUs - timeline.atUs)) / 1000 * timeline.rate / 1000
        return max(0, min(position, status.durationMs ?? .max))
    }
}
