import BatonWire
import Foundation
import Testing

/// `baton source`: accounts at servers, where their passwords are and where they are not.
extension EndToEnd {
    @Suite struct SourceVerbTests {
        /// Nothing listens there.
        private static let url = "http://127.0.0.1:1/sub"
        private static let password = "open sesame 7"

        /// The password comes through a pipe, as a script would pass it.
        private func piped(_ words: String, in home: Home) async throws -> Ended {
            let baton = TestMachine.binary("baton")
            return try await home.run("/bin/sh", ["-c", "printf '%s\\n' '\(Self.password)' | \(baton) source \(words)"])
        }

        /// Every file below the home with the password in it, by its path there.
        private func holders(_ home: Home) throws -> [String] {
            let all = FileManager.default.enumerator(at: home.folder, includingPropertiesForKeys: [.isRegularFileKey])
            return try (all?.compactMap { $0 as? URL } ?? []).filter { file in
                do {
                    guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { return false }
                    return try Data(contentsOf: file).range(of: Data(Self.password.utf8)) != nil
                } catch CocoaError.fileReadNoSuchFile {
                    // A hub that opens its stores makes journals and removes them.
                    return false
                }
            }.map { String($0.path.dropFirst(home.folder.path.count + 1)) }
        }

        /// BT-SRC-002 BT-SRC-004
        @Test func `an account is added, listed, kept over a kill, and removed; its password is in one file only`() async throws {
            try await Home.with { home in
                var hub = try await HubProcess.start(["--log", "trace"], in: home)
                let refused = try await piped("add attic subsonic \(Self.url) --user anna --title Attic", in: home)
                #expect(refused.code == 1 && refused.err.contains("Nothing was kept") && refused.complaints.count == 1, "\(refused.err)")
                #expect(try holders(home).isEmpty)
                #expect(try await hub.tell("source").out.contains("No server yet"))
                let added = try await piped("add attic subsonic \(Self.url) --user anna --title Attic --untested", in: home)
                #expect(added.code == 1 && added.out.isEmpty, "added, and its server cannot be reached: \(added.out) \(added.err)")
                let arguments = try String(contentsOfFile: "/proc/\(hub.running.pid)/cmdline", encoding: .utf8)
                #expect(!arguments.contains(Self.password))

                try await hub.kill()
                hub = try await HubProcess.start(["--log", "trace"], in: home)
                let listed = try await hub.tell("source")
                #expect(listed.out.contains("attic\tAttic\tsubsonic\t\(Self.url)\t"), "\(listed.out)")
                let raw = try await hub.tell("source", "--json").out + hub.tell("raw", #"{"t":"cmd","id":1,"m":"source.list"}"#).out
                #expect(raw.contains(#""user":"anna""#) && !raw.contains(Self.password))

                let secret = home.data.appending(path: "sources/attic.secret").path
                #expect(try holders(home) == [String(secret.dropFirst(home.folder.path.count + 1))])
                let mode = try FileManager.default.attributesOfItem(atPath: secret)[.posixPermissions] as? Int
                #expect(mode == 0o600)

                let doctor = try await hub.baton("doctor")
                #expect(doctor.out.contains("Attic (attic) is down") && doctor.out.contains("baton source set attic"), "\(doctor.out)")
                try await hub.tell("source", "rename", "attic", "The", "loft")
                try await hub.tell("source", "disable", "attic")
                #expect(try await hub.tell("source").out.contains("attic\tThe loft\tsubsonic\t\(Self.url)\tswitched off"))
                #expect(try await hub.tell("source", "pending", "attic").out.contains("knows everything"))
                try await hub.tell("source", "remove", "--yes", "attic")
                #expect(try holders(home).isEmpty && !FileManager.default.fileExists(atPath: secret))
                #expect(try await hub.tell("source").out.contains("No server yet"))
                let ended = try await hub.stop()
                #expect(ended.code == 0 && !ended.err.contains(Self.password) && !ended.out.contains(Self.password))
            }
        }

        @Test(arguments: [
            ("add attic tape \(url)", 1, "does not know servers of the kind “tape”"),
            ("add Attic subsonic \(url) --untested", 1, "name must be"),
            ("add lib subsonic \(url) --user a --untested", 1, "uses the name “lib” itself"),
            ("add attic subsonic", 2, "the URL of the server"),
            ("add attic subsonic ftp://a", 1, "url must be"), ("add attic subsonic http://anna:word@host", 1, "no user or password"),
            ("test attic", 1, "no account called “attic”"), ("set attic --option", 2, "--option"),
            ("add attic subsonic \(url) --user a --option loud=1", 1, "no option “loud”"), ("paint attic", 2, "cannot “paint”"),
        ]) func `what is wrong with an account is one sentence`(words: String, code: Int32, sentence: String) async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { _ in
                    let ended = try await piped(words, in: home)
                    #expect(ended.code == code && ended.complaints.count == 1 && ended.err.contains(sentence), "\(ended.err)")
                }
            }
        }

        /// BT-SRC-008
        @Test func `accounts of the configuration are shown, and changed there only`() async throws {
            try await Home.with { home in
                let file = try home.write(Self.password + "\n", to: "config/password")
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                let attic = "[source attic]\nkind = subsonic\nurl = \(Self.url)\nuser = anna\npassword_file = \(file)\ncolour = red\n"
                let cabin = "[source cabin]\nkind = subsonic\nurl = \(Self.url)\nuser = anna\n"
                let path = try home.write(attic + cabin, to: "config/baton/batond.conf")
                let ended = try await HubProcess.with(["--config", path], in: home) { hub in
                    let listed = try await hub.tell("source", "--json")
                    #expect(listed.out.contains(#""conf":1"#))
                    let table = try await hub.tell("source").out
                    #expect(table.contains("cabin\t\tsubsonic\t\(Self.url)\tA Subsonic account needs the password"), "\(table)")
                    let refused = try await hub.baton("source", "remove", "--yes", "attic")
                    #expect(refused.code == 1 && refused.err.contains("batond.conf"))
                    return try await hub.stop()
                }
                #expect(ended.err.contains("[source attic] has no setting colour"), "\(ended.err)")
                #expect(try holders(home) == ["config/password"])
            }
        }
    }
}
