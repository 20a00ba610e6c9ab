/// What the hub says of rooms, playlists, users and faults, in the members of the contract.
package import BatonCore

/// A room as it stands in the list of rooms.
package struct RoomInfo: Equatable, Sendable {
    package var id: String
    package var name: String
    package var trackCount: Int
    package var listeners: [String]
    package var isDefault: Bool
    /// The hubs from which what it plays comes, with the one that says so. A hub that joins a room looks for itself there.
    package var hubs: [String]

    /// Names beyond these are counted and not listed.
    package static let mostListed = 200

    package init(id: String, name: String, trackCount: Int, listeners: [String], isDefault: Bool, hubs: [String] = []) {
        self.id = id
        self.name = name
        self.trackCount = trackCount
        self.listeners = listeners
        self.isDefault = isDefault
        self.hubs = hubs
    }

    package func write(into text: inout RoomText) {
        text.object { text in
            text.member("id", id)
            text.member("name", name)
            text.member("description", "")
            text.member("trackCount", trackCount)
            text.member("listenerCount", listeners.count)
            text.member("listeners", Array(listeners.prefix(Self.mostListed)))
            text.member("isDefault", isDefault)
            text.member("hubs", hubs)
            text.name("createdBy")
            text.raw("null")
        }
    }
}

/// A room as its clients follow it. It has no `type`, which tells it from all other messages.
package struct RoomState: Equatable, Sendable {
    package var info: RoomInfo
    package var track: RoomTrack?
    package var positionMs: Int
    package var isPaused: Bool
    /// The place of the current entry; 0 where there is none.
    package var index: Int
    package var mode: NamedMode

    package init(info: RoomInfo, track: RoomTrack?, positionMs: Int, isPaused: Bool, index: Int, mode: NamedMode) {
        self.info = info
        self.track = track
        self.positionMs = positionMs
        self.isPaused = isPaused
        self.index = index
        self.mode = mode
    }

    /// `queue` is a list that is written already.
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
            text.member("listenerCount", info.listeners.count)
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
    /// Of the modes that have a name the one that is nearest: shuffle in any form is `shuffle`.
    package var nearest: NamedMode {
        if shuffle { return .shuffle }
        return switch `repeat` {
        case .off: .once
        case .all: .repeatAll
        case .one: .repeatOne
        }
    }
}

/// A playlist, which names its tracks by their ids.
package struct RoomPlaylist: Equatable, Sendable {
    package var id: String
    package var name: String
    package var ownerID: Int
    package var ownerName: String
    package var isPublic: Bool
    package var trackIDs: [String]
    package var about = ""
    /// Milliseconds of the wall clock, as JavaScript counts; 0 where that is not known.
    package var madeMs: Int64 = 0
    package var changedMs: Int64 = 0

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

/// A user, with each name spelt in the two ways that clients look for.
package struct RoomUser: Equatable, Sendable {
    package var name: String
    package var isAdmin: Bool
    package var isGuest: Bool

    package init(name: String, isAdmin: Bool, isGuest: Bool) {
        self.name = name
        self.isAdmin = isAdmin
        self.isGuest = isGuest
    }

    /// Users have names and no numbers here; this one follows from the name and stays.
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

/// Short messages.
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

    /// The body of a refusal over HTTP. Clients look for one of the two.
    package static func fault(_ sentence: String) -> [UInt8] {
        RoomText.object { text in
            text.member("error", sentence)
            text.member("message", sentence)
        }
    }
}
