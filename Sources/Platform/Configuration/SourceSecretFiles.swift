/// Secrets of accounts at servers: a file for each in a folder that only the hub's user may read, or a read-only credential from the
/// service manager (`LoadCredential=source-NAME:PATH`).
///
/// A file has a line for each secret: `user = anna`, `password = …`, `api_key = …`. A backslash and a line end are escaped as `\\` and
/// `\n`.
package import BatonSeams
import Glibc

package struct SourceSecretFiles: SecretStorage {
    private let folder: String
    private let credentials: String?

    /// `credentials` is the folder in `CREDENTIALS_DIRECTORY`.
    package init(folder: String, credentials: String?) {
        self.folder = folder
        self.credentials = credentials
    }

    package func secrets(of name: String) throws(SourceFault) -> SourceSecrets? {
        if let path = credential(name) { return Self.decode(try Self.small(path)) }
        guard unsafe access(folder, F_OK) == 0 else { return nil }
        do throws(KeyStoreFault) {
            return try SecretFile("\(name).secret", in: folder).load().map(Self.decode)
        } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
    }

    package func store(_ secrets: SourceSecrets, of name: String) throws(SourceFault) {
        guard credential(name) == nil else {
            throw SourceFault(.invalidState, "The secrets of “\(name)” come from the service manager, so they are changed there.")
        }
        do throws(KeyStoreFault) {
            try SecretFile("\(name).secret", in: folder).store(Self.encode(secrets))
        } catch {
            throw SourceFault(.unavailable, error.sentence)
        }
    }

    package func remove(_ name: String) throws(SourceFault) {
        let path = "\(folder)/\(name).secret"
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw SourceFault(.unavailable, "\(path) cannot be removed: \(unsafe String(cString: strerror(errno))).")
        }
    }

    /// The first line of a file with a password or a key, which others must not be able to read.
    package static func firstLine(of path: String) throws(SourceFault) -> String {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw SourceFault(.unavailable, "\(path) cannot be read: \(unsafe String(cString: strerror(errno))).")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw SourceFault(.unavailable, "\(path) holds a secret and is open to others. Close it: chmod go= \(path)")
        }
        return try line(path)
    }

    /// The first line of a credential from the service manager; `nil` if there is none. systemd grants access with an ACL, which looks like
    /// access for a group.
    package static func credential(_ name: String, in folder: String?) throws(SourceFault) -> String? {
        guard let path = folder.map({ "\($0)/\(name)" }), unsafe access(path, F_OK) == 0 else { return nil }
        return try line(path)
    }

    private static func line(_ path: String) throws(SourceFault) -> String {
        let line = String(decoding: try small(path).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard !line.isEmpty else { throw SourceFault(.unavailable, "\(path) is empty.") }
        return line
    }

    private func credential(_ name: String) -> String? {
        guard let credentials else { return nil }
        let path = "\(credentials)/source-\(name)"
        return unsafe access(path, F_OK) == 0 ? path : nil
    }

    private static let mostBytes = 16_384

    private static func small(_ path: String) throws(SourceFault) -> [UInt8] {
        do { return try TextFile.read(path, atMost: mostBytes) } catch {
            throw SourceFault(.unavailable, "\(path) cannot be read: \(error.reason).")
        }
    }

    private static func encode(_ secrets: SourceSecrets) -> [UInt8] {
        let lines = [("user", secrets.user), ("password", secrets.password), ("api_key", secrets.apiKey)].compactMap { name, value in
            value.map { "\(name) = \(escaped($0))\n" }
        }
        return Array(lines.joined().utf8)
    }

    private static func decode(_ bytes: [UInt8]) -> SourceSecrets {
        var secrets = SourceSecrets()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            // One space after the sign belongs to the format; a password may begin with more.
            var bytes = line[(equals + 1)...]
            if bytes.first == UInt8(ascii: " ") { bytes.removeFirst() }
            let value = String(decoding: bytes, as: UTF8.self)
            switch String(decoding: line[..<equals].filter { $0 != UInt8(ascii: " ") }, as: UTF8.self) {
            case "user": secrets.user = plain(value)
            case "password": secrets.password = plain(value)
            case "api_key": secrets.apiKey = plain(value)
            default: break
            }
        }
        return secrets
    }

    private static func escaped(_ text: String) -> String {
        String(
            text.unicodeScalars.reduce(into: String.UnicodeScalarView()) { all, scalar in
                switch scalar {
                case "\\": all.append(contentsOf: "\\\\".unicodeScalars)
                case "\n": all.append(contentsOf: "\\n".unicodeScalars)
                default: all.append(scalar)
                }
            })
    }

    private static func plain(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch (isEscaped, scalar) {
            case (false, "\\"): isEscaped = true
            case (true, "n"):
                result.append("\n")
                isEscaped = false
            default:
                result.append(scalar)
                isEscaped = false
            }
        }
        return String(result)
    }
}
