/// The notes of a score as MIDI messages in order of time.
package enum ScoreEvents {
    package struct Event: Sendable {
        /// The time in ticks.
        package var at: Int
        /// The order at one time: notes end, then settings change, then notes begin.
        var order: Int
        package var bytes: [UInt8]
    }

    package static func all(_ score: Score) -> [Event] { sorted(score.parts.flatMap(of)) }

    static func of(_ part: Score.Part) -> [Event] {
        let channel = UInt8(part.channel)
        let swells = part.swells.map { Event(at: $0.at, order: 1, bytes: [0xB0 | channel, 11, UInt8($0.value)]) }
        return swells
            + part.notes.flatMap { note in
                [
                    Event(at: note.start, order: 2, bytes: [0x90 | channel, UInt8(note.pitch), UInt8(note.velocity)]),
                    Event(at: note.end, order: 0, bytes: [0x80 | channel, UInt8(note.pitch), 64]),
                ]
            }
    }

    /// Events of the same time and kind keep their order.
    static func sorted(_ events: [Event]) -> [Event] {
        events.enumerated().sorted { ($0.element.at, $0.element.order, $0.offset) < ($1.element.at, $1.element.order, $1.offset) }
            .map(\.element)
    }
}
