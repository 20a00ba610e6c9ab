/// The durable state of the hub as the command door sees it: plain rows and changes to them.
///
/// The door commits every accepted change, its key and its answer as one transaction before the answer is sent, synchronously and on the loop. A
/// commit takes tens of microseconds and never waits for the disk. The store implements the journal; the simulation has one in memory that fails when
/// told to. Nothing here knows of SQL.
package import BatonCore
package import BatonProtocol

/// The newest format of the journal's file that this version reads and writes. `baton doctor` compares it with that of a file, without the store.
package enum JournalFormat {
    /// The number in the header of the file; a smaller one is migrated, a larger one refused.
    package static let version = 23
}

/// The header of an SQLite file: a fixed text, and the version number of our format.
package enum DatabaseHeader {
    /// Size of the header in bytes; a shorter file is no database.
    package static let byteCount = 100

    /// The version; `nil` when this is no database.
    package static func version(in header: [UInt8]) -> Int? {
        guard header.count == byteCount, header.starts(with: "SQLite format 3\0".utf8) else { return nil }
        return header[60..<64].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A sentence for a file that this version must leave alone.
    package static func newer(_ path: String, _ version: Int, known: Int) -> String {
        "\(path) was written by a newer Baton (schema \(version); this one knows \(known)) and was left untouched. "
            + "Start the newer one, or name another data folder (--data)."
    }
}

/// The durable store of rooms, queues and answers. One process has it open at a time.
@Loop
package protocol Journal: AnyObject {
    /// The state at the time of opening. Called once, before the first commit.
    func load() throws(JournalFault) -> Recovered

    /// Makes all the changes durable against a crash of this process, or none of them. After a fault the journal is unchanged, and a later commit may
    /// succeed.
    func commit(_ changes: [Change]) throws(JournalFault)

    /// The answer to an earlier command with this key, which is stored for 10 minutes and for the last 256 of each device. The journal stamps answers
    /// by a clock that only increases, also across restarts, and not by the wall clock.
    ///
    /// The stored data is read as an answer to a command of this kind. A repeated command has the kind of the first one; another command has
    /// another hash, and gets no answer.
    func answer(device: String, key: String, to kind: CommandKind) throws(JournalFault) -> StoredAnswer?

    /// Milliseconds of the clock that decides when answers and edits expire.
    var clockMs: Milliseconds { get }

    /// Stores a client's last choice of room, replacing its earlier one.
    func store(_ lastRoom: LastRoom) throws(JournalFault)

    /// Reserves revisions: after this returns, any up to and including `last` may be sent. Ask for `JournalRules.revisionBlock` at a time, before
    /// they run out.
    func reserveRevisions(upTo last: Int) throws(JournalFault)

    /// The health of the journal, for the `hub` section and for `doctor`.
    var health: JournalHealth { get }
}

/// Figures that both sides of the seam use.
package enum JournalRules {
    /// Number of revisions to reserve at a time, so that a commit seldom has to store one.
    package static let revisionBlock = 1000
    /// Number of the latest answers that are stored for each device.
    package static let answersPerDevice = 256
    /// Time for which an answer is stored.
    package static let answerLifeMs: Milliseconds = 600_000
    /// Maximum number of clients whose last room is stored; more than a home or a venue's staff has.
    package static let lastRooms = 1024
}

/// The state that was found at the start.
package struct Recovered: Equatable, Sendable {
    /// All rooms, including deleted ones that can be restored.
    package var rooms: [RecoveredRoom]
    /// Identifies this life of the store. It changes when revisions may have been lost.
    package var epoch: String
    /// The highest revision that may ever have been sent. Numbering continues above it, and every section starts with the first new number.
    package var revisionFloor: Int
    /// The number of the next entry. No smaller one is free, and no number is used twice.
    package var nextEntry: UInt64
    /// The latest choices, the oldest first.
    package var lastRooms: [LastRoom]

    package init(
        rooms: [RecoveredRoom] = [], epoch: String, revisionFloor: Int = 0, nextEntry: UInt64 = 1, lastRooms: [LastRoom] = []
    ) {
        self.rooms = rooms
        self.lastRooms = lastRooms
        self.epoch = epoch
        self.revisionFloor = revisionFloor
        self.nextEntry = nextEntry
    }
}

/// The room that a client chose last.
package struct LastRoom: Equatable, Sendable {
    /// The principal of the client, by which it is recognised when it comes back.
    package var client: String
    package var room: RoomID

    package init(client: String, room: RoomID) {
        self.client = client
        self.room = room
    }
}

/// A room with its queue in order. Rooms come in the order in which they were made.
package struct RecoveredRoom: Equatable, Sendable {
    /// The room itself, without its queue.
    package var room: RoomRow
    /// The queue, its order and its history of edits.
    package var queue: PlaybackQueue
    /// 0 for an existing room. Among deleted rooms, the last deleted one has the highest number.
    package var deletion: Int

    package init(room: RoomRow, queue: PlaybackQueue = PlaybackQueue(), deletion: Int = 0) {
        self.room = room
        self.queue = queue
        self.deletion = deletion
    }
}

/// A room as it is stored. Its fields are those of `Room`, as far as they outlive a restart.
package struct RoomRow: Equatable, Sendable {
    /// The id, which is never changed.
    package var id: RoomID
    /// The name that people see.
    package var name: String
    package var queueRevision = 0
    /// The current entry; `nil` in an empty queue.
    package var current: EntryID?
    /// The position as `Room.storedPositionMs` has it, which is a time for a station behind live.
    package var positionMs: Milliseconds = 0
    /// True when it played; a restored room never plays by itself.
    package var playing = false
    /// The volume; a start of the hub may lower it to `startMax`.
    package var level = 30
    package var muted = false
    package var modes = Modes()
    package var floor = 0
    package var ceiling = 100
    package var startMax = 50
    /// The player's name of the output device; `nil` is the default device.
    package var output: String?
    /// The sleep timer with its remaining time.
    package var sleep: SleepWish?
    /// The state for going back a little after a pause.
    package var resumption = Resumption()
    /// The speeds of music and speech.
    package var speeds = RoomSpeeds()
    /// The positions that a sleep timer offers.
    package var sleepPositions = SleepPositions()
    /// The votes, refusals and the rule for an empty room.
    package var presence = RoomPresence()
    /// The links to the endless stream, without their keys.
    package var links = RoomLinks()

    package init(id: RoomID, name: String) {
        self.id = id
        self.name = name
    }
}

/// The changes that led to the present queue. They describe single entries; the order, which any of them may have changed, is that of the result.
package struct QueueStep: Equatable, Sendable {
    package var changes: [QueueChange]
    /// The queue after all of them.
    package var result: PlaybackQueue

    package init(_ changes: [QueueChange], result: PlaybackQueue) {
        self.changes = changes
        self.result = result
    }
}

/// The effect of one accepted command or player report.
package struct Change: Equatable, Sendable {
    /// The effect on the room itself.
    package enum Room: Equatable, Sendable {
        /// The present row of a new, changed or unchanged room.
        case kept(RoomRow)
        /// The room was deleted. It is stored with its queue, so that it can be restored.
        case deleted(RoomID)
        /// A deleted room is erased with its queue.
        case forgotten(RoomID)
    }

    /// The room that has changed, or is gone.
    package var room: Room
    /// The changes of the queue; `nil` when there are none, and when the room is gone.
    package var queue: QueueStep?
    /// The answer to the command, stored in the same transaction; `nil` for a command without a key, and for a report.
    package var answer: StoredAnswer?
    /// The revision at which the change is visible.
    package var revision: Int
    /// The number of the next entry, where a room got entries that the journal does not store; otherwise 0.
    package var nextEntry: UInt64 = 0

    package init(room: RoomRow, queue: QueueStep? = nil, answer: StoredAnswer? = nil, revision: Int) {
        self.room = .kept(room)
        self.queue = queue
        self.answer = answer
        self.revision = revision
    }

    package init(deleting room: RoomID, answer: StoredAnswer? = nil, revision: Int) {
        self.room = .deleted(room)
        queue = nil
        self.answer = answer
        self.revision = revision
    }

    package init(forgetting room: RoomID, revision: Int) {
        self.room = .forgotten(room)
        queue = nil
        self.revision = revision
    }
}

/// The stored answer to a command key, which makes a retry safe.
package struct StoredAnswer: Equatable, Sendable {
    /// The principal that sent the command.
    package var device: String
    /// The key that the client chose.
    package var key: String
    /// The hash of the command in canonical form. Another hash for the same key is a mismatch.
    package var hash: UInt64
    /// The answer as it was sent, which a repeated command gets again.
    package var reply: Reply
    /// The room whose queue `reply` tells of; `nil` if it tells of none.
    package var room: RoomID?

    package init(device: String, key: String, hash: UInt64, reply: Reply, room: RoomID? = nil) {
        self.device = device
        self.key = key
        self.hash = hash
        self.reply = reply
        self.room = room
    }
}

/// The reason why the journal refused. Nothing was changed.
package struct JournalFault: Error, Equatable, Sendable {
    package enum Code: String, Sendable {
        /// The disk is full.
        case full
        /// The folder or the file cannot be written.
        case readOnly
        /// Another process has the store open.
        case busy
        /// The file is not in the form we wrote.
        case damaged
        /// A newer version wrote the file.
        case newer
        /// Any other fault of the store.
        case failed
    }

    package var code: Code
    /// A sentence that a person can act on.
    package var sentence: String

    package init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}

/// The health of the journal, as far as people should know of it.
package struct JournalHealth: Equatable, Sendable {
    /// The last fault, until something is committed again.
    package var trouble: JournalFault?
    /// Notices from opening the store, such as a damaged file that was set aside.
    package var notices: [String]

    package init(trouble: JournalFault? = nil, notices: [String] = []) {
        self.trouble = trouble
        self.notices = notices
    }
}
