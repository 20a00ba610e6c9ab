import BatonProtocol
import BatonSeams

/// All commands: the role that each needs, how many arguments it takes, and what carries it out.
@Loop
enum AllCommands {
    /// One command.
    struct Row {
        let name: String
        /// The least role; `nil` for a command that needs no password.
        let role: Role?
        /// How many arguments it takes.
        let arguments: ClosedRange<Int>
        let handler: @Loop (Session, [String]) throws(Ack) -> Step

        init(
            _ name: String, from role: Role?, taking arguments: ClosedRange<Int>,
            _ handler: @escaping @Loop (Session, [String]) throws(Ack) -> Step
        ) {
            self.name = name
            self.role = role
            self.arguments = arguments
            self.handler = handler
        }

        /// A command with arguments.
        init(
            _ name: String, from role: Role?, taking arguments: ClosedRange<Int>,
            words method: @escaping @Loop (Session) -> ([String]) throws(Ack) -> Step
        ) {
            self.init(name, from: role, taking: arguments) { session, words throws(Ack) in try method(session)(words) }
        }

        /// A command without arguments.
        init(_ name: String, from role: Role?, plain method: @escaping @Loop (Session) -> () throws(Ack) -> Step) {
            self.init(name, from: role, taking: 0...0) { session, _ throws(Ack) in try method(session)() }
        }

        /// Whether connections of a role may send it; `nil` is one that has sent no password.
        func isOpen(to role: Role?) -> Bool { AllCommands.isOpen(from: self.role, to: role) }

        func check(_ count: Int, for role: Role?) throws(Ack) {
            guard isOpen(to: role) else { throw AllCommands.refusal(of: name) }
            guard !arguments.contains(count) else { return }
            if arguments.count == 1 { throw Ack(.argument, "wrong number of arguments for \"\(name)\"") }
            throw Ack(.argument, "too \(count < arguments.lowerBound ? "few" : "many") arguments for \"\(name)\"")
        }
    }

    /// Whether what needs a role is open to another one; `nil` is open to all, and the role of a connection that has sent no password.
    nonisolated static func isOpen(from least: Role?, to role: Role?) -> Bool {
        guard let least else { return true }
        return role.map { $0 >= least } ?? false
    }

    nonisolated static func refusal(of command: String) -> Ack { Ack(.permission, "you don't have permission for \"\(command)\"") }

    private static let many = LineWords.mostArguments

