/// Names of files that follow from their content, as the library keeps them.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct ContentIDTests {
    private static func id(_ number: UInt8) -> ContentID { ContentID(hash: [UInt8](repeating: number, count: 32)) }

    @Test func `a name is kept with its file, and leads to its track`() throws {
        try withLibrary { library in
            try library.scan([Song("One"), Song("Two")])
            let files = try library.unnamedFiles(after: nil, most: 10)
            #expect(files.count == 2)
            #expect(try library.store([(file: files[0], id: Self.id(1)), (file: files[1], id: Self.id(2))]).isEmpty)

            #expect(try library.unnamedFiles(after: nil, most: 10).isEmpty)
            let tracks = try library.namedTracks(after: 0, most: 10)
            #expect(tracks.map(\.id) == [Self.id(1), Self.id(2)])
            #expect(try library.namedTracks(after: tracks[0].position, most: 10).count == 1)
            #expect(try library.track(named: Self.id(2)) == tracks[1].row.uri)
            #expect(
                try library.trackNames(of: tracks.map(\.row.uri) + [ItemURI("file:x")]).values.map(\.file).sorted() == [
                    "One.flac", "Two.flac",
                ])
            #expect(try library.contentIDCount() == 2)
        }
    }

    @Test func `a name that another file has is not given twice, and a copy has none`() throws {
        try withLibrary { library in
            try library.scan([Song("One"), Song("Two")])
            let files = try library.unnamedFiles(after: nil, most: 10)
            #expect(try library.store([(file: files[0], id: Self.id(1)), (file: files[1], id: Self.id(1))]) == [files[1].id])
            #expect(try library.store([(file: files[1], id: ContentID?.none)]).isEmpty)
            #expect(try library.unnamedFiles(after: nil, most: 10).isEmpty)
            #expect(try library.namedTracks(after: 0, most: 10).count == 1)
        }
    }

    @Test func `a name that its file has outgrown does not count`() throws {
        try withLibrary { library in
            try library.scan([Song("One")])
            var file = try #require(try library.unnamedFiles(after: nil, most: 10).first)
            file.size += 1
            _ = try library.store([(file: file, id: Self.id(1))])
            #expect(try library.unnamedFiles(after: nil, most: 10).count == 1)
            #expect(try library.track(named: Self.id(1)) == nil)
        }
    }

    @Test func `the text of a name is read as it is written`() {
        #expect(ContentID(text: Self.id(171).description) == Self.id(171))
        for text in ["", "sha256:", "sha256:0", "md5:" + String(repeating: "0", count: 64), "sha256:" + String(repeating: "G", count: 64)] {
            #expect(ContentID(text: text) == nil)
        }
    }
}
