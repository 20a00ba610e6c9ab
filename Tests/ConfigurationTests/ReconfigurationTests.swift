/// A configuration that is read again, and one that is only looked at.
import BatonSeams
import Testing

@testable import Configuration

struct ReconfigurationTests {
    private func again(_ before: String, _ after: String, _ words: [String] = []) throws -> Reconfiguration {
        try withHome { (around) throws in
            try around.configure(before)
            guard case .run(let settings, _) = try HubConfiguration.resolve(words, around: around) else {
                throw ConfigurationFault(sentences: ["It does not run."])
            }
            try around.configure(after)
            return try Reconfiguration(words, around: around, running: settings)
        }
    }

    @Test func `a running hub takes over what it can, and names the rest`() throws {
        let found = try again(
            "log = notice\nceiling = 80\n[source attic]\nkind = subsonic\nurl = http://attic\n",
            "log = debug\ntrusted_proxies = 10.0.0.1\nceiling = 60\n\n[source attic]\nkind = subsonic\nurl = http://cellar\n[limits]\nqueue = 50\n"
        )

        #expect(found.taken.sorted() == ["log", "trusted_proxies"])
        #expect(found.waiting == ["ceiling", "[limits] queue", "[source attic]"])
        #expect(found.settings.log == .debug && found.settings.ceiling == 80)
        #expect(found.settings.trustedProxies == [AddressRange(text: "10.0.0.1")])
        #expect(found.sentences.count == 2 && found.sentences[1].contains("ceiling, [limits] queue and [source attic]"))
    }

    @Test func `a default that depends on another setting changes when that one does, at the next start`() throws {
        let found = try again("", "lan_plain = guest\n")

        #expect(found.waiting == ["lan_plain"])
        #expect(found.settings.lanPlain == .off && found.settings.listen.allSatisfy(\.isLoopback))
        #expect(try again("listen = none\n", "").waiting == ["listen"])
        #expect(try again("", "listen = none\n").waiting == ["listen"])
    }

    @Test func `a line that moved is no change`() throws {
        let source = "[source attic]\nkind = subsonic\nurl = http://attic\n"
        let found = try again("log = debug\n" + source, "# A comment.\nlog = debug\n\n" + source)

        #expect(found.taken.isEmpty && found.waiting.isEmpty)
        #expect(found.sentences == ["The configuration was read again; nothing has changed."])
    }

    @Test func `a line that means nothing is told again`() throws {
        #expect(try again("log = debug\n", "log = debug\nvolum = 3\n").warnings.map { $0.contains("line 2") } == [true])
        #expect(try again("volum = 3\n", "log = debug\n").warnings.isEmpty)
    }

    @Test func `a flag still counts before the file`() throws {
        #expect(try again("log = notice\n", "log = trace\n", ["--log", "warning"]).settings.log == .warning)
    }

    @Test func `a mistake changes nothing and is named with its line`() {
        let fault = #expect(throws: ConfigurationFault.self) { try again("log = notice\n", "log = debug\nceiling = loud\n") }
        #expect(fault?.sentences.count == 1)
        #expect(fault?.sentences.first?.contains("batond.conf, line 2: ceiling is \"loud\"") == true)
    }

    @Test func `looking at a configuration gives what running it would`() throws {
        try withHome { (around) throws in
            try around.configure("volum = 3\n")
            guard case .check(let settings, let warnings) = try HubConfiguration.resolve(["--check"], around: around) else {
                Issue.record("--check is not understood.")
                return
            }
            #expect(settings == (try around.settings()))
            #expect(warnings.count == 1 && warnings[0].contains("line 1"))
            try around.configure("trusted_proxies = proxy.home\n")
            #expect(around.problems("--check").first?.contains("line 1: trusted_proxies is \"proxy.home\". Expected an address") == true)
        }
    }
}
