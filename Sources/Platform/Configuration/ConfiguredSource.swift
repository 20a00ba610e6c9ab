/// Accounts at servers in `batond.conf`, one section `[source NAME]` each. This module does not know the kinds of servers and their
/// options.
import BatonProtocol

package struct ConfiguredSource: Equatable, Sendable {
    package var name: String
    package var title: String?
    package var kind = ""
    package var url = ""
    package var user: String?
    /// Files whose first line is the password or the key.
    package var passwordFile: String?
    package var apiKeyFile: String?
    package var isEnabled = true
    /// Options of this kind of server.
    package var options: [String: String] = [:]
    /// The place for messages: "/etc/baton/batond.conf, line 7".
    package var location: String

    package init(name: String, location: String) {
        self.name = name
        self.location = location
    }
}

/// A reader for the sections, in the order of the file.
struct ConfiguredSources {
    private(set) var sources: [ConfiguredSource] = []
    private var sections = NamedSections("source", most: SourceText.most)

    private static let prefix = "source "
    /// Keys that people may try here, although secrets do not belong into this file.
    private static let secrets = ["password", "api_key", "apikey", "token", "secret"]

    /// Whether a section describes a source.
    static func isOne(_ section: String) -> Bool { section == "source" || section.hasPrefix(prefix) }

    var problems: [String] { sections.problems }

    mutating func take(_ line: INIFile.Line, source: String, home: String) {
        let name = String(line.section.dropFirst(Self.prefix.count)).trimmed
        guard let at = sections.place(of: name, source) else { return }
        if at == sources.count { sources.append(ConfiguredSource(name: name, location: source)) }
        guard sections.take(line.name, of: name, source) else { return }
        func path() -> String? {
            if let whole = PathOrigin(home: home).wholePath(line.value) { return whole }
            sections.problems.append(
                "\(source): [source \(name)] \(line.name) is \"\(line.value)\". Expected an absolute path, or one that begins with ~/.")
            return nil
        }
        switch line.name {
        case "kind":
            if !SourceText.isName(line.value) {
                sections.problems.append("\(source): [source \(name)] kind is \"\(line.value)\". Expected a name.")
            }
            sources[at].kind = line.value
        case "url":
            if !SourceText.isServerURL(line.value) {
                // The value is not repeated, since it may contain a password.
                sections.problems.append(
                    "\(source): [source \(name)] url is not the address of a server. Expected http:// or https:// and a host, with no user and no password in it."
                )
            }
            sources[at].url = line.value
        case "title":
            if !(1...64).contains(line.value.unicodeScalars.count) {
                sections.problems.append("\(source): [source \(name)] title is too long. Expected 1 to 64 characters.")
            }
            sources[at].title = line.value
        case "user": sources[at].user = line.value
        case "password_file": sources[at].passwordFile = path()
        case "api_key_file": sources[at].apiKeyFile = path()
        case "enabled":
            guard let answer = NamedSections.answers[line.value.lowercased()] else {
                return sections.problems.append("\(source): [source \(name)] enabled is \"\(line.value)\". Expected yes or no.")
            }
            sources[at].isEnabled = answer
        case _ where Self.secrets.contains(line.name):
            sections.problems.append(
                "\(source): [source \(name)] \(line.name) has no place in this file, which others may read. Put it into a file of its own: password_file = PATH, or api_key_file = PATH."
            )
        case _ where SourceText.isOptionName(line.name) && line.value.utf8.count <= SourceText.optionBytes:
            sources[at].options[line.name] = line.value
        default: sections.problems.append("\(source): [source \(name)] has no setting \(line.name).")
        }
    }

    /// Reports missing settings after the file was read.
    mutating func finish() {
        for source in sources {
            let needed = [("kind", source.kind), ("url", source.url)].filter { !sections.has($0.0, of: source.name) }
            for (key, _) in needed { sections.problems.append("\(source.location): [source \(source.name)] has no \(key).") }
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        let end = reversed().drop { $0 == " " }.count
        return String(prefix(end).drop { $0 == " " })
    }
}
