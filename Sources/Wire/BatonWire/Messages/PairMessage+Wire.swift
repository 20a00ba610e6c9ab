package import BatonProtocol

/// The JSON form of `PairMessage`.
extension PairMessage {
    init(from fields: Fields) throws(ProtocolFault) {
        switch try fields.required("step", fields.int("step", in: 1...4)) {
        case 1: self = .begin(try PairBegin(from: fields))
        case 2: self = .share(yb: try PairShare(from: fields).yb)
        case 3: self = .prove(ta: try PairProof(from: fields).ta)
        default: self = .welcome(try PairWelcome(from: fields))
        }
    }

    package func encode(into writer: inout JSONWriter) {
        switch self {
        case .begin(let begin): begin.encode(into: &writer)
        case .share(let yb): PairShare(yb: yb).encode(into: &writer)
        case .prove(let ta): PairProof(ta: ta).encode(into: &writer)
        case .welcome(let welcome): welcome.encode(into: &writer)
        }
    }
}
