/// Noise for every decoder of the wire: what a client and a hub may say, the sections, and the text of
/// playlist files. Nothing may crash, and what was understood must be understood again when it is said again.
///
/// Built by `run` beside this file with libFuzzer and the address sanitizer; not a target of the
/// package, since the sanitizer's coverage belongs in no other build.
import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses the decoder, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let text = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 5 {
    case 0: client(text)
    case 1: hub(text)
    case 2: json(text)
    case 3: playlist(text)
    default: mirror(text)
    }
    return 0
}

private func client(_ text: [UInt8]) {
    guard let message = try? ClientMessage.decode(text) else { return }
    if case .command(let frame) = message { _ = try? frame.command() }
    if case .unknown = message { return }
    if let value = try? JSON.parse(text), isRounded(value) { return }
    let said = JSONWriter.bytes(message.encode)
    guard let again = try? ClientMessage.decode(said) else { fatalError("What we say ourselves is refused.") }
    // A command may be written in another order; its meaning is its fingerprint.
    if case .command(let one) = message, case .command(let other) = again {
        precondition(one.fingerprint == other.fingerprint && one.id == other.id, "A command changed its meaning.")
    } else {
        precondition(message == again, "A message changed its meaning.")
    }
}

private func hub(_ text: [UInt8]) {
    guard let message = try? HubMessage.decode(text) else { return }
    guard case .state(let update) = message else { return }
    var mirror = Mirror()
    _ = try? mirror.apply(update)
    _ = mirror.positionMs(atHubUs: .max)
    _ = mirror.positionMs(atHubUs: .min)
}

private func json(_ text: [UInt8]) {
    guard let value = try? JSON.parse(text), !isRounded(value) else { return }
    let said = JSONWriter.bytes { $0.value(value) }
    guard let again = try? JSON.parse(said) else { return }  // Numbers may need more room than they came in.
    precondition(again == value, "A value changed when it was written.")
}

/// Whether it holds a fraction that no Double can hold, such as 1e-999: it is written as the nearest number, which is an integer here.
private func isRounded(_ value: JSON) -> Bool {
    switch value {
    case .double(let number): number == number.rounded()
    case .array(let values): values.contains(where: isRounded)
    case .object(let object): object.members.contains { isRounded($0.value) }
    default: false
    }
}

/// What was written of a playlist is read the same; titles lose what a line cannot hold, once.
private func playlist(_ bytes: [UInt8]) {
    let text = PlaylistText.text(of: bytes)
    for list in [PlaylistText(m3u: text), PlaylistText(pls: text)] {
        let once = PlaylistText(m3u: list.m3u)
        precondition(PlaylistText(m3u: once.m3u) == once, "A playlist changed when it was written.")
    }
}

/// Several states, one a line, for one mirror.
private func mirror(_ text: [UInt8]) {
    var mirror = Mirror()
    for line in text.split(separator: 10) {
        guard case .state(let update)? = try? HubMessage.decode(Array(line)) else { continue }
        let before = mirror
        guard let applied = try? mirror.apply(update) else {
            precondition(mirror == before, "A state that cannot be read has changed the copy.")
            continue
        }
        if applied == .gap { precondition(mirror == before, "A state that does not follow has changed the copy.") }
    }
}
