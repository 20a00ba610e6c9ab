/// Noise for what reads the answers of a Sappho server, the names that remotes give to its items, and what people type to find
/// books. Nothing may crash, a name that was understood is written the same, and no number is negative.
///
/// Built by `run` beside this file with libFuzzer and the address sanitizer; not a target of the
/// package, since the sanitizer's coverage belongs in no other build.
/// with: Sources/Features/Servers/ServerConnectors/JSON+Answers.swift
/// with: Sources/Features/Servers/ServerConnectors/Sappho/Answers/SapphoBook.swift
/// with: Sources/Features/Servers/ServerConnectors/Sappho/Answers/SapphoCollection.swift
/// with: Sources/Features/Servers/ServerConnectors/Sappho/Browsing/SapphoSearch.swift
/// with: Sources/Features/Servers/ServerConnectors/Sappho/SapphoItem.swift
/// with: Sources/Features/Servers/ServerConnectors/Sappho/Server/SapphoReply.swift
import BatonCore
import BatonJSON
import BatonSeams

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 3 {
    case 0: answer(bytes)
    case 1: name(bytes)
    default: search(bytes)
    }
    return 0
}

private func answer(_ bytes: [UInt8]) {
    let reply = SapphoReply(status: 200, body: bytes)
    _ = reply.message
    guard let json = reply.json else { return }
    let rows = (json.array ?? json["audiobooks"]?.array ?? json["books"]?.array ?? []) + [json]
    for row in rows {
        if let book = SapphoBook(row) { precondition(book.id > 0 && (book.durationMs ?? 1) > 0 && (book.place?.positionMs ?? 0) >= 0) }
        if let collection = SapphoCollection(row) { precondition(collection.id > 0 && !collection.version.isEmpty) }
    }
    let chapters = rows.enumerated().compactMap { SapphoChapter($0.element, at: $0.offset) }
    for chapter in chapters.list(durationMs: nil) { precondition(chapter.endMs >= chapter.startMs) }
}

private func name(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), let item = SapphoItem(ItemURI("loft:" + text), of: "loft") else { return }
    guard let uri = item.uri(of: "loft") else { return }
    precondition(SapphoItem(uri, of: "loft") == item, "An item changed its name.")
}

private func search(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let search = SapphoSearch(text)
    precondition(search.names.values.allSatisfy { !$0.isEmpty })
    _ = search.finds(text)
}
