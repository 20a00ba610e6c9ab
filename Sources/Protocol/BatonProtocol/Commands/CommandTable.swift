// Written by Protocol/tools/build.py from Protocol/commands; change those files instead.

/// Every command that the protocol names, built or not, by its wire name. `definition` says the rest.
public enum RequestKind: String, Sendable, CaseIterable {
    case play
    case pause
    case stop
    case toggle
    case next
    case prev
    case jump
    case seek
    case seekBy
    case volumeSet = "vol.set"
    case volumeStep = "vol.step"
    case volumeMute = "vol.mute"
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
    case queueSave = "queue.save"
    case queueContinue = "queue.continue"
    case roomMove = "room.move"
    case roomCreate = "room.create"
    case roomRename = "room.rename"
    case roomDelete = "room.delete"
    case roomRestore = "room.restore"
    case roomSet = "room.set"
    case roomJoin = "room.join"
    case roomUnjoin = "room.unjoin"
    case roomJoined = "room.joined"
    case roomControl = "room.control"
    case libSearch = "lib.search"
    case libBrowse = "lib.browse"
    case libItem = "lib.item"
    case libHistory = "lib.history"
    case favSet = "fav.set"
    case rateSet = "rate.set"
    case libSplit = "lib.split"
    case libFolders = "lib.folders"
    case libFolder = "lib.folder"
    case hubScan = "hub.scan"
    case playlistList = "pl.list"
    case playlistGet = "pl.get"
    case playlistCreate = "pl.create"
    case playlistDelete = "pl.delete"
    case playlistRestore = "pl.restore"
    case playlistEdit = "pl.edit"
    case playlistShare = "pl.share"
    case sourceList = "source.list"
    case sourceAdd = "source.add"
    case sourceSet = "source.set"
    case sourceTest = "source.test"
    case sourceRemove = "source.remove"
    case sourceSync = "source.sync"
    case sourcePending = "source.pending"
    case keepSet = "keep.set"
    case keepList = "keep.list"
    case keepLimit = "keep.limit"
    case radioPlay = "radio.play"
    case radioList = "radio.list"
    case radioEdit = "radio.edit"
    case radioRecord = "radio.record"
    case radioBack = "radio.back"
    case radioLive = "radio.live"
    case radioTitles = "radio.titles"
    case radioSave = "radio.save"
    case podcastList = "podcast.list"
    case podcastAdd = "podcast.add"
    case podcastImport = "podcast.import"
    case podcastRefresh = "podcast.refresh"
    case podcastKeep = "podcast.keep"
    case podcastRemove = "podcast.remove"
    case progressReport = "progress.report"
    case progressList = "progress.list"
    case progressRestore = "progress.restore"
    case progressFinish = "progress.finish"
    case progressReset = "progress.reset"
    case progressAsleep = "progress.asleep"
    case progressHere = "progress.here"
    case genParse = "gen.parse"
    case genPrompts = "gen.prompts"
    case genSet = "gen.set"
    case genPreset = "gen.preset"
    case genForget = "gen.forget"
    case genEndless = "gen.endless"
    case genSteer = "gen.steer"
    case genVary = "gen.vary"
    case genAgain = "gen.again"
    case clipsStart = "clips.start"
    case clipsList = "clips.list"
    case clipsAdd = "clips.add"
    case clipsRemove = "clips.remove"
    case clipsTurn = "clips.turn"
    case clipsScene = "clips.scene"
    case clipsResume = "clips.resume"
    case clipsContinue = "clips.continue"
    case jobStart = "job.start"
    case jobCancel = "job.cancel"
    case jobRetry = "job.retry"
    case jobApprove = "job.approve"
    case jobKeep = "job.keep"
    case jobList = "job.list"
    case workerList = "worker.list"
    case workerAdd = "worker.add"
    case workerTest = "worker.test"
    case workerDefault = "worker.default"
    case workerRemove = "worker.remove"
    case bookChapter = "book.chapter"
    case bookSet = "book.set"
    case markAdd = "mark.add"
    case markList = "mark.list"
    case markEdit = "mark.edit"
    case markDelete = "mark.del"
    case sleepSet = "sleep.set"
    case sleepClear = "sleep.clear"
    case voteSkip = "vote.skip"
    case voteRule = "vote.rule"
    case peopleKick = "people.kick"
    case listenHere = "listen.here"
    case listenLink = "listen.link"
    case listenLinks = "listen.links"
    case listenRevoke = "listen.revoke"
    case listenOnly = "listen.only"
    case artGet = "art.get"
    case hubInfo = "hub.info"
    case hubTicket = "hub.ticket"
    case hubLog = "hub.log"
    case hubResume = "hub.resume"
    case pairOpen = "pair.open"
    case pairClose = "pair.close"
    case deviceList = "dev.list"
    case deviceRole = "dev.role"
    case deviceRename = "dev.rename"
    case devicePerson = "dev.person"
    case deviceRevoke = "dev.revoke"
    case deviceRotate = "dev.rotate"
    case userSignup = "user.signup"
    case userSignin = "user.signin"
    case userGuest = "user.guest"
    case userSignout = "user.signout"
    case userMe = "user.me"
    case userList = "user.list"
    case userAdd = "user.add"
    case userRole = "user.role"
    case userPasswd = "user.passwd"
    case userApprove = "user.approve"
    case userSessions = "user.sessions"
    case userRevoke = "user.revoke"
    case userRemove = "user.remove"
    case userExport = "user.export"
    case userLink = "user.link"
    case userAdopt = "user.adopt"
    case volumeMember = "vol.member"
    case roomGroup = "room.group"
    case roomLeave = "room.leave"
    case outputSet = "output.set"
    case bookResume = "book.resume"
    case levels
    case hubRestart = "hub.restart"
}

