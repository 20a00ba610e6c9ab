/// How fast a room plays music, and how fast it plays speech, which is kept for each work.
///
/// A value. People set the speed of what they hear: a song that follows a chapter at double speed is played at its own, and a book that
/// was heard at 1.25 goes on so after an episode of a podcast at 1.5.
package struct KeptSpeeds: Equatable, Sendable {
    /// Permille of normal speed.
    package private(set) var music: Int
    /// Of the person who listens here.
    package internal(set) var spoken: SpokenSpeeds

    package init(music: Int = 1000, spoken: SpokenSpeeds = SpokenSpeeds()) {
        self.music = music
        self.spoken = spoken
    }

    package func speed(of key: SpeedKey) -> Int {
        switch key {
        case .music: music
        case .speech(let work, let series): spoken.speed(of: work, in: series)
        }
    }

    package mutating func set(_ speed: Int, for key: SpeedKey) {
        switch key {
        case .music: music = speed
        case .speech(let work, let series): spoken.set(speed, for: work, in: series)
        }
    }
}

/// How fast a person hears speech: each book and each podcast, and a book that has no speed yet as the last one of its series.
package struct SpokenSpeeds: Equatable, Sendable {
    /// What was set last for speech, in permille: for works that have no speed of their own yet, nor one of their series.
    package private(set) var last: Int
    /// Of works and of series. The one that was set last stands at the end.
    private var works: [Work] = []

    private struct Work: Equatable, Sendable {
        let id: UInt64
        let speed: Int
    }

    /// Beyond so many, the work or series whose speed was set longest ago is forgotten.
    package static let mostWorks = 500

    package init(last: Int = 1000) { self.last = last }

    package func speed(of work: UInt64, in series: UInt64?) -> Int { kept(work) ?? series.flatMap(kept) ?? last }

    private func kept(_ id: UInt64) -> Int? { works.last { $0.id == id }?.speed }

    package mutating func set(_ speed: Int, for work: UInt64, in series: UInt64?) {
        last = speed
        let ids = [series, work].compactMap(\.self)
        works.removeAll { ids.contains($0.id) }
        works = works.suffix(Self.mostWorks - ids.count) + ids.map { Work(id: $0, speed: speed) }
    }

    /// It is not known what plays: it counts for works that have none yet.
    mutating func set(_ speed: Int) { last = speed }

    /// The speeds of works as they are kept: a hexadecimal number and a speed for each.
    package var worksText: String { works.map { String($0.id, radix: 16) + ":\($0.speed)" }.joined(separator: ",") }

    package init(last: Int, worksText: String) {
        self.init(last: last)
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
    /// Names the podcast or the book, and the series of a book, each as a hash of what tells it from others.
    case speech(work: UInt64, series: UInt64? = nil)
}

extension QueueEntry {
    /// The work that is spoken: all episodes of a podcast and all chapters of an album are one, and a file by itself is one.
    package var work: UInt64 {
        let isPart = tags.kind == .episode || tags.kind == .chapter
        return StableHash.of(isPart && !tags.album.isEmpty ? tags.albumArtist + "\n" + tags.album : uri.text)
    }

    /// Sources name the series of a book where the album of a track stands.
    private var series: UInt64? { tags.kind == .book && !tags.album.isEmpty ? StableHash.of("series\n" + tags.album) : nil }

    fileprivate var speechKey: SpeedKey { .speech(work: work, series: series) }
}

extension Room {
    /// As far as is known: of a file that names chapters that is only known once the player has opened it.
    private var speedKey: SpeedKey? {
        // An entry is dear to copy, and this is asked after each step.
        guard let here = queue.currentIndex else { return nil }
        return isSpoken ? queue.entries[here].speechKey : .music
    }

    /// Whether the current entry stays music, or speech.
    private var isKindKnown: Bool { loaded != nil && !isLoading || currentEntry?.tags.kind.isSpoken == true }

    /// A person has set a speed. It counts for music and speech while it is not known which of them the current entry is.
    mutating func keepSpeed() {
        if let speedKey, isKindKnown { return speeds.set(modes.speed, for: speedKey) }
        speeds.set(modes.speed, for: .music)
        if let entry = currentEntry { speeds.set(modes.speed, for: entry.speechKey) } else { speeds.spoken.set(modes.speed) }
    }

    /// The speeds of the person who listens here have changed: another one listens now, or this one has set them in another room. What
    /// plays for the same person goes on as it is.
    package mutating func setSpoken(_ spoken: SpokenSpeeds, isOtherPerson: Bool, at now: Moment) -> Outcome {
        guard spoken != speeds.spoken || isOtherPerson else { return .noop(.same) }
        speeds.spoken = spoken
        if isOtherPerson { (sped, spedAs) = (nil, nil) }
        var outcome = Outcome()
        settleRendering(into: &outcome, at: now)
        return outcome
    }

    /// After each step: has what plays now, and what follows it, rendered as its kind is. `modes.speed` is the speed of what plays.
    mutating func settleRendering(into outcome: inout Outcome, at now: Moment) {
        var orders: [PlayerOrder] = []
        settleSpeed(into: &outcome, &orders, at: now)
        let told = filters
        filters = modes.filters(isSpoken: isSpoken)
        if followed != nil, let next = upcoming, case let wanted = rendering(ahead: next), wanted != nextRendering {
            nextRendering = wanted
            orders.append(.setNext(wanted))
        }
        // Behind it: a player that goes on between the two has the right ones either way.
        if filters != told { orders.append(.setFilters(filters)) }
        if !orders.isEmpty { outcome.orders.insert(contentsOf: orders, at: 0) }
    }

    /// A room that came back after a restart knows no chapters before its player has begun: until then it keeps the speed that it had.
    private mutating func settleSpeed(into outcome: inout Outcome, _ orders: inout [PlayerOrder], at now: Moment) {
        let isNew = sped != queue.current
        sped = queue.current
        guard let speedKey, isNew || isKindKnown && spedAs != speedKey else { return }
        spedAs = speedKey
        let wanted = speeds.speed(of: speedKey)
        guard wanted != modes.speed else { return }
        modes.speed = wanted
        draw(timeline.state, fromMs: positionMs(at: now), at: now)
        if outcome.status == .noop { (outcome.status, outcome.reason) = (.applied, nil) }
        orders.append(.setSpeed(permille: wanted))
        outcome.touched.formUnion([.modes, .timeline])
    }

    /// How an entry begins that the player has not opened.
    private func rendering(ahead entry: QueueEntry) -> Rendering {
        if entry.id == queue.current { return Rendering(speed: modes.speed, filters: filters) }
        let isSpoken = entry.tags.kind.isSpoken
        return Rendering(
            speed: speeds.speed(of: isSpoken ? entry.speechKey : .music), filters: modes.filters(isSpoken: isSpoken))
    }
}
