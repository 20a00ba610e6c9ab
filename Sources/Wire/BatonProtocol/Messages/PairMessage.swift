/// The four messages of a pairing, sent by both sides in turn. `BatonPairing` computes their contents.
package enum PairMessage: Equatable, Sendable {
    package static let type = "pair"

    case begin(PairBegin)
    case share(yb: [UInt8])
    case prove(ta: [UInt8])
    case welcome(PairWelcome)
}
