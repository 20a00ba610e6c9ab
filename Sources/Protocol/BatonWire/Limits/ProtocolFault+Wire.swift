import BatonCore
package import BatonProtocol

/// What a text that is not the JSON we accept is refused with.
extension ProtocolFault {
    /// A text that is not the JSON we accept. Broken or oversized text counts as a strike; text that
    /// is JSON but says something twice or cannot be held exactly does not.
    package init(_ fault: JSONFault) {
        self.init(.badRequest, fault.sentence)
        isStrike =
            switch fault.kind {
            case .duplicateName, .loneSurrogate, .numberOutOfRange: false
            default: true
            }
    }
}
