/// Pictures that stand for what lies in other folders: of albums in several discs, and of artists.
import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import BatonLibrary

struct PictureScanTests {
    private func picture(_ library: Scanned, _ path: String) -> PictureSource? { library.catalogue.tracks(of: path)?.first?.picture }

    @Test func `the picture of an album counts for its discs that have none, and for no other folder in it`() async throws {
        try await withMusic { folder in
            let names = ["CD1/1.mp3", "Disc 2/2.mp3", "CD 03/3.mp3", "Extras/4.mp3", "CD1/Notes/5.mp3"]
            for name in names { try folder.file("music/album/" + name, Data("x".utf8)) }
            try folder.file("music/album/cover.jpg", Data("x".utf8))
            try folder.file("music/album/Disc 2/folder.png", Data("x".utf8))
            let library = Scanned(folder)
            let album = folder.music + "/album"

            _ = await library.scan()

            let cover = PictureSource.file(album + "/cover.jpg")
            let found = names.map { picture(library, "\(album)/\($0)") }
            #expect(found == [cover, .file(album + "/Disc 2/folder.png"), cover, nil, nil])
            #expect((await library.scan()).report.read == 0)
        }
    }

    @Test func `a picture that comes later reaches the discs, and a disc that is looked at alone keeps it`() async throws {
        try await withMusic { folder in
            let (album, disc) = (folder.music + "/album", folder.music + "/album/CD1")
            try folder.file("music/album/CD1/1.mp3", Data("x".utf8))
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: disc + "/1.mp3")
            let library = Scanned(folder)
            _ = await library.scan()
            #expect(picture(library, disc + "/1.mp3") == nil)

            try folder.file("music/album/cover.jpg", Data("x".utf8))
            #expect((await library.look(at: album)).report.read == 1)
            #expect(picture(library, disc + "/1.mp3") == .file(album + "/cover.jpg"))
            #expect((await library.look(at: disc)).report.read == 0)

            try FileManager.default.removeItem(atPath: album + "/cover.jpg")
            #expect((await library.look(at: disc)).report.read == 1)
            #expect(picture(library, disc + "/1.mp3") == nil)
        }
    }

    @Test func `pictures of artists are read once, noticed when they change, and forgotten when they go`() async throws {
        try await withMusic { folder in
            try folder.file("music/Ann/First/1.mp3", Data("x".utf8))
            for name in ["Ann/artist.png", "Ann/Artist.JPG", "Bob/artist.jpeg"] { try folder.file("music/" + name, Data("x".utf8)) }
            let library = Scanned(folder)
            func known() throws -> [String] {
                try library.catalogue.artistPictures().keys.map { String($0.dropFirst(folder.music.count)) }.sorted()
            }

            #expect((await library.scan()).hasChanged)
            #expect(try known() == ["/Ann/Artist.JPG", "/Bob/artist.jpeg"])
            #expect(library.catalogue.state.withLock { $0.artists[folder.music + "/Bob/artist.jpeg"]?.art?.id } == "id-of-artist.jpeg")
            #expect(picture(library, folder.music + "/Ann/First/1.mp3") == nil)
            #expect(!(await library.scan()).hasChanged)

            try FileManager.default.removeItem(atPath: folder.music + "/Ann/Artist.JPG")
            #expect((await library.look(at: folder.music + "/Ann")).hasChanged)
            #expect(try known() == ["/Ann/artist.png", "/Bob/artist.jpeg"])
            try FileManager.default.removeItem(atPath: folder.music + "/Bob")
            #expect((await library.scan()).hasChanged)
            #expect(try known() == ["/Ann/artist.png"])
        }
    }
}

extension Scanned {
    /// As after an event: this folder alone.
    fileprivate func look(at folder: String) async -> Scan.Outcome {
        var request = ScanRequest()
        request.note(.changed(folder))
        return await withTaskExecutorPreference(Self.quiet) { [request] in await request.carryOut(parts) { _ in } }
    }
}
