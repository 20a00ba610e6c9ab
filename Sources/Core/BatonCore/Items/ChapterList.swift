/// The chapters of one item, in order and without gap or overlap, whatever its file says.
///
/// Files contain chapters that overlap, that begin twice or after the end, and thousands of them. Here only the beginnings count: each chapter ends
/// where the next one begins, the first begins with the item and the last ends with it.
package struct ChapterList: Equatable, Sendable {
    /// A chapter mark from a file.
    package struct Mark: Equatable, Sendable {
        /// The name in the file; empty where it has none.
        package var title: String
        /// The beginning, as the file says.
        package var startMs: Milliseconds

        package init(title: String, startMs: Milliseconds) {
            self.title = title
            self.startMs = startMs
        }
    }

    /// The beginnings in ascending order, the first at 0; each has its own position.
    package private(set) var marks: [Mark]

    /// Maximum number of chapters; the last one includes the rest.
    package static let most = 10_000

    /// The list of an item that has no chapters.
    package static let none = ChapterList([])

    /// Makes the list of marks. Of several marks at one position the first counts. Marks after the end are ignored, and the first chapter starts at
    /// 0.
    package init(_ named: [Mark], durationMs: Milliseconds? = nil) {
        let inside = named.filter { $0.startMs < durationMs ?? .max }
        let sorted = inside.enumerated().sorted { ($0.element.startMs, $0.offset) < ($1.element.startMs, $1.offset) }.map(\.element)
        var marks: [Mark] = []
        for mark in sorted where marks.count < Self.most && mark.startMs > marks.last?.startMs ?? -1 { marks.append(mark) }
        if !marks.isEmpty { marks[0].startMs = 0 }
        self.marks = marks
    }

    /// Number of chapters; 0 for an item that has none.
    package var count: Int { marks.count }
    package var isEmpty: Bool { marks.isEmpty }

    /// The chapter at a position; `nil` for an item without chapters.
    package func index(atMs position: Milliseconds) -> Int? {
        guard !marks.isEmpty else { return nil }
        return marks.indexOfFirst { $0.startMs > position }.map { max(0, $0 - 1) } ?? marks.count - 1
    }

    /// The chapter ends after a position and before the item's end.
    package func ends(afterMs position: Milliseconds) -> ArraySlice<Mark> {
        marks[(marks.indexOfFirst { $0.startMs > position } ?? marks.count)...]
    }

    /// A chapter by its index, from 0. The last one ends with the item, and is empty while the item's length is unknown.
    package func chapter(_ index: Int, durationMs: Milliseconds?) -> Chapter? {
        guard marks.indices.contains(index) else { return nil }
        let end = index + 1 < marks.count ? marks[index + 1].startMs : durationMs ?? marks[index].startMs
        return Chapter(title: marks[index].title, startMs: marks[index].startMs, endMs: max(marks[index].startMs, end))
    }
}

/// The chapters of an entry.
struct FoundChapters: Equatable, Sendable {
    var entry: EntryID?
    var list = ChapterList.none
}

extension Array {
    /// The first index at which a condition holds that then holds to the end.
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
