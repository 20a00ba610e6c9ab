/// How the connector logs in, as a value: what is tried after which error.
import BatonSeams
import Crypto
import Testing

@testable import ServerConnectors

@Suite struct LoginLadderTests {
    private let password = SourceSecrets(user: "ada", password: "sesame")
    private let both = SourceSecrets(user: "ada", password: "sesame", apiKey: "key")

    @Test(arguments: [10, 41, 42]) func `a server that refuses tokens gets the password in hexadecimal digits`(code: Int) {
        var ladder = LoginFallback(password, known: nil)

        #expect(ladder.current == .token)
        let goesOn = [
            ladder.goOn(after: SubsonicError(code: code)), ladder.current == .plain, ladder.goOn(after: SubsonicError(code: code)),
        ]
        #expect(goesOn == [true, true, false])
    }

    @Test(arguments: [40, 44, 43, 50, 70, 0]) func `a wrong secret is shown once`(code: Int) {
        var ladder = LoginFallback(both, known: nil)

        let goesOn = ladder.goOn(after: SubsonicError(code: code))
        #expect(ladder.current == .apiKey && !goesOn)
    }

    @Test func `a key comes first, then the password's token`() {
        var ladder = LoginFallback(both, known: nil)

        var tried = [ladder.current]
        for code in [42, 41] where ladder.goOn(after: SubsonicError(code: code)) { tried.append(ladder.current) }

        #expect(tried == [.apiKey, .token, .plain])
    }

    @Test func `what was accepted before is tried first, unless its secret is gone`() {
        #expect(LoginFallback(password, known: .plain).current == .plain)
        #expect(LoginFallback(password, known: .apiKey).current == .token)
        #expect(LoginFallback(SourceSecrets(apiKey: "key"), known: .plain).current == .apiKey)
    }

    @Test func `a key is sent without a user, and a token without the password`() throws {
        let md5 = MD5 { OpenSSL().md5($0) }
        let key = try Login.apiKey.parameters(both, hashedBy: md5) { "salt" }
        let token = try Login.token.parameters(password, hashedBy: md5) { "c19b2d" }
        let plain = try Login.plain.parameters(password, hashedBy: md5) { "salt" }

        #expect(key.pairs.map(\.name) == ["apiKey"])
        // The protocol's own example.
        #expect(token.pairs.first { $0.name == "t" }?.value == "26719a1196d2a940705a59634eb18eab")
        #expect(plain.pairs.first { $0.name == "p" }?.value == "enc:736573616d65")
    }

    @Test func `without MD5 a password is refused in words, and a key is sent`() throws {
        let none = MD5 { _ in nil }

        #expect(try Login.apiKey.parameters(both, hashedBy: none) { "salt" }.pairs.map(\.name) == ["apiKey"])
        let fault = #expect(throws: SourceFault.self) { try Login.token.parameters(password, hashedBy: none) { "salt" } }
        #expect(fault?.code == .unsupported && fault?.sentence.contains("MD5") == true)
        #expect(none.mark("a") != none.mark("b") && none.mark("a") == none.mark("a"))
    }
}