    /// The commands in the order of their names.
    static let all: [Row] = [
        Row("add", from: .guest, taking: 1...2, words: Session.add),
        Row("addid", from: .guest, taking: 1...2, words: Session.addID),
        Row("albumart", from: .listener, taking: 2...2, words: Session.albumArt),
        Row("binarylimit", from: nil, taking: 1...1, words: Session.setBinaryLimit),
        Row("channels", from: .listener, plain: Session.listChannels),
        Row("clear", from: .remote, plain: Session.clear),
        Row("clearerror", from: .remote, plain: Session.clearError),
        Row("close", from: nil, taking: 0...many) { _, _ in .closing },
        Row("commands", from: nil, taking: 0...0) { session, _ in session.listCommands(permitted: true) },
        Row("config", from: .listener, plain: Session.showConfiguration),
        Row("consume", from: .remote, taking: 1...1, words: Session.setConsume),
        Row("count", from: .listener, taking: 1...many) { session, words throws(Ack) in try session.count(words, foldsCase: false) },
        Row("currentsong", from: .listener, plain: Session.showCurrentSong),
        Row("decoders", from: .listener, plain: Session.listDecoders),
        Row("delete", from: .remote, taking: 1...1, words: Session.delete),
        Row("deleteid", from: .remote, taking: 1...1, words: Session.deleteID),
        Row("delpartition", from: .admin, taking: 1...1, words: Session.deletePartition),
        Row("disableoutput", from: .admin, taking: 1...1) { session, words throws(Ack) in try session.switchOutput(words) { _ in false } },
        Row("enableoutput", from: .admin, taking: 1...1) { session, words throws(Ack) in try session.switchOutput(words) { _ in true } },
        Row("find", from: .listener, taking: 1...many) { session, words throws(Ack) in try session.find(words, foldsCase: false) },
        Row("findadd", from: .remote, taking: 1...many) { session, words throws(Ack) in try session.addFound(words, foldsCase: false) },
        Row("getvol", from: .listener, plain: Session.showVolume),
        Row("idle", from: .listener, taking: 0...many) { _, words throws(Ack) in .waiting(try Events(named: words)) },
        Row("kill", from: nil, taking: 0...many) { _, _ throws(Ack) in throw refusal(of: "kill") },
        Row("list", from: .listener, taking: 1...many, words: Session.list),
        Row("listall", from: .listener, taking: 0...1) { session, words throws(Ack) in try session.listTree(words, showsSongs: false) },
        Row("listallinfo", from: .listener, taking: 0...1) { session, words throws(Ack) in try session.listTree(words, showsSongs: true) },
        Row("listfiles", from: .listener, taking: 0...1, words: Session.listFiles),
        Row("listpartitions", from: .listener, plain: Session.listPartitions),
        Row("listplaylist", from: .listener, taking: 1...2) { session, words throws(Ack) in
            try session.listPlaylist(words, showsSongs: false)
        },
        Row("listplaylistinfo", from: .listener, taking: 1...2) { session, words throws(Ack) in
            try session.listPlaylist(words, showsSongs: true)
        },
        Row("listplaylists", from: .listener, plain: Session.listPlaylists),
        Row("load", from: .remote, taking: 1...3, words: Session.loadPlaylist),
        Row("lsinfo", from: .listener, taking: 0...1, words: Session.listFolder),
        Row("move", from: .remote, taking: 2...2, words: Session.move),
        Row("moveid", from: .remote, taking: 2...2, words: Session.moveID),
        Row("newpartition", from: .admin, taking: 1...1, words: Session.makePartition),
        Row("next", from: .remote, plain: Session.next),
        Row("notcommands", from: nil, taking: 0...0) { session, _ in session.listCommands(permitted: false) },
        Row("outputs", from: .listener, plain: Session.listOutputs),
        Row("partition", from: .listener, taking: 1...1, words: Session.enterPartition),
        Row("password", from: nil, taking: 1...1, words: Session.givePassword),
        Row("pause", from: .remote, taking: 0...1, words: Session.pause),
        Row("ping", from: nil, taking: 0...0) { _, _ in .done },
        Row("play", from: .remote, taking: 0...1, words: Session.play),
        Row("playid", from: .remote, taking: 0...1, words: Session.playID),
        Row("playlist", from: .listener, plain: Session.listQueuePaths),
        Row("playlistadd", from: .remote, taking: 2...3, words: Session.addToPlaylist),
        Row("playlistclear", from: .remote, taking: 1...1, words: Session.clearPlaylist),
        Row("playlistdelete", from: .remote, taking: 2...2, words: Session.deleteFromPlaylist),
        Row("playlistfind", from: .listener, taking: 1...many) { session, words throws(Ack) in
            try session.findInQueue(words, foldsCase: false)
        },
        Row("playlistid", from: .listener, taking: 0...1, words: Session.showQueueByID),
        Row("playlistinfo", from: .listener, taking: 0...1, words: Session.showQueue),
        Row("playlistlength", from: .listener, taking: 1...1, words: Session.measurePlaylist),
        Row("playlistmove", from: .remote, taking: 3...3, words: Session.moveInPlaylist),
        Row("playlistsearch", from: .listener, taking: 1...many) { session, words throws(Ack) in
            try session.findInQueue(words, foldsCase: true)
        },
        Row("plchanges", from: .listener, taking: 1...2) { session, words throws(Ack) in try session.showChanges(words, showsSongs: true) },
        Row("plchangesposid", from: .listener, taking: 1...2) { session, words throws(Ack) in
            try session.showChanges(words, showsSongs: false)
        },
        Row("previous", from: .remote, plain: Session.previous),
        Row("protocol", from: nil, taking: 0...many, words: Session.setFeatures),
        Row("random", from: .remote, taking: 1...1, words: Session.setRandom),
        Row("readcomments", from: .listener, taking: 1...1, words: Session.readComments),
        Row("readmessages", from: .listener, plain: Session.readMessages),
        Row("readpicture", from: .listener, taking: 2...2, words: Session.readPicture),
        Row("rename", from: .remote, taking: 2...2, words: Session.renamePlaylist),
        Row("repeat", from: .remote, taking: 1...1, words: Session.setRepeat),
        Row("replay_gain_mode", from: .remote, taking: 1...1, words: Session.setGainMode),
        Row("replay_gain_status", from: .listener, plain: Session.showGainMode),
        Row("rescan", from: .admin, taking: 0...1) { session, words throws(Ack) in try session.update(words, isFull: true) },
        Row("rm", from: .remote, taking: 1...1, words: Session.removePlaylist),
        Row("save", from: .remote, taking: 1...2, words: Session.savePlaylist),
        Row("search", from: .listener, taking: 1...many) { session, words throws(Ack) in try session.find(words, foldsCase: true) },
        Row("searchadd", from: .remote, taking: 1...many) { session, words throws(Ack) in try session.addFound(words, foldsCase: true) },
        Row("searchaddpl", from: .remote, taking: 2...many, words: Session.addFoundToPlaylist),
        Row("searchcount", from: .listener, taking: 1...many) { session, words throws(Ack) in try session.count(words, foldsCase: true) },
        Row("searchplaylist", from: .listener, taking: 2...many, words: Session.searchPlaylist),
        Row("seek", from: .remote, taking: 2...2, words: Session.seek),
        Row("seekcur", from: .remote, taking: 1...1, words: Session.seekCurrent),
        Row("seekid", from: .remote, taking: 2...2, words: Session.seekID),
        Row("sendmessage", from: .remote, taking: 2...2, words: Session.sendMessage),
        Row("setvol", from: .remote, taking: 1...1, words: Session.setVolume),
        Row("shuffle", from: .remote, taking: 0...1, words: Session.shuffle),
        Row("single", from: .remote, taking: 1...1, words: Session.setSingle),
        Row("stats", from: .listener, plain: Session.showStatistics),
        Row("status", from: .listener, plain: Session.showStatus),
        Row("sticker", from: .listener, taking: 3...many, words: Session.sticker),
        Row("stickernames", from: .listener, plain: Session.listStickerNames),
        Row("stickernamestypes", from: .listener, taking: 0...1, words: Session.listStickerNamesAndTypes),
        Row("stickertypes", from: .listener, plain: Session.listStickerTypes),
        Row("stop", from: .remote, taking: 0...0) { _, _ in .ask(Commands.Stop()) },
        Row("subscribe", from: .listener, taking: 1...1, words: Session.subscribe),
        Row("swap", from: .remote, taking: 2...2, words: Session.swap),
        Row("swapid", from: .remote, taking: 2...2, words: Session.swapID),
        Row("tagtypes", from: nil, taking: 0...many, words: Session.tagTypes),
        Row("toggleoutput", from: .admin, taking: 1...1) { session, words throws(Ack) in try session.switchOutput(words) { !$0 } },
        Row("unsubscribe", from: .listener, taking: 1...1, words: Session.unsubscribe),
        Row("update", from: .admin, taking: 0...1) { session, words throws(Ack) in try session.update(words, isFull: false) },
        Row("urlhandlers", from: .listener, plain: Session.listSchemes),
        Row("volume", from: .remote, taking: 1...1, words: Session.changeVolume),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static func named(_ name: String) -> Row? { byName[name] }
}
