package import BatonProtocol

/// How `CommandKind` is read from JSON.
extension CommandKind {
    package init(of frame: CommandFrame) throws(ProtocolFault) {
        guard let kind = Self.named(frame.method) else { throw ProtocolFault(noCommandOf: frame) }
        self = kind
    }
}

extension ProtocolFault {
    /// No command has the name that the frame says.
    package init(noCommandOf frame: CommandFrame) {
        self = ProtocolFault(.unknownCommand, "There is no command of this name.", at: "/m").answering(frame.id)
    }
}
