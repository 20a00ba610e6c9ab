import BatonCore
package import BatonProtocol

/// The JSON form of `PairMessage`.
extension PairMessage {
    init(from fields: Fields) throws(ProtocolFault) {
        switch try fields.required("step", fields.int("step", in: 1...4)) {
        case 1: self = .begin(try PairBegin(from: fields))
        case 2: self = .share(yb: try fields.required("yb", fields.bytes("yb", count: 32)))
        case 3: self = .prove(ta: try fields.required("ta", fields.bytes("ta", count: 64)))
        default:
            self = .welcome(
                Welcome(
                    tb: try fields.required("tb", fields.bytes("tb", count: 64)), device: try fields.required("dev", fields.device("dev")),
                    wrappedKey: try fields.required("wk", fields.bytes("wk", count: 48)),
                    role: Role(rawValue: try fields.required("role", fields.text("role"))) ?? .listener))
        }
    }

    package func encode(into writer: inout JSONWriter) {
        if case .begin(let begin) = self { return begin.encode(into: &writer) }
        writer.message(Self.type) { message in
            switch self {
            case .begin: break
            case .share(let yb):
                message.member("step", 2)
                message.member("yb", bytes: yb)
            case .prove(let ta):
                message.member("step", 3)
                message.member("ta", bytes: ta)
            case .welcome(let welcome):
                message.member("step", 4)
                message.member("tb", bytes: welcome.tb)
                message.member("dev", welcome.device.text)
                message.member("wk", bytes: welcome.wrappedKey)
                message.member("role", welcome.role.rawValue)
            }
        }
    }
}
