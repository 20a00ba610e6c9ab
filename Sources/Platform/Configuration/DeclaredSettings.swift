/// Settings of the hub, one declaration each. Flag, variable, line of the file, `--help`, manual, completions, sample file and check follow
/// from it, and `HubSettings` has the value under the same name.
///
/// Help and lists of settings have the order of this file. A default that depends on another setting is declared after that one.
package import BatonCore
package import BatonSeams

package struct DeclaredSettings: Sendable {
    static let here = DeclaredSettings()

    /// A list instead of `Mirror`, which examines all types of the program and adds a millisecond to each start.
    static let all: [any AnySetting] =
        [
            here.name, here.music, here.libraryRoots, here.audio, here.allowedOutputs, here.demo, here.lanPlain, here.listen, here.tls,
            here.origins, here.trustedProxies, here.allowedHosts, here.discovery, here.data, here.socket, here.cacheLimit,
            here.transcodeCache, here.transcodes, here.keepLimit, here.keepRate, here.preferKept, here.radioDirectory, here.recordings,
            here.radioBuffer, here.startLevel, here.startMax, here.ceiling, here.guestVolume, here.signUp, here.guests, here.guestHours,
            here.generationStore, here.guestPrompts, here.guestPromptsWaiting, here.guestPromptsHour, here.searchDeadlineMs, here.musicroom,
            here.musicroomPlain, here.mpd, here.mpdListen, here.mpdRooms, here.mpris, here.metrics, here.log,
        ] + Limit.all.map { $0.setting as any AnySetting }

    package let name = Setting<String>(
        "name", .text(atMost: 63), usual: "the machine's name", help: "What people see when they choose a hub.",
        comment: "What people see when they choose a hub. By default the machine's name.", example: ["Living room"]
    ) { around, _ in Kind<String>.text(atMost: 63).read([around.hostName], PathOrigin(home: around.home)) ?? "Baton" }

    package let music = Setting<[String]>(
        "music", .folders, usual: "your music folder, if there is one", help: "A folder remotes may play from; give it again for more.",
        comment: "Folders that remotes may play from, one on each line. By default your music folder, if there is one.",
        example: ["~/Music", "/srv/audiobooks"]
    ) { around, _ in StandardFolders(around).music.compactMap(PathOrigin(home: around.home).wholePath) }

    package let libraryRoots = Setting<[String]>(
        "library_roots", .folders, usual: "your music folder, /srv, /media and /mnt",
        help: "Folders below which an admin elsewhere may add folders to the library; give it again for more.",
        comment: """
            Where an admin elsewhere may add folders to the library, one on each line: below these only. Programs on this machine may
            add what the hub can read. The hub's own data, /proc, /sys and /dev are never served.
            """,
        example: ["~/Music", "/srv", "/media", "/mnt"]
    ) { around, _ in StandardFolders(around).libraryRoots.compactMap(PathOrigin(home: around.home).wholePath) }

    package let audio = Setting<AudioOutput>(
        "audio", .output, usual: "auto", help: "Where sound goes: auto, null, pcm:FILE, or a device's name.",
        comment: """
            Where sound goes:
              auto        whatever the machine has, and silence while it has nothing
              null        nowhere, in real time
              pcm:FILE    into a file
              a device    by the name that `mpv --audio-device=help` lists, as in pulse/room1
            """)

    package let allowedOutputs = Setting<[AudioOutput]>(
        "allow_output", .outputs, usual: "none",
        help: "An output that rooms may be given beside the devices that the player lists, named as for audio; give it again for more.",
        comment: """
            Outputs that rooms may be given beside the devices that the hub finds, one on each line, named as for `audio`. Any
            other name is refused, since some of ALSA's names write files or start programs.
            """)

    package let demo = Setting<Bool>(
        "demo", .yesOrNo, usual: "yes", help: "Offer a small album of its own while there is nothing else.",
        comment: "While there is no music yet, offer a small album that the hub makes itself. It never plays unasked.")

    package let lanPlain = Setting<LANPlain>(
        "lan_plain", .choice, usual: "off", help: "What anyone on the network may do, unencrypted.",
        comment: """
            What anyone on the network may do over the plain port, without encryption and without asking:
              off         nothing; the port is for this machine only
              listener    see what is playing
              guest       also add to the queue, from the sources of the hub
              remote      everything but the hub's own settings
            """)

    package let listen = Setting<[ListenAddress]>(
        "listen", .addresses, usual: "127.0.0.1:9442; 0.0.0.0:9442 with lan_plain",
        help: "Addresses for the plain port; none for the socket only.",
        comment: """
            Addresses for the plain port, HOST:PORT, one on each line or with commas; none for the socket only.
            An IPv6 address stands in brackets: [::1]:9442. With lan_plain on, the default is 0.0.0.0:9442.
            """,
        example: ["127.0.0.1:9442"], after: "tls"
    ) { _, soFar in [ListenAddress(host: soFar.lanPlain == .off ? "127.0.0.1" : "0.0.0.0", port: 9442)] }

    package let tls = Setting<[ListenAddress]>(
        "tls", .addresses, usual: "[::]:9443; beside a listen of port 0 any free port",
        help: "Addresses for the encrypted port; none for no port.",
        comment: """
            Addresses for the encrypted port, in the same form. Devices and browsers elsewhere come this way, once
            they are paired: baton pair --open. Beside a listen of port 0 the default is any free port.
            """,
        example: ["[::]:9443"]
    ) { _, soFar in
        // The encrypted port follows the plain one: any free port if that is free to choose, and none if there is none.
        soFar.listen.allSatisfy { $0.port == 0 } ? soFar.listen : [ListenAddress(host: "::", port: 9443)]
    }

    package let origins = Setting<[String]>(
        "allow_origin", .origins, usual: "none",
        help: "A page elsewhere that may steer this hub, as in https://panel.example; give it again for more.", isLive: true,
        comment: """
            Pages on another web server that may steer this hub all the same, one on each line or with commas, as the
            browser's address bar begins: https://panel.example. Every other page is refused. Behind a reverse proxy, the proxy's own
            name stands here, too.
            """)

    package let trustedProxies = Setting<[AddressRange]>(
        "trusted_proxies", .networks, usual: "none",
        help: "A reverse proxy, by its address or network, that is believed when it says where a request came from; "
            + "give it again for more. What comes from it is never local.",
        isLive: true,
        comment: """
            Reverse proxies in front of the hub, by address or network (10.0.0.0/8), one on each line or with commas. They are
            believed when they say from which address a request came (X-Forwarded-For, Forwarded) and that it was encrypted
            (X-Forwarded-Proto). Whatever comes from these addresses counts as coming from the network: it has to be paired or signed in.
            With 127.0.0.1 here, programs of this machine use the socket.
            """)

    package let allowedHosts = Setting<[AllowedHost]>(
        "allow_host", .hosts, usual: "none",
        help: "A server on this machine or in a private network that URLs from elsewhere may lead to; give it again for more.",
        comment: """
            Servers on this machine or in a private network that the hub may call although the address came from another device, a
            playlist, a redirect or another server's answer: HOST or HOST:PORT, one on each line or with commas. Public servers need
            no permission, and a private address that a person named needs none either.
            """,
        after: "listen")

    package let discovery = Setting<Bool>(
        "discovery", .yesOrNo, usual: "yes", help: "Advertise on the network what may be reached from it.",
        comment: "Advertise the hub with Avahi, whenever something elsewhere may connect.")

    package let data = Setting<String>(
        "data", .path("FOLDER"), usual: "~/.local/state/baton; a service: /var/lib/baton",
        help: "The folder where queues and positions are kept.",
        comment: "The folder for queues, positions and everything else the hub remembers. As a service /var/lib/baton.",
        example: ["~/.local/state/baton"]
    ) { around, _ in PathOrigin(home: around.home).wholePath(StandardFolders(around).data) ?? "" }

    package let socket = Setting<String>(
        "socket", .path("PATH"), usual: "$XDG_RUNTIME_DIR/baton/hub.sock; a service: /run/baton/hub.sock",
        help: "The socket for programs on this machine.",
        comment: """
            The socket for programs on this machine. By default hub.sock in $XDG_RUNTIME_DIR/baton; as a service
            /run/baton/hub.sock.
            """,
        example: ["~/.local/state/baton/hub.sock"], after: "prefer_kept"
    ) { around, _ in PathOrigin(home: around.home).wholePath(StandardFolders(around).socket) ?? "" }

    package let cacheLimit = Setting<Int64>(
        "cache_limit", .size, usual: "2 GiB",
        help: "How much of other servers' tracks is kept on disk when they play or will play next; 0: nothing.",
        comment: """
            How much of the tracks of other servers is kept on disk when it plays or will play next, so that it plays on, and plays again, while
            its server is away: bytes, KiB, MiB, GiB or TiB; 0 keeps nothing. What was heard longest ago gives way.
            """)

    package let transcodeCache = Setting<Int64>(
        "transcode_cache", .size, usual: "1 GiB",
        help: "How much sound is kept on disk that was encoded for listening devices; 0: they get the originals.",
        comment: "Sound that was encoded for listening devices (baton listen --quality), on disk; 0: they get the originals.")

    package let transcodes = Setting<Int>(
        "transcodes", .whole(1...16), usual: "2", help: "How many items are encoded for listening devices at once.",
        comment: "How many items are encoded for them at once.", joins: true)

    package let keepLimit = Setting<Int64>(
        "keep_limit", .size, usual: "20 GiB", help: "How much of what people keep is on disk, until baton keep limit says otherwise.",
        comment: """
            How much of what people keep (baton keep) may be on disk, until "baton keep limit" says otherwise. What is kept gives way to nothing.
            """)

    package let keepRate = Setting<Int64>(
        "keep_rate", .size, usual: "8 MiB",
        help: "How much of that is fetched in a second, so that commands and sound find the processor free; 0: no limit.",
        comment: """
            How much of what people keep is fetched in a second, all of it together. A server nearby could send so much that the processor has no
            time for commands and sound; 0 takes as much as comes.
            """)

    package let preferKept = Setting<Bool>(
        "prefer_kept", .yesOrNo, usual: "yes", help: "Play what is kept from its copy; no: only while its server is away, slow or metered.",
        comment: """
            Whether what is kept plays from its copy also while its server can be used. With no, it does so only while the server is away,
            takes a second to answer, or has the option metered = yes.
            """)

    package let radioDirectory = Setting<String?>(
        "radio_directory", .pathOrOff("FILE"), usual: "off",
        help: "A JSON file of Radio-Browser, whose stations can be searched and played.",
        comment: """
            A directory of radio stations as a JSON file, as Radio-Browser offers it for download. Its stations are searched like all other
            music, and played without being added.
            """,
        after: "metrics")

    package let recordings = Setting<String?>(
        "recordings", .pathOrOff("FOLDER"), usual: "off",
        help: "Where the radio is recorded; off: Recordings in the first music folder that can be written.",
        comment: "Where the radio is recorded. Off: the folder Recordings in the first music folder that can be written.",
        after: "radio_directory")

    package let radioBuffer = Setting<Int>(
        "radio_buffer", .whole(0...1440), usual: "60",
        help: "Minutes of a station that are kept on disk while it plays, so that a pause keeps its place; 0: none.",
        comment: """
            How many minutes of a station are kept on disk while it plays, so that a pause goes on where it was; 0 keeps none. An hour \
            at 128 kbit/s
            takes about 56 MiB.
            """,
        after: "recordings")

    package let startLevel = Setting<Int>(
        "start_level", .whole(0...100), usual: "30", help: "Volume of a new room, 0 to 100.",
        comment: "The volume of a new room, and how loud a room may be after a restart, whatever it was before.")

    package let startMax = Setting<Int>("start_max", .whole(0...100), usual: "50", help: "No room is louder than this after a restart.")

    package let ceiling = Setting<Int>(
        "ceiling", .whole(1...100), usual: "100", help: "No new room can be turned up beyond this.",
        comment: "How far a new room can be turned up.")

    package let guestVolume = Setting<ClosedRange<Int>?>(
        "guest_volume", .levels, usual: "off", help: "Levels between which guests may turn the volume, as in 0-60; off: not at all.",
        comment: """
            The levels between which guests may turn the volume, as in 0-60. With off they leave it alone, unless their device
            has levels of its own.
            """)

    package let signUp = Setting<UserPolicy.SignUp>(
        "signup", .choice, usual: "approve", help: "Whether people may make accounts: off, approve (an admin lets each in), open.",
        isLive: true, comment: "Whether people may make accounts: off, approve (an admin lets each in: baton user approve NAME), open.")

    package let guests = Setting<GuestEntry>(
        "guests", .choice, usual: "off", help: "Whether people are let in without an account, and as what: off, listener, guest.",
        isLive: true,
        comment: """
            Whether people are let in without an account, and as what: off, listener, guest. So many hours may such a guest stay; 0: until it
            signs out.
            """)

    package let guestHours = Setting<Int>(
        "guest_hours", .whole(0...8_760), usual: "12", help: "Hours that such a guest may stay; 0: until it signs out.")

    package let generationStore = Setting<Int64>(
        "gen_store", .size, usual: "2 GiB",
        help: "How much generated sound is on disk, beside what people keep, star, list or queue. "
            + "The built-in composer makes its pieces again.",
        comment: """
            How much sound that was made from prompts is on disk. What people keep, star, put into a playlist or queue does not go; the
            built-in composer makes its pieces again when they are played.
            """,
        after: "guest_volume")

    package let guestPrompts = Setting<GuestPrompts.Policy>(
        "gen_guests", .choice, usual: "approve",
        help: "Whether guests may have music made from prompts: off, approve (another person allows each piece), on.",
        comment: """
            Whether guests may have music made from prompts: off, approve (another person allows each piece), on. How many pieces of one
            guest may be in the making, and how many one guest may ask for within an hour.
            """)

    package let guestPromptsWaiting = Setting<Int>(
        "gen_guests_waiting", .whole(1...50), usual: "1", help: "Pieces of one guest that may be in the making.")

    package let guestPromptsHour = Setting<Int>(
        "gen_guests_hour", .whole(1...1_000), usual: "6", help: "Pieces that one guest may ask for within an hour.")

    package let searchDeadlineMs = Setting<Int>(
        "search_deadline", .whole(50...60_000), usual: "800",
        help: "Milliseconds that a search, and a page of the hub's shelves, wait for each server.",
        comment: """
            A search shows what is on this machine at once. So many milliseconds does it, or a page of the hub's shelves, wait for each server.
            """)

    package let musicroom = Setting<Bool>(
        "musicroom", .yesOrNo, usual: "off", help: "Serve the apps of music rooms, on the hub's own ports.",
        comment: "Serve the apps of music rooms below /api on the hub's own ports. Their usual port is 3001, which `listen` may add.")

    package let musicroomPlain = Setting<Bool>(
        "musicroom_plain", .yesOrNo, usual: "no", help: "Let these apps sign in with a password from other machines without encryption.",
        comment: """
            Let these apps sign in with a password from other machines without encryption. What they may do from there is bounded by
            lan_plain all the same.
            """)

    package let mpd = Setting<UInt16?>(
        "mpd", .portOrOff, usual: "6600; off where listen has no port or port 0",
        help: "The port for programs of this machine that speak the protocol of MPD.",
        comment: """
            The port for programs that speak the protocol of MPD, on 127.0.0.1, and beside it a socket file mpd.sock where `socket` is. Where
            another program has the port already, the hub says so and runs without it.
            """,
        example: ["6600"]
    ) { _, soFar in soFar.listen.allSatisfy { $0.port == 0 } ? nil : 6600 }

    package let mpdListen = Setting<[String]>(
        "mpd_listen", .bareHosts, usual: "none", help: "Addresses at which MPD's port is open to other machines, by password only.",
        comment: """
            Addresses at which that port is open to other machines too, one on each line or with commas; 0.0.0.0 and :: are all of them. Programs
            there need a password: baton mpd password add NAME. It is sent without encryption, as their protocol is.
            """)

    package let mpdRooms = Setting<[RoomPort]>(
        "mpd_room", .roomPorts, usual: "none", help: "A port of MPD that belongs to one room; give it again for more.",
        comment: """
            Further ports, each of which belongs to a room, for programs that know no partitions: ROOM=PORT as in kitchen=6601, one on each
            line.
            """)

    package let mpris = Setting<Bool>(
        "mpris", .yesOrNo, usual: "yes", help: "Show the rooms as players on the desktop in which the hub runs.",
        comment: """
            Show the rooms as players (MPRIS) on the desktop in which the hub runs, for its media keys and applets. A hub that runs as a service
            has no desktop: there `baton mpris` shows its rooms.
            """)

    package let metrics = Setting<MetricsSetting>(
        "metrics", .metrics, usual: "off",
        help: "Figures for monitoring at /metrics: off, admins (by the hub's own ports), or an address that has nothing else.",
        comment: """
            Figures for monitoring at /metrics, for Prometheus and others: off, admins (by the hub's own ports), or an address of their own, which
            anyone who reaches it may read. No figure names a person, a track or an address.
            """)

    package let log = Setting<Log.Level>(
        "log", .level, usual: "notice", help: "How much is said: trace, debug, notice, warning, error.", isLive: true,
        comment: "How much is said: trace, debug, notice, warning, error.")
}
