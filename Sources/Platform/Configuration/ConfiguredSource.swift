/// The accounts at servers that `batond.conf` names, a section `[source NAME]` each. What the kinds of servers are, and which
/// options they have, this module does not know.
import BatonProtocol

package struct ConfiguredSource: Equatable, Sendable {
    package var name: String
    package var title: String?
    package var kind = ""
    package var url = ""
    package var user: String?
    /// Files whose first line is the password, or the key.
    package var passwordFile: String?
    package var apiKeyFile: String?
    package var isEnabled = true
    /// Options of its kind.
    package var options: [String: String] = [:]
    /// For sentences: "/etc/baton/batond.conf, line 7".
    package var place: String

    package init(name: String, place: String) {
        self.name = name
        self.place = place
    }
}

/// Reads the sections in the order of the file.
struct ConfiguredSources {
    private(set) var sources: [ConfiguredSource] = []
    private(set) var problems: [String] = []
    private var given: Set<String> = []

    private static let prefix = "source "
    /// What people would write here, and must not.
    private static let secrets = ["password", "api_key", "apikey", "token", "secret"]

    /// Whether a line stands in a section of a source.
    static func isOne(_ section: String) -> Bool { section == "source" || section.hasPrefix(prefix) }

    mutating func take(_ line: INIFile.Line, source: String, home: String) {
        let name = String(line.section.dropFirst(Self.prefix.count)).trimmed
        guard let at = place(of: name, source) else { return }
        guard given.insert("\(name)/\(line.name)").inserted else {
            return problems.append("\(source): [source \(name)] \(line.name) is given twice.")
        }
        func path() -> String? {
            if let whole = Kind.Origin(home: home, folder: nil).wholePath(line.value) { return whole }
            problems.append(
                "\(source): [source \(name)] \(line.name) is \"\(line.value)\". Expected an absolute path, or one that begins with ~/.")
            return nil
        }
        switch line.name {
        case "kind":
            if !SourceText.isName(line.value) { problems.append("\(source): [source \(name)] kind is \"\(line.value)\". Expected a name.") }
            sources[at].kind = line.value
        case "url":
            if !SourceText.isServerURL(line.value) {
                // The value is not repeated: there may be a password in it.
                problems.append(
                    "\(source): [source \(name)] url is not the address of a server. Expected http:// or https:// and a host, with no user and no password in it."
                )
            }
            sources[at].url = line.value
        case "title":
            if !(1...64).contains(line.value.unicodeScalars.count) {
                problems.append("\(source): [source \(name)] title is too long. Expected 1 to 64 characters.")
            }
            sources[at].title = line.value
        case "user": sources[at].user = line.value
        case "password_file": sources[at].passwordFile = path()
        case "api_key_file": sources[at].apiKeyFile = path()
        case "enabled":
            let words = ["yes": true, "on": true, "true": true, "1": true, "no": false, "off": false, "false": false, "0": false]
            guard let answer = words[line.value.lowercased()] else {
                return problems.append("\(source): [source \(name)] enabled is \"\(line.value)\". Expected yes or no.")
            }
            sources[at].isEnabled = answer
        case _ where Self.secrets.contains(line.name):
            problems.append(
                "\(source): [source \(name)] \(line.name) has no place in this file, which others may read. Put it into a file of its own: password_file = PATH, or api_key_file = PATH."
            )
        case _ where SourceText.isOptionName(line.name) && line.value.utf8.count <= SourceText.optionBytes:
            sources[at].options[line.name] = line.value
        default: problems.append("\(source): [source \(name)] has no setting \(line.name).")
        }
    }

    private mutating func place(of name: String, _ source: String) -> Int? {
        if let at = sources.firstIndex(where: { $0.name == name }) { return at }
        guard given.insert("[\(name)]").inserted else { return nil }
        guard SourceText.isName(name) else {
            problems.append("\(source): “\(name)” is no name of a source. Expected [source NAME] with 1 to 32 of a-z 0-9 -.")
            return nil
        }
        guard sources.count < SourceText.most else {
            problems.append("\(source): there are more than \(SourceText.most) sections [source NAME].")
            return nil
        }
        sources.append(ConfiguredSource(name: name, place: source))
        return sources.count - 1
    }

    /// What is missing, once the file was read.
    mutating func finish() {
        for source in sources {
            let needed = [("kind", source.kind), ("url", source.url)].filter { !given.contains("\(source.name)/\($0.0)") }
            for (key, _) in needed { problems.append("\(source.place): [source \(source.name)] has no \(key).") }
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        let end = reversed().drop { $0 == " " }.count
        return String(prefix(end).drop { $0 == " " })
    }
}
