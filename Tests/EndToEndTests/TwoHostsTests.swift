import BatonProtocol
import BatonWire
import Foundation
import Testing

/// A hub on one machine and its satellite on another, with real multicast on the cable between them.
extension EndToEnd {
    @Suite(
        .enabled(if: TestMachine.mayMakeHosts, "network namespaces need root"),
        .enabled(if: TestMachine.has("avahi-browse", "curl"), "avahi-utils or curl is missing"))
    struct TwoHostsTests {
        /// A hub that offers music on host A, a satellite on host B.
        private func withHub(
            _ flags: [String], _ body: (_ hub: HubProcess, _ satellite: Home, _ hosts: TwoHosts) async throws -> Void
        ) async throws {
            try await TwoHosts.with { hosts in
                try await hosts.home(on: .a) { here in
                    let album = try await here.makeAlbum()
                    try await hosts.home(on: .b) { there in
                        try await HubProcess.with(["--discovery"] + flags, in: here) { hub in
                            try await hub.tell("queue", "add", album[0], album[1])
                            try await body(hub, there, hosts)
                        }
                    }
                }
            }
        }

        @Test func `a satellite finds the hub on another machine and steers it without being told where it is`() async throws {
            try await withHub(["--listen", "0.0.0.0:0", "--lan-plain", "remote"]) { hub, satellite, hosts in
                try await eventually("the hub is seen from the other machine, at its address") {
                    let found = try await satellite.baton("discover")
                    return found.code == 0 && found.out.contains("Test hub") && found.out.contains("\(hosts.address(of: .a)):\(hub.port)")
                }

                let status = try await satellite.baton("status")
                #expect(status.code == 0 && status.out.contains("Test hub") && status.out.contains("stopped"), "\(status.err)")
                #expect(try await satellite.baton("toggle").code == 0)
                try await hub.reaches("playing, at the other's word") { $0.state == "playing" }
                #expect(try await satellite.baton("--hub", "test hub", "volume", "44").out == "volume 44 %\n")
                #expect(try await hub.status().level == 44)
                #expect(try await satellite.baton("next").code == 0)
                try await hub.reaches("the second") { $0.place == 1 }
            }
        }

        @Test func `a file of the satellite's machine is not the hub's, and a sentence says so`() async throws {
            try await withHub(["--listen", "0.0.0.0:0", "--lan-plain", "remote"]) { hub, satellite, hosts in
                let file = try satellite.write("some sound", to: "mine.flac")
                let ended = try await satellite.baton("--hub", "\(hosts.address(of: .a)):\(hub.port)", "play", file)

                #expect(ended.code == 1 && ended.complaints.count == 1)
                #expect(ended.err.contains("mine.flac") && ended.err.contains("on this machine") && ended.err.contains("another one"))
                #expect(try await hub.status().length == 2)
            }
        }

        @Test func `other people's software sees the hub, with its port and its text`() async throws {
            try await withHub(["--listen", "0.0.0.0:0", "--lan-plain", "remote", "--tls", "none"]) { hub, satellite, hosts in
                let id = try #require(try await hub.status().json["hub"]?["id"]?.string)
                let address = hosts.address(of: .a)
                try await eventually("avahi-browse resolves it") {
                    let browsed = try await satellite.run("/usr/bin/avahi-browse", ["-rpt", "_baton._tcp"])
                    return browsed.lines.contains { line in
                        line.hasPrefix("=;cable;IPv4;Test\\032hub;_baton._tcp;local;") && line.contains(";\(address);\(hub.port);")
                            && ["txtvers=1", "v=1", "p=/baton", "plain=\(hub.port)", "id=\(id)"].allSatisfy {
                                line.contains("\"\($0)\"")
                            }
                    }
                }
                let asked = try await satellite.run("/usr/bin/python3", ["-c", Self.zeroconf, hosts.address(of: .b)])
                let words = asked.out.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("f=") }.joined(separator: " ")
                #expect(words == "\(address) \(hub.port) id=\(id) p=/baton plain=\(hub.port) txtvers=1 v=1", "\(asked.err)")
                #expect(asked.out.contains(" f="), "the profiles are named")

                try await hub.stop()
                try await eventually("it is gone for others, too") {
                    try await !satellite.run("/usr/bin/avahi-browse", ["-rpt", "_baton._tcp"]).out.contains("Test")
                }
            }
        }

