/// The chapters of one item, in order and without gap or overlap, whatever its file says.
///
/// Files name chapters that overlap, that begin twice or behind the end, and thousands of them. Here the beginnings decide: each
/// chapter ends where the next one begins, the first begins with the item and the last ends with it.
package struct ChapterList: Equatable, Sendable {
    /// A chapter as a file names it.
    package struct Mark: Equatable, Sendable {
        package var title: String
        package var startMs: Int

        package init(title: String, startMs: Int) {
            self.title = title
            self.startMs = startMs
        }
    }

    package private(set) var marks: [Mark]

    /// Later ones belong to the last.
    package static let most = 10_000

    package static let none = ChapterList([])

    /// Of several marks at one moment the first counts. A mark behind the end is none; before the first one there is no chapter of
    /// its own.
    package init(_ named: [Mark], durationMs: Int? = nil) {
        let inside = named.filter { $0.startMs < durationMs ?? .max }
        let sorted = inside.enumerated().sorted { ($0.element.startMs, $0.offset) < ($1.element.startMs, $1.offset) }.map(\.element)
        var marks: [Mark] = []
        for mark in sorted where marks.count < Self.most && mark.startMs > marks.last?.startMs ?? -1 { marks.append(mark) }
        if !marks.isEmpty { marks[0].startMs = 0 }
        self.marks = marks
    }

    package var count: Int { marks.count }
    package var isEmpty: Bool { marks.isEmpty }

    /// The chapter at a position; `nil` where there are none.
    package func index(atMs position: Int) -> Int? {
        guard !marks.isEmpty else { return nil }
        return marks.indexOfFirst { $0.startMs > position }.map { max(0, $0 - 1) } ?? marks.count - 1
    }

    /// Where chapters end after a position and before the item's end.
    package func ends(afterMs position: Int) -> ArraySlice<Mark> {
        marks[(marks.indexOfFirst { $0.startMs > position } ?? marks.count)...]
    }

    package func chapter(_ index: Int, durationMs: Int?) -> Chapter? {
        guard marks.indices.contains(index) else { return nil }
        let end = index + 1 < marks.count ? marks[index + 1].startMs : durationMs ?? marks[index].startMs
        return Chapter(title: marks[index].title, startMs: marks[index].startMs, endMs: max(marks[index].startMs, end))
    }
}

/// Chapters, and the entry that they belong to.
struct FoundChapters: Equatable, Sendable {
    var entry: EntryID?
    var list = ChapterList.none
}

extension Array {
    /// Where a condition begins to hold, which then holds to the end.
    fileprivate func indexOfFirst(where isBeyond: (Element) -> Bool) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low < count ? low : nil
    }
}
