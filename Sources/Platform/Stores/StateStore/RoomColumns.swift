import BatonCore
import BatonSeams
import SQLite

/// Columns of the table `room` for one part of it, with their writing and reading.
struct RoomColumns: Sendable {
    let names: [String]
    /// One value for each name.
    let values: @Sendable (RoomRow) -> [Database.Value]
    /// Reads the part; the first column is at `place` of the row.
    let read: @Sendable (_ row: Row, _ place: Int32, _ room: inout RoomRow) -> Void

    /// All columns but the key, and those that are written separately because they change independently.
    static let all: [RoomColumns] = [
        RoomColumns(names: ["name"], values: { [.text($0.name)] }, read: { $2.name = $0.text($1) }),
        number("queue_revision", \.queueRevision),
        RoomColumns(
            names: ["current"], values: { [$0.current.map(Database.Value.id) ?? .null] },
            read: { $2.current = $0.isNull($1) ? nil : $0.id($1) }),
        time("position_ms", \.positionMs), flag("playing", \.playing), number("level", \.level), flag("muted", \.muted),
        RoomColumns(
            names: ["at_end"], values: { [.text(AtEnd.text(of: $0.modes))] }, read: { AtEnd.read($0.text($1), into: &$2.modes) }),
        flag("shuffle", \.modes.shuffle), number("speed", \.modes.speed),
        word("gain", \.modes.gain, else: .auto), number("preamp_db", \.modes.preampDb),
        RoomColumns(
            names: ["unfinished", "filler"],
            values: { [.text($0.modes.unfinished.name.rawValue), .maybe($0.modes.unfinished.filler?.text)] },
            read: { row, place, room in
                let filler = row.maybeText(place + 1).map { ItemURI($0) }
                room.modes.unfinished = Unfinished.Name(rawValue: row.text(place)).flatMap { Unfinished($0, filler: filler) } ?? .skip
            }),
        number("floor", \.floor), number("ceiling", \.ceiling), number("start_max", \.startMax),
        RoomColumns(names: ["output"], values: { [.maybe($0.output)] }, read: { $2.output = $0.maybeText($1) }),
        RoomColumns(
            names: ["sleep_end", "sleep_amount", "sleep_fade_ms"],
            values: { [.maybe($0.sleep?.end.rawValue), .int($0.sleep?.amount ?? 0), .time($0.sleep?.fadeMs ?? 0)] },
            read: { row, place, room in
                room.sleep = row.maybeText(place).flatMap(SleepEnd.init(rawValue:)).map {
                    SleepWish($0, amount: row.int(place + 1), fadeMs: row.time(place + 2))
                }
            }),
        RoomColumns(
            names: ["heard_from_ms", "paused_clock_ms"],
            values: { [.time($0.resumption.fromMs), .time($0.resumption.pausedAtMs)] },
            read: { $2.resumption = Resumption(fromMs: $0.time($1), pausedAtMs: $0.maybeTime($1 + 1)) }),
        RoomColumns(
            names: ["music_speed", "speech_speed", "work_speeds"],
            values: { [.int($0.speeds.music), .int($0.speeds.spoken.last), .text($0.speeds.spoken.worksText)] },
            read: { row, place, room in
                let spoken = SpokenSpeeds(last: row.int(place + 1), worksText: row.text(place + 2))
                room.speeds = RoomSpeeds(music: row.int(place), spoken: spoken)
            }),
        time("forward_ms", \.modes.forwardMs), time("back_ms", \.modes.backMs), flag("raises_voice", \.modes.raisesVoice),
        RoomColumns(
            names: ["sleep_places"], values: { [.blob($0.sleepPositions.packed)] },
            read: { $2.sleepPositions = SleepPositions(packed: $0.blob($1)) }
        ),
        flag("trims", \.modes.trims), flag("mono", \.modes.isMono),
    ]
    static let names = all.flatMap(\.names)

    private static func number(_ name: String, _ part: any WritableKeyPath<RoomRow, Int> & Sendable) -> RoomColumns {
        RoomColumns(names: [name], values: { [.int($0[keyPath: part])] }, read: { $2[keyPath: part] = $0.int($1) })
    }

    private static func time(_ name: String, _ part: any WritableKeyPath<RoomRow, Milliseconds> & Sendable) -> RoomColumns {
        RoomColumns(names: [name], values: { [.time($0[keyPath: part])] }, read: { $2[keyPath: part] = $0.time($1) })
    }

    private static func flag(_ name: String, _ part: any WritableKeyPath<RoomRow, Bool> & Sendable) -> RoomColumns {
        RoomColumns(names: [name], values: { [.flag($0[keyPath: part])] }, read: { $2[keyPath: part] = $0.flag($1) })
    }

    private static func word<Word: RawRepresentable<String> & Sendable>(
        _ name: String, _ part: any WritableKeyPath<RoomRow, Word> & Sendable, else usual: Word
    ) -> RoomColumns {
        RoomColumns(
            names: [name], values: { [.text($0[keyPath: part].rawValue)] },
            read: { $2[keyPath: part] = Word(rawValue: $0.text($1)) ?? usual })
    }
}

/// The modes of the end of an entry, as the words of those that are not off.
private enum AtEnd {
    static func text(of modes: Modes) -> String {
        guard modes.repeat || modes.single != .off || modes.consume != .off else { return "" }
        var words: [String] = modes.repeat ? ["repeat"] : []
        for (name, value) in [("single", modes.single), ("consume", modes.consume)] where value != .off {
            words.append(value == .once ? "\(name)-once" : name)
        }
        return words.joined(separator: " ")
    }

    static func read(_ text: String, into modes: inout Modes) {
        let words = text.split(separator: " ")
        func value(_ name: String) -> ModeSwitch { words.contains("\(name)-once") ? .once : words.contains(Substring(name)) ? .on : .off }
        (modes.repeat, modes.single, modes.consume) = (words.contains("repeat"), value("single"), value("consume"))
    }
}
