/// A score as a standard MIDI file of format 1: a track for tempo and sections, and one for each part.
///
/// Sections are markers with the names of their roles; the motif is the text event `motif` of the first track, in the notation of recipes.
package enum MIDIFile {
    package static func bytes(_ score: Score) -> [UInt8] {
        let tracks = [conductor(score)] + score.parts.map { part($0, score) }
        var file = Array("MThd".utf8) + big(6, 4) + big(1, 2) + big(tracks.count, 2) + big(Metre.quarter, 2)
        for track in tracks { file += Array("MTrk".utf8) + big(track.count, 4) + track }
        return file
    }

    private typealias Event = ScoreEvents.Event

    private static func conductor(_ score: Score) -> [UInt8] {
        let (numerator, denominator) = score.recipe.metre.signature
        var events = [
            meta(at: 0, kind: 0x03, Array(score.recipe.key.name.utf8)),
            meta(at: 0, kind: 0x01, Array("motif \(score.recipe.motif.code)".utf8)),
            meta(at: 0, kind: 0x01, Array(score.recipe.text.utf8)),
            meta(
                at: 0, kind: 0x58,
                [UInt8(numerator), denominator == 8 ? 3 : 2, UInt8(score.recipe.metre.beatTicks * 24 / Metre.quarter), 8]),
            meta(at: 0, kind: 0x51, big(Int(score.quarterUs), 3)), meta(at: 0, kind: 0x59, signature(score.recipe.key)),
        ]
        for section in score.sections {
            events.append(meta(at: section.firstBar * score.recipe.metre.barTicks, kind: 0x06, Array(section.role.rawValue.utf8)))
        }
        return track(events, end: score.ticks)
    }

    private static func part(_ part: Score.Part, _ score: Score) -> [UInt8] {
        let names = [meta(at: 0, kind: 0x03, Array(part.role.name.utf8)), meta(at: 0, kind: 0x04, Array(part.instrument.utf8))]
        let settings = part.settings.map { Event(at: 0, order: 1, bytes: $0) }
        return track(names + settings + ScoreEvents.of(part), end: score.ticks)
    }

    private static func track(_ events: [Event], end: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var now = 0
        for event in ScoreEvents.sorted(events) {
            bytes += variable(event.at - now) + event.bytes
            now = event.at
        }
        return bytes + variable(max(0, end - now)) + [0xFF, 0x2F, 0]
    }

    private static func meta(at: Int, kind: UInt8, _ data: [UInt8]) -> Event {
        Event(at: at, order: 1, bytes: [0xFF, kind] + variable(data.count) + data)
    }

    /// The number of sharps (negative for flats), and 1 for minor. Other modes are written as the key with the same notes.
    private static func signature(_ key: Key) -> [UInt8] {
        let majors: [Key.Mode: Int] = [.major: 0, .minor: 3, .dorian: 10, .mixolydian: 5, .lydian: 7, .phrygian: 8]
        let tonic = (key.tonic + (majors[key.mode] ?? 0)) % 12
        let sharps = [0, -5, 2, -3, 4, -1, 6, 1, -4, 3, -2, 5][tonic]
        return [UInt8(bitPattern: Int8(sharps)), key.mode == .minor ? 1 : 0]
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func variable(_ value: Int) -> [UInt8] {
        var bytes = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
            rest >>= 7
        }
        return bytes
    }
}

extension Score.Part {
    /// MIDI messages for the instrument, volume, panning and reverb.
    package var settings: [[UInt8]] {
        let channel = UInt8(channel)
        let volume = role == .drums ? 100 : Instrument.of(program)?.volume ?? 96
        return [
            [0xC0 | channel, UInt8(program)], [0xB0 | channel, 7, UInt8(volume)], [0xB0 | channel, 10, UInt8(role.pan)],
            [0xB0 | channel, 91, UInt8(role.reverb)], [0xB0 | channel, 93, 0],
        ]
    }
}
