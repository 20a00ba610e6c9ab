/// How a long operation ended; sent exactly once for each reply that said `accepted`.
package struct OperationUpdate: Equatable, Sendable {
    package static let type = "op"

    package enum Outcome: Equatable, Sendable {
        case done
        case failed(WireError)
        case unrecognised(String)
    }

    package var operation: String
    package var outcome: Outcome

    package init(operation: String, _ outcome: Outcome) {
        self.operation = operation
        self.outcome = outcome
    }

    package func encode(into writer: inout JSONWriter) {
        writer.message(Self.type) { message in
            message.member("op", operation)
            switch outcome {
            case .done: message.member("st", "done")
            case .unrecognised(let name): message.member("st", name)
            case .failed(let error):
                message.member("st", "failed")
                message.name("err")
                error.encode(into: &message)
            }
        }
    }

    init(from fields: Fields) throws(ProtocolFault) {
        operation = try fields.required("op", fields.text("op"))
        switch try fields.required("st", fields.text("st")) {
        case "done": outcome = .done
        case "failed": outcome = .failed(try WireError(from: fields.required("err", fields.fields("err"))))
        case let name: outcome = .unrecognised(name)
        }
    }
}
