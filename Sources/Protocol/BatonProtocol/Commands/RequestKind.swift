/// Every command the protocol names, built or not, with who may send it and what makes it safe to
/// send again. The table of commands in `Protocol/spec.md`, in Swift.
package enum RequestKind: String, Sendable, CaseIterable {
    case play, pause, stop, toggle, next, prev, jump, seek, seekBy
    case volumeSet = "vol.set"
    case volumeStep = "vol.step"
    case volumeMute = "vol.mute"
    case volumeMember = "vol.member"
    case modeSet = "mode.set"
    case queueGet = "queue.get"
    case queueAdd = "queue.add"
    case queueRemove = "queue.remove"
    case queueMove = "queue.move"
    case queueClear = "queue.clear"
    case queueReplace = "queue.replace"
    case queueShuffle = "queue.shuffle"
    case queueUndo = "queue.undo"
    case queueHistory = "queue.history"
    case roomGroup = "room.group"
    case roomLeave = "room.leave"
    case roomMove = "room.move"
    case roomCreate = "room.create"
    case roomRename = "room.rename"
    case roomDelete = "room.delete"
    case roomSet = "room.set"
    case outputSet = "output.set"
    case libSearch = "lib.search"
    case libBrowse = "lib.browse"
    case libItem = "lib.item"
    case libFolders = "lib.folders"
    case libFolder = "lib.folder"
    case libHistory = "lib.history"
    case favSet = "fav.set"
    case rateSet = "rate.set"
    case playlistList = "pl.list"
    case playlistGet = "pl.get"
    case playlistEdit = "pl.edit"
    case playlistCreate = "pl.create"
    case playlistDelete = "pl.delete"
    case sleepSet = "sleep.set"
    case sleepClear = "sleep.clear"
    case radioPlay = "radio.play"
    case radioSave = "radio.save"
    case bookChapter = "book.chapter"
    case bookResume = "book.resume"
    case markAdd = "mark.add"
    case markDelete = "mark.del"
    case jobStart = "job.start"
    case jobCancel = "job.cancel"
    case jobKeep = "job.keep"
    case artGet = "art.get"
    case levels
    case pairOpen = "pair.open"
    case pairClose = "pair.close"
    case deviceList = "dev.list"
    case deviceRole = "dev.role"
    case deviceRename = "dev.rename"
    case deviceRevoke = "dev.revoke"
    case deviceRotate = "dev.rotate"
    case hubInfo = "hub.info"
    case hubTicket = "hub.ticket"
    case hubScan = "hub.scan"
    case hubRestart = "hub.restart"

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    package static func named(_ method: String) -> RequestKind? { byName[method] }

    /// What makes a repeat harmless.
    package enum Class: Sendable {
        /// Says what shall be, so saying it twice changes nothing.
        case absolute
        /// Names what the person was looking at; needs a key as well.
        case guarded
        /// Would count twice; needs a key.
        case keyed
        /// Changes nothing.
        case query
    }

    package var `class`: Class {
        switch self {
        case .next, .prev, .seek, .seekBy, .bookChapter: .guarded
        case .volumeStep, .queueAdd, .queueClear, .queueReplace, .queueShuffle, .queueUndo, .roomGroup, .roomLeave, .roomMove,
            .roomCreate, .playlistCreate, .playlistEdit, .playlistDelete, .markAdd, .jobStart:
            .keyed
        case .queueGet, .queueHistory, .libSearch, .libBrowse, .libItem, .libFolders, .libHistory, .playlistList, .playlistGet, .artGet,
            .levels,
            .deviceList, .hubInfo, .hubTicket:
            .query
        default: .absolute
        }
    }

    /// Whether it may wait for a source or a disk without any other command having to wait behind it:
    /// it changes nothing, and what it tells is so when it is told.
    package var runsBeside: Bool {
        switch self {
        case .libSearch, .libBrowse, .libItem, .libFolders, .libHistory, .playlistList, .playlistGet, .artGet: true
        default: false
        }
    }

    /// Whether a person is behind it. Programs ask most questions by themselves, to bring what they show up to date; a
    /// search is typed and a shelf is opened.
    package var isOfPerson: Bool { self.class != .query || self == .libSearch || self == .libBrowse }

    package var needsKey: Bool { self.class == .guarded || self.class == .keyed }

    /// The specification reserves it, and no hub of this version can do it, whoever asks.
    package var isReserved: Bool {
        switch self {
        case .roomGroup, .roomLeave, .outputSet, .volumeMember, .sleepSet, .sleepClear, .radioPlay, .radioSave, .bookChapter, .bookResume,
            .markAdd, .markDelete, .jobStart, .jobCancel, .jobKeep, .levels, .hubRestart:
            true
        default: false
        }
    }

    /// The least role that may send it. A guest's commands have further conditions, which the hub knows.
    package var role: Role {
        switch self {
        case .queueGet, .queueHistory, .libSearch, .libBrowse, .libItem, .libHistory, .playlistList, .playlistGet, .artGet, .levels,
            .hubInfo, .deviceRotate:
            .listener
        case .volumeSet, .volumeStep, .volumeMute, .volumeMember, .queueAdd: .guest
        case .roomCreate, .roomRename, .roomDelete, .roomSet, .outputSet, .pairOpen, .pairClose, .deviceList, .deviceRole,
            .deviceRename, .deviceRevoke, .hubTicket, .libFolders, .libFolder, .hubScan, .hubRestart:
            .admin
        default: .remote
        }
    }
}
