public import BatonJSON

/// The subject of an error or a problem, so that a client can say it in its own words.
public struct Reason: Equatable, Sendable {
    /// A registered word, or one of a vendor or of a newer hub.
    public var word: String
    public var arguments: ReasonArguments

    package init(_ word: ReasonWord, _ arguments: ReasonArguments = ReasonArguments()) {
        self.word = word.rawValue
        self.arguments = arguments
    }

    package init(word: String, arguments: ReasonArguments) {
        self.word = word
        self.arguments = arguments
    }
}

/// The numbers and texts that a reason speaks of, by name.
public struct ReasonArguments: Equatable, Sendable {
    public var members: JSONObject

    package init(_ members: JSONObject = JSONObject()) { self.members = members }
}

extension ReasonArguments: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSON)...) {
        members = JSONObject()
        for (name, value) in elements { members[name] = value }
    }
}
