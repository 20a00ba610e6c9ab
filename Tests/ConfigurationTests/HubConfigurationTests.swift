/// Flags, environment, file, defaults: which one counts, and what each mistake is told.
import BatonProtocol
import BatonSeams
import Foundation
import Testing

@testable import Configuration

/// Somebody at home, with nothing set, in a folder of their own that is removed afterwards.
func withHome<Result>(_ body: (inout ProcessEnvironment) throws -> Result) throws -> Result {
    let home = NSTemporaryDirectory() + "baton-configuration-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    var around = ProcessEnvironment(environment: [:], hostName: "kestrel", home: home, user: 1000, workingFolder: "/somewhere")
    return try body(&around)
}

extension ProcessEnvironment {
    /// Writes the usual configuration of this person.
    func configure(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: home + "/.config/baton", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: home + "/.config/baton/batond.conf"))
    }

    func settings(_ words: String...) throws -> HubSettings { try run(words).0 }

    func warnings(_ words: String...) throws -> [String] { try run(words).1 }

    func problems(_ words: String...) -> [String] {
        do {
            _ = try HubConfiguration.resolve(words, around: self)
            return []
        } catch {
            return error.sentences
        }
    }

    private func run(_ words: [String]) throws -> (HubSettings, [String]) {
        guard case .run(let settings, let warnings) = try HubConfiguration.resolve(words, around: self) else {
            throw ConfigurationFault(sentences: ["This does not run: \(words)"])
        }
        return (settings, warnings)
    }
}

struct HubConfigurationTests {
    @Test func `with nothing set a hub has the defaults of the protocol`() throws {
        try withHome { (around) throws in
            let settings = try around.settings()

            #expect(settings.name == "kestrel")
            #expect(settings.data == around.home + "/.local/state/baton")
            #expect(settings.socket == around.home + "/.local/state/baton/hub.sock")
            #expect(settings.listen == [ListenAddress(host: "127.0.0.1", port: 9442)])
            #expect(settings.tls == [ListenAddress(host: "::", port: 9443)])
            #expect(settings.libraryRoots == [around.home + "/Music", "/srv", "/media", "/mnt"])
            #expect(settings.music == [] && settings.radioDirectory == nil && settings.recordings == nil && settings.guestVolume == nil)
            #expect([settings.startLevel, settings.startMax, settings.ceiling] == [30, 50, 100] as [Int])
            #expect(settings.limits == .standard)
            #expect(settings.hostNames == ["kestrel", "kestrel.local"])
        }
    }

    @Test func `a flag counts before the environment, and that before the file`() throws {
        try withHome { (around) throws in
            try around.configure("start_level = 10\nstart_max = 20\nceiling = 60\n[limits]\nqueue = 7\n")
            around.environment = ["BATON_START_LEVEL": "11", "BATON_START_MAX": "21", "BATON_LIMIT_ADD": "5"]

            let settings = try around.settings("--start-level", "12")

            #expect([settings.startLevel, settings.startMax, settings.ceiling] == [12, 21, 60] as [Int])
            #expect([settings.limits.queueLength, settings.limits.queueAdd] == [7, 5] as [Int])
        }
    }

    @Test func `the levels of guests are two with a dash between them, or off`() throws {
        try withHome { (around) throws in
            #expect(try around.settings().guestVolume == nil)
            try around.configure("guest_volume = 5-60\n")
            #expect(try around.settings().guestVolume == 5...60)
            #expect(try around.settings("--guest-volume", "off").guestVolume == nil)
            #expect(try around.settings("--guest-volume", "0-0").guestVolume == 0...0)
        }
    }

    @Test func `a server that may be called is a host, with a port or for all ports`() throws {
        try withHome { (around) throws in
            #expect(try around.settings().allowedHosts == [])
            try around.configure("allow_host = NAS.home, 127.0.0.1:8000\nallow_host = [fd00::7]:80\n")
            #expect(try around.settings().allowedHosts.map(\.text) == ["nas.home", "127.0.0.1:8000", "[fd00::7]:80"])
            #expect(try around.settings("--allow-host", "none").allowedHosts == [])
            for wrong in ["http://x", "x:0", "x:70000", "x:y", "::1", ":80", "a/b", "[]:1"] {
                #expect(throws: ConfigurationFault.self) { try around.settings("--allow-host", wrong) }
            }
        }
    }