        private static let zeroconf = """
            import sys, zeroconf
            zc = zeroconf.Zeroconf(interfaces=[sys.argv[1]])
            info = zc.get_service_info("_baton._tcp.local.", "Test hub._baton._tcp.local.", 5000)
            txt = sorted(b"=".join(pair).decode() for pair in info.properties.items())
            print(info.parsed_addresses(zeroconf.IPVersion.V4Only)[0], info.port, *txt)
            zc.close()
            """

        @Test func `between two hubs a person chooses, by name`() async throws {
            try await withHub(["--listen", "0.0.0.0:0", "--lan-plain", "remote"]) { _, satellite, hosts in
                try await hosts.home(on: .a) { second in
                    try await HubProcess.with(
                        ["--discovery", "--listen", "0.0.0.0:0", "--lan-plain", "remote", "--name", "Attic"], in: second
                    ) { attic in
                        try await eventually("both are seen") {
                            let out = try await satellite.baton("discover").out
                            return out.contains("Test hub") && out.contains("Attic")
                        }
                        let torn = try await satellite.baton("status")
                        #expect(torn.code == 3 && torn.err.contains("Attic") && torn.err.contains("Test hub") && torn.err.contains("--hub"))
                        #expect(try await satellite.baton("--hub", "Attic", "volume", "11").code == 0)
                        #expect(try await attic.status().level == 11)
                        let last = try await satellite.baton("status")
                        #expect(last.code == 0 && last.out.contains("Attic"), "the last hub is the next one: \(last.err)")
                    }
                }
            }
        }

        @Test func `a listener from elsewhere may look and not touch`() async throws {
            try await withHub(["--listen", "0.0.0.0:0", "--lan-plain", "listener"]) { hub, satellite, hosts in
                let address = "\(hosts.address(of: .a)):\(hub.port)"
                #expect(try await satellite.baton("--hub", address, "status").code == 0)
                let ended = try await satellite.baton("--hub", address, "volume", "90")
                #expect(ended.code == 1 && ended.complaints.count == 1)
                #expect(try await hub.status().level == 30)
            }
        }

