import BatonCore
import BatonProtocol
import BatonSeams

/// Commands about the connection and the server.
extension Session {
    func listCommands(permitted: Bool) -> Step {
        // `kill` is never permitted, as for any remote of the original that has no rights.
        for command in AllCommands.all where (command.name != "kill" && command.isOpen(to: client.role)) == permitted {
            text.line("command", command.name)
        }
        return .done
    }

    func givePassword(_ words: [String]) throws(Ack) -> Step {
        let wrong = Ack(.password, "incorrect password")
        guard let passwords = dialect.parts.passwords() else { throw wrong }
        let (word, peer) = (words[0], connection.peer)
        return .working { [self] () async throws(Ack) in
            let password: DialectPassword
            do throws(ProtocolFault) {
                password = try await passwords.check(word, of: MPD.name, from: peer.address)
            } catch {
                throw wrong
            }
            guard !isClosed else { throw Self.closed }
            become(dialect.client(peer, password: password))
        }
    }

    func setBinaryLimit(_ words: [String]) throws(Ack) -> Step {
        let limit = try Argument.count(words[0])
        guard limit >= 64 else { throw Ack(.argument, "Value too small") }
        // A larger piece would be more than may wait for a client.
        binaryLimit = min(limit, 1 << 19)
        return .done
    }

    // MARK: Tags and features

    func tagTypes(_ words: [String]) throws(Ack) -> Step {
        guard let sub = words.first else {
            for tag in TagName.allCases where tags.contains(TagSet(tag)) { text.line("tagtype", tag.rawValue) }
            return .done
        }
        let names = words.dropFirst()
        switch sub {
        case "all", "clear", "available":
            guard names.isEmpty else { throw Ack(.argument, "Too many arguments") }
        case "enable", "disable", "reset":
            guard !names.isEmpty else { throw Ack(.argument, "Not enough arguments") }
        default: throw Ack(.argument, "Unknown sub command")
        }
        var named: TagSet = []
        for name in names {
            guard let tag = TagName(anyCase: name) else { throw Ack(.argument, "Unknown tag type") }
            named.insert(TagSet(tag))
        }
        named.formIntersection(.usual)
        switch sub {
        case "all": tags = .usual
        case "clear": tags = []
        case "enable": tags.formUnion(named)
        case "disable": tags.subtract(named)
        case "reset": tags = named
        default: for tag in TagName.allCases where TagSet.usual.contains(TagSet(tag)) { text.line("tagtype", tag.rawValue) }
        }
        return .done
    }

    private static let features = ["hide_playlists_in_root"]

    func setFeatures(_ words: [String]) throws(Ack) -> Step {
        guard let sub = words.first else {
            if hidesPlaylists { text.line("feature", Self.features[0]) }
            return .done
        }
        let names = words.dropFirst()
        switch sub {
        case "all", "clear", "available":
            guard names.isEmpty else { throw Ack(.argument, "Too many arguments") }
            if sub == "available" { for feature in Self.features { text.line("feature", feature) } } else { hidesPlaylists = sub == "all" }
        case "enable", "disable":
            guard !names.isEmpty else { throw Ack(.argument, "Not enough arguments") }
            guard names.allSatisfy(Self.features.contains) else { throw Ack(.argument, "Unknown protocol feature") }
            hidesPlaylists = sub == "enable"
        default: throw Ack(.argument, "Unknown sub command")
        }
        return .done
    }

    // MARK: The server

    func showConfiguration() throws(Ack) -> Step {
        guard client.isLocal else { throw Ack(.permission, "Command only permitted to local clients") }
        if let folder = dialect.parts.musicFolders().first { text.line("music_directory", folder) }
        return .done
    }

    private static let suffixes = [
        "aac", "aif", "aiff", "flac", "m4a", "m4b", "mka", "mp3", "mp4", "oga", "ogg", "opus", "wav", "wma", "wv",
    ]

    /// All files are decoded by one library.
    func listDecoders() -> Step {
        text.line("plugin", "ffmpeg")
        for suffix in Self.suffixes { text.line("suffix", suffix) }
        return .done
    }

    func listSchemes() -> Step {
        for scheme in ["http://", "https://"] { text.line("handler", scheme) }
        return .done
    }

    func showStatistics() -> Step {
        let uptime = Int(nowUs - dialect.startedUs) / 1_000_000
        guard let songs = dialect.parts.songs() else {
            writeStatistics(uptime, nil)
            return .done
        }
        if let known = dialect.totals.known {
            writeStatistics(uptime, known)
            return .done
        }
        return .working { [self] () async throws(Ack) in
            let number = dialect.totals.number
            let totals = try await offLoop { () throws(SourceFault) in try songs.totals() }
            dialect.totals.keep(totals, asOf: number)
            writeStatistics(uptime, totals)
        }
    }

    /// How long this room has played is not known here, so it is left at 0.
    private func writeStatistics(_ uptime: Int, _ totals: SongTotals?) {
        text.line("uptime", uptime)
        text.line("playtime", 0)
        guard let totals else { return }
        text.line("artists", totals.artists)
        text.line("albums", totals.albums)
        text.line("songs", totals.songs)
        text.line("db_playtime", totals.durationMs / 1000)
        text.line("db_update", Int(dialect.updates.changedMs ?? dialect.parts.wallMs()) / 1000)
    }
}

/// The figures of the library, which are counted once for each of its states.
@Loop
final class LastTotals {
    private(set) var known: SongTotals?
    /// The number of the library's state.
    private(set) var number = 0

    func forget() {
        known = nil
        number += 1
    }

    func keep(_ totals: SongTotals, asOf number: Int) { if number == self.number { known = totals } }
}
