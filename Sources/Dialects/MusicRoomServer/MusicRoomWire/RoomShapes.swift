/// Rooms, playlists, users and faults, as the hub sends them to clients of music rooms.
package import BatonCore

/// A room in the list of rooms.
package struct RoomInfo: Equatable, Sendable {
    package var id: String
    package var name: String
    package var trackCount: Int
    package var people: [String]
    package var isDefault: Bool
    /// The hubs from which its music comes, including the one that sends this. A hub that joins a room looks for the music there itself.
    package var hubs: [String]

    /// Limit of names in the list; the others are only counted.
    package static let mostListed = 200

    package init(id: String, name: String, trackCount: Int, people: [String], isDefault: Bool, hubs: [String] = []) {
        self.id = id
        self.name = name
        self.trackCount = trackCount
        self.people = people
        self.isDefault = isDefault
        self.hubs = hubs
    }

    package func write(into text: inout RoomText) {
        text.object { text in
            text.member("id", id)
            text.member("name", name)
            text.member("description", "")
            text.member("trackCount", trackCount)
            text.member("listenerCount", people.count)
            text.member("listeners", Array(people.prefix(Self.mostListed)))
            text.member("isDefault", isDefault)
            text.member("hubs", hubs)
            text.name("createdBy")
            text.raw("null")
        }
    }
}

/// The state of a room for its clients. It has no `type`, which distinguishes it from all other messages.
package struct RoomState: Equatable, Sendable {
    package var info: RoomInfo
    package var track: RoomTrack?
    package var positionMs: Milliseconds
    package var isPaused: Bool
    /// Place of the current entry; 0 if there is none.
    package var index: Int
    package var mode: NamedMode

    package init(info: RoomInfo, track: RoomTrack?, positionMs: Milliseconds, isPaused: Bool, index: Int, mode: NamedMode) {
        self.info = info
        self.track = track
        self.positionMs = positionMs
        self.isPaused = isPaused
        self.index = index
        self.mode = mode
    }

    /// The state as JSON; `queue` is an encoded list.
    package func written(queue: [UInt8]?) -> [UInt8] {
        RoomText.object { text in
            text.name("track")
            if let track { track.write(into: &text) } else { text.raw("null") }
            text.member("currentTimestamp", seconds: positionMs)
            text.member("channelName", info.name)
            text.member("channelId", info.id)
            text.member("description", "")
            text.member("paused", isPaused)
            text.member("currentIndex", index)
            text.member("listenerCount", info.people.count)
            text.member("isDefault", info.isDefault)
            text.member("playbackMode", mode.rawValue)
            text.member("hubs", info.hubs)
            if let queue {
                text.name("queue")
                text.raw(queue)
            }
        }
    }
}

extension Modes {
    /// The nearest mode that has a name: shuffle in any form is `shuffle`.
    package var nearest: NamedMode {
        if shuffle { return .shuffle }
        guard `repeat` else { return .once }
        return single == .off ? .repeatAll : .repeatOne
    }
}

/// A playlist, with tracks given as ids.
package struct RoomPlaylist: Equatable, Sendable {
    package var id: String
    package var name: String
    package var ownerID: Int
    package var ownerName: String
    package var isPublic: Bool
    package var trackIDs: [String]
    package var about = ""
    /// Wall clock time in milliseconds, as in JavaScript; 0 if it is not known.
    package var madeMs: Milliseconds = 0
    package var changedMs: Milliseconds = 0

    package init(id: String, name: String, ownerID: Int, ownerName: String, isPublic: Bool, trackIDs: [String]) {
        self.id = id
        self.name = name
        self.ownerID = ownerID
        self.ownerName = ownerName
        self.isPublic = isPublic
        self.trackIDs = trackIDs
    }

    package func write(into text: inout RoomText) {
        text.object { text in
            text.member("id", id)
            text.member("name", name)
            text.member("description", about)
            text.member("ownerId", ownerID)
            text.member("ownerName", ownerName)
            text.member("isPublic", isPublic)
            text.name("shareToken")
            text.raw("null")
            text.member("trackIds", trackIDs)
            text.member("createdAt", Int(madeMs))
            text.member("updatedAt", Int(changedMs))
        }
    }
}

/// A user, with each name in the two spellings that clients look for.
package struct RoomUser: Equatable, Sendable {
    package var name: String
    package var isAdmin: Bool
    package var isGuest: Bool

    package init(name: String, isAdmin: Bool, isGuest: Bool) {
        self.name = name
        self.isAdmin = isAdmin
        self.isGuest = isGuest
    }

    /// A number for a user. Users have names and no numbers in this hub, so it is computed from the name and constant.
    package static func number(of name: String) -> Int { Int(StableHash.of(name.lowercased()) >> 33) }

    package func write(into text: inout RoomText) {
        text.object { text in
            text.member("id", Self.number(of: name))
            text.member("username", name)
            text.member("isAdmin", isAdmin)
            text.member("is_admin", isAdmin)
            text.member("isGuest", isGuest)
            text.member("is_guest", isGuest)
            text.member("permissions", [])
        }
    }
}

/// Messages other than the state of a room.
package enum RoomMessage {
    package static func list(_ rooms: [RoomInfo]) -> [UInt8] {
        RoomText.object { text in
            text.member("type", "channel_list")
            text.name("channels")
            text.list(rooms) { $1.write(into: &$0) }
        }
    }

    package static func switched(to room: String) -> [UInt8] {
        RoomText.object { text in
            text.member("type", "switched")
            text.member("channelId", room)
        }
    }

    package static func kick(_ reason: String) -> [UInt8] {
        RoomText.object { text in
            text.member("type", "kick")
            text.member("reason", reason)
        }
    }

    package static func error(_ sentence: String) -> [UInt8] {
        RoomText.object { text in
            text.member("type", "error")
            text.member("message", sentence)
        }
    }

    /// The body of a refusal over HTTP, with both members that clients look for.
    package static func fault(_ sentence: String) -> [UInt8] {
        RoomText.object { text in
            text.member("error", sentence)
            text.member("message", sentence)
        }
    }
}
