/// Noise for the parameters of every command. A command that was read is written and read again, and must be the same value
/// with the same meaning.
///
/// Built by `run` beside this file. An input is the name of a command, a line feed, and its parameters as JSON.
import BatonCore
import BatonProtocol
import BatonWire

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
    guard let end = bytes.firstIndex(of: 10), let kind = CommandKind.named(String(decoding: bytes[..<end], as: UTF8.self)) else {
        return 0
    }
    let head = #"{"t":"cmd","id":1,"m":"\#(kind.rawValue)","k":"fuzz-key","room":"main","p":"#
    let text = Array(head.utf8) + bytes[(end + 1)...] + Array("}".utf8)
    guard case .command(let frame)? = try? ClientMessage.decode(text) else { return 0 }
    // A fault in the parameters is an answer, and reserved commands have no parameters.
    guard let command = try? frame.command() else { return 0 }
    guard let command = command as? any WireCommand else { fatalError("A command has no codec.") }
    readAgain(command, of: frame)
    return 0
}

/// Writes a command that was read from a frame, and reads it again.
private func readAgain<Command: WireCommand>(_ command: Command, of frame: CommandFrame) {
    let sent = CommandFrame(id: 2, command, key: "fuzz-key", room: frame.room)
    guard case .command(let received)? = try? ClientMessage.decode(JSONWriter.bytes(sent.encode)) else {
        fatalError("A command that we wrote is refused.")
    }
    guard let second = try? Command(params: received.params, limits: .standard), let decoded = try? received.command() as? Command else {
        fatalError("The parameters that we wrote are refused.")
    }
    precondition(command == second && command == decoded, "A command changed when it was written.")
    precondition(received.fingerprint == sent.fingerprint, "A command changed its meaning.")
}
