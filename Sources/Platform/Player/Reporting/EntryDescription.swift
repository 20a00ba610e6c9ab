import BatonCore

/// The description of an entry that was reported last, and the titles of its stream. A value.
struct EntryDescription {
    struct Facts: Equatable {
        var order: Int
        var entry: EntryID
        var tags: Tags
        var format: SoundFormat?
        var chapters: [ChapterList.Mark]
    }

    private(set) var told: Facts?
    var titles = DueTitles()
    private var questions = 0

    /// Begins a question to libmpv. Only the answer to the latest one counts.
    mutating func ask() -> Int {
        questions += 1
        return questions
    }

    func isLatest(_ question: Int) -> Bool { question == questions }

    /// True if the facts differ from those that were reported last.
    mutating func tell(_ facts: Facts) -> Bool {
        guard facts != told else { return false }
        told = facts
        return true
    }
}
