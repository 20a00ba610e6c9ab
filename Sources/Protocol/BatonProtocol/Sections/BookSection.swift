public import BatonCore

/// `book`: the chapter that is heard. Absent where the current entry has no chapters.
public struct BookSection: SectionContent {
    package static let section = Section.book

    public var entry: EntryID
    /// Counted from 1.
    public var number: Int
    public var count: Int
    public var chapter: Chapter

    package init(entry: EntryID, number: Int, count: Int, chapter: Chapter) {
        self.entry = entry
        self.number = number
        self.count = count
        self.chapter = chapter
    }
}

/// `b`: the same for a watch, as `[number, count, title]`.
package struct WatchBook: SectionContent {
    package static let section = Section.watchBook

    package var number: Int
    package var count: Int
    package var title: String

    package init(number: Int, count: Int, title: String) {
        self.number = number
        self.count = count
        self.title = title
    }

    package init(_ book: BookSection) { self.init(number: book.number, count: book.count, title: book.chapter.title) }
}
