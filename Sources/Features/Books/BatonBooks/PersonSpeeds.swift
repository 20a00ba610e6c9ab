import BatonCore
import BatonKernel
import BatonSeams

/// The speed at which each person hears speech. A change in one room applies to the other rooms in which the same person
/// listens.
///
/// Rooms decide which speed applies; they get the speeds of the person who pressed play last. Changes are written off the
/// loop.
@Loop
final class PersonSpeeds {
    private let rooms: RoomList
    private let changes: RoomChanges
    private let sources: Sources
    private let log: Log
    private var storage: (any PlaceStorage)?
    /// The speeds; `nil` until they are read. Until then rooms use their own.
    private var speeds: [Person: SpokenSpeeds]?
    private var people: [RoomID: Person] = [:]
    private var unstored: Set<Person> = []
    /// The speeds of rooms from before the speeds of people were read.
    private var early: [RoomID: SpokenSpeeds] = [:]
    private let queue = BackgroundQueue()

    init(rooms: RoomList, changes: RoomChanges, sources: Sources, log: Log) {
        self.rooms = rooms
        self.changes = changes
        self.sources = sources
        self.log = log
    }

    func open(_ storage: any PlaceStorage) {
        self.storage = storage
        for live in rooms.all { early[live.room.id] = live.room.speeds.spoken }
        queue.add { [weak self] in await self?.read() }
    }

    func close() async { await queue.finish() }

    private func read() async {
        guard let storage else { return }
        do throws(SourceFault) {
            var known = try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in try storage.spokenSpeeds() }
            // Older versions stored them in rooms, for all people.
            if known[.home] == nil, let spoken = early.values.first(where: { $0 != SpokenSpeeds() }) { known[.home] = spoken }
            for live in rooms.all where live.room.speeds.spoken != early[live.room.id, default: SpokenSpeeds()] {
                let person = people[live.room.id] ?? .home
                known[person] = live.room.speeds.spoken
                unstored.insert(person)
            }
            speeds = known
            early = [:]
            for live in rooms.all { tell(live, isOther: false) }
            await write()
        } catch {
            log(.warning, "The speeds at which people listen cannot be read: \(error.sentence)")
        }
    }

    /// Handles a change of a room; `person` is its listener.
    func roomChanged(_ live: LiveRoom, _ person: Person) {
        let id = live.id
        guard !live.isGone else { return people[id] = nil }
        let before = people[id]
        if before != person { people[id] = person }
        guard speeds != nil else { return }
        guard before == person else { return tell(live, isOther: before != nil) }
        let spoken = live.room.speeds.spoken
        guard spoken != speeds?[person, default: SpokenSpeeds()] else { return }
        speeds?[person] = spoken
        unstored.insert(person)
        queue.add { [weak self] in await self?.write() }
        for other in rooms.all where other !== live && people[other.room.id] == person { tell(other, isOther: false) }
    }

    /// Moves a person's speeds to another, or deletes them where that is `home`.
    func replace(_ person: Person, by other: Person) {
        unstored.remove(person)
        let known = speeds?.removeValue(forKey: person)
        if other != .home, speeds?[other] == nil { speeds?[other] = known }
        for live in rooms.all where people[live.room.id] == person {
            if person != .home { people[live.room.id] = other }
            tell(live, isOther: true)
        }
    }

    private func tell(_ live: LiveRoom, isOther: Bool) {
        let person = people[live.room.id] ?? .home
        people[live.room.id] = person
        let spoken = speeds?[person] ?? SpokenSpeeds()
        guard isOther || live.room.speeds.spoken != spoken else { return }
        live.perform(changes.update(live) { room, now in room.setSpoken(spoken, isOtherPerson: isOther, at: now) })
    }

    /// Writes the speeds. After a failure the next change tries again.
    private func write() async {
        guard let storage else { return }
        for person in unstored {
            guard let spoken = speeds?[person] else { continue }
            unstored.remove(person)
            do throws(SourceFault) {
                try await sources.limited(Sources.Limit.background) { () async throws(SourceFault) in
                    try storage.store(spoken, of: person)
                }
            } catch {
                unstored.insert(person)
                log(.warning, "The speeds at which “\(person.text)” listens could not be stored: \(error.sentence)")
                return
            }
        }
    }
}
