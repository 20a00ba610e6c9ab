/// Noise for what reads the answers of a Chad Music server, and the names that remotes give to its items. Nothing may crash, a name that
/// was understood is written the same, and no path leads upwards.
///
/// Built by `run` beside this file with libFuzzer and the address sanitizer; not a target of the
/// package, since the sanitizer's coverage belongs in no other build.
/// with: Sources/Features/Servers/ServerConnectors/ChadMusic/ChadAnswers.swift
/// with: Sources/Features/Servers/ServerConnectors/ChadMusic/ChadItem.swift
/// with: Sources/Features/Servers/ServerConnectors/ChadMusic/ChadPath.swift
/// with: Sources/Features/Servers/ServerConnectors/ChadMusic/ChadReply.swift
/// with: Sources/Features/Servers/ServerConnectors/JSON+Answers.swift
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
    default: path(bytes)
    }
    return 0
}

private func answer(_ bytes: [UInt8]) {
    let reply = ChadReply(status: 200, body: bytes)
    _ = reply.message
    guard let json = reply.json else { return }
    _ = ChadList.categories(in: json)
    for row in (ChadList(json)?.rows ?? []) + [json] {
        _ = ChadValue(row)
        if let album = ChadAlbum(row) { precondition(!album.id.isEmpty && (album.year ?? 1) > 0) }
        guard let track = ChadTrack(row) else { continue }
        precondition(!track.id.isEmpty && (track.durationMs ?? 0) >= 0)
        if let written = track.place { place(written) }
    }
}

private func name(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), let item = ChadItem(ItemURI("chad:" + text), of: "chad") else { return }
    let again = ChadItem(item.uri(in: "chad"), of: "chad")
    if case .track(var track)? = again, case .track(let named) = item, track.path == nil {
        // A path that is too long for a row is left out.
        track.path = named.path
        precondition(track == named, "A track changed its name.")
    } else {
        precondition(again == item, "An item changed its name.")
    }
}

private func path(_ bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) { place(text) }
}

private func place(_ written: String) {
    for isURL in [true, false] {
        guard let path = ChadPath(written: written, isURL: isURL, below: "/base") else { continue }
        precondition(ChadPath(encoded: path.text) == path, "A path is not what it was.")
        let names = path.text.split(separator: "/").map { PercentText.decoded($0) }
        precondition(names.allSatisfy { $0 != nil && $0 != "." && $0 != ".." }, "A path leads upwards.")
    }
}
