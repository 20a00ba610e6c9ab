/// Folders of music that the hub finds by itself.
import BatonCore
import BatonSeams
import Disk
import Foundation
import Testing

@testable import Local

struct FoundFolderTests {
    private func found(_ folder: MusicFolder, roots: [String], data: [String] = [], besides known: [String] = []) -> [String] {
        var search = FoundFolders(disk: Disk(), bounds: LibraryBounds(roots: roots, data: data), clock: .system)
        return search.find(besides: known).map { "\($0.path.dropFirst(folder.root.count)) \($0.tracks)" }
    }

    @Test func `folders that are called like music are found with how much is in them`() async throws {
        try await withMusic { folder in
            for name in [
                "music/a/1.mp3", "music/2.flac", "music/cover.jpg", "media/anna/disk/Musik/x/3.ogg", "media/anna/disk/Films/4.mp3",
            ] {
                try folder.file(name, Data("x".utf8))
            }
            for name in ["srv/Music/notes.txt", "srv/.hidden/music/5.mp3", "deep/a/b/c/d/music/6.mp3"] {
                try folder.file(name, Data("x".utf8))
            }
            let roots = ["music", "media", "srv", "deep", "missing"].map { folder.root + "/" + $0 }

            #expect(found(folder, roots: roots) == ["/music 2", "/media/anna/disk/Musik 1"])
            // What is elsewhere could not be added.
            #expect(found(folder, roots: [folder.root + "/media/anna"]) == ["/media/anna/disk/Musik 1"] && found(folder, roots: []).isEmpty)
        }
    }

    @Test func `folders of the library, around it and in it, and the hub's own data are none`() async throws {
        try await withMusic { folder in
            for name in ["a/music/1.mp3", "b/music/in/2.mp3", "c/music/3.mp3", "d/music/4.mp3"] { try folder.file(name, Data("x".utf8)) }
            let root = folder.root
            let known = ["\(root)/a/music", "\(root)/b/music/in", "\(root)/c"]
            #expect(found(folder, roots: [root], data: ["\(root)/d"], besides: known).isEmpty)
            #expect(found(folder, roots: [root], besides: known) == ["/d/music 1"])
        }
    }
}
