import BatonCore

/// The answer to `status`, as a value.
struct RoomStatus: Equatable {
    enum State: String {
        case play, pause, stop
    }

    /// A song of the queue.
    struct Song: Equatable {
        var place: Int
        var id: EntryID
    }

    /// `nil` for a room without a volume.
    var volume: Int?
    var modes = Modes()
    var partition = ""
    var version: UInt32 = 0
    var length = 0
    var state = State.stop
    var song: Song?
    var durationMs: Int?
    /// `RATE:BITS:CHANNELS` of what sounds.
    var format: String?
    /// The number of the update that runs.
    var update: Int?
    var problem: String?
    var next: Song?

    // The lines are in the order of the original.

    func writeBeforePosition(to text: inout AnswerText) {
        if let volume { text.line("volume", volume) }
        text.line("repeat", flag: modes.repeat)
        text.line("random", flag: modes.shuffle)
        text.line("single", modes.single.word)
        text.line("consume", modes.consume.word)
        text.line("partition", partition)
        text.line("playlist", version)
        text.line("playlistlength", length)
        // Rooms mix nothing, which is what this number says.
        text.line("mixrampdb", 0)
        text.line("state", state.rawValue)
        if let song {
            text.line("song", song.place)
            text.line("songid", song.id.number)
        }
    }

    func writeBehindPosition(to text: inout AnswerText) {
        if state != .stop {
            text.line("bitrate", 0)
            if let durationMs { text.line(.duration, secondsOfMs: durationMs) }
            if let format { text.line("audio", format) }
        }
        if let update { text.line("updating_db", update) }
        if let problem { text.line("error", problem) }
        if let next, song != nil {
            text.line("nextsong", next.place)
            text.line("nextsongid", next.id.number)
        }
    }

    /// The lines that each answer has anew in a room that plays or is paused.
    func writePosition(_ elapsedMs: Int, to text: inout AnswerText) {
        text.line("time", (elapsedMs + 500) / 1000, of: ((durationMs ?? 0) + 500) / 1000)
        text.line(.elapsed, secondsOfMs: elapsedMs)
    }
}

extension ModeSwitch {
    /// The word of the protocol.
    var word: String {
        switch self {
        case .off: "0"
        case .on: "1"
        case .once: "oneshot"
        }
    }

    init?(word: String) {
        switch word {
        case "0": self = .off
        case "1": self = .on
        case "oneshot": self = .once
        default: return nil
        }
    }
}

extension SoundFormat {
    /// `RATE:BITS:CHANNELS`, with `f` for the bits of a codec that has none.
    var text: String { "\(rate):\(bits.map(String.init) ?? "f"):\(channels)" }
}
