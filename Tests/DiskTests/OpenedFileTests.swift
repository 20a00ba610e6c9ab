/// Files are opened below the library's folders and nowhere else.
import BatonSeams
import Foundation
import Testing

@testable import Disk

struct OpenedFileTests {
    @Test func `a range is read from anywhere, and ends where the file ends`() throws {
        try withFolder { folder in
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try folder.file("music/a/Hów to.flac", bytes)

            let file = try OpenedFile.open(folder.music + "/a/Hów to.flac", below: [folder.outside, folder.music])

            #expect(file.size == 100_000 && file.inode > 0 && file.modifiedNs > 0)
            #expect(try file.read(at: 0, count: 10) == Array(bytes[..<10]))
            #expect(try file.read(at: 99_990, count: 1_000) == Array(bytes[99_990...]))
            #expect(try file.read(at: 100_000, count: 1).isEmpty)
            #expect(try file.read(at: -1, count: 1).isEmpty && file.read(at: .max, count: 1).isEmpty && file.read(at: 0, count: -1).isEmpty)
            #expect(try file.read(at: 0, count: .max) == bytes)
        }
    }

    @Test func `what was opened is read on when its name is taken away`() throws {
        try withFolder { folder in
            try folder.file("music/a.flac", [1, 2, 3])
            let file = try OpenedFile.open(folder.music + "/a.flac", below: [folder.music])

            try FileManager.default.removeItem(atPath: folder.music + "/a.flac")

            #expect(try file.read(at: 1, count: 9) == [2, 3])
        }
    }

    @Test(arguments: ["music/way out/secret.mp3", "music/out.mp3", "music/../outside/secret.mp3", "outside/secret.mp3", "music-2/a.mp3"])
    func `no symlink and no dots lead out of the folders`(path: String) throws {
        try withFolder { folder in
            try folder.file("outside/secret.mp3", [1])
            try folder.file("music-2/a.mp3", [1])
            try folder.link("music/way out", to: folder.outside)
            try folder.link("music/out.mp3", to: "../outside/secret.mp3")

            let fault = #expect(throws: SourceFault.self) { try OpenedFile.open(folder.root + "/" + path, below: [folder.music]) }

            #expect(fault?.code == .forbidden)
            #expect(fault?.sentence.contains(path) == true)
        }
    }

    @Test func `a link from one folder of music into another is followed`() throws {
        try withFolder { folder in
            try folder.file("outside/a.mp3", [7])
            try folder.link("music/a.mp3", to: folder.outside + "/a.mp3")

            let file = try OpenedFile.open(folder.music + "/a.mp3", below: [folder.music, folder.outside])

            #expect(try file.read(at: 0, count: 9) == [7])
        }
    }

    @Test func `a link put in place of a file while it is opened is not followed`() throws {
        try withFolder { folder in
            try folder.file("outside/secret.mp3", [1])
            try folder.link("music/a.mp3", to: folder.outside + "/secret.mp3")

            // What a kernel without openat2 does, with a path that was real a moment ago.
            #expect(throws: SourceFault.self) { try OpenedFile.looking(at: folder.music + "/a.mp3", below: [folder.music]) }
            try folder.link("music/moved", to: folder.outside)
            #expect(throws: SourceFault.self) { try OpenedFile.looking(at: folder.music + "/moved/secret.mp3", below: [folder.music]) }
            try folder.file("music/b.mp3", [2])
            #expect(try OpenedFile.looking(at: folder.music + "/b.mp3", below: [folder.music]).status?.st_size == 1)
        }
    }

    @Test func `a plain path is opened where it lies, and through no link`() throws {
        try withFolder { folder in
            let root = try #require(RealPath.of(folder.root))
            try folder.file("outside/a.mp3", [1])
            try folder.link("music/a.mp3", to: folder.outside + "/a.mp3")
            try folder.link("music/moved", to: folder.outside)

            #expect(try OpenedFile.open(plainly: root + "/outside/a.mp3").read(at: 0, count: 9) == [1])
            for (path, code) in [("music/a.mp3", SourceFault.Code.forbidden), ("music/moved/a.mp3", .forbidden), ("music/gone", .notFound)]
            {
                let fault = #expect(throws: SourceFault.self) { try OpenedFile.open(plainly: root + "/" + path) }
                #expect(fault?.code == code)
            }
        }
    }

    @Test func `folders and pipes are refused as files without waiting`() throws {
        try withFolder { folder in
            #expect(mkfifo(folder.music + "/pipe.mp3", 0o644) == 0)
            try folder.file("music/a/b.mp3", [1])

            for name in ["pipe.mp3", "a"] {
                let fault = #expect(throws: SourceFault.self) { try OpenedFile.open(folder.music + "/" + name, below: [folder.music]) }
                #expect(fault?.code == .unsupported)
            }
        }
    }

    @Test(arguments: ["", "a.mp3", "/music\0/a.mp3"])
    func `what is no path is refused`(path: String) {
        let fault = #expect(throws: SourceFault.self) { try OpenedFile.open(path, below: ["/"]) }
        #expect(fault?.code == .unsupported)
    }

    @Test func `what is missing is said with its name`() {
        let fault = #expect(throws: SourceFault.self) { try OpenedFile.open("/nowhere/a.mp3", below: ["/"]) }
        #expect(fault == SourceFault(.notFound, "There is no /nowhere/a.mp3 on the hub's machine."))
    }
}
