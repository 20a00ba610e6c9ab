package import BatonProtocol

/// How `RequestKind` is read from JSON.
extension RequestKind {
    package init(of frame: CommandFrame) throws(ProtocolFault) {
        guard let kind = Self.named(frame.method) else {
            throw ProtocolFault(.unknownCommand, "There is no command of this name.", at: "/m").answering(frame.id)
        }
        self = kind
    }
}
