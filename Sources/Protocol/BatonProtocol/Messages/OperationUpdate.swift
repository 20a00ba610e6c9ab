/// The result of a long operation; sent exactly once for each `accepted` reply.
package struct OperationUpdate: Equatable, Sendable {
    /// The value of `t` in this message.
    package static let type = "op"

    /// The result of the operation, which an `accepted` reply left open.
    package enum Outcome: Equatable, Sendable {
        case done
        case failed(WireError)
        /// A result of a newer hub, by its name on the wire.
        case unrecognised(String)
    }

    /// The name that the `accepted` reply gave to the operation.
    package var operation: String
    /// The final result; no second message about the operation follows.
    package var outcome: Outcome

    package init(operation: String, _ outcome: Outcome) {
        self.operation = operation
        self.outcome = outcome
    }
}
