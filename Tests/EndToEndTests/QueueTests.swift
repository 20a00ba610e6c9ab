import BatonProtocol
import BatonWire
import Foundation
import Testing

/// A queue, edited from the command line, and what a folder or a playlist becomes in it.
extension EndToEnd {
    @Suite struct QueueTests {
        private func titles(_ hub: HubProcess) async throws -> [String] {
            let page = try JSON.parse(Array(try await hub.tell("queue", "--json").out.utf8))
            return (page["rows"]?.array ?? []).map { $0["title"]?.string ?? "" }
        }

        @Test func `entries are added, put next, moved, jumped to, removed and cleared`() async throws {
            try await Home.with { home in
                let names = ["Ash", "Birch", "Cedar", "Dogwood"]
                let files = try await home.makeTones(names.map { Home.Tone("\($0).wav", title: $0, seconds: 20) })
                try await HubProcess.with(in: home) { hub in
                    #expect(try await hub.tell("queue").out == "The queue is empty.\n")
                    #expect(try await hub.tell("queue", "add", files[0], files[1]).out == "Added 2 entries.\n")
                    #expect(try await hub.status().state == "stopped")
                    #expect(try await hub.tell("queue", "next", files[2], files[3]).out == "Added 2 entries.\n")
                    #expect(try await titles(hub) == ["Ash", "Cedar", "Dogwood", "Birch"])

                    try await hub.tell("queue", "move", "4", "1")
                    #expect(try await titles(hub) == ["Birch", "Ash", "Cedar", "Dogwood"])
                    try await hub.tell("queue", "move", "1", "3")
                    #expect(try await titles(hub) == ["Ash", "Cedar", "Birch", "Dogwood"])

                    try await hub.tell("queue", "jump", "3")
                    try await hub.reaches("Birch plays") { $0.state == "playing" && $0.title == "Birch" }
                    let list = try await hub.tell("queue", "list").lines
                    #expect(list.count == 4 && list[2].hasPrefix("> 3\t") && list[2].contains("Birch") && list[0].hasPrefix("  1\t"))

                    try await hub.tell("queue", "remove", "1", "4")
                    #expect(try await titles(hub) == ["Cedar", "Birch"])
                    #expect(try await hub.status().title == "Birch")
                    try await hub.tell("queue", "remove", "2")
                    try await hub.reaches("the next one, which is none") { $0.length == 1 && $0.state == "stopped" }
                    try await hub.tell("queue", "clear")
                    #expect(try await titles(hub).isEmpty)
                    #expect(try await hub.status().title == "")
                }
            }
        }

        @Test func `what a queue cannot do is said`() async throws {
            try await Home.with { home in
                try await HubProcess.with(in: home) { hub in
                    for (words, code) in [
                        (["fly"], 2), (["add"], 2), (["remove"], 2), (["move", "1"], 2), (["remove", "1"], 1), (["jump", "9"], 1),
                    ] {
                        let ended = try await home.run("baton", ["queue"] + words)
                        #expect(ended.code == Int32(code) && ended.complaints.count == 1, "queue \(words): \(ended.code) \(ended.err)")
                    }
                }
            }
        }

        @Test func `a folder expands in the order a person would count, and so do playlists`() async throws {
            try await Home.with { home in
                let names = ["2 two", "10 ten", "1 one"]
                // Outside of the library: once a scan has read a file, its own title stands before the playlist's.
                let files = try await home.makeTones(names.map { Home.Tone("box/\($0).wav", title: $0, seconds: 3) }, in: "away")
                _ = try home.write("no music", to: "away/box/notes.txt")
                let m3u = try home.write("#EXTM3U\n#EXTINF:3,Somebody - Ten\n10 ten.wav\n\(files[2])\n", to: "away/box/list.m3u8")
                let pls = try home.write(
                    "[playlist]\nFile2=1 one.wav\nFile1=2 two.wav\nTitle1=Two\nNumberOfEntries=2\nVersion=2\n", to: "away/box/list.pls")
                try await HubProcess.with(in: home) { hub in
                    #expect(try await hub.tell("queue", "add", home.folder.appending(path: "away/box").path).out == "Added 3 entries.\n")
                    let uris = try await hub.tell("queue", "--json").out
                    let order = ["1%20one", "2%20two", "10%20ten"].compactMap { uris.range(of: $0)?.lowerBound }
                    #expect(order.count == 3 && order == order.sorted())

                    #expect(try await hub.tell("queue", "add", m3u).out == "Added 2 entries.\n")
                    #expect(try await hub.tell("queue", "add", pls).out == "Added 2 entries.\n")
                    #expect(try await titles(hub).dropFirst(3).prefix(1) == ["Ten"])
                    #expect(try await hub.status().length == 7)
                }
            }
        }

        @Test func `the hub plays through its queue by itself and stops at its head`() async throws {
            try await Home.with { home in
                let files = try await home.makeTones(["A", "B"].map { Home.Tone("\($0).wav", title: $0, seconds: 1.2) })
                try await HubProcess.with(in: home) { hub in
                    try await hub.tell("play", files[0], files[1])
                    try await hub.reaches("the second, without being told") { $0.title == "B" && $0.state == "playing" }
                    try await hub.reaches("the end") { $0.state == "stopped" && $0.place == 0 && $0.positionMs == 0 }
                    #expect(try await hub.status().problems.isEmpty)
                }
            }
        }
    }
}
