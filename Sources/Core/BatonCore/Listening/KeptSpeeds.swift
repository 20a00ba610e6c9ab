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

    package func speed(of key: SpeedKey) -> Int {
        switch key {
        case .music: music
        case .speech(let work): works.last { $0.id == work }?.speed ?? speech
        }
    }

    package mutating func set(_ speed: Int, for key: SpeedKey) {
        switch key {
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
package enum SpeedKey: Equatable, Sendable {
    case music
    /// Names the podcast or the book, as a hash of what tells it from others.
    case speech(work: UInt64)
}

extension QueueEntry {
    /// The work that is spoken: all episodes of a podcast and all chapters of an album are one, and a file by itself is one.
    package var work: UInt64 {
        let isPart = tags.kind == .episode || tags.kind == .chapter
        return StableHash.of(isPart && !tags.album.isEmpty ? tags.albumArtist + "\n" + tags.album : uri.text)
    }
}

extension Room {
    /// As far as is known: of a file that names chapters that is only known once the player has opened it.
    private var speedKey: SpeedKey? { currentEntry.map { isSpoken ? .speech(work: $0.work) : .music } }

    /// Whether the current entry stays music, or speech.
    private var isKindKnown: Bool { loaded != nil && !isLoading || currentEntry?.tags.kind.isSpoken == true }

    /// A person has set a speed. It counts for music and speech while it is not known which of them the current entry is.
    mutating func keepSpeed() {
        if let speedKey, isKindKnown { return speeds.set(modes.speed, for: speedKey) }
        speeds = KeptSpeeds(music: modes.speed, speech: modes.speed, worksText: speeds.worksText)
        if let entry = currentEntry { speeds.set(modes.speed, for: .speech(work: entry.work)) }
    }

    /// After each step: has what plays now, and what follows it, rendered as its kind is. `modes.speed` is the speed of what plays.
    mutating func settleRendering(into outcome: inout Outcome, at now: Moment) {
        var orders: [PlayerOrder] = []
        settleSpeed(into: &outcome, &orders, at: now)
        if case let wanted = modes.raisesVoice && isSpoken, wanted != raisesVoice {
            raisesVoice = wanted
            orders.append(.setVoice(wanted))
        }
        if followed != nil, let next = upcoming, case let wanted = rendering(ahead: next), wanted != nextRendering {
            nextRendering = wanted
            orders.append(.setNext(wanted))
        }
        outcome.orders.insert(contentsOf: orders, at: 0)
    }

    /// A room that came back after a restart knows no chapters before its player has begun: until then it keeps the speed that it had.
    private mutating func settleSpeed(into outcome: inout Outcome, _ orders: inout [PlayerOrder], at now: Moment) {
        defer { sped = queue.current }
        guard let speedKey, isKindKnown || sped != queue.current, case let wanted = speeds.speed(of: speedKey), wanted != modes.speed
        else { return }
        modes.speed = wanted
        draw(timeline.state, fromMs: positionMs(at: now), at: now)
        if outcome.status == .noop { (outcome.status, outcome.reason) = (.applied, nil) }
        orders.append(.setSpeed(permille: wanted))
        outcome.touched.formUnion([.modes, .timeline])
    }

    /// How an entry begins that the player has not opened.
    private func rendering(ahead entry: QueueEntry) -> Rendering {
        if entry.id == queue.current { return Rendering(speed: modes.speed, raisesVoice: raisesVoice) }
        let isSpoken = entry.tags.kind.isSpoken
        return Rendering(
            speed: speeds.speed(of: isSpoken ? .speech(work: entry.work) : .music), raisesVoice: isSpoken && modes.raisesVoice)
    }
}
