/// Noise for lines of MPD: words, numbers, filters and regular expressions. Whatever is read can be asked of a song, and what is refused has a sentence
/// of one line.
///
/// Built by `run` beside this file, together with the sources that no other module can see:
/// with: Sources/Dialects/MPD/Text/Ack.swift Sources/Dialects/MPD/Text/Argument.swift Sources/Dialects/MPD/Text/LeadingNumber.swift
/// with: Sources/Dialects/MPD/Text/LineWords.swift Sources/Dialects/MPD/Text/TimeStamp.swift Sources/Dialects/MPD/Songs/SongOrder.swift
/// with: Sources/Dialects/MPD/Filters/FilterReader.swift Sources/Dialects/MPD/Filters/FormatMask.swift Sources/Dialects/MPD/Filters/Pattern.swift
/// with: Sources/Dialects/MPD/Filters/PatternReader.swift Sources/Dialects/MPD/Filters/SongFilter.swift Sources/Dialects/MPD/Filters/SongFilter+Search.swift
/// with: Sources/Dialects/MPD/Filters/SongQuestion.swift Sources/Dialects/MPD/Filters/SongTester.swift Sources/Dialects/MPD/Filters/StickerSearch.swift
/// with: Sources/Dialects/MPD/Filters/TextTester.swift Sources/Dialects/MPD/Lists/ListPlan.swift
import BatonSeams

private let songs = [
    Song(
        uri: "Amber Lane/First Light/01 Dawn.flac", changed: 1_600_000_000, added: 1_600_000_100, format: "48000:16:2",
        tags: [.init(.artist, "Amber Lane"), .init(.title, "Dawn"), .init(.track, "1")], durationMs: 120_000),
    Song(uri: "Cellar/no tags.flac"),
]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let line = [UInt8](UnsafeBufferPointer(start: start, count: min(count, 8_191)))
    do throws(LineWords.Fault) {
        let words = try LineWords(line)
        precondition(!words.command.isEmpty && words.arguments.count <= LineWords.mostArguments)
        read(words)
    } catch {
        switch error {
        case .foreign: break
        case .refused(let ack), .farewell(let ack): check(ack)
        }
    }
    let lines = line.split(separator: 0x0A).map { Array($0) }
    for command in ["add", "deleteid", "clear"] { _ = ListPlan(beginningWith: command, lines[...]) }
    return 0
}

/// Reads the arguments as each kind of command would.
private func read(_ words: LineWords) {
    let folds = words.command.hasPrefix("s")
    tried { () throws(Ack) in
        let question = try SongQuestion(words.arguments, foldsCase: folds)
        let tester = try SongTester(question.filter)
        let found = songs.filter { tester.matches($0) }
        // A song that the store leaves out must not match.
        let search = question.filter.search
        for song in found {
            precondition(
                search.changedSince.map { $0 <= song.changed ?? 0 } ?? true && search.addedSince.map { $0 <= song.added ?? 0 } ?? true)
            precondition(search.folder.isEmpty || song.uri.utf8.starts(with: search.folder.utf8))
        }
        precondition((question.order?.sorted(found) ?? found).count == found.count)
        precondition(question.window.within(found.count).count <= found.count)
    }
    if !words.arguments.isEmpty {
        tried { () throws(Ack) in _ = try ListQuestion(words.arguments) }
        tried { () throws(Ack) in
            let search = try StickerSearch(words.arguments)
            _ = search.sorted([(name: "a", value: "9"), (name: "b", value: "10")].filter { search.matches($0.value) })
        }
    }
    for word in words.arguments {
        tried { () throws(Ack) in
            let place = try Argument.place(word, current: 3, length: 7)
            precondition((0...7).contains(place))
        }
        tried { () throws(Ack) in
            let range = try Argument.range(word)
            precondition(0 <= range.start && range.start <= range.end && range.within(5).upperBound <= 5)
        }
        tried { () throws(Ack) in
            let ms = try Argument.time(word)
            precondition(ms >= 0)
        }
        tried { () throws(Ack) in _ = try Pattern(word, foldsCase: folds).matches(Array("Amber Lane".utf8)[...]) }
    }
}

private func tried(_ body: () throws(Ack) -> Void) {
    do throws(Ack) { try body() } catch { check(error) }
}

private func check(_ ack: Ack) { precondition(!ack.sentence.isEmpty) }
