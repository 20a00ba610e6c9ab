import BatonProtocol
import BatonWire
import Foundation
import Harness
import Testing

/// The shipped programs, and one written from the specification alone, through the encrypted port. BT-TRN-018
extension EndToEnd {
    @Suite(.enabled(if: TestMachine.has("python3", "curl", "openssl"), "python3, curl or openssl is missing"))
    struct PairingTests {
        private static let remote = TestMachine.root.appending(path: "examples/python/remote.py").path

        /// A hub, and the home folder of a user on another machine.
        private func withHub(
            _ flags: [String] = [], _ body: (_ hub: HubProcess, _ satellite: Home, _ port: Int) async throws -> Void
        ) async throws {
            try await Home.with { here in
                let album = try await here.makeAlbum()
                try await Home.with { there in
                    try await HubProcess.with(flags, in: here) { hub in
                        try await hub.tell("queue", "add", album[0], album[1])
                        let line = try #require(hub.running.out.split(separator: "\n").first { $0.hasPrefix("  network https://") })
                        let address = try #require(line.split(separator: " ").dropFirst().first)
                        try await body(hub, there, try #require(URL(string: String(address))?.port))
                    }
                }
            }
        }

        /// A program that prints the bearer of a device, which follows from its key.
        private static let bearer = """
            import base64, hmac, sys
            device, key = sys.argv[1:]
            word = hmac.digest(base64.urlsafe_b64decode(key + "="), b"baton/1 bearer", "sha256")
            print(device + "." + base64.urlsafe_b64encode(word).rstrip(b"=").decode(), end="")
            """

        private func openWindow(_ hub: HubProcess, _ words: String...) async throws -> String {
            let opened = try await hub.home.run("baton", ["--json", "pair", "--open"] + words)
            let answer = try JSON.parse(Array(opened.out.utf8))
            return try #require(answer["pin"]?.string, "\(opened.err)")
        }

        /// Types the code, as a person does.
        private func pair(_ home: Home, _ words: String, code: String) async throws -> Ended {
            try await home.run("/bin/sh", ["-c", "echo '\(code)' | \(words)"])
        }

        /// Types the code again and again until the hub looks at it: it tries one a second.
        private func pairInTurn(_ home: Home, _ words: String, code: String) async throws -> Ended {
            var ended = try await pair(home, words, code: code)
            try await eventually("the hub looks at the code") {
                guard ended.err.contains("One code a second can be tried.") else { return true }
                ended = try await pair(home, words, code: code)
                return false
            }
            return ended
        }

        @Test func `a satellite is paired by its code, steers, and is sent away`() async throws {
            try await withHub { hub, satellite, port in
                let address = "wss://127.0.0.1:\(port)"
                let refused = try await satellite.baton("--hub", address, "status")
                #expect(refused.code == 4 && refused.err.contains("not paired") && refused.err.contains("baton pair"), "\(refused.err)")

                let pin = try await openWindow(hub)
                let paired = try await pair(
                    satellite, "\(TestMachine.binary("baton")) pair \(address)", code: "\(pin.prefix(3))-\(pin.suffix(3))")
                #expect(paired.code == 0 && paired.out.contains("Paired with “Test hub” as remote"), "\(paired.err)")
                #expect(try await satellite.baton("volume", "44").out == "volume 44 %\n", "the last hub is the next one")
                #expect(try await satellite.baton("--hub", "test hub", "toggle").code == 0)
                try await hub.reaches("playing") { $0.state == "playing" && $0.level == 44 }
                #expect(try await satellite.baton("devices").err.contains("admin"))
                #expect(try await satellite.baton("devices", "rotate").code == 0)
                #expect(try await satellite.baton("status").code == 0)

                let watching = try satellite.start("baton", ["watch", "--json"])
                try await eventually("it watches") { watching.out.contains("\n") }
                let name = try #require(try await hub.tell("devices").lines.first?.split(separator: "\t").dropFirst().first)
                try await hub.tell("devices", "revoke", "--yes", String(name))
                let ended = try await watching.ended()
                #expect(ended.code != 0 && ended.err.contains("sent away"), "\(ended.err)")
                let after = try await satellite.baton("status")
                #expect(after.code != 0 && after.err.contains("sent away"), "\(after.err)")
            }
        }

        @Test func `a remote in another language, from the specification alone, is paired and steers`() async throws {
            try await withHub { hub, satellite, port in
                let pin = try await openWindow(hub)
                let paired = try await pair(satellite, "/usr/bin/python3 \(Self.remote) pair wss://127.0.0.1:\(port)", code: pin)
                #expect(paired.code == 0 && paired.out.hasSuffix("Paired as remote.\n"), "\(paired.err)")

                let toggled = try await satellite.run("/usr/bin/python3", [Self.remote, "toggle"])
                #expect(toggled.code == 0, "\(toggled.err)")
                try await hub.reaches("playing") { $0.state == "playing" }
                #expect(try await satellite.run("/usr/bin/python3", [Self.remote, "vol", "12"]).code == 0)
                #expect(try await hub.status().level == 12)

                let wrong = try await openWindow(hub)
                let guess = wrong == "000000" ? "000001" : "000000"
                let refused = try await pairInTurn(satellite, "/usr/bin/python3 \(Self.remote) pair wss://127.0.0.1:\(port)", code: guess)
                #expect(refused.code == 1 && refused.err.contains("The code is wrong"), "\(refused.err)")
            }
        }

        @Test func `a hub with another key at the same address gets nothing from a paired device`() async throws {
            try await withHub { hub, satellite, port in
                let pin = try await openWindow(hub)
                _ = try await pair(satellite, "\(TestMachine.binary("baton")) pair wss://127.0.0.1:\(port)", code: pin)
                try await hub.stop()
                try FileManager.default.removeItem(at: hub.home.data.appending(path: "keys/hub.key"))
                try await HubProcess.with(["--tls", "127.0.0.1:\(port)"], in: hub.home) { _ in
                    let status = try await satellite.baton("--hub", "wss://127.0.0.1:\(port)", "status")
                    #expect(status.code == 4 && status.err.contains("another key"), "\(status.code) \(status.err)")
                }
            }
        }

        @Test func `a relay between a device and its hub learns nothing and pairs no device`() async throws {
            try await withHub { hub, satellite, port in
                let relay = try satellite.start("/usr/bin/python3", ["-c", Self.relay, "\(port)"])
                defer { relay.signal(SIGKILL) }
                try await eventually("it listens") { relay.out.hasSuffix("\n") }
                let address = "wss://127.0.0.1:\(relay.out.trimmingCharacters(in: .whitespacesAndNewlines))"
                let pin = try await openWindow(hub)

                let paired = try await pair(satellite, "\(TestMachine.binary("baton")) pair \(address)", code: pin)

                #expect(paired.code == 1 && paired.complaints.count == 1, "\(paired.code) \(paired.err)")
                #expect(paired.err.contains("The code is wrong. 4 more tries are left."), "\(paired.err)")
                #expect(try await hub.tell("devices").out.contains("No device is paired"))
                let straight = try await pairInTurn(satellite, "\(TestMachine.binary("baton")) pair wss://127.0.0.1:\(port)", code: pin)
                #expect(straight.code == 0, "the same code by the straight way: \(straight.err)")
            }
        }

        /// Ends the device's TLS with a certificate of its own, and passes all words on to the hub unchanged.
        private static let relay = """
            import socket, ssl, subprocess, sys, threading
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=relay",
                            "-keyout", "relay.key", "-out", "relay.crt", "-days", "2"], check=True, capture_output=True)
            near = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); near.load_cert_chain("relay.crt", "relay.key")
            far = ssl.create_default_context(); far.check_hostname = False; far.verify_mode = ssl.CERT_NONE
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            def carry(a, b):
                try:
                    while data := a.recv(65536): b.sendall(data)
                except OSError: pass
                b.close()
            while True:
                plain, _ = listener.accept()
                device = near.wrap_socket(plain, server_side=True)
                hub = far.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1]))))
                for pair in ((device, hub), (hub, device)): threading.Thread(target=carry, args=pair, daemon=True).start()
            """

        @Test func `a browser gets a session by its code, and nothing without`() async throws {
            try await withHub { hub, satellite, port in
                let base = "https://127.0.0.1:\(port)"
                let curl = { (words: [String]) in try await satellite.run("/usr/bin/curl", ["-sSk", "--max-time", "10"] + words) }
                let form = try await curl(["-i", base + "/"])
                #expect(form.out.contains("action=\"/session\"") && form.out.contains("content-security-policy: default-src 'none'"))
                #expect(try await curl(["-o", "/dev/null", "-w", "%{http_code}", base + "/baton/state"]).out == "401")

                let pin = try await openWindow(hub, "--role", "admin")
                let jar = satellite.folder.path + "/jar"
                let enter = ["-i", "-c", jar, "-d", "pin=\(pin)&name=Kitchen+tablet", "-H", "Origin: \(base)", base + "/session"]
                let elsewhere = try await curl(["-i", "-d", "pin=\(pin)", "-H", "Origin: https://evil.example", base + "/session"])
                #expect(elsewhere.out.hasPrefix("HTTP/1.1 403"))
                let entered = try await curl(enter)
                #expect(entered.out.hasPrefix("HTTP/1.1 303"), "\(entered.out)")
                for word in ["__Host-baton=", "Secure", "HttpOnly", "SameSite=Strict"] { #expect(entered.out.contains(word)) }
                #expect(try await curl(["-b", jar, base + "/baton/state?view=remote"]).out.contains("\"vol\""))
                let command = Commands.Devices().frameText()
                #expect(try await curl(["-b", jar, "-d", command, base + "/baton/cmd"]).out.contains("forbidden"), "never admin")

                try await hub.tell("devices", "revoke", "--yes", "Kitchen tablet")
                #expect(try await curl(["-b", jar, "-o", "/dev/null", "-w", "%{http_code}", base + "/baton/state"]).out == "401")
            }
        }

        @Test func `only TLS 1.3 is spoken, the root is offered, and DNS that was turned round is refused`() async throws {
            try await withHub { _, satellite, port in
                let shown = try await satellite.run(
                    "/bin/sh",
                    [
                        "-c",
                        "echo | timeout 10 openssl s_client -connect 127.0.0.1:\(port) -tls1_2; echo | timeout 10 openssl s_client -connect 127.0.0.1:\(port)",
                    ])
                #expect((shown.out + shown.err).contains("alert protocol version") && shown.out.contains("New, TLSv1.3"))
                let base = "https://127.0.0.1:\(port)"
                #expect(try await satellite.run("/usr/bin/curl", ["-sSk", base + "/trust"]).out.contains("baton-root.crt"))
                let root = try await satellite.run(
                    "/bin/sh",
                    [
                        "-c",
                        "curl -sSk \(base)/trust/baton-root.crt | openssl x509 -inform der > root.pem && curl -sS --cacert root.pem -o /dev/null -w '%{http_code}' \(base)/",
                    ])
                #expect(root.out == "200", "\(root.err)")
                let rebound = try await satellite.run(
                    "/usr/bin/curl", ["-sSk", "-H", "Host: evil.example", "-o", "/dev/null", "-w", "%{http_code}", base + "/"])
                #expect(rebound.out == "403")
            }
        }

        @Test func `no secret is in a log, on the terminal or in what a doctor is told`() async throws {
            try await withHub(["--log", "trace"]) { hub, satellite, port in
                let base = "https://127.0.0.1:\(port)"
                let curl = { (words: [String]) in try await satellite.run("/usr/bin/curl", ["-sSk", "--max-time", "10"] + words) }
                let opened = try JSON.parse(Array(try await hub.home.run("baton", ["--json", "pair", "--open"]).out.utf8))
                let pin = try #require(opened["pin"]?.string)
                let token = try #require(opened["qr"]?.string?.split(separator: "pair=").last?.prefix { $0 != "&" })
                _ = try await pair(satellite, "\(TestMachine.binary("baton")) pair wss://127.0.0.1:\(port)", code: pin)
                _ = try await satellite.baton("status")
                let known = try JSON.parse(Array(Data(contentsOf: satellite.folder.appending(path: "state/baton-satellite/keys/hubs"))))
                let hubs = known["hubs"]?.array
                let (key, device) = (try #require(hubs?.first?["key"]?.string), try #require(hubs?.first?["dev"]?.string))
                let bearer = try await satellite.run("/usr/bin/python3", ["-c", Self.bearer, device, key]).out
                #expect(try await curl(["-H", "Authorization: Bearer \(bearer)", base + "/baton/state"]).out.contains("\"vol\""))
                // A browser's, a wrong one, and the link for this machine.
                let second = try await openWindow(hub)
                let jar = satellite.folder.path + "/jar"
                try await eventually("the hub looks at the second code") {
                    try await curl(["-i", "-c", jar, "-d", "pin=\(second)", "-H", "Origin: \(base)", base + "/session"]).out.contains(
                        "__Host-baton=")
                }
                let cookie = try #require(try String(contentsOfFile: jar, encoding: .utf8).split(separator: "\t").last)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                #expect(cookie.count > 40)
                _ = try await curl(["-H", "Authorization: Bearer \(device).AAAA", base + "/baton/state"])
                let ticket = try #require(try await hub.tell("web").out.split(separator: "=").last).trimmingCharacters(
                    in: .whitespacesAndNewlines)
                let told =
                    try await hub.tell("doctor").out + hub.tell("devices").out + hub.tell("people").out + hub.tell("status", "--json").out
                    + hub.tell("raw", Commands.Info().frameText()).out + curl(["-b", jar, base + "/baton/state"]).out
                try await hub.tell("devices", "revoke", "--yes", device)

                let said = hub.running.out + hub.running.err + told
                #expect(hub.running.err.contains("is paired"), "the log is read")
                for secret in [pin, second, String(token), key, bearer, cookie, ticket, "PRIVATE KEY"] { #expect(!said.contains(secret)) }
                let after = try await curl(
                    ["-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(bearer)", base + "/baton/state"])
                #expect(after.out == "401", "what follows from a key that was taken back opens nothing")
                for (home, name) in [
                    (hub.home, "state/baton/keys/devices"), (hub.home, "state/baton/keys/hub.key"),
                    (satellite, "state/baton-satellite/keys/hubs"),
                ] {
                    let mode = try FileManager.default.attributesOfItem(atPath: home.folder.appending(path: name).path)[.posixPermissions]
                    #expect(mode as? Int == 0o600, "\(name)")
                }
                let database = try Data(contentsOf: hub.home.data.appending(path: "state.db"))
                #expect(database.range(of: Data(key.utf8)) == nil)
            }
        }
    }
}
