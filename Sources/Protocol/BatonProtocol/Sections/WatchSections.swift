package import BatonCore

/// The short sections for watches, made from the full ones with as few bytes as possible. Flags are 0 and 1, times are
/// milliseconds.

/// `n`: the current entry.
package struct WatchItem: SectionContent {
    package static let section = Section.watchItem

    package var entry: EntryID
    package var title: String
    package var artist: String
    /// `nil` while it is not known, and for what has no end.
    package var seconds: Int?
    /// Has no end.
    package var isLive: Bool
    package var art: String?
    /// The picture's ground colour, `0xRRGGBB`, for watches that show no pictures.
    package var colour: Int?

    package init(
        entry: EntryID, title: String, artist: String, seconds: Int?, isLive: Bool = false, art: String? = nil, colour: Int? = nil
    ) {
        self.entry = entry
        self.title = title
        self.artist = artist
        self.seconds = seconds
        self.isLive = isLive
        self.art = art
        self.colour = colour
    }

    /// When a station sends the title of what it plays, that is the title, and the name of the station is the second line.
    package init(_ now: NowSection) {
        let tags = now.tags
        let line = (title: tags.streamTitle ?? tags.title, below: tags.artists.joined(separator: ", "))
        self.init(
            entry: now.entry, title: line.title,
            artist: tags.streamTitle != nil && line.below.isEmpty ? tags.title : line.below,
            seconds: tags.durationMs.map { ($0 + 500) / 1000 }, isLive: tags.isLive, art: tags.art?.id,
            colour: tags.art?.colours.first)
    }
}

/// `l`: the line, as `[posMs, atMs, rate]`, and a fourth number where it waits for data or is stopped.
package struct WatchLine: SectionContent {
    package static let section = Section.watchLine

    package var positionMs: Int
    package var atMs: Int64
    package var rate: Int
    /// Why it stands still, where that is not a pause.
    package var halt: Halt?

    package enum Halt: Int, Sendable {
        case buffering = 1
        case stopped = 2
    }

    package init(positionMs: Int, atMs: Int64, rate: Int, halt: Halt? = nil) {
        self.positionMs = positionMs
        self.atMs = atMs
        self.rate = rate
        self.halt = halt
    }

    package init(_ line: TimelineSection) {
        let halt: Halt? =
            switch line.state {
            case .buffering: .buffering
            case .stopped: .stopped
            default: nil
            }
        self.init(positionMs: line.positionMs, atMs: line.atUs / 1000, rate: line.rate, halt: halt)
    }
}

/// `v`: `[level, mute]`.
package struct WatchVolume: SectionContent {
    package static let section = Section.watchVolume

    package var level: Int
    package var isMuted: Bool

    package init(level: Int, isMuted: Bool) {
        self.level = level
        self.isMuted = isMuted
    }

    package init(_ volume: VolumeSection) { self.init(level: volume.level, isMuted: volume.isMuted) }
}

/// `m`: `[repeat, shuffle]`, where repeat is 0 off, 1 one, 2 all.
package struct WatchModes: SectionContent {
    package static let section = Section.watchModes

    package var `repeat`: Repeat
    package var shuffle: Bool

    package init(repeat: Repeat, shuffle: Bool) {
        self.repeat = `repeat`
        self.shuffle = shuffle
    }

    package init(_ modes: ModesSection) { self.init(repeat: modes.modes.repeat, shuffle: modes.modes.shuffle) }
}

/// `r`: the room's name.
package struct WatchRoom: SectionContent {
    package static let section = Section.watchRoom

    package var name: String

    package init(_ name: String) { self.name = name }
}

/// `x`: the newest problem as one line; absent if there is none.
package struct WatchProblem: SectionContent {
    package static let section = Section.watchProblem

    package var message: String

    package init(_ message: String) { self.message = message }
}

/// `g`: the piece that is being made, or that waits for it the longest. Absent while there is none.
package struct WatchJob: SectionContent {
    package static let section = Section.watchJob

    package var title: String
    /// Who asked for it.
    package var author: String?
    /// 0 to 100.
    package var percent: Int
    /// When it will be ready by the estimate, in milliseconds of the hub's clock.
    package var dueMs: Int64?
    /// Why it is not made now.
    package var halt: Halt?

    package enum Halt: Int, Sendable {
        case approval = 1
        case offline, turn
    }

    package init(title: String, author: String? = nil, percent: Int = 0, dueMs: Int64? = nil, halt: Halt? = nil) {
        self.title = title
        self.author = author
        self.percent = percent
        self.dueMs = dueMs
        self.halt = halt
    }

    /// Of the rows that are not over, the one that is furthest.
    package init?(_ rows: [JobRow]) {
        let open = rows.filter { !$0.state.isOver }
        // The newest stand first.
        guard let row = open.last(where: { $0.state.halt == nil }) ?? open.last else { return nil }
        self.init(
            title: row.title, author: row.author, percent: row.percent, dueMs: row.dueUs.map { $0 / 1000 }, halt: row.state.halt)
    }
}

extension JobRow.State {
    fileprivate var halt: WatchJob.Halt? {
        switch self {
        case .approval: .approval
        case .offline: .offline
        case .submitting: .turn
        default: nil
        }
    }
}
