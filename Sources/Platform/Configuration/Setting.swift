/// The table of everything that can be set about a hub. A new setting is one line here; its flag, its
/// variable, its place in the file, its help and its check follow from that line.
import BatonSeams

struct Setting: Sendable {
    /// As in the file: snake_case.
    let name: String
    /// The part of the file it stands in; "" is the top.
    let section: String
    let kind: Kind
    let fallback: Fallback
    let help: String

    enum Fallback: Sendable {
        case text(String)
        /// Depends on where the hub runs. The words say on what.
        case found(@Sendable (Surroundings, HubSettings) -> [String], String)
    }

    init(_ name: String, in section: String = "", _ kind: Kind, _ fallback: Fallback, _ help: String) {
        self.name = name
        self.section = section
        self.kind = kind
        self.fallback = fallback
        self.help = help
    }

    /// `limit_` in front of what stands under `[limits]`: flags and variables have no sections.
    private var flatName: String { (section.isEmpty ? "" : "limit_") + name }

    /// Without the dashes in front.
    var flag: String { String(flatName.map { $0 == "_" ? "-" : $0 }) }
    var variable: String { "BATON_" + flatName.uppercased() }
    /// As people write it about the file.
    var path: String { (section.isEmpty ? "" : "[\(section)] ") + name }

    /// Settings that a running hub takes over when it reads its configuration again; all others wait for its next start.
    static let live: Set<String> = ["allow_origin", "guests", "log", "signup", "trusted_proxies"]

    var isLive: Bool { section.isEmpty && Self.live.contains(name) }

    var defaultText: String {
        switch fallback {
        case .text(let text): text
        case .found(_, let words): words
        }
    }
}

extension Setting {
    static let all: [Setting] = general + limits