    @Test func `a size is a number with or without a unit`() throws {
        try withHome { (around) throws in
            #expect(try around.settings().cacheLimit == 2 << 30)
            for (text, bytes) in [("0", 0), ("1000", 1000), ("512MiB", 512 << 20), ("3 gib", 3 << 30)] as [(String, Int64)] {
                #expect(try around.settings("--cache-limit", text).cacheLimit == bytes)
            }
            for wrong in ["", "x", "-1", "1 GB", "9999999999999 TiB", "1.5 GiB"] {
                #expect(throws: ConfigurationFault.self) { try around.settings("--cache-limit", wrong) }
            }
        }
    }

    @Test func `a switch is turned on and off by flag, variable and file`() throws {
        try withHome { (around) throws in
            #expect(try !around.settings("--no-discovery").discovery)
            #expect(try !around.settings("--discovery=off").discovery)
            try around.configure("discovery = no\ndemo = off\n")
            #expect(try !around.settings().discovery)
            #expect(try around.settings("--discovery").discovery)
            around.environment["BATON_DEMO"] = "true"
            #expect(try around.settings().demo)
        }
    }

    @Test func `lists are given by repeating, and a higher layer replaces them whole`() throws {
        try withHome { (around) throws in
            try around.configure("music = ~/Music\nmusic = /srv/a, b: c\nlisten = 127.0.0.1:1, [::1]:2\n")
            #expect(try around.settings().music == [around.home + "/Music", "/srv/a, b: c"])
            #expect(try around.settings().listen.map(\.text) == ["127.0.0.1:1", "[::1]:2"])
            #expect(try around.settings("--music", "here", "--music=/there").music == ["/somewhere/here", "/there"])
            #expect(try around.settings("--listen", "none").listen == [])
            #expect(try around.settings("--listen", "none").tls == [], "a hub of its socket alone")
            #expect(try around.settings("--listen", "127.0.0.1:0").tls == [ListenAddress(host: "127.0.0.1", port: 0)])
            #expect(try around.settings("--tls", "none").tls == [])
            #expect(try around.settings("--tls", "127.0.0.1:0").mayPair)
            #expect(try !around.settings("--tls", "none").mayPair)
            #expect(try around.settings("--tls", "none", "--trusted-proxies", "10.0.0.0/8").mayPair, "a proxy has the port with TLS")
            around.environment["BATON_MUSIC"] = "/one:/two"
            #expect(try around.settings().music == ["/one", "/two"])
        }
    }

    @Test func `the plain port opens to the network only with lan-plain`() throws {
        try withHome { (around) throws in
            #expect(try around.settings("--lan-plain", "guest").listen.map(\.text) == ["0.0.0.0:9442"])
            #expect(try around.settings("--lan-plain=guest", "--listen=[::]:80").listen == [ListenAddress(host: "::", port: 80)])
            #expect(try around.settings().listen.allSatisfy(\.isLoopback))
            // An address that was chosen stays as it is.
            #expect(try around.settings("--lan-plain=guest", "--listen=127.0.0.1:9442").listen.allSatisfy(\.isLoopback))
        }
    }

