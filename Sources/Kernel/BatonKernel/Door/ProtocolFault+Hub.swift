package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Faults of rooms and sources as codes of the wire.
extension ProtocolFault {
    /// The fault of a command that was cancelled before or while it was carried out.
    package static let cancelled = ProtocolFault(SourceFault.cancelled, at: nil)

    /// The fault of a command after which a queue would be too long.
    static func queueFull(_ most: Int) -> ProtocolFault {
        ProtocolFault(.quota, "A queue holds at most \(most) entries.", reason: Reason(.queueFull, ["max": .int(Int64(most))]))
    }

    /// The fault of a command whose key belongs to another one.
    static let keyMismatch = ProtocolFault(.keyMismatch, "This key was used for another command.", at: "/k")

    /// The fault in the words of the wire; `pointer` names the parameter that led to it.
    package init(_ fault: SourceFault, at pointer: String?) {
        let code: ErrorCode =
            switch fault.code {
            case .notFound: .notFound
            case .forbidden: .forbidden
            case .unreadable, .unsupported: .unsupported
            case .failed: .sourceFailed
            case .tooLarge: .tooLarge
            case .badRequest: .badRequest
            case .conflict: .queueConflict
            case .anchorGone: .anchorGone
            case .gone: .gone
            case .keyMismatch: .keyMismatch
            case .quota: .quota
            case .invalidState: .invalidState
            case .unavailable: .unavailable
            case .cancelled: .cancelled
            }
        self.init(code, fault.sentence, at: pointer)
        revision = fault.revision
    }

    /// Runs a body that asks sources, and throws its faults as those of the wire. `pointer` names the parameter that a fault with one of
    /// these codes is about.
    @Loop
    package static func translating<Found>(
        _ codes: SourceFault.Code..., at pointer: String? = nil, _ body: @Loop () async throws(SourceFault) -> Found
    ) async throws(ProtocolFault) -> Found {
        do throws(SourceFault) { return try await body() } catch {
            throw ProtocolFault(error, at: codes.contains(error.code) ? pointer : nil)
        }
    }

    package init(_ refusal: Refusal) {
        let code: ErrorCode =
            switch refusal.code {
            case .anchorGone: .anchorGone
            case .badRequest: .badRequest
            case .gone: .gone
            case .invalidState: .invalidState
            case .notFound: .notFound
            case .queueConflict: .queueConflict
            case .quota: .quota
            }
        self.init(code, refusal.sentence)
        revision = refusal.revision
        reason =
            switch refusal.cause {
            case .queueEmpty: Reason(.queueEmpty)
            case .isLive: Reason(.isLive)
            case .queueFull(let most): Reason(.queueFull, ["max": .int(Int64(most))])
            case nil: nil
            }
    }
}
