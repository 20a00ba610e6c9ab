/// The parameters of one request, in order; a name may occur several times.
import BatonCore

struct Parameters: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    struct Pair: Equatable, Sendable {
        var name: String
        var value: String
    }

    private(set) var pairs: [Pair]

    init(dictionaryLiteral elements: (String, String)...) { pairs = elements.map { Pair(name: $0.0, value: $0.1) } }

    init(_ name: String, each values: [String]) { pairs = values.map { Pair(name: name, value: $0) } }

    mutating func add(_ name: String, _ value: String?) {
        if let value { pairs.append(Pair(name: name, value: value)) }
    }

    static func + (a: Parameters, b: Parameters) -> Parameters {
        var both = a
        both.pairs += b.pairs
        return both
    }

    /// The encoded text for a query or the body of a form.
    var encoded: String {
        pairs.map { "\(PercentText.encoded($0.name))=\(PercentText.encoded($0.value))" }.joined(separator: "&")
    }
}
