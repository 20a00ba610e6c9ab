/// Noise for what reads the bodies and messages of music rooms. Nothing may crash, what is wrong is a sentence, and what was understood keeps
/// the bounds: no place is negative, no list is longer than allowed, and a text that is written is read as it was.
///
/// Built by `run` beside this file with libFuzzer and the address sanitizer; not a target of the
/// package, since the sanitizer's coverage belongs in no other build.
import BatonCore
import BatonJSON
import MusicRoomServer

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    do throws(RoomFault) {
        switch start[0] % 6 {
        case 0: check(try RoomAction(bytes))
        case 1: check(try ListPatch(bytes))
        case 2: _ = try Credentials(bytes)
        case 3:
            let wish = try RoomWish(changing: bytes)
            precondition((wish.name ?? "a").count <= 64)
        case 4: if let patch = try PlaylistWish(changing: bytes).patch { check(patch) }
        default: write(String(decoding: bytes, as: UTF8.self))
        }
    } catch {
        precondition(error.sentence.hasSuffix("."), "A fault is no sentence.")
    }
    return 0
}

private func check(_ action: RoomAction) {
    switch action {
    case .seek(let ms): precondition(ms >= 0)
    case .jump(let place): precondition(place >= 0)
    case .pause, .unpause, .move: break
    }
}

private func check(_ patch: ListPatch) {
    switch patch {
    case .add(let ids, let place): precondition(ids.count <= ListPatch.most && place ?? 0 >= 0)
    case .remove(let places): precondition(!places.isEmpty && places.allSatisfy { $0 >= 0 })
    case .move(let from, let to): precondition(from >= 0 && to >= 0)
    case .set(let ids): precondition(ids.count <= ListPatch.most)
    }
}

private func write(_ text: String) {
    var limits = JSONLimits.standard
    limits.stringBytes = 1 << 20
    let written = RoomText.object { $0.member("t", text) }
    precondition((try? JSON.parse(written, limits: limits))?["t"]?.string == text, "A text changed.")
}
