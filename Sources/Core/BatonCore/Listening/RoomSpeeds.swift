/// The speed of music in a room, and the speed of speech for each work.
///
/// A value. People set the speed of the current entry: a song after a chapter at double speed plays at the speed of music, and a book heard at 1.25
/// continues so after a podcast episode at 1.5.
package struct RoomSpeeds: Equatable, Sendable {
    /// Permille of normal speed.
    package private(set) var music: Int
    /// The speeds of the person who listens here.
    package internal(set) var spoken: SpokenSpeeds

    package init(music: Int = 1000, spoken: SpokenSpeeds = SpokenSpeeds()) {
        self.music = music
        self.spoken = spoken
    }

    /// The speed at which an entry of this category plays, in permille.
    package func speed(of key: SpeedKey) -> Int {
        switch key {
        case .music: music
        case .speech(let work, let series): spoken.speed(of: work, in: series)
        }
    }

    /// Stores the speed that a person has chosen for this category.
    package mutating func set(_ speed: Int, for key: SpeedKey) {
        switch key {
        case .music: music = speed
        case .speech(let work, let series): spoken.set(speed, for: work, in: series)
        }
    }
}

/// A person's speeds for speech, by book and podcast. A book without a speed uses the last one of its series.
package struct SpokenSpeeds: Equatable, Sendable {
    /// The speed set last for speech, in permille: for works that have no speed of their own or of their series.
    package private(set) var last: Int
    /// Speeds of works and series, the newest last.
    private var works: [Work] = []

    private struct Work: Equatable, Sendable {
        let id: UInt64
        let speed: Int
    }

    /// Maximum number of works and series; the oldest are dropped.
    package static let mostWorks = 500

    package init(last: Int = 1000) { self.last = last }

    /// The speed of a work: its own, else that of its series, else the last one, in permille.
    package func speed(of work: UInt64, in series: UInt64?) -> Int { stored(work) ?? series.flatMap(stored) ?? last }

    private func stored(_ id: UInt64) -> Int? { works.last { $0.id == id }?.speed }

    /// Stores a speed for a work and its series. It also becomes the speed of works that have none.
    package mutating func set(_ speed: Int, for work: UInt64, in series: UInt64?) {
        last = speed
        let ids = [series, work].compactMap(\.self)
        works.removeAll { ids.contains($0.id) }
        works = works.suffix(Self.mostWorks - ids.count) + ids.map { Work(id: $0, speed: speed) }
    }

    /// Sets the speed for works without one, when nothing is known of the current work.
    mutating func set(_ speed: Int) { last = speed }

    /// The speeds of works in stored form: a hexadecimal number and a speed for each.
    package var worksText: String { works.map { String($0.id, radix: 16) + ":\($0.speed)" }.joined(separator: ",") }

    /// Restores stored speeds; works that cannot be read are left out.
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

/// The category of an entry whose speed is set.
package enum SpeedKey: Equatable, Sendable {
    /// Everything that is not spoken, with one speed for all of it.
    case music
    /// A podcast or book, and the series of a book, each as a hash of its identifying names.
    case speech(work: UInt64, series: UInt64? = nil)
}

extension QueueEntry {
    /// The identity of the spoken work: all episodes of a podcast or all chapters of an album are one work; a file by itself is one too.
    package var work: UInt64 {
        let isPart = tags.kind == .episode || tags.kind == .chapter
        return StableHash.of(isPart && !tags.album.isEmpty ? tags.albumArtist + "\n" + tags.album : uri.text)
    }

    /// The series of a book, which sources store in the album field.
    private var series: UInt64? { tags.kind == .book && !tags.album.isEmpty ? StableHash.of("series\n" + tags.album) : nil }

    fileprivate var speechKey: SpeedKey { .speech(work: work, series: series) }
}

extension Room {
    /// As far as is known: of a file that names chapters that is only known once the player has opened it.
    @inline(__always)
    private var speedKey: SpeedKey? {
        // An entry is dear to copy, and this is asked after each step.
        guard let here = queue.currentIndex else { return nil }
        return isSpoken ? queue.entries[here].speechKey : .music
    }

    /// True when the category of the current entry is final.
    @inline(__always)
    private var isKindKnown: Bool { loaded != nil && !isLoading || currentEntry?.tags.kind.isSpoken == true }

    /// Stores a speed that a person has set. It counts for music and speech until the category of the current entry is known.
    mutating func keepSpeed() {
        if let speedKey, isKindKnown { return speeds.set(modes.speed, for: speedKey) }
        speeds.set(modes.speed, for: .music)
        if let entry = currentEntry { speeds.set(modes.speed, for: entry.speechKey) } else { speeds.spoken.set(modes.speed) }
    }

    /// Called when another person listens here, or when this person has set speeds in another room. For the same person, the current entry keeps its
    /// speed.
    package mutating func setSpoken(_ spoken: SpokenSpeeds, isOtherPerson: Bool, at now: Moment) -> Outcome {
        guard spoken != speeds.spoken || isOtherPerson else { return .noop(.same) }
        speeds.spoken = spoken
        if isOtherPerson { (sped, spedAs) = (nil, nil) }
        var outcome = Outcome()
        settleRendering(into: &outcome, at: now)
        return outcome
    }

    /// Called after each step: orders speed and filters for the current entry and its follower. `modes.speed` is the speed of the current entry.
    mutating func settleRendering(into outcome: inout Outcome, at now: Moment) {
        var orders: [PlayerOrder] = []
        settleSpeed(into: &outcome, &orders, at: now)
        let told = filters
        filters = modes.filters(isSpoken: isSpoken)
        if followed != nil, let next = upcoming {
            tellNext(rendering(ahead: next), in: &orders)
        } else if filters != told {
            // After reports that came late the player may go on to an entry that the room knows nothing of.
            tellNext(Rendering(speed: nextRendering.speed, filters: filters), in: &orders)
        }
        // After `setNext`: a player that goes on to the follower between the two orders has the right filters already.
        if filters != told { orders.append(.setFilters(filters)) }
        if !orders.isEmpty { outcome.orders.insert(contentsOf: orders, at: 0) }
    }

    private mutating func tellNext(_ rendering: Rendering, in orders: inout [PlayerOrder]) {
        guard rendering != nextRendering else { return }
        nextRendering = rendering
        orders.append(.setNext(rendering))
    }

    /// Applies the stored speed of the current category. After a restart the chapters are unknown until the player has begun, so the room keeps its
    /// speed until then.
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

    /// Speed and filters for an entry that the player has not opened.
    private func rendering(ahead entry: QueueEntry) -> Rendering {
        if entry.id == queue.current { return Rendering(speed: modes.speed, filters: filters) }
        let isSpoken = entry.tags.kind.isSpoken
        return Rendering(
            speed: speeds.speed(of: isSpoken ? entry.speechKey : .music), filters: modes.filters(isSpoken: isSpoken))
    }
}
