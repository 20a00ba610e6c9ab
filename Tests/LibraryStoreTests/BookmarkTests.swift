/// Bookmarks as they are stored: BT-MRK-001 to BT-MRK-004.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Stores

struct BookmarkTests {
    private static func place(_ item: Int, _ positionMs: Milliseconds) -> BookmarkPlace {
        BookmarkPlace(uri: ItemURI("file:book/\(item)"), positionMs: positionMs, title: "Book \(item)", album: "Shelf", chapter: "One")
    }

    private static func add(_ place: BookmarkPlace, _ note: String = "", once: CommandKey? = nil, to library: LibraryStore) throws
        -> Bookmark
    {
        try library.addBookmark(place, note: note, of: .home, by: "Anna", once: once, atMs: 7).bookmark
    }

    @Test func `a bookmark is there again after the hub's end, with what the item was called`() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let library = try LibraryStore(folder: folder)
            let bookmark = try Self.add(Self.place(1, 5000), "who?", to: library)
            library.close()

            let again = try LibraryStore(folder: folder)
            defer { again.close() }
            #expect(try again.bookmarks(of: .home, in: nil, from: 0, limit: 10) == BookmarkPage([bookmark], total: 1))
            #expect(bookmark == Bookmark(id: bookmark.id, place: Self.place(1, 5000), note: "who?", author: "Anna", atMs: 7))
        }
    }

    @Test func `a command that comes twice sets one, and its key is for no other command`() throws {
        try withLibrary { library in
            let key = CommandKey(device: "d", key: "k", hash: [1])
            let first = try library.addBookmark(Self.place(1, 1), note: "", of: .home, by: nil, once: key, atMs: 1)
            let second = try library.addBookmark(Self.place(1, 1), note: "", of: .home, by: nil, once: key, atMs: 2)
            #expect(first.isNew && !second.isNew && first.bookmark == second.bookmark)
            let other = CommandKey(device: "d", key: "k", hash: [2])
            #expect(throws: SourceFault(.keyMismatch, "This key was used for another command.")) {
                try library.addBookmark(Self.place(2, 1), note: "", of: .home, by: nil, once: other, atMs: 3)
            }
            #expect(try library.bookmarks(of: .home, in: nil, from: 0, limit: 10).total == 1)
        }
    }

    @Test func `another position has another chapter, and what stays the same is no change`() throws {
        try withLibrary { library in
            let id = try Self.add(Self.place(1, 5000), "who?", to: library).id
            #expect(try library.editBookmark(id, of: .home, BookmarkEdit(note: "who?", positionMs: 5000)).isNew == false)
            let moved = try library.editBookmark(id, of: .home, BookmarkEdit(positionMs: 9000))
            #expect(moved.isNew && moved.bookmark.note == "who?" && moved.bookmark.place.chapter == "")
            #expect(throws: SourceFault.self) { try library.editBookmark(id + 1, of: .home, BookmarkEdit(note: "")) }
        }
    }

    /// BT-MRK-004
    @Test func `each person sees and changes their own, and those that were set before belong to home`() throws {
        try withLibrary { library in
            let ann = Person("ann")
            let own = try Self.add(Self.place(1, 1000), to: library)
            let hers = try library.addBookmark(Self.place(1, 2000), note: "", of: ann, by: nil, once: nil, atMs: 8).bookmark
            #expect(try library.bookmarks(of: .home, in: nil, from: 0, limit: 9) == BookmarkPage([own], total: 1))
            #expect(try library.bookmarks(of: ann, in: Self.place(1, 0).uri, from: 0, limit: 9) == BookmarkPage([hers], total: 1))
            #expect(throws: SourceFault.self) { try library.editBookmark(own.id, of: ann, BookmarkEdit(note: "mine")) }
            #expect(throws: SourceFault.self) { try library.deleteBookmark(own.id, of: ann) }
            #expect(try library.deleteBookmark(hers.id, of: ann))
            #expect(try library.bookmarks(of: .home, in: nil, from: 0, limit: 9).total == 1)
        }
    }

    /// Against a list in memory.
    @Test(arguments: seeds) func `what is deleted can be restored for a while, and no number comes twice`(seed: UInt64) throws {
        try withLibrary { library in
            var random = SeededGenerator(seed)
            var there: [Bookmark] = []
            var deleted: [Bookmark] = []
            var numbers: Set<Int> = []
            for _ in 0..<80 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    let place = Self.place(Int.random(in: 0..<3, using: &random), Milliseconds(Int.random(in: 0..<9000, using: &random)))
                    let bookmark = try Self.add(place, to: library)
                    #expect(numbers.insert(bookmark.id).inserted, "\(seed)")
                    there.append(bookmark)
                case 2 where !there.isEmpty:
                    let bookmark = there.remove(at: Int.random(in: 0..<there.count, using: &random))
                    #expect(try library.deleteBookmark(bookmark.id, of: .home), "\(seed)")
                    deleted = Array((deleted + [bookmark]).suffix(LibraryDatabase.mostDeletedBookmarks))
                case 3 where !deleted.isEmpty:
                    let bookmark = deleted.remove(at: Int.random(in: 0..<deleted.count, using: &random))
                    #expect(try library.deleteBookmark(bookmark.id, of: .home) == false, "\(seed)")
                    #expect(throws: SourceFault.self) { try library.editBookmark(bookmark.id, of: .home, BookmarkEdit(note: "x")) }
                    #expect(try library.editBookmark(bookmark.id, of: .home, BookmarkEdit(restores: true)).bookmark == bookmark, "\(seed)")
                    there.append(bookmark)
                default: break
                }
            }
            let all = there.sorted { $0.id > $1.id }
            #expect(try library.bookmarks(of: .home, in: nil, from: 0, limit: 100) == BookmarkPage(all, total: all.count), "\(seed)")
            let item = ItemURI("file:book/1")
            let own = there.filter { $0.place.uri == item }.sorted { ($0.place.positionMs, $0.id) < ($1.place.positionMs, $1.id) }
            #expect(try library.bookmarks(of: .home, in: item, from: 1, limit: 2).bookmarks == Array(own.dropFirst().prefix(2)), "\(seed)")
        }
    }
}
