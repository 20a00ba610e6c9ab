package import BatonProtocol

/// Reading of `CommandKind` from JSON.
extension CommandKind {
    /// The kind that a frame names, or a fault that answers the frame.
    package init(of frame: CommandFrame) throws(ProtocolFault) {
        guard let kind = Self.named(frame.method) else { throw ProtocolFault(noCommandOf: frame) }
        self = kind
    }
}

extension ProtocolFault {
    /// The fault for a frame with an unknown command.
    package init(noCommandOf frame: CommandFrame) {
        self = .unknownCommand.answering(frame.id)
    }
}
