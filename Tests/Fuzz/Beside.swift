/// Noise for what lies beside music and between programs: cue sheets, words, lists of paths in three forms, and text in whatever
/// encoding. Nothing may crash, parts of a file must lie in it, and what was understood must be understood again when it is
/// said again.
///
/// Built by `run` beside this file, together with the sources that read such things and that no other module can see:
/// with: Sources/Features/Library/BatonLibrary/Local/CueSheet.swift Sources/Features/Library/BatonLibrary/Local/FileKind.swift Sources/Features/Library/BatonLibrary/Local/TextFile.swift
/// with: Sources/Programs/baton/Playlists/JSPF.swift
import BatonCore
import BatonProtocol
import BatonSeams

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    let text = TextFile.text(bytes)
    switch start[0] % 4 {
    case 0: sheet(text, lengthMs: nil)
    case 1: sheet(text, lengthMs: 400_000)
    case 2: words(text)
    default: lists(bytes)
    }
    return 0
}

private func sheet(_ text: String, lengthMs: Milliseconds?) {
    let sheet = CueSheet(text: text)
    precondition(sheet.files.reduce(0) { $0 + $1.tracks.count } <= CueSheet.mostTracks, "More tracks than a sheet may have.")
    var whole = TrackFacts()
    whole.tags.durationMs = lengthMs
    for file in sheet.files {
        precondition(sheet.file(named: file.name) != nil, "A file that is named is not found.")
        let parts = file.parts(of: whole)
        precondition(parts.count != 1, "One part is no part.")
        for (part, next) in zip(parts, parts.dropFirst()) { precondition(part.endMs == next.startMs, "There is a gap between two parts.") }
        for part in parts {
            let begins = part.startMs ?? -1
            precondition(begins >= 0 && begins < part.endMs ?? lengthMs ?? .max, "A part ends before it begins.")
            precondition(part.tags.durationMs ?? 1 > 0 && !part.tags.title.isEmpty, "A part lasts no time, or has no name.")
        }
    }
}

private func words(_ text: String) {
    guard let lyrics = Lyrics(text: text) else { return }
    let moments = lyrics.lines.compactMap(\.atMs)
    precondition(moments == moments.sorted() && moments.allSatisfy { $0 >= 0 }, "Words come before those that are sung before them.")
}

/// Names in JSON are addresses and stay as they were read; all else is the same when it was written.
private func lists(_ bytes: [UInt8]) {
    let text = PlaylistText.text(of: bytes)
    for list in [PlaylistText(m3u: text), PlaylistText(pls: text)] {
        let once = PlaylistText(m3u: list.m3u)
        precondition(PlaylistText(m3u: once.m3u) == once, "A playlist changed when it was written.")
        spoken(list)
    }
    if let list = try? JSPF.read(bytes) { spoken(list) }
}

private func spoken(_ list: PlaylistText) {
    guard let once = try? JSPF.read(Array(JSPF.text(of: list).utf8)), let twice = try? JSPF.read(Array(JSPF.text(of: once).utf8)) else {
        fatalError("What we write ourselves is refused.")
    }
    precondition(once.title == twice.title && once.entries.map(\.tags) == twice.entries.map(\.tags), "A list changed its meaning.")
    precondition(once.entries.map(\.item) == twice.entries.map(\.item), "A list names other items.")
}