        @Test func `a user from elsewhere has no more than the plain network, which no password of a music room crosses`() async throws {
            try await withHub(["--listen", "0.0.0.0:0", "--lan-plain", "listener", "--signup", "open", "--musicroom"]) {
                hub, satellite, hosts in
                let far = "http://\(hosts.address(of: .a)):\(hub.port)"
                func ask(_ path: String, _ body: String, as token: String? = nil) async throws -> JSON? {
                    let cookie = token.map { ["-H", "Cookie: baton-user=\($0)"] } ?? []
                    let said = try await satellite.run("/usr/bin/curl", ["-sS", "--max-time", "20", "-d", body] + cookie + [far + path])
                    return try? JSON.parse(Array(said.out.utf8))
                }
                let account = #"{"name":"Anna","password":"a long sentence"}"#
                let (signUp, turn) = (CommandKind.userSignup.rawValue, CommandKind.volumeSet.rawValue)
                let signed = try await ask("/baton/user", #"{"t":"cmd","id":1,"m":"\#(signUp)","k":"sign-up-1","p":\#(account)}"#)?["d"]
                #expect(signed?["user"]?.string == "Anna" && signed?["role"]?.string == "listener")
                let token = try #require(signed?["token"]?.string)
                let refused = try await ask("/baton/cmd", #"{"t":"cmd","id":2,"m":"\#(turn)","p":{"level":90}}"#, as: token)
                #expect(refused?["err"]?["code"]?.string == "forbidden")
                #expect(try await hub.status().level == 30)
                let users = try await hub.tell("user", "list")
                #expect(users.out.contains("Anna") && users.out.contains("remote"), "on the hub's own machine it may do more: \(users.out)")

                let password = try await ask("/api/auth/login", #"{"username":"Anna","password":"a long sentence"}"#)
                #expect(password?["error"]?.string?.contains("musicroom_plain") == true)
            }
        }

        @Test func `what is not encrypted is refused from elsewhere, with a sentence`() async throws {
            try await withHub(["--listen", "0.0.0.0:0", "--tls", "none"]) { hub, satellite, hosts in
                let address = "\(hosts.address(of: .a)):\(hub.port)"
                for path in ["/", "/baton/state", "/baton"] {
                    let curl = try await satellite.run(
                        "/usr/bin/curl", ["-sS", "--max-time", "5", "-w", "\n%{http_code}", "http://\(address)\(path)"])
                    #expect(curl.lines.last == "403" && curl.out.contains("--lan-plain"), "\(path): \(curl.out)")
                }
                let named = try await satellite.baton("--hub", address, "status")
                #expect(named.code == 4 && named.complaints.count == 1 && named.err.contains("--lan-plain"), "\(named.code) \(named.err)")
                let alone = try await satellite.baton("status")
                #expect(alone.code == 3 && alone.complaints.count == 1)
                #expect(try await satellite.baton("discover").code == 3)
                let browsed = try await satellite.run("/usr/bin/avahi-browse", ["-rpt", "_baton._tcp"])
                #expect(browsed.code == 0 && browsed.out.isEmpty)
            }
        }

        @Test func `a satellite finds a hub that lets it in, is paired, steers, follows it to another port, and is sent away`() async throws
        {
            try await withHub(["--listen", "127.0.0.1:0", "--tls", "[::]:0"]) { hub, satellite, _ in
                try await eventually("the hub is seen") { try await satellite.baton("discover").out.contains("not paired") }
                try await eventually("a stranger is told") { try await satellite.baton("status").err.contains("not paired") }
                let opened = try await hub.home.run("baton", ["--json", "pair", "--open"])
                let pin = try #require(try JSON.parse(Array(opened.out.utf8))["pin"]?.string)
                try await eventually("the window is seen") { try await satellite.baton("discover").out.contains("open to pairing") }
                try await eventually("a search for hubs that accept pairing sees it") {
                    try await satellite.run("/usr/bin/avahi-browse", ["-rpt", "_pair._sub._baton._tcp"]).out.contains("Test\\032hub")
                }

                let paired = try await satellite.run("/bin/sh", ["-c", "echo \(pin) | \(TestMachine.binary("baton")) pair"])
                #expect(paired.code == 0, "\(paired.err)")
                try await eventually("the hub is one of its own") { try await satellite.baton("discover").out.contains("\tpaired\n") }
                let browsed = try await satellite.run("/usr/bin/avahi-browse", ["-rpt", "_pair._sub._baton._tcp"])
                #expect(browsed.code == 0 && browsed.out.isEmpty, "the window is closed: \(browsed.out)")
                #expect(try await satellite.baton("toggle").code == 0)
                try await hub.reaches("playing, at the other's word") { $0.state == "playing" }

                // Another port, and perhaps another address: the hub is known by its key.
                try await hub.stop()
                try await HubProcess.with(["--discovery", "--listen", "127.0.0.1:0", "--tls", "[::]:0"], in: hub.home) { moved in
                    try await eventually("it is seen in its new place, as itself") {
                        try await satellite.baton("discover").out.contains("\tpaired\n")
                    }
                    try await eventually("it is found again") { try await satellite.baton("volume", "21").code == 0 }
                    #expect(try await moved.status().level == 21)
                    let id = try #require(try await moved.tell("devices").out.split(separator: "\t").first)
                    try await moved.tell("devices", "revoke", "--yes", String(id))
                    let after = try await satellite.baton("volume", "22")
                    #expect(after.code != 0 && after.err.contains("sent away"), "\(after.err)")
                }
            }
        }

        @Test func `a hub whose machine gets another address names it in a new certificate under the same key`() async throws {
            try await withHub(["--listen", "127.0.0.1:0", "--tls", "0.0.0.0:0"]) { hub, satellite, hosts in
                let line = try #require(hub.running.out.split(separator: "\n").first { $0.hasPrefix("  network https://") })
                let place = try #require(line.split(separator: " ").dropFirst().first)
                let address = "\(hosts.address(of: .a)):\(try #require(URL(string: String(place))?.port))"
                let show = { (what: String) async throws -> String in
                    let asked = "echo | timeout 10 openssl s_client -connect \(address) 2>/dev/null | openssl x509 -noout \(what)"
                    return try await satellite.run("/bin/sh", ["-c", asked]).out
                }
                let (key, names) = (try await show("-pubkey"), try await show("-ext subjectAltName"))
                #expect(key.contains("PUBLIC KEY") && names.contains(hosts.address(of: .a)) && !names.contains("192.168.77.5"))

                let added = try await hub.home.run("/bin/ip", ["addr", "add", "192.168.77.5/24", "dev", "cable"])
                #expect(added.code == 0, "\(added.err)")

                try await eventually("the new address is named") { try await show("-ext subjectAltName").contains("192.168.77.5") }
                #expect(try await show("-pubkey") == key)
            }
        }

        @Test func `a paired hub that the network hides is found at its last address, and another hub at that address is told apart`()
            async throws
        {
            // Not announced: what a network that keeps mDNS away looks like from the other side.
            try await withHub(["--listen", "127.0.0.1:0", "--tls", "[::]:0", "--no-discovery"]) { hub, satellite, hosts in
                let line = try #require(hub.running.out.split(separator: "\n").first { $0.hasPrefix("  network https://") })
                let place = try #require(line.split(separator: " ").dropFirst().first)
                let port = try #require(URL(string: String(place))?.port)
                let address = "wss://\(hosts.address(of: .a)):\(port)"
                let nothing = try await satellite.baton("discover")
                #expect(nothing.code == 3 && nothing.complaints.count == 1 && nothing.err.contains("wss://HOST:9443"), "\(nothing.err)")
                let lost = try await satellite.run("/bin/sh", ["-c", "\(TestMachine.binary("baton")) pair </dev/null"])
                #expect(lost.code == 3 && lost.err.contains("baton pair wss://HOST:9443"), "\(lost.err)")

                let opened = try await hub.home.run("baton", ["--json", "pair", "--open"])
                let pin = try #require(try JSON.parse(Array(opened.out.utf8))["pin"]?.string)
                let paired = try await satellite.run("/bin/sh", ["-c", "echo \(pin) | \(TestMachine.binary("baton")) pair \(address)"])
                #expect(paired.code == 0, "\(paired.err)")
                let found = try await satellite.baton("discover")
                #expect(found.code == 0 && found.out == "Test hub\t\(address)\tpaired, not announced\n", "\(found.out)")
                #expect(found.err.contains("does not show") && found.err.contains("5353"), "\(found.err)")
                // Where it was is tried before the network is asked, which takes its time.
                var took: [Duration] = []
                for _ in 0..<3 {
                    let began = ContinuousClock.now
                    #expect(try await satellite.baton("--hub", "test hub", "status").code == 0)
                    took.append(began.duration(to: .now))
                }
                #expect(took.min()! < .milliseconds(1400), "\(took)")

                try await hub.stop()
                #expect(try await satellite.baton("discover").out.contains("\tpaired, not here now\n"))
                try FileManager.default.removeItem(at: hub.home.data.appending(path: "keys/hub.key"))
                try await HubProcess.with(["--listen", "127.0.0.1:0", "--tls", "[::]:\(port)"], in: hub.home) { _ in
                    let other = try await satellite.baton("discover").out
                    #expect(other.contains("\tshows another key than when it was paired\n"), "\(other)")
                }
            }
        }
    }
}
