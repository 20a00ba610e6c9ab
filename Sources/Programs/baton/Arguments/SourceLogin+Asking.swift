import BatonProtocol
import Configuration
import Glibc

/// Reads the user, password or key of an account.
extension SourceLogin {
    /// Reads secrets from the files in options, else from standard input, where they are typed invisibly or piped in.
    init(askedFor call: Invocation, at place: String) throws(Stop) {
        self.init(user: call.options["user"], code: call.options["code"])
        if let path = call.options["api-key-file"] {
            apiKey = try Self.firstLine(of: path)
            return
        }
        if let path = call.options["password-file"] {
            password = try Self.firstLine(of: path)
            return
        }
        let isTyped = isatty(STDIN_FILENO) == 1
        if isTyped, user == nil {
            Output.prompt("User at \(place) (none for an API key): ")
            let typed = readLine() ?? ""
            user = typed.isEmpty ? nil : typed
        }
        let secret = try Password.read(
            user == nil ? "API key: " : "Password: ", orElse: "Without a password or a key the server lets no one in.")
        if user == nil { apiKey = secret } else { password = secret }
    }

    /// Reads an authenticator code; `nil` if none was typed. It is visible, because it is valid for only half a minute.
    static func typedCode(for account: String) -> String? {
        Output.prompt("Code of your authenticator for \(account): ")
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }

    static func firstLine(of path: String) throws(Stop) -> String {
        guard let file = fopen(path, "r") else {
            throw Stop(.usage, "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 2048)
        let count = fread(&bytes, 1, bytes.count, file)
        let line = String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard !line.isEmpty else { throw Stop(.usage, "\(path) is empty.") }
        return line
    }
}

extension Invocation {
    /// The values of `--option NAME=VALUE`, which may be repeated; `nil` if there are none.
    func sourceOptions() throws(Stop) -> [String: String]? {
        let given = options.all("option")
        guard !given.isEmpty else { return nil }
        var chosen: [String: String] = [:]
        for text in given {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw Stop(.usage, "--option is “\(text)”. Write NAME=VALUE.")
            }
            chosen[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return chosen
    }

    /// The same call with this source as its operand.
    func naming(_ source: String) -> Invocation {
        var call = self
        call.operands = [source]
        return call
    }
}
