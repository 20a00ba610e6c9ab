import BatonClient
import BatonCore
import BatonProtocol

/// The chapters of the current item.
extension Verb {
    @Sendable static func chapters(_ call: Invocation, _ satellite: Satellite) async throws {
        let target = try call.operandIfAny().map { text throws(Stop) in try ChapterWord(text) }
        try await satellite.withHub(call) { hub in
            let mirror = try await hub.state()
            guard let now = mirror.now else { throw Stop(.refused, "Nothing is playing, so there are no chapters.") }
            guard let target else { return try await showChapters(of: now, call, hub) }
            switch target {
            case .number(let number): try await hub.send(Commands.BookChapter(entry: now.entry, number: number))
            case .by(let steps): try await hub.send(Commands.BookChapter(entry: now.entry, steps: steps))
            }
            if call.json { return try await report(call, hub) }
            guard let book = await hub.mirror.book else { return }
            Output.line("\(StatusText(mirror: mirror, positionMs: 0).prefix)\(line(book))")
        }
    }

    private static func showChapters(of now: NowSection, _ call: Invocation, _ hub: ReconnectingHub) async throws {
        if call.json { return try await report(call, hub) }
        guard let book = await hub.mirror.book else { return Output.line("What plays has no chapters.") }
        var details: ItemDetails?
        if let uri = now.uri { details = try? await hub.send(Commands.Item(uri)).answer?.details }
        // The source knows no chapters of the item; the hub read this one from the file.
        guard let chapters = details?.chapters, !chapters.isEmpty else { return Output.line(line(book)) }
        for (index, chapter) in chapters.enumerated() {
            let sign = index + 1 == book.number ? "▶" : " "
            Output.line(VisibleText.of("\(sign) \(index + 1)  \(TimeText.show(ms: chapter.startMs))  \(chapter.title)"))
        }
    }

    private static func line(_ book: BookSection) -> String {
        VisibleText.of("chapter \(book.number) of \(book.count)\(book.title.isEmpty ? "" : ": \(book.title)")")
    }
}

/// A chapter as people type it: `3`, `+1`, `-1`. Pure.
enum ChapterWord: Equatable {
    case number(Int)
    case by(Int)

    init(_ text: String) throws(Stop) {
        guard let number = Int(text), number != 0, abs(number) <= ChapterList.most else {
            throw Stop(.usage, "“\(text)” is no chapter. Write its number, or +1 or -1 for the next one and the one before.")
        }
        self = text.hasPrefix("+") || text.hasPrefix("-") ? .by(number) : .number(number)
    }
}
