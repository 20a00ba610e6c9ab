import BatonCore
package import BatonProtocol

/// The JSON form of `OperationUpdate`.
extension OperationUpdate {
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
        let operation = try fields.required("op", fields.text("op"))
        switch try fields.required("st", fields.text("st")) {
        case "done": self.init(operation: operation, .done)
        case "failed":
            self.init(operation: operation, .failed(try WireError(from: fields.required("err", fields.fields("err")))))
        case let name: self.init(operation: operation, .unrecognised(name))
        }
    }
}
