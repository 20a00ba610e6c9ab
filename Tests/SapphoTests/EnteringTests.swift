/// How an account at a Sappho server is let in, and what people are told when it is not.
import BatonCore
import BatonSeams
import ServerConnectors
import Synchronization
import Testing

@Suite struct EnteringTests {
    private let host: SapphoHost

    init() throws { host = try SapphoHost() }

    private static let anna = SourceSecrets(user: "anna", password: "Sesame-Street-7")
    private static let carl = SourceSecrets(user: "carl", password: "Two-Factors-9")

    private func logins() async throws -> Int { try await host.requests().filter { $0 == "POST /api/auth/login" }.count }

    @Test func `a password is changed into a token once, and one that has ended is replaced`() async throws {
        let sappho = try host.account(Self.anna)
        try await sappho.check()
        #expect(try await sappho.titles("shelf:shelf/series").count == 2)
        #expect(try await logins() == 1)

        try await host.set(["ahead": "604801"])
        // Several at once, which must not log in more than once.
        async let first = sappho.titles("shelf:shelf/series")
        async let second = sappho.titles("shelf:shelf/authors")
        async let third = sappho.titles("shelf:shelf/genres")
        #expect(try await first.count + second.count + third.count == 7)
        #expect(try await logins() == 2)
    }

    @Test func `a newer server's refresh token is used in the place of the password, one time`() async throws {
        try await host.set(["refresh": "1"])
        let sappho = try host.account(Self.anna)
        try await sappho.check()
        for day in [8, 16] {
            try await host.set(["ahead": "\(day * 86_400)"])
            #expect(try await sappho.titles("shelf:shelf/series").count == 2)
        }
        #expect(try await logins() == 1)
        #expect(try await host.requests().filter { $0 == "POST /api/auth/refresh" }.count == 2)
    }

    @Test func `a wrong password is said once and not tried again for five minutes, since five would lock the user out`() async throws {
        let sappho = try host.account(SourceSecrets(user: "anna", password: "Wrong-Word-1"))
        for _ in 0..<6 {
            let found = try #require(await sappho.fault { try await $0.check() })
            #expect(found.code == .forbidden && found.sentence == "“Loft” does not accept the user name or the password.")
        }
        #expect(try await logins() == 1)
        host.pass(ms: 300_001)
        _ = await sappho.fault { try await $0.check() }
        #expect(try await logins() == 2)
    }

    @Test func `a user with a second factor is asked for a code, and an account that is tried out leaves no key`() async throws {
        let found = try #require(await (try host.account(Self.carl)).fault { try await $0.check() })
        #expect(found.asks == .code && found.code == .forbidden)
        #expect(found.sentence == "“Loft” asks for the code of your authenticator. Give it with the account.")
        let kept = try #require(await (try host.account(Self.carl) { _ throws(SourceFault) in }).fault { try await $0.check() })
        #expect(kept.sentence == "“Loft” asks for the code of your authenticator. Give it by baton source set shelf.")

        var secrets = Self.carl
        secrets.code = "000000"
        let wrong = try #require(await (try host.account(secrets)).fault { try await $0.check() })
        #expect(wrong.asks == .code && wrong.sentence.contains("does not accept this code"))

        secrets.code = "123456"
        try await (try host.account(secrets)).check()
        #expect(try await host.requests().contains("POST /api/api-keys") == false)
    }

    @Test func `with the code the hub gets a key that lasts, and keeps it in the place of the password`() async throws {
        let kept = Mutex<SourceSecrets?>(nil)
        var secrets = Self.carl
        secrets.code = "123456"
        let sappho = try host.account(secrets) { new throws(SourceFault) in kept.withLock { $0 = new } }
        try await sappho.check()

        let new = try #require(kept.withLock { $0 })
        #expect(new.password == nil && new.code == nil && new.user == "carl" && new.apiKey?.hasPrefix("sapho_") == true)
        try await host.set(["ahead": "31536000"])
        try await (try host.account(new)).check()
        try await sappho.check()
        #expect(try await logins() == 1)
    }

    @Test func `a first password has to be changed at the server, and the sentence says where and how`() async throws {
        let sappho = try host.account(SourceSecrets(user: "dora", password: "First-Password-1")) { _ throws(SourceFault) in }
        let found = try #require(await sappho.fault { try await $0.check() })
        #expect(found.code == .forbidden && found.sentence.contains("choose another password") && found.sentence.contains(host.url))
        #expect(found.sentence.contains("baton source set shelf"))
    }

    @Test func `a key that was taken back, and a server that is no Sappho, are told apart`() async throws {
        let gone = try #require(await (try host.account(SourceSecrets(apiKey: "sapho_gone"))).fault { try await $0.check() })
        #expect(gone.code == .forbidden && gone.sentence.contains("does not accept the API key") && !gone.sentence.contains("sapho_gone"))
        try await host.set(["fault": "page", "at": "/api/health"])
        let other = try #require(await (try host.account()).fault { try await $0.check() })
        #expect(other.code == .failed && other.sentence.contains("not JSON"))
    }

    @Test(arguments: [
        ("status500", SourceFault.Code.unavailable), ("status429", .unavailable), ("status403", .forbidden), ("page", .failed),
        ("odd", .failed),
    ])
    func `an answer that is none is a sentence without a secret, and the source goes on`(fault: String, code: SourceFault.Code) async throws
    {
        let sappho = try host.account()
        try await host.set(["fault": fault, "at": "/api/audiobooks"])
        let found = try #require(await sappho.fault { _ = try await $0.page("shelf:shelf/books") })
        #expect(found.code == code && found.sentence.hasSuffix(".") && !found.sentence.contains(host.key))
        try await host.set(["fault": ""])
        #expect(try await sappho.page("shelf:shelf/books").rows.count == 8)
    }

    @Test(arguments: [SourceSecrets(), SourceSecrets(user: "anna"), SourceSecrets(password: "x"), SourceSecrets(apiKey: "")])
    func `an account that cannot log in is not made`(secrets: SourceSecrets) throws {
        #expect(throws: SourceFault.self) { try host.account(secrets) }
    }
}
