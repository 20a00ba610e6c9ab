package import BatonProtocol

/// How `Request` is read from JSON.
extension Request {
    package static func decode(_ frame: CommandFrame, limits: WireLimits = .standard) throws(ProtocolFault) -> Request {
        try decode(frame, as: RequestKind(of: frame), limits: limits)
    }

    package static func decode(
        _ frame: CommandFrame, as kind: RequestKind, limits: WireLimits
    ) throws(ProtocolFault) -> Request {
        do throws(ProtocolFault) {
            let request = try decode(kind, Fields(frame.params, path: "/p"), limits)
            if frame.key == nil, request.needsKey(kind) {
                throw ProtocolFault(.badRequest, "\(kind.rawValue) needs a key, so that sending it again is safe.", at: "/k")
            }
            return request
        } catch { throw error.answering(frame.id) }
    }

    /// `play` counts as keyed when it replaces the queue.
    private func needsKey(_ kind: RequestKind) -> Bool {
        switch self {
        case .unsupported: false
        case .play: true
        default: kind.needsKey
        }
    }
}
