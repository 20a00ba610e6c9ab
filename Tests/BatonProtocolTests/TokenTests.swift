/// Random identifiers, some of which people write behind a command.
import BatonProtocol
import Testing

@Suite struct TokenTests {
    private let tokens = (0..<2000).map { _ in Token.random(length: 6) }

    @Test func `what is drawn is a token`() {
        #expect(tokens.allSatisfy { Token.isToken($0, length: 6...6) })
        #expect(Set(tokens).count > 1990)
    }

    @Test func `none begins with a dash, which would be an option of the command line`() {
        #expect(!tokens.contains { $0.hasPrefix("-") || $0.hasPrefix("_") })
        #expect(tokens.contains { $0.contains("-") })
    }
}
