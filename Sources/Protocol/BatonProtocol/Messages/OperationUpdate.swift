/// The result of a long operation; sent exactly once for each `accepted` reply.
package struct OperationUpdate: Equatable, Sendable {
    package static let type = "op"

    package enum Outcome: Equatable, Sendable {
        case done
        case failed(WireError)
        case unrecognised(String)
    }

    /// The name that the `accepted` reply gave to the operation.
    package var operation: String
    package var outcome: Outcome

    package init(operation: String, _ outcome: Outcome) {
        self.operation = operation
        self.outcome = outcome
    }
}
