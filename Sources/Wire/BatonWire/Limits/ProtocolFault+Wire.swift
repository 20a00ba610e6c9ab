import BatonCore
package import BatonProtocol

/// Faults of text that is not acceptable JSON.
extension ProtocolFault {
    /// Invalid or oversized text counts as a strike. JSON with a duplicate name, or a number that cannot be stored exactly, does not.
    package init(_ fault: JSONFault) {
        self.init(.badRequest, fault.sentence)
        isStrike =
            switch fault.kind {
            case .duplicateName, .loneSurrogate, .numberOutOfRange: false
            default: true
            }
    }
}
