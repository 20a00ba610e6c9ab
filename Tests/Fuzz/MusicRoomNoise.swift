/// Noise for what reads the messages and answers of a MusicRoom server, and the names that remotes give to its items. Nothing may crash,
/// everything is bounded, and a room that shows what was read stays whole.
///
/// Built by `run` beside this file with libFuzzer and the address sanitizer; not a target of the
/// package, since the sanitizer's coverage belongs in no other build.
/// with: Sources/Features/Joining/BatonJoining/MusicRoom/JSONPieces.swift
/// with: Sources/Features/Joining/BatonJoining/MusicRoom/MusicRoomAnswers.swift
/// with: Sources/Features/Joining/BatonJoining/MusicRoom/MusicRoomItem.swift
import BatonCore
import BatonJSON
import BatonSeams

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 4 {
    case 0, 1: message(bytes)
    case 2: lists(bytes)
    default: name(bytes)
    }
    return 0
}

private let answers = MusicRoomAnswers(source: "loft")

/// Several messages, one a line, as a room hears them.
private func message(_ bytes: [UInt8]) {
    var room = Room(id: RoomID("main"), name: "Main").joined()
    var numbers = EntryNumbers(next: 1)
    var line: ServerRoomClock?
    for (step, text) in bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 8).enumerated() {
        let atUs = Microseconds(step) * 1_000_000
        guard case .state(let state, _)? = answers.news(Array(text), atUs: atUs) else { continue }
        precondition(state.positionMs.isFinite && state.positionMs >= 0 && (state.queue?.entries.count ?? 0) <= PlaybackQueue.limit)
        _ = room.show(state, numbers: &numbers, at: Moment(us: atUs))
        if let track = state.track { precondition(room.currentEntry?.uri == track.uri) }
        if line == nil { line = ServerRoomClock(positionMs: state.positionMs, isPaused: state.isPaused, atUs: atUs) }
        _ = line?.take(positionMs: state.positionMs, isPaused: state.isPaused, atUs: atUs)
        let position = line?.positionMs(atUs: atUs) ?? 0
        precondition(position.isFinite && position >= 0)
        _ = room.prepare(atMs: Milliseconds(position), thenPlays: !state.isPaused, at: Moment(us: atUs))
    }
}

private func lists(_ bytes: [UInt8]) {
    for track in answers.tracks(bytes) ?? [] { precondition(!track.id.isEmpty && (track.durationMs ?? 1) > 0) }
    guard let json = try? JSON.parse(bytes, limits: MusicRoomAnswers.limits) else { return }
    for room in answers.rooms(in: json) ?? [] { precondition(!room.id.isEmpty && room.people.count <= ServerRoom.mostPeople) }
    if let lists = answers.playlists(in: json) { precondition((lists.mine + lists.shared).allSatisfy { !$0.id.isEmpty }) }
    _ = answers.hub(in: json)
}

private func name(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), let item = MusicRoomItem(ItemURI("loft:" + text), of: "loft") else { return }
    precondition(MusicRoomItem(item.uri(of: "loft"), of: "loft") == item, "An item changed its name.")
}
