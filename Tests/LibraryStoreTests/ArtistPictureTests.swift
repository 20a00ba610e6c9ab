/// Which artist has the picture of which folder.
import BatonCore
import BatonSeams
import Testing

@testable import Stores

@Suite struct `Artists have the pictures in their folders` {
    private func file(_ path: String, _ art: String? = "p1") -> ScannedArtistPicture {
        ScannedArtistPicture(
            path: path, stamp: FileStamp(size: 1, modifiedNs: 2, inode: 3), art: art.map { Artwork(id: $0, width: 30, height: 30) })
    }

    private func picture(_ library: LibraryStore, of artist: String) throws -> String? {
        let row = try #require(try library.search(SearchQuery(artist, kinds: [.artist])).rows.first)
        let details = try library.details(of: row.uri)
        #expect(details.row.tags.art?.id == row.tags.art?.id)
        return row.tags.art?.id
    }

    private let songs = [
        Song("One", by: ["Ännie"], on: "First", in: "/music/annie/First"), Song("Two", by: ["Bob"], on: "Second", in: "/music/Mixed"),
    ]

    @Test func `a folder that is called like an artist and has its music has its picture`() throws {
        try withLibrary { library in
            try library.scan(songs)
            try library.setArtistPictures([file("/music/annie/artist.jpg"), file("/music/Bob/artist.jpg", "p2")], gone: [])

            #expect(try picture(library, of: "annie") == "p1" && picture(library, of: "bob") == nil)
            #expect(try library.picture("p1") == .file("/music/annie/artist.jpg"))
            let revision = library.libraryCounts().libraryRevision
            try library.setArtistPictures([], gone: [])
            #expect(library.libraryCounts().libraryRevision == revision)

            try library.scan(songs + [Song("Three", by: ["Bob"], in: "/music/Bob")])
            try library.setArtistPictures([], gone: [])
            #expect(try picture(library, of: "bob") == "p2" && library.libraryCounts().libraryRevision > revision)
        }
    }

    @Test func `a picture that is gone or cannot be read is none, and one of two folders is enough`() throws {
        try withLibrary { library in
            try library.scan(songs + [Song("Four", by: ["Ännie"], in: "/music/more/Annie")])
            let files = [file("/music/annie/artist.jpg", nil), file("/music/more/Annie/artist.png", "p2")]
            try library.setArtistPictures(files, gone: [])
            #expect(try library.artistPictures().keys.sorted() == files.map(\.path))
            #expect(try picture(library, of: "annie") == "p2")

            try library.setArtistPictures([], gone: ["/music/more/Annie/artist.png"])
            #expect(try picture(library, of: "annie") == nil)
            // What no track and no artist shows is tidied away by a scan that has changed something.
            try library.scan(songs)
            #expect(try library.picture("p2") == nil)
        }
    }
}
