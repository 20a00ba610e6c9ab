/// Noise for what reads podcasts: feeds of RSS and Atom, times of theirs, chapters beside an episode, descriptions in HTML. Nothing may
/// crash, and facts that are said to the hub must be understood there.
///
/// Built by `run` beside this file, together with the connector's decoder:
/// with: Sources/Features/Podcasts/BatonPodcasts/Feeds/EpisodeChapters.swift
import BatonCore
import BatonReading
import MediaFormat

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    let text = String(decoding: bytes, as: UTF8.self)
    switch start[0] % 4 {
    case 0: feed(bytes)
    case 1: chapters(bytes)
    case 2: _ = FeedTime.moment(text)
    default: precondition(PlainText.of(markup: text, bytes: 200).utf8.count <= 200, "A description is too long.")
    }
    return 0
}

private func feed(_ bytes: [UInt8]) {
    guard let facts = try? FeedParser.facts(of: bytes) else { return }
    precondition(facts.episodes.count <= FeedFacts.mostEpisodes)
    let answer = ReaderAnswer.feed(facts)
    let again = try? ReaderAnswer(Array(answer.frame.dropFirst(FrameHead.length)))
    precondition(again == answer, "Facts of a feed are not understood again.")
}

private func chapters(_ bytes: [UInt8]) {
    let chapters = EpisodeChapters.read(bytes, durationMs: 3_600_000)
    precondition(chapters.count <= ChapterList.most)
    precondition(zip(chapters, chapters.dropFirst()).allSatisfy { $0.startMs <= $1.startMs }, "Chapters are out of order.")
}