    // The order matters: what `listen` falls back to depends on `lan_plain`, and `tls` on `listen`.
    private static let general: [Setting] = [
        Setting(
            "name", .text(\.name, atMost: 63), .found({ around, _ in [around.hostName] }, "the machine's name"),
            "What people see when they choose a hub."),
        Setting(
            "music", .folders(\.music), .found({ around, _ in Places(around).music }, "your music folder, if there is one"),
            "A folder remotes may play from; give it again for more."),
        Setting(
            "library_roots", .folders(\.libraryRoots),
            .found({ around, _ in Places(around).libraryRoots }, "your music folder, /srv, /media and /mnt"),
            "Folders below which an admin elsewhere may add folders to the library; give it again for more."),
        Setting(
            "audio", .audio, .text("auto"), "Where sound goes: auto, null, pcm:FILE, or a device's name."),
        Setting(
            "allow_output", .allowedOutputs, .found({ _, _ in [] }, "none"),
            "An output that rooms may be given beside the devices that the player lists, named as for audio; give it again for more."),
        Setting(
            "demo", .yesOrNo(\.demo), .text("yes"), "Offer a small album of its own while there is nothing else."),
        Setting(
            "lan_plain", .choice(\.lanPlain), .text("off"), "What anyone on the network may do, unencrypted."),
        Setting(
            "listen", .listen(\.listen),
            .found(
                { _, soFar in [soFar.lanPlain == .off ? "127.0.0.1:9442" : "0.0.0.0:9442"] }, "127.0.0.1:9442; 0.0.0.0:9442 with lan_plain"),
            "Addresses for the plain port; none for the socket only."),
        Setting(
            "tls", .listen(\.tls),
            .found({ _, soFar in soFar.usualTLS }, "[::]:9443; beside a listen of port 0 any free port"),
            "Addresses for the encrypted port; none for no port."),
        Setting(
            "allow_origin", .origins, .found({ _, _ in [] }, "none"),
            "A page elsewhere that may steer this hub, as in https://panel.example; give it again for more."),
        Setting(
            "trusted_proxies", .proxies, .found({ _, _ in [] }, "none"),
            "A reverse proxy, by its address or network, that is believed when it says where a request came from; give it again for more. What comes from it is never local."
        ),
        Setting(
            "allow_host", .allowedHosts, .found({ _, _ in [] }, "none"),
            "A server on this machine or in a private network that URLs from elsewhere may lead to; give it again for more."),
        Setting("discovery", .yesOrNo(\.discovery), .text("yes"), "Advertise on the network what may be reached from it."),
        Setting(
            "data", .path(\.data, "FOLDER"),
            .found({ around, _ in [Places(around).data] }, "~/.local/state/baton; a service: /var/lib/baton"),
            "The folder where queues and positions are kept."),
        Setting(
            "socket", .path(\.socket, "PATH"),
            .found({ around, _ in [Places(around).socket] }, "$XDG_RUNTIME_DIR/baton/hub.sock; a service: /run/baton/hub.sock"),
            "The socket for programs on this machine."),
        Setting(
            "cache_limit", .size(\.cacheLimit), .text("2 GiB"),
            "How much of other servers' tracks is kept on disk when they play or will play next; 0: nothing."),
        Setting(
            "transcode_cache", .size(\.transcodeCache), .text("1 GiB"),
            "How much sound is kept on disk that was encoded for listening devices; 0: they get the originals."),
        Setting(
            "transcodes", .whole(\.transcodes, 1...16), .text("2"), "How many items are encoded for listening devices at once."),
        Setting(
            "keep_limit", .size(\.keepLimit), .text("20 GiB"),
            "How much of what people keep is on disk, until baton keep limit says otherwise."),
        Setting(
            "keep_rate", .size(\.keepRate), .text("8 MiB"),
            "How much of that is fetched in a second, so that commands and sound find the processor free; 0: no limit."),
        Setting(
            "prefer_kept", .yesOrNo(\.preferKept), .text("yes"),
            "Play what is kept from its copy; no: only while its server is away, slow or metered."),
        Setting(
            "radio_directory", .pathOrOff(\.radioDirectory, "FILE"), .text("off"),
            "A JSON file of Radio-Browser, whose stations can be searched and played."),
        Setting(
            "recordings", .pathOrOff(\.recordings, "FOLDER"), .text("off"),
            "Where the radio is recorded; off: Recordings in the first music folder that can be written."),
        Setting(
            "radio_buffer", .whole(\.radioBuffer, 0...1440), .text("60"),
            "Minutes of a station that are kept on disk while it plays, so that a pause keeps its place; 0: none."),
        Setting("start_level", .whole(\.startLevel, 0...100), .text("30"), "Volume of a new room, 0 to 100."),
        Setting("start_max", .whole(\.startMax, 0...100), .text("50"), "No room is louder than this after a restart."),
        Setting("ceiling", .whole(\.ceiling, 1...100), .text("100"), "No new room can be turned up beyond this."),
        Setting(
            "guest_volume", .levels(\.guestVolume), .text("off"),
            "Levels between which guests may turn the volume, as in 0-60; off: not at all."),
        Setting(
            "signup", .choice(\.signUp), .text("approve"),
            "Whether people may make accounts: off, approve (an admin lets each in), open."),
        Setting(
            "guests", .choice(\.guests), .text("off"), "Whether people are let in without an account, and as what: off, listener, guest."),
        Setting(
            "guest_hours", .whole(\.guestHours, 0...8_760), .text("12"), "Hours that such a guest may stay; 0: until it signs out."),
        Setting(
            "gen_store", .size(\.generationStore), .text("2 GiB"),
            "How much generated sound is on disk, beside what people keep, star, list or queue. The built-in composer makes its pieces again."
        ),
        Setting(
            "gen_guests", .choice(\.guestPrompts.policy), .text("approve"),
            "Whether guests may have music made from prompts: off, approve (another person allows each piece), on."),
        Setting(
            "gen_guests_waiting", .whole(\.guestPrompts.waiting, 1...50), .text("1"), "Pieces of one guest that may be in the making."),
        Setting(
            "gen_guests_hour", .whole(\.guestPrompts.hour, 1...1_000), .text("6"), "Pieces that one guest may ask for within an hour."),
        Setting(
            "search_deadline", .whole(\.searchDeadlineMs, 50...60_000), .text("800"),
            "Milliseconds that a search, and a page of the hub's shelves, wait for each server."),
        Setting("musicroom", .yesOrNo(\.musicroom), .text("off"), "Serve the apps of music rooms, on the hub's own ports."),
        Setting(
            "musicroom_plain", .yesOrNo(\.musicroomPlain), .text("no"),
            "Let these apps sign in with a password from other machines without encryption."),
        Setting(
            "metrics", .metrics, .text("off"),
            "Figures for monitoring at /metrics: off, admins (by the hub's own ports), or an address that has nothing else."),
        Setting("log", .logLevel, .text("notice"), "How much is said: trace, debug, notice, warning, error."),
    ]

