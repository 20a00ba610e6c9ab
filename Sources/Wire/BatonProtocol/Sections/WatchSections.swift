package import BatonCore

/// The short sections for watches, made from the full ones with as few bytes as possible. Flags are 0 and 1, times are
/// milliseconds.

extension WatchItem {
    /// The title that a station sends becomes the title, and the station's name the second line.
    package init(_ now: NowSection) {
        let tags = now.tags
        let line = (title: tags.streamTitle ?? tags.title, below: tags.artists.joined(separator: ", "))
        self.init(
            entry: now.entry, title: line.title,
            artist: tags.streamTitle != nil && line.below.isEmpty ? tags.title : line.below,
            seconds: tags.durationMs.map { (Int($0) + 500) / 1000 }, isLive: tags.isLive, art: tags.art?.id,
            colour: tags.art?.colours.first.map { String(Artwork.text(of: $0).dropFirst()) })
    }
}

extension WatchLine {
    /// The line of a watch, which has milliseconds for microseconds, and the reason why it stands still instead of the state.
    package init(_ line: TimelineSection) {
        let halt: Halt? =
            switch line.state {
            case .buffering: .buffering
            case .stopped: .stopped
            default: nil
            }
        self.init(positionMs: line.positionMs, atMs: Milliseconds(line.atUs).ofWatch, rate: line.rate, halt: halt)
    }
}

extension WatchVolume {
    package init(_ volume: VolumeSection) { self.init(level: volume.level, isMuted: volume.isMuted) }
}

extension WatchModes {
    package init(_ modes: ModesSection) {
        let modes = modes.modes
        self.init(
            repeat: modes.repeat, shuffle: modes.shuffle, single: Single(rawValue: modes.single.number) ?? .off,
            consume: Consume(rawValue: modes.consume.number) ?? .off)
    }
}

extension ModeSwitch {
    fileprivate var number: Int {
        switch self {
        case .off: 0
        case .on: 1
        case .once: 2
        }
    }
}

extension Milliseconds {
    /// A moment as watches get it: small devices count in 31 bits, and take differences.
    package var ofWatch: Milliseconds { Milliseconds(count & 0x7FFF_FFFF) }
}

extension WatchJob {
    /// The unfinished row with the most progress.
    package init?(_ rows: [JobRow]) {
        let open = rows.filter { !$0.state.isOver }
        // The newest rows are first.
        guard let row = open.last(where: { $0.state.halt == nil }) ?? open.last else { return nil }
        self.init(
            title: row.title, author: row.author, percent: row.percent, dueMs: row.dueUs.map { Milliseconds($0).ofWatch },
            halt: row.state.halt)
    }
}

extension WatchBook {
    package init(_ book: BookSection) { self.init(number: book.number, count: book.count, title: book.title) }
}

extension WatchSleep {
    /// The sleep timer, where -1 stands for an end without a known time, such as the end of a track.
    package init(_ sleep: SleepSection) {
        self.init(leftMs: sleep.leftMs ?? -1, atMs: sleep.atMs.ofWatch, rate: sleep.rate, isOver: sleep.isOver)
    }
}

extension JobState {
    fileprivate var halt: WatchJob.Halt? {
        switch self {
        case .approval: .approval
        case .offline: .offline
        case .submitting: .turn
        default: nil
        }
    }
}

extension Artwork {
    /// `#rrggbb`, as in CSS.
    package static func text(of colour: Int) -> String {
        let digits = String(colour & 0xFFFFFF, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
}