extension RequestKind {
    /// What the specification says of this command, apart from its parameters.
    var row: CommandRow {
        switch self {
        case .play: CommandRow(.absolute, .remote, since: 1)
        case .pause: CommandRow(.absolute, .remote, since: 1)
        case .stop: CommandRow(.absolute, .remote, since: 1)
        case .toggle: CommandRow(.absolute, .remote, since: 1)
        case .next: CommandRow(.guarded, .remote, since: 1)
        case .prev: CommandRow(.guarded, .remote, since: 1)
        case .jump: CommandRow(.absolute, .remote, since: 1)
        case .seek: CommandRow(.guarded, .remote, since: 1)
        case .seekBy: CommandRow(.guarded, .remote, since: 1)
        case .volumeSet: CommandRow(.absolute, .guest, since: 1, keys: .none)
        case .volumeStep: CommandRow(.keyed, .guest, since: 1, keys: .apart)
        case .volumeMute: CommandRow(.absolute, .guest, since: 1, keys: .none)
        case .modeSet: CommandRow(.absolute, .remote, since: 1)
        case .queueGet: CommandRow(.query, .listener, since: 1)
        case .queueAdd: CommandRow(.keyed, .guest, since: 1)
        case .queueRemove: CommandRow(.absolute, .remote, since: 1)
        case .queueMove: CommandRow(.absolute, .remote, since: 1)
        case .queueClear: CommandRow(.keyed, .remote, since: 1)
        case .queueReplace: CommandRow(.keyed, .remote, since: 1)
        case .queueShuffle: CommandRow(.keyed, .remote, since: 5)
        case .queueUndo: CommandRow(.keyed, .remote, since: 5)
        case .queueHistory: CommandRow(.query, .listener, since: 5)
        case .queueSave: CommandRow(.absolute, .remote, since: 31)
        case .queueContinue: CommandRow(.keyed, .remote, since: 31)
        case .roomMove: CommandRow(.keyed, .remote, since: 4)
        case .roomCreate: CommandRow(.keyed, .admin, since: 4)
        case .roomRename: CommandRow(.absolute, .admin, since: 4)
        case .roomDelete: CommandRow(.absolute, .admin, since: 4)
        case .roomRestore: CommandRow(.absolute, .admin, since: 38)
        case .roomSet: CommandRow(.absolute, .admin, since: 4)
        case .roomJoin: CommandRow(.absolute, .remote, since: 130)
        case .roomUnjoin: CommandRow(.absolute, .remote, since: 130)
        case .roomJoined: CommandRow(.query, .remote, since: 130)
        case .roomControl: CommandRow(.absolute, .admin, since: 127, keys: .none)
        case .libSearch: CommandRow(.query, .listener, since: 8)
        case .libBrowse: CommandRow(.query, .listener, since: 8)
        case .libItem: CommandRow(.query, .listener, since: 8)
        case .libHistory: CommandRow(.query, .listener, since: 8)
        case .favSet: CommandRow(.absolute, .remote, since: 8)
        case .rateSet: CommandRow(.absolute, .remote, since: 8)
        case .libSplit: CommandRow(.absolute, .remote, since: 29)
        case .libFolders: CommandRow(.query, .admin, since: 8)
        case .libFolder: CommandRow(.absolute, .admin, since: 8)
        case .hubScan: CommandRow(.absolute, .admin, since: 8)
        case .playlistList: CommandRow(.query, .listener, since: 8)
        case .playlistGet: CommandRow(.query, .listener, since: 8)
        case .playlistCreate: CommandRow(.keyed, .remote, since: 8)
        case .playlistDelete: CommandRow(.keyed, .remote, since: 8)
        case .playlistRestore: CommandRow(.keyed, .remote, since: 38)
        case .playlistEdit: CommandRow(.keyed, .remote, since: 8)
        case .playlistShare: CommandRow(.absolute, .remote, since: 126, keys: .none)
        case .sourceList: CommandRow(.query, .listener, since: 28)
        case .sourceAdd: CommandRow(.absolute, .admin, since: 28, keys: .none)
        case .sourceSet: CommandRow(.absolute, .admin, since: 28, keys: .none)
        case .sourceTest: CommandRow(.query, .admin, since: 28)
        case .sourceRemove: CommandRow(.absolute, .admin, since: 28)
        case .sourceSync: CommandRow(.absolute, .admin, since: 28)
        case .sourcePending: CommandRow(.absolute, .admin, since: 28)
        case .keepSet: CommandRow(.absolute, .remote, since: 34)
        case .keepList: CommandRow(.query, .listener, since: 34)
        case .keepLimit: CommandRow(.absolute, .admin, since: 34)
        case .radioPlay: CommandRow(.keyed, .remote, since: 33)
        case .radioList: CommandRow(.query, .listener, since: 33)
        case .radioEdit: CommandRow(.absolute, .remote, since: 33)
        case .radioRecord: CommandRow(.absolute, .remote, since: 35)
        case .radioBack: CommandRow(.guarded, .remote, since: 36)
        case .radioLive: CommandRow(.guarded, .remote, since: 36)
        case .radioTitles: CommandRow(.query, .listener, since: 36)
        case .radioSave: CommandRow(.absolute, .remote, since: 36)
        case .podcastList: CommandRow(.query, .listener, since: 121)
        case .podcastAdd: CommandRow(.absolute, .remote, since: 121, keys: .none)
        case .podcastImport: CommandRow(.absolute, .remote, since: 121)
        case .podcastRefresh: CommandRow(.absolute, .remote, since: 121)
        case .podcastKeep: CommandRow(.absolute, .remote, since: 121)
        case .podcastRemove: CommandRow(.absolute, .remote, since: 121)
        case .progressReport: CommandRow(.absolute, .remote, since: 107)
        case .progressList: CommandRow(.query, .remote, since: 107)
        case .progressRestore: CommandRow(.keyed, .remote, since: 107)
        case .progressFinish: CommandRow(.absolute, .remote, since: 107)
        case .progressReset: CommandRow(.absolute, .remote, since: 107)
        case .progressAsleep: CommandRow(.query, .remote, since: 108)
        case .progressHere: CommandRow(.absolute, .remote, since: 109)
        case .genParse: CommandRow(.query, .listener, since: 40)
        case .genPrompts: CommandRow(.query, .guest, since: 73)
        case .genSet: CommandRow(.absolute, .guest, since: 73)
        case .genPreset: CommandRow(.absolute, .guest, since: 73)
        case .genForget: CommandRow(.absolute, .guest, since: 73)
        case .genEndless: CommandRow(.absolute, .remote, since: 81)
        case .genSteer: CommandRow(.keyed, .remote, since: 81)
        case .genVary: CommandRow(.keyed, .remote, since: 81)
        case .genAgain: CommandRow(.keyed, .remote, since: 81)
        case .clipsStart: CommandRow(.keyed, .remote, since: 91)
        case .clipsList: CommandRow(.query, .listener, since: 91)
        case .clipsAdd: CommandRow(.keyed, .remote, since: 91)
        case .clipsRemove: CommandRow(.absolute, .remote, since: 91)
        case .clipsTurn: CommandRow(.absolute, .remote, since: 93)
        case .clipsScene: CommandRow(.absolute, .remote, since: 91)
        case .clipsResume: CommandRow(.absolute, .remote, since: 93)
        case .clipsContinue: CommandRow(.keyed, .remote, since: 93)
        case .jobStart: CommandRow(.keyed, .guest, since: 40)
        case .jobCancel: CommandRow(.absolute, .guest, since: 40)
        case .jobRetry: CommandRow(.absolute, .remote, since: 40)
        case .jobApprove: CommandRow(.absolute, .remote, since: 71)
        case .jobKeep: CommandRow(.absolute, .remote, since: 71)
        case .jobList: CommandRow(.query, .listener, since: 40)
        case .workerList: CommandRow(.query, .listener, since: 61)
        case .workerAdd: CommandRow(.absolute, .admin, since: 61, keys: .none)
        case .workerTest: CommandRow(.query, .admin, since: 61)
        case .workerDefault: CommandRow(.absolute, .admin, since: 61, keys: .none)
        case .workerRemove: CommandRow(.absolute, .admin, since: 61, keys: .none)
        case .bookChapter: CommandRow(.guarded, .remote, since: 102)
        case .bookSet: CommandRow(.absolute, .remote, since: 123)
        case .markAdd: CommandRow(.keyed, .remote, since: 122)
        case .markList: CommandRow(.query, .listener, since: 122)
        case .markEdit: CommandRow(.absolute, .remote, since: 122)
        case .markDelete: CommandRow(.absolute, .remote, since: 122)
        case .sleepSet: CommandRow(.absolute, .remote, since: 101)
        case .sleepClear: CommandRow(.absolute, .remote, since: 101)
        case .voteSkip: CommandRow(.absolute, .listener, since: 136)
        case .voteRule: CommandRow(.absolute, .admin, since: 136)
        case .peopleKick: CommandRow(.absolute, .remote, since: 137)
        case .listenHere: CommandRow(.query, .listener, since: 146)
        case .listenLink: CommandRow(.query, .remote, since: 147)
        case .listenLinks: CommandRow(.query, .remote, since: 147)
        case .listenRevoke: CommandRow(.absolute, .remote, since: 147, keys: .none)
        case .listenOnly: CommandRow(.keyed, .remote, since: 150)
        case .artGet: CommandRow(.query, .listener, since: 8)
        case .hubInfo: CommandRow(.query, .listener, since: 1)
        case .hubTicket: CommandRow(.query, .admin, since: 4)
        case .hubLog: CommandRow(.query, .admin, since: 143)
        case .hubResume: CommandRow(.absolute, .admin, since: 154)
        case .pairOpen: CommandRow(.absolute, .admin, since: 4)
        case .pairClose: CommandRow(.absolute, .admin, since: 4)
        case .deviceList: CommandRow(.query, .admin, since: 4)
        case .deviceRole: CommandRow(.absolute, .admin, since: 4)
        case .deviceRename: CommandRow(.absolute, .admin, since: 4)
        case .devicePerson: CommandRow(.absolute, .admin, since: 106)
        case .deviceRevoke: CommandRow(.absolute, .admin, since: 4)
        case .deviceRotate: CommandRow(.absolute, .listener, since: 4)
        case .userSignup: CommandRow(.absolute, .listener, since: 125, keys: .none)
        case .userSignin: CommandRow(.absolute, .listener, since: 125, keys: .none)
        case .userGuest: CommandRow(.absolute, .listener, since: 125, keys: .none)
        case .userSignout: CommandRow(.absolute, .listener, since: 125, keys: .none)
        case .userMe: CommandRow(.query, .listener, since: 125)
        case .userList: CommandRow(.query, .admin, since: 125)
        case .userAdd: CommandRow(.absolute, .admin, since: 125, keys: .none)
        case .userRole: CommandRow(.absolute, .admin, since: 125, keys: .none)
        case .userPasswd: CommandRow(.absolute, .listener, since: 125, keys: .none)
        case .userApprove: CommandRow(.absolute, .admin, since: 125, keys: .none)
        case .userSessions: CommandRow(.query, .listener, since: 125)
        case .userRevoke: CommandRow(.absolute, .listener, since: 125, keys: .none)
        case .userRemove: CommandRow(.absolute, .admin, since: 125, keys: .none)
        case .userExport: CommandRow(.query, .listener, since: 125)
        case .userLink: CommandRow(.absolute, .admin, since: 125, keys: .none)
        case .userAdopt: CommandRow(.absolute, .admin, since: 125, keys: .none)
        case .volumeMember: CommandRow(.absolute, .guest, since: 1, isReserved: true)
        case .roomGroup: CommandRow(.keyed, .remote, since: 1, isReserved: true)
        case .roomLeave: CommandRow(.keyed, .remote, since: 1, isReserved: true)
        case .outputSet: CommandRow(.absolute, .admin, since: 1, isReserved: true)
        case .bookResume: CommandRow(.absolute, .remote, since: 1, isReserved: true)
        case .levels: CommandRow(.query, .listener, since: 1, isReserved: true)
        case .hubRestart: CommandRow(.absolute, .admin, since: 1, isReserved: true)
        }
    }
}
