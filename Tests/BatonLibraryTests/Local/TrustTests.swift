/// What an entry's name leads to by now is reached with its own trust, by the file that was checked and no other.
import BatonCore
import BatonSeams
import Disk
import Foundation
import Synchronization
import Testing

@testable import BatonLibrary

struct TrustTests {
    private func resolved(_ path: String, _ trust: Trust, _ folder: MusicFolder) async throws(SourceFault) -> [UInt8] {
        let playable = try await folder.library.resolve(FileURI.item(folder.root + "/" + path), trust: trust)
        guard case .file(let file) = playable.location else { return [] }
        return try file.content.read(at: 0, count: 10)
    }

    @Test(arguments: ["music/x.mp3", "music/sub/x.mp3"])
    func `a link that was put in place of a file or of its folder is followed for the unix socket alone`(path: String) async throws {
        try await withMusic { folder in
            try folder.file("outside/x.mp3", [1])
            let name = String(path.dropFirst("music/".count).prefix { $0 != "/" })
            try folder.link("music/" + name, to: folder.outside + (name == "x.mp3" ? "/x.mp3" : ""))

            for trust in [Trust.itemsOnly, .musicFolders, .plainPath] {
                let fault = await #expect(throws: SourceFault.self) { try await resolved(path, trust, folder) }
                #expect(fault?.code == .forbidden, "\(trust)")
            }
            #expect(try await resolved(path, .anyPath, folder) == [1])
        }
    }

    @Test func `an entry of an earlier version plays where it lies, outside of the folders too`() async throws {
        try await withMusic { folder in
            try folder.file("outside/x.mp3", [1])
            try folder.file("music/y.mp3", [2])
            try folder.link("music/z.mp3", to: "y.mp3")
            #expect(try await resolved("outside/x.mp3", .plainPath, folder) == [1])
            #expect(try await resolved("music/y.mp3", .plainPath, folder) == [2])
            #expect(try await resolved("music/z.mp3", .plainPath, folder) == [2])
            await #expect(throws: SourceFault.self) { try await resolved("outside/x.mp3", .musicFolders, folder) }
        }
    }

    @Test func `who may not reach a place is not told whether anything is there`() async throws {
        try await withMusic { folder in
            try folder.file("outside/x.mp3")
            for path in ["outside/x.mp3", "outside/gone.mp3"] {
                let fault = await #expect(throws: SourceFault.self) { try await resolved(path, .musicFolders, folder) }
                #expect(fault?.code == .forbidden)
            }
        }
    }

    @Test func `what was resolved stays that file when its name leads elsewhere a moment later`() async throws {
        try await withMusic { folder in
            try folder.file("music/x.mp3", [1])
            try folder.file("outside/x.mp3", [2])
            let playable = try await folder.library.resolve(FileURI.item(folder.music + "/x.mp3"), trust: .musicFolders)
            try FileManager.default.removeItem(atPath: folder.music + "/x.mp3")
            try folder.link("music/x.mp3", to: folder.outside + "/x.mp3")
            guard case .file(let file) = playable.location else { throw SourceFault(.failed, "It is no file.") }
            #expect(try file.content.read(at: 0, count: 9) == [1])
        }
    }

    @Test func `while a file and a link change places all the time, what is opened is never outside`() async throws {
        try await withMusic { folder in
            try folder.file("music/x.mp3", [1])
            try folder.file("outside/x.mp3", [2])
            let path = folder.music + "/x.mp3"
            let ends = Mutex(false)
            let swapping = Thread {
                while !ends.withLock({ $0 }) {
                    symlink(folder.outside + "/x.mp3", path + ".link")
                    rename(path + ".link", path)
                    link(folder.music + "/kept", path + ".file")
                    rename(path + ".file", path)
                }
            }
            try folder.file("music/kept", [1])
            swapping.start()
            defer { ends.withLock { $0 = true } }
            var played = 0
            for _ in 0..<2_000 {
                guard let bytes = try? await resolved("music/x.mp3", .musicFolders, folder) else { continue }
                #expect(bytes == [1])
                played += 1
            }
            print("\(played) of 2000 were opened")
        }
    }

    @Test func `a playlist that is replaced by a link is not read`() async throws {
        try await withMusic { folder in
            try folder.file("outside/x.m3u", Data("http://secret/\n".utf8))
            try folder.link("music/x.m3u", to: folder.outside + "/x.m3u")
            #expect(await folder.fault(folder.music + "/x.m3u")?.code == .forbidden)
        }
    }
}
