/// Decides when a room's place in a spoken item is noted.
///
/// A value that looks at the room after each change and at the times that it names (`dueUs`). It reports every 20 s of listening, and at each pause,
/// stop, seek and end. A stretch of less than 5 s without a seek does not count as listening.
package struct PlaceWatch: Equatable, Sendable {
    /// One uninterrupted stretch of listening here.
    package struct Stretch: Equatable, Sendable {
        /// The session of the stretch, drawn at random.
        package let session: SessionID
        /// The entry as it was when the stretch began.
        package let entry: QueueEntry
        /// The person who listened in the room at that time.
        package let person: Person
        package let room: RoomID
        /// The name of the room at that time, which people see as the device.
        package let roomName: String
        /// The session that this one continues.
        package let origin: Origin

        package init(session: SessionID, entry: QueueEntry, person: Person, room: RoomID, roomName: String, origin: Origin) {
            self.session = session
            self.entry = entry
            self.person = person
            self.room = room
            self.roomName = roomName
            self.origin = origin
        }
    }

    /// The session from which a stretch starts.
    package enum Origin: Equatable, Sendable {
        /// The session of the person's place when the stretch begins.
        case place
        /// An earlier stretch in this room that was paused.
        case session(SessionID)
        /// The place's session, if the place is near this position. For a pause without a known stretch, as after a restart.
        case position(Milliseconds)
    }

    /// Something to be written about a stretch.
    package enum Note: Equatable, Sendable {
        /// A stretch has begun. The hub decides its parent by the person's place at this time.
        case began(Stretch)
        /// The stretch has come to this position.
        case reached(Stretch, positionMs: Milliseconds, isAtEnd: Bool)

        /// The stretch that either kind of note is about.
        package var stretch: Stretch {
            switch self {
            case .began(let stretch), .reached(let stretch, _, _): stretch
            }
        }

        /// True for the note that a stretch has begun.
        package var isBeginning: Bool { if case .began = self { true } else { false } }
    }

    /// The stretch that is under way; `nil` while nothing spoken plays.
    package private(set) var stretch: Stretch?
    /// True while something spoken plays. A stretch is large, and this does not copy it.
    package var hasStretch: Bool { if case .some = stretch { true } else { false } }
    private var line = Timeline.stopped
    private var lookedUs: Microseconds = 0
    /// Nanoseconds of sound since the last report, and since the stretch began. Permille of a microsecond are whole nanoseconds, so nothing is
    /// rounded off.
    private var heardNs: Int64 = 0
    private var totalNs: Int64 = 0
    private var isSought = false
    private var endings = 0
    private var rest: Rest?

    /// The position where the room is paused, and the stretch that was paused; `nil` where that is unknown.
    private struct Rest: Equatable, Sendable {
        var entry: EntryID
        var stretch: Stretch?
        var positionMs: Milliseconds
    }

    /// Sound between two reports of a stretch that plays on.
    package static let paceMs: Milliseconds = 20_000
    private static let paceNs = Int64(paceMs) * 1_000_000
    /// Shortest stretch that counts as listening, unless a person sought in it or it came to the end.
    package static let leastMs: Milliseconds = 5000
    /// A position further than this from the expected one counts as a seek.
    private static let soughtMs: Milliseconds = 1500
    /// The position of a room that was restored paused is off by some seconds, and resuming goes back by up to half a minute.
    package static let nearMs: Milliseconds = 60_000

    /// A watch that has not seen its room.
    package init() {}

    /// Compares with the present state of the room and the person who listens there.
    package mutating func look(at room: Room, by person: Person, now: Moment) -> [Note] {
        let reachedMs = line.positionMs(atUs: now.us, durationMs: stretch?.entry.tags.durationMs)
        let movedNs = movedNs(until: now.us)
        heardNs = heardNs.plus(movedNs)
        totalNs = totalNs.plus(movedNs)
        lookedUs = now.us
        line = room.timeline
        let hasEnded = room.endings.count != endings
        endings = room.endings.count
        var notes: [Note] = []
        if let stretch {
            if room.queue.current != stretch.entry.id || hasEnded || line.state == .stopped {
                let isAtEnd = hasEnded && room.endings.last == stretch.entry.id
                end(at: reachedMs, isAtEnd: isAtEnd, into: &notes)
            } else {
                follow(room.positionMs(at: now), from: reachedMs, into: &notes)
            }
        }
        followPause(at: room.positionMs(at: now), in: room.queue.current, into: &notes)
        if stretch == nil, line.state == .playing, room.isSpoken, let entry = room.currentEntry {
            begin(entry, in: room, by: person, at: now, into: &notes)
        }
        return notes
    }

    /// Ends the stretch because the hub stops.
    package mutating func close(at now: Moment) -> [Note] {
        var notes: [Note] = []
        let reachedMs = line.positionMs(atUs: now.us, durationMs: stretch?.entry.tags.durationMs)
        totalNs = totalNs.plus(movedNs(until: now.us))
        if stretch != nil { end(at: reachedMs, isAtEnd: false, into: &notes) }
        return notes
    }

    /// Forgets the stretch because the place was set by hand, so that listening starts from there.
    package mutating func startAnew() { (stretch, rest) = (nil, nil) }

    /// The time of the next look if nothing happens until then.
    package var dueUs: Microseconds? {
        guard stretch != nil, line.state == .playing, line.rate > 0 else { return nil }
        let leftNs = max(0, Self.paceNs - heardNs)
        let leftUs = Microseconds((leftNs + Int64(line.rate) - 1) / Int64(line.rate))
        return max(lookedUs, line.atUs) + leftUs
    }

    // MARK: Stretches

    private mutating func begin(_ entry: QueueEntry, in room: Room, by person: Person, at now: Moment, into notes: inout [Note]) {
        let origin: Origin =
            switch rest {
            case let rest? where rest.entry == entry.id: rest.stretch.map { .session($0.session) } ?? .position(rest.positionMs)
            default: .place
            }
        let stretch = Stretch(
            session: SessionID("r" + String(now.random, radix: 36)), entry: entry, person: person, room: room.id, roomName: room.name,
            origin: origin)
        self.stretch = stretch
        (heardNs, totalNs, isSought, rest) = (0, 0, false, nil)
        notes.append(.began(stretch))
    }

    /// Follows the position of a paused room, which may be sought too.
    private mutating func followPause(at positionMs: Milliseconds, in entry: EntryID?, into notes: inout [Note]) {
        guard line.state == .paused, let entry else {
            if line.state == .stopped || rest?.entry != entry { rest = nil }
            return
        }
        guard let known = rest, known.entry == entry else { return rest = Rest(entry: entry, stretch: nil, positionMs: positionMs) }
        guard known.positionMs != positionMs else { return }
        rest?.positionMs = positionMs
        if let stretch = known.stretch { notes.append(.reached(stretch, positionMs: positionMs, isAtEnd: false)) }
    }

    private mutating func follow(_ positionMs: Milliseconds, from reachedMs: Milliseconds, into notes: inout [Note]) {
        guard let stretch else { return }
        let isSeek = positionMs.minus(reachedMs).magnitude > Self.soughtMs
        isSought = isSought || isSeek
        if line.state == .paused {
            rest = Rest(entry: stretch.entry.id, stretch: stretch, positionMs: positionMs)
            end(at: positionMs, isAtEnd: false, into: &notes)
        } else if isSeek || heardNs >= Self.paceNs {
            heardNs = 0
            notes.append(.reached(stretch, positionMs: positionMs, isAtEnd: false))
        }
    }

    private mutating func end(at positionMs: Milliseconds, isAtEnd: Bool, into notes: inout [Note]) {
        guard let stretch else { return }
        self.stretch = nil
        guard isAtEnd || isSought || totalNs >= Int64(Self.leastMs) * 1_000_000 else { return }
        notes.append(.reached(stretch, positionMs: positionMs, isAtEnd: isAtEnd))
    }

    private func movedNs(until nowUs: Microseconds) -> Int64 {
        guard line.state == .playing, line.rate > 0 else { return 0 }
        // Multiplied before any rounding; otherwise each look would lose a part, and the report would come later or never.
        return max(0, nowUs - max(lookedUs, line.atUs)).count.times(Int64(line.rate))
    }
}
