/// Files, folders and what a remote may name: Protocol/ 1.6.
import BatonCore
import BatonSeams
import Disk
import Foundation
import Testing

@testable import BatonLibrary

struct LocalLibraryTests {
    @Test(arguments: ["path", "url", "host", "item", "escaped"])
    func `a file is named as a path, a URL or an item`(how: String) async throws {
        try await withMusic { folder in
            try folder.file("music/Kid A/04 - Hów to.flac")
            let path = folder.music + "/Kid A/04 - Hów to.flac"
            let escaped = folder.music + "/Kid%20A/04%20-%20H%C3%B3w%20to.flac"
            let text =
                switch how {
                case "path": path
                case "url": "file://" + escaped
                case "host": "FILE://localhost" + escaped
                case "item": "file:track" + escaped
                default: "file:track/" + escaped.replacingOccurrences(of: "/", with: "%2F")
                }

            let offers = try await folder.expand(text)

            #expect(offers.map(\.uri.text) == ["file:track" + escaped])
            #expect(offers.map(\.tags.title) == ["Hów to"])
            #expect(offers.map(\.tags.track) == [4])
            #expect(try await folder.library.resolve(offers[0].uri, trust: .musicFolders) == folder.playable("Kid A/04 - Hów to.flac"))
        }
    }

    @Test func `a folder expands in natural order, its own tracks before its subfolders`() async throws {
        try await withMusic { folder in
            let names = [
                "1 a.mp3", "2 b.FLAC", "10 c.ogg", "B.opus", "c.wav", "bonus/x.mp3", "disc 2/1.mp3", "disc 2/02.mp3", "disc 10/1.mp3",
            ]
            for name in names.shuffled() + [".hidden.mp3", "cover.jpg", "list.m3u", ".hidden/1.mp3", "notes/readme.txt"] {
                try folder.file("music/album/" + name)
            }

            #expect(try await folder.paths(folder.music + "/album") == names.map { "music/album/" + $0 })
        }
    }

    @Test func `loops of links end, and each file of a loop comes once`() async throws {
        try await withMusic { folder in
            try folder.file("music/a/1.mp3")
            try folder.link("music/a/again", to: folder.music + "/a")
            try folder.link("music/a/up", to: "..")
            try folder.link("music/a/itself", to: "itself")

            #expect(try await folder.paths(folder.music) == ["music/a/1.mp3"])
        }
    }

