/// Noise for what reads the answers of Subsonic servers: envelopes, records as rows, moments, names of items and covers. Nothing may
/// crash, whatever a server says, and what becomes of it must fit into what the wire allows.
///
/// Built by `run` beside this file, together with the connector's values:
/// with: Sources/Features/Servers/ServerConnectors/Subsonic/Server/SubsonicAnswer.swift Sources/Features/Servers/ServerConnectors/Subsonic/Server/ServerTime.swift
/// with: Sources/Features/Servers/ServerConnectors/Subsonic/Server/MD5.swift Sources/Features/Servers/ServerConnectors/Subsonic/Server/LoginFallback.swift
/// with: Sources/Features/Servers/ServerConnectors/Subsonic/Server/Parameters.swift Sources/Features/Servers/ServerConnectors/Subsonic/SubsonicItem.swift
/// with: Sources/Features/Servers/ServerConnectors/Subsonic/Server/ServerPlace+Bookmark.swift
/// with: Sources/Features/Servers/ServerConnectors/Subsonic/Rows.swift Sources/Features/Servers/ServerConnectors/Subsonic/ListState.swift Sources/Features/Servers/ServerConnectors/Subsonic/AnswerCache.swift
import BatonCore
import BatonJSON
import BatonSeams

private let rows = Rows(source: "attic")

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses the status, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    let status = [200, 200, 200, 404, 501, 503][Int(start[0]) % 6]
    if case .content(let record) = SubsonicAnswer(status: status, bytes) { look(at: record, depth: 0) }
    let text = String(decoding: bytes, as: UTF8.self)
    _ = ServerTime.ms(text)
    if let item = SubsonicItem(ItemURI(text), of: "attic") {
        precondition(SubsonicItem(item.uri(of: "attic"), of: "attic") == item, "An item's name leads to another item.")
    }
    if let cover = CoverName(of: text, in: "attic") {
        precondition(CoverName.id(of: cover.art.name) == text || text.hasPrefix("uuid_"), "A cover's name leads to another cover.")
    }
    return 0
}

/// Every record as everything that it might be.
private func look(at record: SubsonicRecord, depth: Int) {
    guard depth < 24 else { return }
    let shown = [
        rows.song(record), rows.album(record), rows.artist(record), rows.playlist(record), rows.child(record), rows.station(record),
        rows.podcast(record), rows.episode(record, of: "1", titled: "Podcast"),
    ]
    for row in shown.compactMap({ $0 }) {
        precondition(row.tags.title.utf8.count <= 1_600 && (row.count ?? 0) >= 0 && 0...5 ~= row.mark.stars, "A row has no bounds.")
        precondition(row.tags.durationMs.map { $0 > 0 } ?? true, "A song has no length.")
    }
    if let facts = SongFacts(record) { precondition(!facts.name(facts.suffix).contains("/"), "A name is a path.") }
    let place = ServerPlace(bookmark: record, aheadMs: 5)
    precondition(0...1 << 40 ~= place.positionMs.count && place.atMs.map { abs($0.count) < 1 << 50 } ?? true, "A bookmark is nowhere.")
    let state = ListState(record)
    precondition(1...16 ~= state.version.utf8.count, "The version of a list has no bounds.")
    _ = try? state.songs(after: .remove([0, 5]), { uri throws(SourceFault) in uri.text })
    for value in record.json.object?.members.map(\.value) ?? [] {
        look(at: SubsonicRecord(value), depth: depth + 1)
        for element in value.array ?? [] { look(at: SubsonicRecord(element), depth: depth + 1) }
    }
}