    @Test func `pages elsewhere that may steer are written as browsers write them`() throws {
        try withHome { (around) throws in
            #expect(try around.settings().origins == [])
            #expect(try around.settings("--allow-origin", "none").origins == [])
            #expect(
                try around.settings("--allow-origin", "HTTPS://Panel.Example:443", "--allow-origin=http://[::1]:8080").origins
                    == ["https://panel.example", "http://[::1]:8080"])
            around.environment["BATON_ALLOW_ORIGIN"] = "http://10.0.0.5:80, https://wall.local:8443"
            #expect(try around.settings().origins == ["http://10.0.0.5", "https://wall.local:8443"])
        }
    }

    @Test(arguments: ["*", "null", "panel.example", "https://*", "https://", "https://a/b", "file://x", "https://a:0", "https://ä"])
    func `a page that could be anybody's, or has more than a place, is refused`(text: String) throws {
        try withHome { (around) throws in
            let problems = around.problems("--allow-origin", text)
            #expect(problems.count == 1 && problems[0].contains("Expected http:// or https://"), "\(problems)")
        }
    }

    @Test func `a machine with a domain is known by all of its names`() throws {
        try withHome { (around) throws in
            around.fullHostName = "Kestrel.example.org"

            #expect(try around.settings().hostNames == ["kestrel", "kestrel.local", "kestrel.example.org"])
            #expect(try around.settings().name == "Kestrel")
        }
    }

    @Test(arguments: [
        ("auto", AudioOutput.auto), ("null", .null), ("pcm:/tmp/x.wav", .pcm("/tmp/x.wav")), ("pcm:x.wav", .pcm("/somewhere/x.wav")),
        ("pulse/room1", .device("pulse/room1")),
    ])
    func `an audio output is named in one word`(text: String, output: AudioOutput) throws {
        try withHome { (around) throws in
            #expect(try around.settings("--audio", text).audio == output)
        }
    }

    @Test func `outputs that rooms may be given are named one by one, and whole`() throws {
        try withHome { (around) throws in
            #expect(try around.settings().allowedOutputs == [])
            try around.configure("allow_output = alsa/hw:CARD=PCH,DEV=0\nallow_output = pcm:~/room.raw\n")
            #expect(try around.settings().allowedOutputs == [.device("alsa/hw:CARD=PCH,DEV=0"), .pcm(around.home + "/room.raw")])
            #expect(try around.settings("--allow-output", "pcm:room.raw").allowedOutputs == [.pcm("/somewhere/room.raw")])
            #expect(around.problems("--allow-output=pcm:").count == 1)
            #expect(around.problems("--allow-output=a\nb").count == 1)
        }
    }

    @Test func `an admin elsewhere may add folders below the usual places, or those that are named`() throws {
        try withHome { (around) throws in
            // The music folder may yet be made.
            #expect(try around.settings().libraryRoots == [around.home + "/Music", "/srv", "/media", "/mnt"])
            #expect(try around.settings("--library-roots", "/data", "--library-roots=~/x").libraryRoots == ["/data", around.home + "/x"])
            #expect(try around.settings("--library-roots=").libraryRoots == [])
            around.environment["BATON_LIBRARY_ROOTS"] = "/a:/b c"
            #expect(try around.settings().libraryRoots == ["/a", "/b c"])
        }
    }

    // MARK: - Mistakes

    @Test func `a bad entry is reported with its source, its key, what was found and what would be accepted`() throws {
        try withHome { (around) throws in
            try around.configure("# a comment\n\nstart_level = loud\n")
            around.environment["BATON_LAN_PLAIN"] = "admin"

            let problems = around.problems("--limit-queue=0", "--start-level=20")

            #expect(
                Set(problems) == [
                    #"\#(around.home)/.config/baton/batond.conf, line 3: start_level is "loud". Expected a whole number from 0 to 100."#,
                    #"BATON_LAN_PLAIN: lan_plain is "admin". Expected off, listener, guest or remote."#,
                    #"--limit-queue: [limits] queue is "0". Expected a whole number from 1 to 10000."#,
                ])
        }
    }

    @Test(arguments: [
        ["--start-level=101"], ["--start-level=-1"], ["--start-level="], ["--ceiling=20"], ["--guest-volume=60"], ["--guest-volume=60-0"],
        ["--guest-volume=0-101"], ["--guest-volume=-1-5"], ["--guest-volume=0-5-9"], ["--guest-volume=on"], ["--listen=9442"],
        ["--listen=::1:9442"],
        ["--listen=a:70000"], ["--audio="], ["--audio=pcm:"], ["--log=info"], ["--name="], ["--name=a\nb"], ["--discovery=maybe"],
        ["--limit-command-burst=3"], ["--socket=/" + String(repeating: "x", count: 120)],
    ])
    func `a value out of range is refused`(words: [String]) throws {
        try withHome { (around) throws in
            let found = try #require(throws: ConfigurationFault.self) { try HubConfiguration.resolve(words, around: around) }
            #expect(found.sentences.count == 1)
            #expect(found.sentences[0].contains("Expected"))
        }
    }

    @Test func `a relative path in a file is refused, since nobody knows where it begins`() throws {
        try withHome { (around) throws in
            try around.configure("data = state\n")

            // Also where a flag would count: the mistake waits for the day without it.
            #expect(around.problems("--data", "/d").count == 1)
            #expect(around.problems()[0].contains("data is \"state\". Expected an absolute path"))
        }
    }

    @Test func `an unknown key is a warning that names it and the nearest one`() throws {
        try withHome { (around) throws in
            try around.configure("start_levl = 3\nqueue = 5\nxyzzy = 1\n[limits]\nconections = 9\n[nowhere]\nname = x\n")

            let warnings = try around.warnings()

            try #require(warnings.count == 5)
            #expect(warnings[0].contains("line 1") && warnings[0].contains("start_levl. Did you mean start_level?"))
            #expect(warnings[1].contains("It belongs into [limits]."))
            #expect(warnings[2].contains("xyzzy; it is ignored."))
            #expect(warnings[3].contains("[limits] conections. Did you mean connections?"))
            #expect(warnings[4].contains("It belongs above the first section."))
        }
    }

    @Test func `an unknown variable is a warning only when it looks like one of ours`() throws {
        try withHome { (around) throws in
            around.environment = ["BATON_LAN_PLAN": "guest", "BATON_HUB": "x", "BATON_WHATEVER_ELSE_THIS_IS": "1", "BATON_NAME": ""]

            #expect(try around.warnings() == ["The environment variable BATON_LAN_PLAN means nothing here. Did you mean BATON_LAN_PLAIN?"])
            #expect(try around.settings().name == "kestrel")
        }
    }

    @Test(arguments: [
        (["--no-discovry"], "There is no option --no-discovry. Did you mean --no-discovery?"),
        (["--lan-plane=x"], "There is no option --lan-plane. Did you mean --lan-plain?"),
        (["--qqqqqqq"], "There is no option --qqqqqqq. --help lists them all."), (["-x"], "There is no option -x. --help lists them all."),
        (["--name"], "--name needs a value: --name TEXT."), (["--no-demo=1"], "--no-demo takes no value. Say --no-demo alone."),
        (["song.mp3"], "batond takes only options, and \"song.mp3\" is none. To play something, say: baton play song.mp3"),
    ])
    func `a word that is not understood is answered with a suggestion`(words: [String], sentence: String) throws {
        try withHome { (around) throws in
            let found = try #require(throws: ConfigurationFault.self) { try HubConfiguration.resolve(words, around: around) }
            #expect(found.sentences == [sentence])
        }
    }

    @Test func `a named file that is missing, a folder or too large is one sentence`() throws {
        try withHome { (around) throws in
            let large = around.home + "/large"
            try Data(count: 2 << 20).write(to: URL(fileURLWithPath: large))

            for path in [around.home + "/none", around.home, large] {
                let problems = around.problems("--config", path)
                #expect(problems.count == 1)
                #expect(problems[0].hasPrefix("The configuration \(path) cannot be read: "))
            }
        }
    }

    @Test func `a line that is no setting is reported, and so is one that is too long`() throws {
        try withHome { (around) throws in
            try around.configure("name = x\nwhat is this\n# fine\nmusic = /\(String(repeating: "m", count: 5_000))\n")

            #expect(around.problems().map { $0.contains("line 2") } == [true, false])
            #expect(around.problems().map { $0.contains("line 4") } == [false, true])
        }
    }

    @Test func `each limit is one figure of the wire, and its flag, its variable and its line set that one`() throws {
        try withHome { (around) throws in
            for setting in SettingAbout.all where setting.isLimit {
                let figure = try #require(Int(setting.usual))
                // One more is in range, except for the queue; the burst may not be below the rate.
                let other = setting.name == "queue" ? figure - 1 : setting.name == "command_rate" ? figure - 1 : figure + 1
                let byFlag = try around.settings("--\(setting.flag)=\(other)").limits
                #expect(byFlag != .standard, "\(setting.flag)")
                var variable = around
                variable.environment[setting.variable] = "\(other)"
                #expect(try variable.settings().limits == byFlag)
                try around.configure("[limits]\n\(setting.name) = \(other)\n")
                #expect(try around.settings().limits == byFlag)
                try around.configure("[limits]\n\(setting.name) = \(figure)\n")
                #expect(try around.settings().limits == .standard)
            }
        }
    }

    @Test func `a silence that ends before it was asked about is refused`() throws {
        try withHome { (around) throws in
            #expect(around.problems("--limit-ping-ms=45000").count == 1)
            #expect(around.problems("--limit-watch-silence-ms=60000").count == 1)
        }
    }

    // MARK: - Help and version

    @Test func `help fits into 90 columns, and limits have their own`() throws {
        try withHome { (around) throws in
            guard case .help(let text) = try HubConfiguration.resolve(["--name", "x", "-h"], around: around),
                case .help(let limits) = try HubConfiguration.resolve(["--help-limits"], around: around)
            else {
                Issue.record("-h should give help")
                return
            }
            #expect(!text.contains("--limit-") && text.contains("--help-limits"))
            #expect((text + limits).split(separator: "\n").allSatisfy { $0.count <= 90 }, "\(text)")
        }
    }

    @Test func `version is asked for by a flag`() throws {
        try withHome { (around) throws in
            #expect(try HubConfiguration.resolve(["--version"], around: around) == .version)
        }
    }

    @Test func `every flag, variable and place in the file is unique`() {
        #expect(Set(SettingAbout.all.map(\.flag)).count == SettingAbout.all.count)
        #expect(Set(SettingAbout.all.map(\.variable)).count == SettingAbout.all.count)
        #expect(Set(HubConfiguration.options.map(\.name)).count == HubConfiguration.options.count)
    }
}
