/// Noise for everything that reads what a stranger's file, or a reader that was taken over by one, may
/// say: the messages between hub and reader, the meaning of tags, the first bytes of pictures and sound,
/// lyrics. Nothing may crash, and what was understood must be understood again when it is said again.
///
/// Built by `run` beside this file with libFuzzer and the address sanitizer; not a target of the
/// package, since the sanitizer's coverage belongs in no other build.
import BatonCore
import BatonReading
import BatonSeams
import Media

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 8 {
    case 0: answer(bytes)
    case 1: request(bytes)
    case 2: picture(bytes)
    case 3: tag(bytes)
    case 4: lyrics(bytes)
    case 6: transcoderAnswer(bytes)
    case 7: transcoderRequest(bytes)
    default: tags(bytes)
    }
    return 0
}

private func answer(_ bytes: [UInt8]) {
    guard let answer = try? ReaderAnswer(bytes) else { return }
    let again = try? ReaderAnswer(Array(answer.frame.dropFirst(FrameHead.length)))
    precondition(again == answer, "An answer changed its meaning.")
    if case .facts(let facts) = answer { judge(MediaFacts(facts, of: "/a")) }
    if case .feed(let facts) = answer { judge(Feed(facts)) }
}

private func transcoderAnswer(_ bytes: [UInt8]) {
    guard let answer = try? TranscoderAnswer(bytes) else { return }
    let again = try? TranscoderAnswer(Array(answer.frame.dropFirst(FrameHead.length)))
    precondition(again == answer, "An answer changed its meaning.")
}

private func transcoderRequest(_ bytes: [UInt8]) {
    guard let request = try? TranscoderRequest(bytes) else { return }
    let again = try? TranscoderRequest(Array(request.frame.dropFirst(FrameHead.length)))
    precondition(again == request, "A request changed its meaning.")
}

private func request(_ bytes: [UInt8]) {
    guard let request = try? ReaderRequest(bytes) else { return }
    let again = try? ReaderRequest(Array(request.frame.dropFirst(FrameHead.length)))
    precondition(again == request, "A request changed its meaning.")
}

private func picture(_ bytes: [UInt8]) {
    if let header = try? PictureHeader(of: bytes) {
        precondition(header.width > 0 && header.height > 0 && header.width * header.height <= PictureHeader.mostPixels)
        let cut = PictureCut(
            of: (header.width, header.height), for: PictureRequest(width: Int(bytes[0]) + 1, height: nil, type: .jpeg))
        precondition(cut.left + cut.width <= header.width && cut.top + cut.height <= header.height)
    }
    let colours = PictureColours(rgba: bytes)
    precondition(colours.accent.contrast(to: colours.ground) >= PictureColours.contrast)
}

private func tag(_ bytes: [UInt8]) {
    _ = SoundHeader.mpeg(bytes)
    _ = SoundHeader.flac(bytes)
    if let us = MPEGGaps.lengthUs(bytes) { precondition(us > 0) }
    precondition(MPEGGaps.frameStart(bytes) >= 0)
    for tag in ID3Texts(bytes).values { precondition(!tag.values.isEmpty) }
    _ = MPEGLength.countedUs(from: 0, to: Int64(bytes.count)) { Array(bytes.dropFirst(Int($0)).prefix($1)) }
    boxes(bytes)
}

/// Of a file, whose every place may be asked for, and which is longer than what can be read of it.
private func boxes(_ bytes: [UInt8]) {
    for size in [bytes.count, bytes.count * 2] {
        let texts = MP4Texts(size: Int64(size)) { at, most in
            precondition(at >= 0 && at < size && most > 0 && most <= FileFacts.longestValue + 8, "A place outside of the file.")
            return Array(bytes.dropFirst(Int(at)).prefix(most))
        }
        precondition(texts.values.allSatisfy { !$0.value.isEmpty })
    }
}

private func lyrics(_ bytes: [UInt8]) {
    guard let lyrics = Lyrics(text: String(decoding: bytes, as: UTF8.self)) else { return }
    let moments = lyrics.lines.compactMap(\.atMs)
    precondition(moments == moments.sorted() && moments.allSatisfy { $0 >= 0 })
}

/// A name and a value in turns, one a line.
private func tags(_ bytes: [UInt8]) {
    var facts = FileFacts()
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).map(Array.init)
    for at in stride(from: 0, to: lines.count - 1, by: 2) { facts.tags.append(.init(name: lines[at], value: lines[at + 1])) }
    judge(MediaFacts(facts, of: "/a"))
}

/// What is shown holds nothing that disturbs a screen.
private func judge(_ facts: MediaFacts) {
    let track = facts.track
    let texts =
        [track.tags.title, track.tags.album, track.tags.albumArtist, track.sortTitle, track.sortArtist] + track.tags.artists + track.genres
        + track.composers + track.chapters.map(\.title)
    for text in texts {
        precondition(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "A control character came through.")
    }
    precondition(track.chapters.allSatisfy { $0.endMs >= $0.startMs })
}

/// Episodes can be told apart, and their addresses can be called.
private func judge(_ feed: Feed) {
    precondition(Set(feed.episodes.map(\.key)).count == feed.episodes.count, "Two episodes have one key.")
    precondition(feed.episodes.allSatisfy { WebAddress($0.url) != nil && $0.about.utf8.count <= PodcastText.aboutBytes })
}
