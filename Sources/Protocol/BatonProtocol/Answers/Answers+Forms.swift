public import BatonCore

/// The forms of answers whose types are written from their schemas: the case of `ReplyData` that carries each.
extension ClipSessions: CommandAnswer {
    public static let form: ReplyData.Form? = .clips

    public init?(_ data: ReplyData?) {
        guard case .clips(let value)? = data else { return nil }
        self = value
    }
}

extension JoinedRoomInfo: CommandAnswer {
    public static let form: ReplyData.Form? = .joinedRoom

    public init?(_ data: ReplyData?) {
        guard case .joinedRoom(let value)? = data else { return nil }
        self = value
    }
}

extension PromptShelf: CommandAnswer {
    public static let form: ReplyData.Form? = .prompts

    public init?(_ data: ReplyData?) {
        guard case .prompts(let value)? = data else { return nil }
        self = value
    }
}

extension QueueSaved: CommandAnswer {
    public static let form: ReplyData.Form? = .queueSaved

    public init?(_ data: ReplyData?) {
        guard case .queueSaved(let value)? = data else { return nil }
        self = value
    }
}

extension SteeredPiece: CommandAnswer {
    public static let form: ReplyData.Form? = .steered

    public init?(_ data: ReplyData?) {
        guard case .steered(let value)? = data else { return nil }
        self = value
    }
}

extension WorkerList: CommandAnswer {
    public static let form: ReplyData.Form? = .workers

    public init?(_ data: ReplyData?) {
        guard case .workers(let value)? = data else { return nil }
        self = value
    }
}

extension WorkerTested: CommandAnswer {
    public static let form: ReplyData.Form? = .workerTested

    public init?(_ data: ReplyData?) {
        guard case .workerTested(let value)? = data else { return nil }
        self = value
    }
}

extension MadeListenLink: CommandAnswer {
    public static let form: ReplyData.Form? = .listenLink

    public init?(_ data: ReplyData?) {
        guard case .listenLink(let value)? = data else { return nil }
        self = value
    }
}

extension ListenLinkList: CommandAnswer {
    public static let form: ReplyData.Form? = .listenLinks

    public init?(_ data: ReplyData?) {
        guard case .listenLinks(let value)? = data else { return nil }
        self = value
    }
}

extension ListeningAnswer: CommandAnswer {
    public static let form: ReplyData.Form? = .listening

    public init?(_ data: ReplyData?) {
        guard case .listening(let value)? = data else { return nil }
        self = value
    }
}

extension RoomControl: CommandAnswer {
    public static let form: ReplyData.Form? = .roomControl

    public init?(_ data: ReplyData?) {
        guard case .roomControl(let value)? = data else { return nil }
        self = value
    }
}

extension SharedPlaylist: CommandAnswer {
    public static let form: ReplyData.Form? = .sharedPlaylist

    public init?(_ data: ReplyData?) {
        guard case .sharedPlaylist(let value)? = data else { return nil }
        self = value
    }
}

extension SignedInUser: CommandAnswer {
    public static let form: ReplyData.Form? = .signedIn

    public init?(_ data: ReplyData?) {
        guard case .signedIn(let value)? = data else { return nil }
        self = value
    }
}

extension OwnUser: CommandAnswer {
    public static let form: ReplyData.Form? = .ownUser

    public init?(_ data: ReplyData?) {
        guard case .ownUser(let value)? = data else { return nil }
        self = value
    }
}

extension UserList: CommandAnswer {
    public static let form: ReplyData.Form? = .users

    public init?(_ data: ReplyData?) {
        guard case .users(let value)? = data else { return nil }
        self = value
    }
}

extension UserSessionList: CommandAnswer {
    public static let form: ReplyData.Form? = .userSessions

    public init?(_ data: ReplyData?) {
        guard case .userSessions(let value)? = data else { return nil }
        self = value
    }
}

extension ExportedRows: CommandAnswer {
    public static let form: ReplyData.Form? = .exported

    public init?(_ data: ReplyData?) {
        guard case .exported(let value)? = data else { return nil }
        self = value
    }
}

extension StartedJob: CommandAnswer {
    public static let form: ReplyData.Form? = .startedJob

    public init?(_ data: ReplyData?) {
        guard case .startedJob(let value)? = data else { return nil }
        self = value
    }
}

extension JobRows: CommandAnswer {
    public static let form: ReplyData.Form? = .jobs

    public init?(_ data: ReplyData?) {
        guard case .jobs(let value)? = data else { return nil }
        self = value
    }
}

extension ParsedPrompt: CommandAnswer {
    public static let form: ReplyData.Form? = .parsedPrompt

    public init?(_ data: ReplyData?) {
        guard case .parsedPrompt(let value)? = data else { return nil }
        self = value
    }
}
