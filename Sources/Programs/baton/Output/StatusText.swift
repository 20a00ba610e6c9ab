import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

/// The state of a hub as lines for people, as one line in a given format, or as a JSON object.
struct StatusText {
    let mirror: Mirror
    let positionMs: Milliseconds
    /// The current delay between receiving and playing a station's sound; `nil` takes the delay from the state.
    var behindMs: Milliseconds?
    var ink = TextStyle.none
    /// The width of a line in columns.
    var width = 80
    /// The person's rating of the current item; `nil` if it was not requested.
    var mark: ItemMark?

    private var tags: Tags { mirror.now?.tags ?? Tags() }
    private var state: String { mirror.timeline?.state.name ?? "stopped" }
    private var title: String { tags.streamTitle ?? tags.title }
    private var artist: String { tags.artists.joined(separator: ", ") }
    private var rooms: RoomNames { RoomNames(mirror) }
    private var roomName: String { rooms.name(of: mirror.room) }
    private var problems: [String] { mirror.hub?.problems.map(\.message) ?? [] }

    private var behind: Milliseconds? { behindMs ?? mirror.timeline?.behindMs }

    private static let signs = ["playing": "▶", "paused": "⏸", "buffering": "…", "stopped": "■"]

    // MARK: For people

    var lines: [String] {
        var lines = [cut("\(Self.signs[state] ?? "?") \(place), \(state)", state == "playing" ? ink.green : ink.faint)]
        if mirror.now != nil {
            lines.append(cut("  \(title)\(hearts)", ink.bold))
            let below = [artist, tags.album].filter { !$0.isEmpty }
            if !below.isEmpty { lines.append(cut("  \(below.joined(separator: " – "))")) }
            lines.append(cut("  \(progress)"))
        } else {
            lines.append(cut("  The queue is empty. Add something with: baton play FILE"))
        }
        lines.append(cut("  \(volume)\(way)\(queue)", ink.faint))
        if let there = mirror.now?.elsewhere {
            lines.append(
                cut("  ? \(there.device) plays this too, at \(TimeText.show(ms: there.positionMs)). Pause here? baton pause", ink.yellow))
            lines.append(cut("    Or go on here: baton progress here", ink.yellow))
        }
        lines += elsewhere
        lines += problems.map { cut("  ! \($0)", ink.yellow) }
        return lines
    }

    /// Cuts a line before colouring it, because colours take no columns.
    private func cut(_ line: String, _ paint: (String) -> String = { $0 }) -> String { paint(Columns.cut(VisibleText.of(line), to: width)) }

    /// The room on its hub. The room is left out if it is the only one, or if it has the hub's name.
    var place: String {
        let hub = mirror.hub?.name ?? "hub"
        return rooms.hasSeveral && roomName.lowercased() != hub.lowercased() ? "\(roomName) on \(hub)" : hub
    }

    /// A line for each other room.
    private var elsewhere: [String] {
        (mirror.rooms?.rooms ?? []).filter { $0.id != mirror.room }.map { room in
            let what = room.title.map { " \($0)," } ?? ""
            return cut(
                "  \(Self.signs[room.state.name] ?? "?") \(room.name):\(what) \(room.isMuted ? "muted" : "\(room.level) %")", ink.faint)
        }
    }

    private var progress: String {
        let here = TimeText.show(ms: positionMs)
        guard let duration = tags.durationMs, duration > 0 else { return mirror.timeline?.isLive == true ? "\(here) \(liveness)" : here }
        let whole = TimeText.show(ms: duration)
        let length = max(10, min(60, width - here.count - whole.count - 6))
        let done = min(length, Int(positionMs * length / duration))
        return "\(here) \(String(repeating: "━", count: done))\(String(repeating: "─", count: length - done)) \(whole)"
    }

    private var liveness: String { behind.map { "\(TimeText.length(ms: $0)) behind live" } ?? "live" }

    private var volume: String {
        guard let volume = mirror.volume else { return "" }
        return volume.isMuted ? "muted (volume \(volume.level) %)" : "volume \(volume.level) %"
    }

    private var hearts: String {
        guard let mark else { return "" }
        let stars = String(repeating: "★", count: max(0, min(5, mark.stars)))
        return [mark.isFavourite ? " ♥" : "", stars.isEmpty ? "" : " \(stars)"].joined()
    }

    /// The playback modes that differ from the usual ones.
    private var way: String {
        guard mirror.modes != nil else { return "" }
        return (mode == ModeWord.once.rawValue ? "" : ", \(mode)") + (speed.isEmpty ? "" : ", speed \(speed)")
    }