    /// The default is that of the protocol.
    private static func limit(
        _ name: String, _ path: any WritableKeyPath<HubSettings, Int> & Sendable, _ range: ClosedRange<Int>, _ help: String
    ) -> Setting {
        Setting(name, in: "limits", .whole(path, range), .text(String(HubSettings()[keyPath: path])), help)
    }

    private static let limits: [Setting] = [
        limit("connections", \.limits.connections, 1...1_000_000, "Connections in all."),
        limit("per_device", \.limits.connectionsPerDevice, 1...10_000, "Connections of one device."),
        limit(
            "unauthenticated_per_address", \.limits.unauthenticatedPerAddress, 1...100_000,
            "Connections of one address elsewhere that have not said who they are."),
        limit("command_rate", \.limits.commandsPerSecond, 1...1_000_000, "Commands a second, sustained."),
        limit("command_burst", \.limits.commandBurst, 1...1_000_000, "Commands at once."),
        limit(
            "rejections", \.limits.floodRejections, 1...1_000_000,
            "Commands refused, or frames over their rate, within 10 s before the connection is closed."),
        limit("frame_rate", \.limits.framesPerSecond, 1...1_000_000, "Frames of any kind a second; never less than twice command_rate."),
        limit("frame_burst", \.limits.frameBurst, 1...1_000_000, "Frames of any kind at once; never less than twice command_burst."),
        limit(
            "wrong_keys", \.limits.wrongKeysPerAddress, 1...1_000_000, "Wrong device keys of one address at once, and a minute after that."),
        limit("wrong_keys_in_all", \.limits.wrongKeysInAll, 1...1_000_000, "Wrong device keys of all addresses together, likewise."),
        limit("in_flight", \.limits.commandsInFlight, 1...10_000, "Commands of one connection that wait for their answer."),
        limit("rooms", \.limits.rooms, 1...64, "Rooms of one hub."),
        limit("queue", \.limits.queueLength, 1...10_000, "Entries in one queue."),
        limit("add", \.limits.queueAdd, 1...1_000, "Items named in one queue.add."),
        limit("guest_entries", \.limits.guestEntries, 0...10_000, "Entries of one guest that wait to be played."),
        limit("messages_before_welcome", \.limits.messagesBeforeWelcome, 1...100, "Messages before the handshake is done."),
        limit("frame_before_welcome", \.limits.frameBeforeWelcome, 1_024...65_536, "Bytes of a message before the handshake is done."),
        limit("client_frame", \.limits.clientFrame, 4_096...1_048_576, "Bytes of a message to the hub."),
        limit("hub_frame", \.limits.hubFrame, 32_768...1_048_576, "Bytes of a message from the hub."),
        limit("binary_frame", \.limits.binaryFrame, 1_024...1_048_576, "Bytes of a binary message to the hub."),
        limit("depth", \.limits.json.depth, 4...32, "Levels of nesting in a message."),
        limit("members", \.limits.json.members, 16...1_024, "Members of an object in a message."),
        limit("array", \.limits.json.elements, 100...10_000, "Elements of an array in a message."),
        limit("string", \.limits.json.stringBytes, 256...65_536, "Bytes of a string in a message."),
        limit("member_name", \.limits.json.nameBytes, 16...1_024, "Bytes of a member's name in a message."),
        limit("malformed", \.limits.strikes, 1...1_000, "Messages within a minute that are no JSON, before the connection is closed."),
        limit("hello_ms", \.limits.helloWithinMs, 100...600_000, "Time for a new connection to say hello."),
        limit("message_ms", \.limits.messageWithinMs, 100...600_000, "Time for a message from its first byte to its last."),
        limit("unread", \.limits.controlLane, 16_384...16_777_216, "Bytes of answers that one connection may leave unread."),
        limit("unread_ms", \.limits.unwritableMs, 100...600_000, "Time that one connection may leave its answers unread."),
        limit("ping_ms", \.limits.pingMs, 100...3_600_000, "Silence of a remote before the hub asks whether it is there."),
        limit("idle_ms", \.limits.idleAfterMs, 1_000...86_400_000, "Time without a person's command before a remote is shown as idle."),
        limit("silence_ms", \.limits.silenceMs, 200...3_600_000, "Silence of a remote before it is given up."),
        limit("watch_ping_ms", \.limits.watchPingMs, 100...3_600_000, "The same for a watch: before it is asked."),
        limit("watch_silence_ms", \.limits.watchSilenceMs, 200...3_600_000, "The same for a watch: before it is given up."),
    ]
}
