import BatonProtocol
import BatonWire
import Foundation
import Testing

/// What the doctor finds: in a healthy hub, in an ailing one, and where there is none.
extension EndToEnd {
    @Suite struct DoctorTests {
        private struct Finding {
            let part: String
            let mark: String
            let found: String
            let advice: String
        }

        private func findings(_ home: Home, _ words: String...) async throws -> (code: Int32, all: [Finding]) {
            let ended = try await home.run("baton", ["doctor", "--json"] + words)
            let list = try JSON.parse(Array(ended.out.utf8))["findings"]?.array ?? []
            let all = list.map { json in
                Finding(
                    part: json["part"]?.string ?? "", mark: json["mark"]?.string ?? "", found: json["found"]?.string ?? "",
                    advice: json["advice"]?.string ?? "")
            }
            #expect(all.allSatisfy { $0.mark == "ok" ? $0.advice.isEmpty : !$0.advice.isEmpty }, "\(ended.out)")
            return (ended.code, all)
        }

        @Test func `a healthy hub is found so, and each line begins with a mark`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { hub in
                    let ended = try await hub.tell("doctor")
                    let marks = ended.lines.dropLast().filter { !$0.contains("→") }.map { $0.prefix { $0 != " " } }
                    #expect(marks.count > 6 && Set(marks).isSubset(of: ["ok", "warn"]), "\(ended.out)")
                    #expect(!ended.out.contains("\u{1B}"), "colours are for terminals")

                    let (code, all) = try await findings(home)
                    #expect(code == 0)
                    for part in [
                        "hub", "version", "port", "reach", "certificate", "devices", "journal", "limits", "library", "reader", "clock",
                    ] {
                        #expect(all.contains { $0.part == part && $0.mark == "ok" }, "\(part): \(all)")
                    }
                    #expect(all.contains { $0.part == "port" && $0.found.contains("\(hub.port)") })
                    #expect(all.contains { $0.part == "port" && $0.found.hasSuffix("answers, encrypted.") })
                    #expect(all.contains { $0.part == "certificate" && $0.found.contains("localhost") && $0.found.contains("396 days") })
                    #expect(all.contains { $0.part == "journal" && $0.found.contains(home.data.path) })
                }
            }
        }

        @Test func `where there is no hub it says so, and how to start one`() async throws {
            try await Home.with { home in
                let (code, all) = try await findings(home)

                #expect(code == 1)
                #expect(all.contains { $0.part == "hub" && $0.mark == "fail" && $0.advice.contains("batond") }, "\(all)")
                #expect(all.contains { $0.part == "batond" && $0.mark == "ok" })
                #expect(!FileManager.default.fileExists(atPath: home.data.path), "looking leaves nothing behind")
            }
        }

        @Test func `settings that make no sense, and a port that is taken, are named`() async throws {
            try await Home.with { home in
                try await HubProcess.with(["--data", home.folder.path + "/other", "--socket", home.folder.path + "/other.sock"], in: home) {
                    hub in
                    _ = try home.write("listen = 127.0.0.1:\(hub.port)\nstart_level = 10\n", to: "config/baton/batond.conf")
                    let taken = try await findings(home)
                    #expect(taken.code == 1)
                    #expect(taken.all.contains { $0.part == "port" && $0.found.contains("\(hub.port)") }, "\(taken.all)")

                    _ = try home.write("start_level = loud\n", to: "config/baton/batond.conf")
                    let wrong = try await findings(home)
                    #expect(wrong.all.contains { $0.part == "settings" && $0.mark == "fail" && $0.found.contains("loud") }, "\(wrong.all)")
                }
            }
        }

        @Test func `a folder that another hub holds is told with its process`() async throws {
            try await Home.with { home in
                try await HubProcess.with(["--socket", home.folder.path + "/other.sock"], in: home) { hub in
                    let (code, all) = try await findings(home)
                    #expect(code == 1)
                    #expect(all.contains { $0.part == "data" && $0.found.contains("\(hub.running.pid)") }, "\(all)")
                    #expect(try await findings(home, "--hub", home.folder.path + "/other.sock").code == 0)
                }
            }
        }

        @Test func `a journal from a newer version is refused, left untouched, and told`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { _ in }
                let file = home.data.appending(path: "state.db")
                var bytes = try Data(contentsOf: file)
                bytes[63] = 200  // The schema's number, in SQLite's header.
                try bytes.write(to: file)

                let running = try HubProcess.launch([], in: home)
                let ended = try await running.ended(within: .seconds(60))
                #expect(ended.code == 1 && ended.err.contains("newer Baton"), "\(ended.err)")
                let (code, all) = try await findings(home)

                #expect(code == 1)
                #expect(all.contains { $0.part == "journal" && $0.mark == "fail" && $0.found.contains("newer Baton") }, "\(all)")
                #expect(try Data(contentsOf: file) == bytes)
            }
        }

        @Test func `a damaged journal is set aside, and all remotes show it`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { _ in }
                let file = home.data.appending(path: "state.db")
                try Data(repeating: 7, count: 9000).write(to: file)

                try await HubProcess.with(in: home) { hub in
                    let problems = try await hub.status().problems
                    #expect(problems.contains { $0.contains("state.db was damaged") }, "\(problems)")
                    let (code, all) = try await findings(home)
                    #expect(code == 0)
                    #expect(all.contains { $0.part == "journal" && $0.mark == "warn" && $0.found.contains("state.db.damaged-1") }, "\(all)")
                    #expect(!all.contains { $0.part == "problem" }, "told once")
                    #expect(try Data(contentsOf: URL(filePath: file.path + ".damaged-1")).count == 9000)
                }
                try await HubProcess.with(in: home) { hub in
                    let problems = try await hub.status().problems
                    #expect(problems.isEmpty, "it is told until the next start")
                }
            }
        }

        @Test(.enabled(if: TestMachine.mayMount, "a small disk needs root"))
        func `a full disk shows, playing goes on, and room ends it`() async throws {
            try await Home.with { home in
                let files = try await home.makeTones([
                    Home.Tone("a.wav", title: "A", seconds: 60), Home.Tone("b.wav", title: "B", seconds: 60),
                ])
                let disk = home.folder.appending(path: "disk").path
                try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
                // The disk is the hub's alone, so it is filled from inside its namespace, through its descriptor of the folder.
                let mount = "mount -t tmpfs -o size=4m none '\(disk)' && exec \"$@\""
                let flags = HubProcess.usual + ["--listen", "127.0.0.1:0", "--data", disk + "/data", "--music", home.music.path]
                let running = try home.start("/usr/bin/unshare", ["-m", "bash", "-c", mount, "hub", TestMachine.binary("batond")] + flags)
                defer { running.signal(SIGKILL) }
                try await eventually("the hub answers") { try await home.baton("status").code == 0 }
                #expect(try await home.baton("play", files[0]).code == 0)
                let filler = "/proc/\(running.pid)/root\(disk)/filler"
                try await home.run("/usr/bin/dd", ["if=/dev/zero", "of=\(filler)", "bs=4k"])

                var refused = Ended(code: 0, out: "", err: "")
                for _ in 0..<200 where refused.code == 0 { refused = try await home.baton("queue", "add", files[1]) }
                #expect(refused.code == 1 && refused.err.contains("no room left"), "\(refused.err)")
                let full = try await findings(home)
                #expect(
                    full.code == 1 && full.all.contains { $0.part == "journal" && $0.mark == "fail" && $0.found.contains("no room left") })
                #expect(full.all.contains { $0.part == "disk" && $0.mark == "warn" })
                let status = try Status(try await home.baton("status", "--json").out)
                #expect(status.state == "playing" && status.problems.contains { $0.contains("no room left") }, "\(status.text)")

                try FileManager.default.removeItem(atPath: filler)
                #expect(try await home.baton("queue", "add", files[1]).code == 0)
                #expect(try await findings(home).code == 0)
                #expect(try Status(try await home.baton("status", "--json").out).problems.isEmpty)
            }
        }
    }
}
