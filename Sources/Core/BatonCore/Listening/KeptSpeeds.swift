/// How fast a room plays music, and how fast it plays speech, which is kept for each work.
///
/// A value. People set the speed of what they hear: a song that follows a chapter at double speed is played at its own, and a book that
/// was heard at 1.25 goes on so after an episode of a podcast at 1.5.
package struct KeptSpeeds: Equatable, Sendable {
    /// Permille of normal speed.
    package private(set) var music: Int
    /// What was set last for speech: for works that have no speed of their own yet.
    package private(set) var speech: Int
    /// The one that was set last stands at the end.
    private var works: [Work] = []

    private struct Work: Equatable, Sendable {
        let id: UInt64
        let speed: Int
    }

    /// Beyond so many, the work whose speed was set longest ago is forgotten.
    package static let mostWorks = 500

    package init(music: Int = 1000, speech: Int = 1000) {
        self.music = music
        self.speech = speech
    }

    package func speed(of voice: Voice) -> Int {
        switch voice {
        case .music: music
        case .speech(let work): works.last { $0.id == work }?.speed ?? speech
        }
    }

    package mutating func set(_ speed: Int, for voice: Voice) {
        switch voice {
        case .music: music = speed
        case .speech(let work):
            speech = speed
            works.removeAll { $0.id == work }
            works = works.suffix(Self.mostWorks - 1) + [Work(id: work, speed: speed)]
        }
    }

    /// The speeds of works as they are kept: a hexadecimal number and a speed for each.
    package var worksText: String { works.map { String($0.id, radix: 16) + ":\($0.speed)" }.joined(separator: ",") }

    package init(music: Int, speech: Int, worksText: String) {
        self.init(music: music, speech: speech)
        works = worksText.split(separator: ",").suffix(Self.mostWorks).compactMap { part in
            let fields = part.split(separator: ":")
            guard fields.count == 2, let id = UInt64(fields[0], radix: 16), let speed = Int(fields[1]), Modes.speedRange.contains(speed)
            else { return nil }
            return Work(id: id, speed: speed)
        }
    }
}

/// What an entry is to a listener who sets its speed.
package enum Voice: Equatable, Sendable {
    case music
    /// Names the podcast or the book, as a hash of what tells it from others.
    case speech(work: UInt64)
}

extension QueueEntry {
    /// The work that is spoken: all episodes of a podcast and all chapters of an album are one, and a file by itself is one.
    package var work: UInt64 { StableHash.of(tags.kind.isSpoken && !tags.album.isEmpty ? tags.albumArtist + "\n" + tags.album : uri.text) }
}

extension Room {
    /// As far as is known: of a file that names chapters that is only known once the player has opened it.
    private var voice: Voice? { currentEntry.map { isSpoken ? .speech(work: $0.work) : .music } }

    /// Whether `voice` stays what it is.
    private var isVoiceKnown: Bool { loaded != nil && !isLoading || currentEntry?.tags.kind.isSpoken == true }

    /// A person has set a speed. It counts for music and speech while it is not known which of them the current entry is.
    mutating func keepSpeed() {
        if let voice, isVoiceKnown { return speeds.set(modes.speed, for: voice) }
        speeds = KeptSpeeds(music: modes.speed, speech: modes.speed, worksText: speeds.worksText)
        if let entry = currentEntry { speeds.set(modes.speed, for: .speech(work: entry.work)) }
    }

    /// After each step: has what plays now, and what follows it, heard at the speed of its kind. `modes.speed` is that of what plays.
    ///
    /// A room that came back after a restart knows no chapters before its player has begun: until then it keeps the speed that it had.
    mutating func settleSpeed(into outcome: inout Outcome, at now: Moment) {
        var orders: [PlayerOrder] = []
        if let voice, isVoiceKnown || sped != queue.current, case let wanted = speeds.speed(of: voice), wanted != modes.speed {
            modes.speed = wanted
            draw(timeline.state, fromMs: positionMs(at: now), at: now)
            if outcome.status == .noop { (outcome.status, outcome.reason) = (.applied, nil) }
            orders.append(.setSpeed(permille: wanted))
            outcome.touched.formUnion([.modes, .timeline])
        }
        sped = queue.current
        if followed != nil, let next = upcoming, case let wanted = speed(ahead: next), wanted != nextSpeed {
            nextSpeed = wanted
            orders.append(.setNextSpeed(permille: wanted))
        }
        outcome.orders.insert(contentsOf: orders, at: 0)
    }

    /// At which speed an entry begins that the player has not opened.
    private func speed(ahead entry: QueueEntry) -> Int {
        if entry.id == queue.current { return modes.speed }
        return speeds.speed(of: entry.tags.kind.isSpoken ? .speech(work: entry.work) : .music)
    }
}
