/// Noise for what reads radio: ICY metadata, lists of stations (m3u, pls, OPML, XSPF, JSON), playlists of HLS, and sound that is cut
/// into parts. Nothing may crash, and what was read must be good to keep.
///
/// Built by `run` beside this file, together with the connector's decoders:
/// with: Sources/Features/Radio/BatonRadio/Stations/Reading/ICYSplitter.swift Sources/Features/Radio/BatonRadio/Stations/Reading/ICYTitle.swift
/// with: Sources/Features/Radio/StationLists/XMLScanner.swift Sources/Features/Radio/StationLists/StationFile.swift
/// with: Sources/Features/Radio/StationLists/StationFile+XML.swift Sources/Features/Radio/StationLists/StationDirectory.swift
/// with: Sources/Features/Radio/BatonRadio/Stations/Reading/HLSPlaylist.swift Sources/Features/Radio/BatonRadio/Stations/Reading/WebAddress+Resolving.swift
/// with: Sources/Features/Radio/BatonRadio/Stations/Recording/SoundFrame.swift Sources/Features/Radio/BatonRadio/Stations/Recording/SoundCutter.swift
/// with: Sources/Features/Radio/BatonRadio/Stations/Stream/OggPages.swift Sources/Features/Radio/BatonRadio/Stations/Stream/OggHead.swift
import BatonCore
import BatonJSON
import BatonSeams

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 2 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 6 {
    case 0: icy(Array(bytes.dropFirst()), Int(bytes[0]))
    case 1: pieces(bytes)
    case 4: sound(bytes)
    case 5: ogg(bytes)
    default:
        for station in (try? StationFile(bytes, named: "x"))?.stations ?? [] {
            precondition(station.checked == station, "A station that was read cannot be kept.")
        }
    }
    return 0
}

private func icy(_ bytes: [UInt8], _ metaint: Int) {
    if let title = ICYTitle.title(in: bytes) { precondition(title.utf8.count <= StationText.streamTitleBytes) }
    var (whole, single) = (ICYSplitter(metaint: metaint), ICYSplitter(metaint: metaint))
    var (sound, same): ([UInt8], [UInt8]) = ([], [])
    let blocks = whole.take(bytes, into: &sound)
    precondition(bytes.flatMap { single.take([$0], into: &same) } == blocks && sound == same, "A cut changed the stream.")
    precondition(blocks.allSatisfy { $0.bytes.count <= ICYSplitter.mostBytes })
}

private func pieces(_ bytes: [UInt8]) {
    guard let base = WebAddress("http://a.example/b/c?d"), let text = String(validating: bytes, as: UTF8.self) else { return }
    if let found = base.resolving(text) { precondition(WebAddress(found.text) == found) }
    guard case .pieces(let list)? = try? HLSPlaylist(text, at: base) else { return }
    precondition(list.pieces.allSatisfy { ($0.range.map { $0.lowerBound >= 0 } ?? true) && $0.durationMs >= 0 })
}

/// However the sound comes in pieces, its parts joined are the sound.
private func sound(_ bytes: [UInt8]) {
    let form = [SoundForm.mpeg, .adts, .ogg, .bytes][Int(bytes[0] % 4)]
    var cutter = SoundCutter(form)
    var joined: [UInt8] = []
    for (number, byte) in bytes.dropFirst().enumerated() {
        for case .sound(let sound) in cutter.take([byte], isCut: number % 97 == 0) { joined += sound }
    }
    joined += cutter.end()
    let isWhole = joined.elementsEqual(bytes.dropFirst())
    precondition(isWhole || (form == .mpeg && joined.count < bytes.count), "A part of the sound is missing.")
}

/// However the pages come in pieces, they are the stream, and their places and titles are the same.
private func ogg(_ bytes: [UInt8]) {
    let whole = pieces(of: bytes, by: max(1, bytes.count))
    precondition(whole.sound == bytes, "A part of the stream is missing.")
    precondition(pieces(of: bytes, by: Int(bytes[0]) + 1) == whole, "A cut changed the stream.")
    precondition(whole.titles.allSatisfy { $0.text.utf8.count <= StationText.streamTitleBytes && $0.at <= bytes.count })
}

private func pieces(of bytes: [UInt8], by size: Int) -> StreamPiece {
    var pages = OggPages()
    var joined = StreamPiece([])
    func add(_ piece: StreamPiece) {
        let at = joined.sound.count
        joined.titles += piece.titles.map { StreamPiece.Title(at: $0.at + at, $0.text) }
        joined.entries += piece.entries.map { StreamPiece.Entry(at: $0.at + at, head: $0.head) }
        joined.sound += piece.sound
    }
    for start in stride(from: 0, to: bytes.count, by: size) {
        add(pages.take(StreamPiece(Array(bytes[start..<min(bytes.count, start + size)]))))
    }
    add(pages.end())
    return joined
}