    private var mode: String { mirror.modes.map { ModeWord.describe($0.modes) } ?? "" }

    private var speed: String {
        guard let permille = mirror.modes?.modes.speed, permille != 1000 else { return "" }
        return "\(Double(permille) / 1000)"
    }

    private var queue: String {
        guard let queue = mirror.queue, queue.length > 0 else { return "" }
        let place = queue.index.map { ", \($0 + 1) of \(queue.length)" } ?? ""
        return place + (queue.nextText.map { ", next: \($0)" } ?? "")
    }

    /// One line for a log or a pipe, with the room's name at the end if there are several.
    var oneLine: String {
        let what = nameOfItem
        let level = mirror.volume.map { $0.isMuted ? "muted" : "\($0.level) %" } ?? ""
        let place = behind.map { "\(TimeText.length(ms: $0)) behind live" } ?? TimeText.show(ms: positionMs)
        let line = "\(state)\t\(place)\t\(what)\t\(level)"
        return rooms.hasSeveral ? "\(line)\t\(roomName)" : line
    }

    /// The artist and title: `Radiohead – Kid A`; empty if the queue is empty.
    var nameOfItem: String { [artist, title].filter { !$0.isEmpty }.joined(separator: " – ") }
    var isSounding: Bool { state == "playing" || state == "paused" || state == "buffering" }

    /// The room's name as a prefix, `Kitchen: `, if there are several rooms.
    var prefix: String { rooms.hasSeveral ? "\(roomName): " : "" }

    // MARK: Formats

    private static let fields: [(name: String, value: @Sendable (StatusText) -> String)] = [
        ("state", { $0.state }), ("title", { $0.title }), ("artist", { $0.artist }), ("album", { $0.tags.album }),
        ("position", { TimeText.show(ms: $0.positionMs) }),
        ("duration", { status in status.tags.durationMs.map { TimeText.show(ms: $0) } ?? "" }),
        ("behind", { status in status.behind.map { TimeText.show(ms: $0) } ?? "" }),
        ("volume", { status in status.mirror.volume.map { "\($0.level)" } ?? "" }),
        ("muted", { status in status.mirror.volume?.isMuted == true ? "muted" : "" }), ("room", { $0.roomName }),
        ("hub", { $0.mirror.hub?.name ?? "" }), ("entry", { $0.mirror.now?.entry.text ?? "" }), ("uri", { $0.mirror.now?.uri?.text ?? "" }),
        ("next", { $0.mirror.queue?.nextText ?? "" }), ("problem", { $0.problems.first ?? "" }), ("mode", { $0.mode }),
        ("speed", { $0.speed.isEmpty ? "1" : $0.speed }), ("favourite", { $0.mark?.isFavourite == true ? "♥" : "" }),
        ("stars", { status in status.mark.map { $0.stars > 0 ? "\($0.stars)" : "" } ?? "" }),
        ("number", { status in status.mirror.queue?.index.map { "\($0 + 1)" } ?? "" }),
        ("track", { status in status.tags.track.map { "\($0)" } ?? "" }), ("disc", { status in status.tags.disc.map { "\($0)" } ?? "" }),
        ("year", { status in status.tags.year.map { "\($0)" } ?? "" }), ("albumartist", { $0.tags.albumArtist }),
    ]

    static let fieldNames: [String] = fields.map(\.name)

    /// Fills in fields such as `{title}` and `%title%`.
    func filled(into format: FormatText) -> String { format.filled { name in Self.fields.first { $0.name == name }?.value(self) ?? "" } }

    // MARK: For programs

    func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("rev", mirror.revision)
            writer.member("room", ifPresent: mirror.room?.text)
            writer.member("positionMs", positionMs)
            if let mark {
                writer.member("fav", mark.isFavourite)
                writer.member("stars", mark.stars)
            }
            let sections = [
                mirror.now.map { EncodedSection($0) }, mirror.timeline.map { EncodedSection($0) }, mirror.volume.map { EncodedSection($0) },
                mirror.modes.map { EncodedSection($0) }, mirror.queue.map { EncodedSection($0) }, mirror.rooms.map { EncodedSection($0) },
                mirror.outputs.map { EncodedSection($0) }, mirror.book.map { EncodedSection($0) }, mirror.sleep.map { EncodedSection($0) },
                mirror.hub.map { EncodedSection($0) },
            ]
            for section in sections.compactMap({ $0 }) {
                writer.name(section.section.wireName)
                writer.encoded(section.value ?? [])
            }
        }
    }
}
