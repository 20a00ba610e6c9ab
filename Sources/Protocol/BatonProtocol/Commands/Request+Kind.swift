import BatonCore

/// The kind of a request, by which the hub knows its role and its class.
///
/// A dialect may make requests that no command type can express, such as clearing a queue at any revision, so the kind follows
/// from the request. A test compares it with the kind of every command type.
extension Request {
    package var kind: CommandKind {
        switch self {
        case .room(let command): command.kind
        case .play: .play
        case .add: .queueAdd
        case .replace: .queueReplace
        case .queueWindow, .queueRows: .queueGet
        case .queueHistory: .queueHistory
        case .savedQueue(.save): .queueSave
        case .savedQueue(.goOn): .queueContinue
        case .rooms(let request): request.kind
        case .joining(let request): request.kind
        case .hubInfo: .hubInfo
        case .hubLog: .hubLog
        case .hubResume: .hubResume
        case .library(let request): request.kind
        case .playlists(let request): request.kind
        case .art: .artGet
        case .devices(let request): request.kind
        case .users(let request): request.kind
        case .sources(let request): request.kind
        case .keeping(let request): request.kind
        case .radio(let request): request.kind
        case .podcasts(let request): request.kind
        case .bookmarks(let request): request.kind
        case .progress(let request): request.kind
        case .jobs(let request): request.kind
        case .composing(let request): request.kind
        case .clips(let request): request.kind
        case .prompts(let request): request.kind
        case .workers(let request): request.kind
        case .presence(let request): request.kind
        case .listening(let request): request.kind
        case .unsupported(let kind): kind
        }
    }
}

extension Command {
    fileprivate var kind: CommandKind {
        switch self {
        case .play: .play
        case .pause: .pause
        case .stop: .stop
        case .next: .next
        case .previous: .prev
        case .jump: .jump
        case .seek: .seek
        case .skip: .seekBy
        case .rewind(_, to: .live): .radioLive
        case .rewind: .radioBack
        case .setLevel: .volumeSet
        case .stepLevel: .volumeStep
        case .setMute: .volumeMute
        case .setModes: .modeSet
        case .chapter: .bookChapter
        case .setSpeech: .bookSet
        case .setSleep: .sleepSet
        case .clearSleep: .sleepClear
        case .add: .queueAdd
        case .remove: .queueRemove
        case .move: .queueMove
        case .clear: .queueClear
        case .replace: .queueReplace
        case .shuffle: .queueShuffle
        case .undo: .queueUndo
        }
    }
}

extension PresenceRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .vote: .voteSkip
        case .setShare: .voteRule
        case .kick: .peopleKick
        }
    }
}

extension RoomRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .create: .roomCreate
        case .rename: .roomRename
        case .delete: .roomDelete
        case .restore: .roomRestore
        case .set: .roomSet
        case .move: .roomMove
        }
    }
}

extension JoinRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .join: .roomJoin
        case .leave: .roomUnjoin
        case .look: .roomJoined
        }
    }
}

extension ListeningRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .here, .gone: .listenHere
        case .links: .listenLinks
        case .addLink: .listenLink
        case .removeLink: .listenRevoke
        case .only: .listenOnly
        }
    }
}

extension LibraryRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .search: .libSearch
        case .browse: .libBrowse
        case .item: .libItem
        case .history: .libHistory
        case .favourite: .favSet
        case .stars: .rateSet
        case .split: .libSplit
        case .folders: .libFolders
        case .setFolder: .libFolder
        case .scan: .hubScan
        }
    }
}

extension PlaylistRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .list: .playlistList
        case .get: .playlistGet
        case .create, .createAt: .playlistCreate
        case .delete, .deleteAt: .playlistDelete
        case .restore: .playlistRestore
        case .share: .playlistShare
        case .edit, .editAt: .playlistEdit
        }
    }
}

extension DeviceRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .open: .pairOpen
        case .close: .pairClose
        case .list: .deviceList
        case .setRole: .deviceRole
        case .rename: .deviceRename
        case .setPerson: .devicePerson
        case .revoke: .deviceRevoke
        case .rotate: .deviceRotate
        case .ticket: .hubTicket
        }
    }
}

extension SourceRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .list: .sourceList
        case .add: .sourceAdd
        case .change: .sourceSet
        case .test, .tryOut: .sourceTest
        case .remove: .sourceRemove
        case .sync: .sourceSync
        case .pending: .sourcePending
        }
    }
}

extension ProgressRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .report: .progressReport
        case .list: .progressList
        case .restore: .progressRestore
        case .finish: .progressFinish
        case .reset: .progressReset
        case .asleep: .progressAsleep
        case .here: .progressHere
        }
    }
}

extension KeepRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .list: .keepList
        case .set: .keepSet
        case .limit: .keepLimit
        }
    }
}

extension RadioRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .play: .radioPlay
        case .list: .radioList
        case .edit: .radioEdit
        case .record: .radioRecord
        case .titles: .radioTitles
        case .save: .radioSave
        }
    }
}

extension PromptRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .list: .genPrompts
        case .set: .genSet
        case .preset: .genPreset
        case .forget: .genForget
        }
    }
}

extension JobRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .parse: .genParse
        case .start: .jobStart
        case .cancel: .jobCancel
        case .retry: .jobRetry
        case .approve: .jobApprove
        case .keep: .jobKeep
        case .list: .jobList
        }
    }
}

extension WorkerRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .list: .workerList
        case .add: .workerAdd
        case .test, .tryOut: .workerTest
        case .makeUsual: .workerDefault
        case .remove: .workerRemove
        }
    }
}

extension ClipRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .start: .clipsStart
        case .list: .clipsList
        case .add: .clipsAdd
        case .remove: .clipsRemove
        case .turn: .clipsTurn
        case .scene: .clipsScene
        case .resume: .clipsResume
        }
    }
}

extension ComposingRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .endless: .genEndless
        case .steer: .genSteer
        case .vary: .genVary
        case .again: .genAgain
        case .goOn: .clipsContinue
        }
    }
}

extension BookmarkRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .add: .markAdd
        case .list: .markList
        case .edit: .markEdit
        case .delete: .markDelete
        }
    }
}

extension PodcastRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .list: .podcastList
        case .add: .podcastAdd
        case .importAll: .podcastImport
        case .refresh: .podcastRefresh
        case .keep: .podcastKeep
        case .remove: .podcastRemove
        }
    }
}

extension UserRequest {
    fileprivate var kind: CommandKind {
        switch self {
        case .signUp: .userSignup
        case .signIn: .userSignin
        case .guest: .userGuest
        case .signOut: .userSignout
        case .me: .userMe
        case .list: .userList
        case .add: .userAdd
        case .setRole: .userRole
        case .setPassword: .userPasswd
        case .approve: .userApprove
        case .sessions: .userSessions
        case .revoke: .userRevoke
        case .remove: .userRemove
        case .export: .userExport
        case .link: .userLink
        case .adopt: .userAdopt
        case .control: .roomControl
        }
    }
}
