public import BatonCore

/// The data in the answer to one command.
public protocol CommandAnswer: Equatable, Sendable {
    /// `nil` if an answer carries no data.
    static var form: ReplyData.Form? { get }
    /// `nil` if the data is the result of another command.
    init?(_ data: ReplyData?)
}

/// An answer without data beside its outcome.
public struct NoAnswer: CommandAnswer {
    public static let form: ReplyData.Form? = nil

    public init() {}
    public init?(_ data: ReplyData?) {}
}

/// The answer to `room.create` and `listen.only`.
public struct CreatedRoom: Equatable, Sendable {
    public var room: RoomID
}

extension CreatedRoom: CommandAnswer {
    public static let form: ReplyData.Form? = .room

    public init?(_ data: ReplyData?) {
        guard case .room(let value)? = data else { return nil }
        self.init(room: value)
    }
}

extension QueuePage: CommandAnswer {
    public static let form: ReplyData.Form? = .queuePage

    public init?(_ data: ReplyData?) {
        guard case .queuePage(let value)? = data else { return nil }
        self = value
    }
}

extension QueueHistoryList: CommandAnswer {
    public static let form: ReplyData.Form? = .queueHistory

    public init?(_ data: ReplyData?) {
        guard case .queueHistory(let value)? = data else { return nil }
        self = value
    }
}

extension HubInfo: CommandAnswer {
    public static let form: ReplyData.Form? = .hubInfo

    public init?(_ data: ReplyData?) {
        guard case .hubInfo(let value)? = data else { return nil }
        self = value
    }
}

extension ItemList: CommandAnswer {
    public static let form: ReplyData.Form? = .items

    public init?(_ data: ReplyData?) {
        guard case .items(let value)? = data else { return nil }
        self = value
    }
}

extension ItemAnswer: CommandAnswer {
    public static let form: ReplyData.Form? = .item

    public init?(_ data: ReplyData?) {
        guard case .item(let value)? = data else { return nil }
        self = value
    }
}

extension PlayedList: CommandAnswer {
    public static let form: ReplyData.Form? = .played

    public init?(_ data: ReplyData?) {
        guard case .played(let value)? = data else { return nil }
        self = value
    }
}

extension LibraryFolders: CommandAnswer {
    public static let form: ReplyData.Form? = .folders

    public init?(_ data: ReplyData?) {
        guard case .folders(let value)? = data else { return nil }
        self = value
    }
}

extension PlaylistList: CommandAnswer {
    public static let form: ReplyData.Form? = .playlists

    public init?(_ data: ReplyData?) {
        guard case .playlists(let value)? = data else { return nil }
        self = value
    }
}

extension PlaylistContents: CommandAnswer {
    public static let form: ReplyData.Form? = .playlist

    public init?(_ data: ReplyData?) {
        guard case .playlist(let value)? = data else { return nil }
        self = value
    }
}

extension PlaylistEdited: CommandAnswer {
    public static let form: ReplyData.Form? = .playlistEdited

    public init?(_ data: ReplyData?) {
        guard case .playlistEdited(let value)? = data else { return nil }
        self = value
    }
}

extension ArtTransfer: CommandAnswer {
    public static let form: ReplyData.Form? = .picture

    public init?(_ data: ReplyData?) {
        guard case .picture(let value)? = data else { return nil }
        self = value
    }
}

extension SourceList: CommandAnswer {
    public static let form: ReplyData.Form? = .sources

    public init?(_ data: ReplyData?) {
        guard case .sources(let value)? = data else { return nil }
        self = value
    }
}

extension SourceTested: CommandAnswer {
    public static let form: ReplyData.Form? = .sourceTested

    public init?(_ data: ReplyData?) {
        guard case .sourceTested(let value)? = data else { return nil }
        self = value
    }
}

extension PendingNotes: CommandAnswer {
    public static let form: ReplyData.Form? = .pendingNotes

    public init?(_ data: ReplyData?) {
        guard case .pendingNotes(let value)? = data else { return nil }
        self = value
    }
}

extension KeptList: CommandAnswer {
    public static let form: ReplyData.Form? = .kept

    public init?(_ data: ReplyData?) {
        guard case .kept(let value)? = data else { return nil }
        self = value
    }
}

extension PairingWindow: CommandAnswer {
    public static let form: ReplyData.Form? = .pairingWindow

    public init?(_ data: ReplyData?) {
        guard case .pairingWindow(let value)? = data else { return nil }
        self = value
    }
}

extension DeviceList: CommandAnswer {
    public static let form: ReplyData.Form? = .devices

    public init?(_ data: ReplyData?) {
        guard case .devices(let value)? = data else { return nil }
        self = value
    }
}

extension NewDeviceKey: CommandAnswer {
    public static let form: ReplyData.Form? = .deviceKey

    public init?(_ data: ReplyData?) {
        guard case .deviceKey(let value)? = data else { return nil }
        self = value
    }
}

extension Ticket: CommandAnswer {
    public static let form: ReplyData.Form? = .ticket

    public init?(_ data: ReplyData?) {
        guard case .ticket(let value)? = data else { return nil }
        self = value
    }
}

extension TitleList: CommandAnswer {
    public static let form: ReplyData.Form? = .titles

    public init?(_ data: ReplyData?) {
        guard case .titles(let value)? = data else { return nil }
        self = value
    }
}

extension StationList: CommandAnswer {
    public static let form: ReplyData.Form? = .stations

    public init?(_ data: ReplyData?) {
        guard case .stations(let value)? = data else { return nil }
        self = value
    }
}

extension BookmarkList: CommandAnswer {
    public static let form: ReplyData.Form? = .bookmarks

    public init?(_ data: ReplyData?) {
        guard case .bookmarks(let value)? = data else { return nil }
        self = value
    }
}

extension AsleepPlaces: CommandAnswer {
    public static let form: ReplyData.Form? = .asleep

    public init?(_ data: ReplyData?) {
        guard case .asleep(let value)? = data else { return nil }
        self = value
    }
}

extension ProgressList: CommandAnswer {
    public static let form: ReplyData.Form? = .progress

    public init?(_ data: ReplyData?) {
        guard case .progress(let value)? = data else { return nil }
        self = value
    }
}

extension PodcastList: CommandAnswer {
    public static let form: ReplyData.Form? = .podcasts

    public init?(_ data: ReplyData?) {
        guard case .podcasts(let value)? = data else { return nil }
        self = value
    }
}

extension HubLog: CommandAnswer {
    public static let form: ReplyData.Form? = .hubLog

    public init?(_ data: ReplyData?) {
        guard case .hubLog(let value)? = data else { return nil }
        self = value
    }
}