    @Test func `links inside the music folders are followed, those that leave them are not`() async throws {
        try await withMusic { folder in
            try folder.file("music/store/1.mp3")
            try folder.file("outside/secret.mp3")
            try folder.link("music/nice.mp3", to: folder.music + "/store/1.mp3")
            try folder.link("music/way out", to: folder.outside)
            try folder.link("music/out.mp3", to: folder.outside + "/secret.mp3")

            #expect(try await folder.paths(folder.music) == ["music/store/1.mp3", "music/store/1.mp3"])
            #expect(
                try await folder.paths(folder.music, trust: .anyPath) == [
                    "music/store/1.mp3", "outside/secret.mp3", "music/store/1.mp3", "outside/secret.mp3",
                ])
        }
    }

    @Test func `a folder of more than ten thousand tracks is refused`() async throws {
        try await withMusic { folder in
            for number in 1...LocalLibrary.most {
                _ = FileManager.default.createFile(atPath: folder.music + "/\(number).mp3", contents: nil)
            }
            #expect(try await folder.expand(folder.music).count == 10_000)

            try folder.file("music/one more.mp3")
            #expect(await folder.fault(folder.music)?.code == .tooLarge)
        }
    }

    // MARK: - What may be named

    @Test(arguments: [
        "outside/x.mp3", "music/../outside/x.mp3", "music/link/x.mp3", "music/x.mp3", "outside", "outside/missing.mp3", "music/link/no",
    ])
    func `what leaves the music folders is forbidden, also by a link or dots`(path: String) async throws {
        try await withMusic { folder in
            try folder.file("outside/x.mp3")
            try folder.link("music/link", to: folder.outside)
            try folder.link("music/x.mp3", to: "../outside/x.mp3")
            let item = FileURI.item(folder.root + "/" + path)

            let fault = await folder.fault(folder.root + "/" + path)
            let resolved = await #expect(throws: SourceFault.self) { try await folder.library.resolve(item, trust: .musicFolders) }

            #expect(fault?.code == .forbidden)
            #expect(fault?.sentence.contains("music folders") == true)
            #expect(resolved?.code == .forbidden)
            if path.hasSuffix("x.mp3") {
                #expect(try await folder.paths(folder.root + "/" + path, trust: .anyPath) == ["outside/x.mp3"])
            }
        }
    }

    @Test func `a folder whose name only begins alike is another folder`() async throws {
        try await withMusic { folder in
            try folder.file("music2/x.mp3")
            #expect(await folder.fault(folder.root + "/music2/x.mp3")?.code == .forbidden)
        }
    }

    @Test func `a guest may name items of the library and nothing else`() async throws {
        try await withMusic { folder in
            try folder.file("music/x.mp3")
            let path = folder.music + "/x.mp3"

            #expect(try await folder.paths("file:track" + path, trust: .itemsOnly) == ["music/x.mp3"])
            try folder.file("music/words.txt")
            try folder.file("music/list.m3u")
            try folder.link("music/link.mp3", to: "/etc/passwd")
            let others = [
                path, "file://" + path, "/etc/passwd", "file:///etc/passwd", "file:track/etc/passwd", "file:track/etc/nothing.mp3",
                "file:track" + folder.music, "file:track" + folder.music + "/words.txt", "file:track" + folder.music + "/list.m3u",
                "file:track" + folder.music + "/missing.mp3", "file:track" + folder.music + "/link.mp3", "file:track/%00", "file:track/%zz",
            ]
            for other in others {
                let fault = await folder.fault(other, trust: .itemsOnly)
                #expect(fault == SourceFault(.notFound, "There is no such item in this hub's library."), "\(other)")
            }
        }
    }

    @Test func `a link that is turned after it was queued is refused when it is played`() async throws {
        try await withMusic { folder in
            try folder.file("music/x.mp3")
            try folder.file("outside/x.mp3")
            let queued = try await folder.expand(folder.music + "/x.mp3")
            try FileManager.default.removeItem(atPath: folder.music + "/x.mp3")
            try folder.link("music/x.mp3", to: folder.outside + "/x.mp3")

            let fault = await #expect(throws: SourceFault.self) {
                try await folder.library.resolve(queued[0].uri, trust: .musicFolders)
            }

            #expect(fault?.code == .forbidden)
        }
    }

    @Test func `without music folders nothing on disk may be named but over the unix socket`() async throws {
        try await withMusic { folder in
            try folder.file("music/x.mp3")
            let library = LocalLibrary(folders: [], disk: Disk())
            let uri = ItemURI(folder.music + "/x.mp3")

            let fault = await #expect(throws: SourceFault.self) { try await library.expand(uri, trust: .musicFolders) }
            #expect(fault?.code == .forbidden)
            #expect(try await library.expand(uri, trust: .anyPath).count == 1)
        }
    }

    // MARK: - Mistakes

    @Test(arguments: [
        ("/music/none.mp3", SourceFault.Code.notFound), ("/music/empty", .notFound), ("/music/text.txt", .unsupported),
        ("/music/pipe.mp3", .unsupported), ("/music/x.mp3/y.mp3", .notFound),
    ])
    func `what cannot be played is told in a sentence`(path: String, code: SourceFault.Code) async throws {
        try await withMusic { folder in
            try folder.file("music/x.mp3")
            try folder.file("music/text.txt")
            try folder.file("music/empty/.hidden.mp3")
            mkfifo(folder.music + "/pipe.mp3", 0o644)

            let fault = await folder.fault(folder.root + path)

            #expect(fault?.code == code)
            #expect(fault?.sentence.contains(folder.root + path) == true)
        }
    }

    @Test(arguments: [
        "file:track/%zz", "file:track/a%00b", "file:track/%ff", "file:", "relative.mp3", "file://elsewhere/x.mp3", "file:album/1", "",
    ])
    func `what names no file is told so`(text: String) async throws {
        try await withMusic { folder in
            #expect(await folder.fault(text, trust: .anyPath)?.code == .unsupported)
        }
    }

    @Test func `a folder cannot be opened as a track, nor a file that has gone`() async throws {
        try await withMusic { folder in
            for (path, code) in [("", SourceFault.Code.unsupported), ("/gone.mp3", .notFound)] {
                let fault = await #expect(throws: SourceFault.self) {
                    try await folder.library.resolve(FileURI.item(folder.music + path), trust: .musicFolders)
                }
                #expect(fault?.code == code)
            }
        }
    }

    @Test func `any path survives its way through an item`() throws {
        for path in ["/a b/ü/%41/#?&.mp3", "/\u{1}\n\".mp3", "/日本/🎵.flac", "/a//b.mp3"] {
            #expect(try FileURI.path(of: FileURI.item(path)) == path)
            #expect(FileURI.item(path).text.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        }
    }
}
