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
    var again = ReadAgain(frame: frame)
    // A fault in the parameters is an answer, and reserved commands have no parameters.
    try? kind.accept(&again)
    return 0
}

/// Reads a frame as a command of one type, writes that command, and reads it again.
private struct ReadAgain: CommandVisitor {
    let frame: CommandFrame

    func visit<Command: CommandRequest>(_ command: Command.Type) throws(ProtocolFault) {
        guard let command = Command.self as? any WireCommand.Type else { fatalError("A command has no codec.") }
        try read(command)
    }

    private func read<Command: WireCommand>(_ command: Command.Type) throws(ProtocolFault) {
        let first = try Command(params: frame.params, limits: .standard)
        let sent = CommandFrame(id: 2, first, key: "fuzz-key", room: frame.room)
        guard case .command(let received)? = try? ClientMessage.decode(JSONWriter.bytes(sent.encode)) else {
            fatalError("A command that we wrote is refused.")
        }
        guard let second = try? Command(params: received.params, limits: .standard), let decoded = try? received.command() as? Command
        else {
            fatalError("The parameters that we wrote are refused.")
        }
        precondition(first == second && first == decoded, "A command changed when it was written.")
        precondition(received.fingerprint == sent.fingerprint, "A command changed its meaning.")
    }

    func reserved(_ definition: CommandDefinition) {}

}
