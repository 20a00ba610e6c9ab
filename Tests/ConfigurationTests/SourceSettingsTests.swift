/// Accounts at servers in `batond.conf`, and the files in which secrets are stored.
import BatonSeams
import Configuration
import Foundation
import Testing

struct SourceSettingsTests {
    private static let attic = """
        [source attic]
        kind = subsonic
        url = https://music.example.org/sub
        title = The attic
        user = anna
        password_file = ~/attic-password
        quality = mp3:192
        """

    @Test func `a section names an account, and what the hub does not know of it are options of its kind`() throws {
        try withHome { (around) throws in
            try around.configure(Self.attic + "\n[source cabin]\nkind = subsonic\nurl = http://10.0.0.7:4533\nenabled = no\n")

            let sources = try around.settings().sources

            var attic = ConfiguredSource(name: "attic", location: around.home + "/.config/baton/batond.conf, line 2")
            attic.kind = "subsonic"
            attic.url = "https://music.example.org/sub"
            attic.title = "The attic"
            attic.user = "anna"
            attic.passwordFile = around.home + "/attic-password"
            attic.options = ["quality": "mp3:192"]
            #expect(sources.count == 2 && sources.first == attic)
            #expect(sources.last?.name == "cabin" && sources.last?.isEnabled == false)
        }
    }

    @Test(arguments: [
        ("[source Attic]\nkind = a\n", "is no name of a source"), ("[source]\nkind = a\n", "is no name of a source"),
        ("[source attic]\nkind = subsonic\n", "[source attic] has no url."),
        ("[source attic]\nurl = http://a\n", "[source attic] has no kind."),
        ("[source attic]\nkind = a\nurl = http://anna:sesame@host\n", "url is not the address of a server"),
        ("[source attic]\nkind = a\nurl = http://a\npassword = sesame\n", "password has no place in this file"),
        ("[source attic]\nkind = a\nurl = http://a\npassword_file = here\n", "Expected an absolute path"),
        ("[source attic]\nkind = a\nurl = http://a\nenabled = maybe\n", "Expected yes or no"),
        ("[source attic]\nkind = a\nkind = b\nurl = http://a\n", "is given twice"),
        ("[source attic]\nkind = a\nurl = http://a\nBAD-Option = 1\n", "has no setting BAD-Option"),
    ]) func `a mistake in a section is named, and a password is not repeated`(text: String, sentence: String) throws {
        try withHome { (around) throws in
            try around.configure(text)
            let problems = around.problems()
            #expect(problems.count == 1 && problems.first?.contains(sentence) == true, "\(problems)")
            #expect(!problems.joined().contains("sesame"))
        }
    }

    @Test func `more accounts than a hub may have are refused`() throws {
        try withHome { (around) throws in
            try around.configure((0..<17).map { "[source a\($0)]\nkind = a\nurl = http://a\n" }.joined())
            #expect(
                around.problems() == ["\(around.home)/.config/baton/batond.conf, line 50: there are more than 16 sections [source NAME]."])
        }
    }

    // MARK: Secrets

    private func files(_ around: ProcessEnvironment, credentials: String? = nil) -> SourceSecretFiles {
        SourceSecretFiles(folder: around.home + "/sources", credentials: credentials)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test(arguments: [
        SourceSecrets(user: "anna", password: "open sesame"), SourceSecrets(apiKey: "k=1 2"), SourceSecrets(),
        SourceSecrets(user: " a", password: "\\n\n\\\\ \u{301}x"),
    ]) func `secrets are kept as they are, in a file for this user only`(secrets: SourceSecrets) throws {
        try withHome { (around) throws in
            let files = files(around)
            #expect(try files.secrets(of: "attic") == nil)
            try files.store(secrets, of: "attic")
            #expect(try files.secrets(of: "attic") == secrets)
            #expect(try mode(around.home + "/sources") == 0o700)
            #expect(try mode(around.home + "/sources/attic.secret") == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: around.home + "/sources") == ["attic.secret"])
            try files.remove("attic")
            try files.remove("attic")
            #expect(try files.secrets(of: "attic") == nil)
        }
    }

    @Test func `a file of secrets that others can read is not used`() throws {
        try withHome { (around) throws in
            let files = files(around)
            try files.store(SourceSecrets(user: "anna", password: "open sesame"), of: "attic")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: around.home + "/sources/attic.secret")
            let fault = #expect(throws: SourceFault.self) { try files.secrets(of: "attic") }
            #expect(fault?.sentence.contains("chmod go=") == true && fault?.sentence.contains("sesame") == false)
        }
    }

    @Test func `what the service manager passes in comes first and is not overwritten`() throws {
        try withHome { (around) throws in
            let credentials = around.home + "/credentials"
            try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: true)
            try Data("user = anna\npassword = from systemd\n".utf8).write(to: URL(fileURLWithPath: credentials + "/source-attic"))
            let files = files(around, credentials: credentials)
            #expect(try files.secrets(of: "attic") == SourceSecrets(user: "anna", password: "from systemd"))
            let fault = #expect(throws: SourceFault.self) { try files.store(SourceSecrets(password: "x"), of: "attic") }
            #expect(fault?.code == .invalidState)
            around.environment["CREDENTIALS_DIRECTORY"] = credentials
            #expect(try around.settings().credentials == credentials)
        }
    }

    @Test func `a password is the first line of a file that others cannot read`() throws {
        try withHome { (around) throws in
            let path = around.home + "/password"
            #expect(throws: SourceFault.self) { try SourceSecretFiles.firstLine(of: path) }
            try Data("open sesame\nand more\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            #expect(throws: SourceFault.self) { try SourceSecretFiles.firstLine(of: path) }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            #expect(try SourceSecretFiles.firstLine(of: path) == "open sesame")
        }
    }
}
