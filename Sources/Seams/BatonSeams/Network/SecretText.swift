/// Removes secrets from log sentences: passwords and tokens behind their names, secrets in URLs, and credentials for servers.
///
/// Errors of libraries and servers may repeat a complete URL, so every line passes through here when it is written.
package enum SecretText {
    /// The text that replaces a secret.
    package static let mark = "…"

    private static let names: Set<String> = [
        "password", "passwd", "pass", "pwd", "token", "access_token", "refresh_token", "id_token", "secret", "client_secret", "apikey",
        "api_key", "api-key", "x-api-key", "authorization", "signature", "jwt", "cookie", "set-cookie",
    ]
    /// Names that count only as URL parameters, since elsewhere they are ordinary words.
    private static let shortNames: Set<String> = ["p", "s", "t", "u", "k", "auth", "code", "key", "salt", "session", "sig", "ticket"]
    /// Words that are followed by a secret.
    private static let schemes: Set<String> = ["bearer", "basic", "ticket"]
    /// Paths that are followed by a token.
    private static let paths = ["/media/", "/s/"]

    /// The sentence with each secret replaced by `mark`.
    package static func removed(from sentence: String) -> String {
        var bytes = Array(sentence.utf8)
        guard mayHold(bytes) else { return sentence }
        bytes = withoutUsers(bytes)
        bytes = withoutPaths(bytes)
        return String(decoding: withoutValues(bytes), as: UTF8.self)
    }

    /// False for sentences without any sign that precedes a secret, which are most.
    private static func mayHold(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") } || holdsScheme(bytes)
    }

    private static func holdsScheme(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        return schemes.contains { text.contains("\($0) ") }
    }

    /// Turns `https://anna:secret@host` into `https://…@host`.
    private static func withoutUsers(_ bytes: [UInt8]) -> [UInt8] {
        replaced(in: bytes, behind: Array("://".utf8)) { rest in
            let authority = rest.prefix { !isEnd($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            return authority.lastIndex(of: UInt8(ascii: "@")).map { $0 - rest.startIndex }
        }
    }

    private static func withoutPaths(_ bytes: [UInt8]) -> [UInt8] {
        paths.reduce(bytes) { bytes, path in
            replaced(in: bytes, behind: Array(path.utf8)) { rest in
                let token = rest.prefix { !isEnd($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
                return token.count >= 16 ? token.count : nil
            }
        }
    }

    /// Replaces secrets behind a sign. `length` is the number of secret bytes after it, if there are any.
    private static func replaced(
        in bytes: [UInt8], behind sign: [UInt8], length: (ArraySlice<UInt8>) -> Int?
    ) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard bytes[place...].starts(with: sign) else {
                result.append(bytes[place])
                place += 1
                continue
            }
            result += sign
            place += sign.count
            if let count = length(bytes[place...]), count > 0 {
                result += mark.utf8
                place += count
            }
        }
        return result
    }

    /// Removes the secrets in `password = x`, `token: x`, `?t=x&s=y` and `Bearer x`.
    private static func withoutValues(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard isOfName(bytes[place]) else {
                result.append(bytes[place])
                place += 1
                continue
            }
            let word = bytes[place...].prefix { isOfName($0) }
            let name = String(decoding: word, as: UTF8.self).lowercased()
            let isParameter = place > 0 && (bytes[place - 1] == UInt8(ascii: "?") || bytes[place - 1] == UInt8(ascii: "&"))
            result += word
            place += word.count
            if schemes.contains(name), let value = value(in: bytes, from: place, needsSign: false) {
                result += bytes[place..<value.lowerBound] + mark.utf8
                place = value.upperBound
            } else if names.contains(name) && !isOfPath(bytes, word.startIndex) || isParameter && shortNames.contains(name),
                let value = value(in: bytes, from: place)
            {
                result += bytes[place..<value.lowerBound] + mark.utf8
                place = value.upperBound
            }
        }
        return result
    }

    /// True for the end of a file's name, which names no value.
    private static func isOfPath(_ bytes: [UInt8], _ start: Int) -> Bool {
        start > 0 && (bytes[start - 1] == UInt8(ascii: ".") || bytes[start - 1] == UInt8(ascii: "/"))
    }

    /// The value after `=`, `:` or a space; a quoted one ends at its closing quote.
    private static func value(in bytes: [UInt8], from start: Int, needsSign: Bool = true) -> Range<Int>? {
        var place = start
        let space = UInt8(ascii: " ")
        let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
        // A name in JSON ends with its quote.
        if needsSign, place < bytes.count, quotes.contains(bytes[place]) { place += 1 }
        while place < bytes.count, bytes[place] == space { place += 1 }
        if needsSign {
            guard place < bytes.count, bytes[place] == UInt8(ascii: "=") || bytes[place] == UInt8(ascii: ":") else { return nil }
            place += 1
            while place < bytes.count, bytes[place] == space { place += 1 }
            // The name of an authentication scheme is no secret, but the text after it is.
            let word = bytes[place...].prefix { isOfName($0) }
            if schemes.contains(String(decoding: word, as: UTF8.self).lowercased()) {
                place += word.count
                while place < bytes.count, bytes[place] == space { place += 1 }
            }
        } else if place == start {
            return nil
        }
        guard place < bytes.count else { return nil }
        if quotes.contains(bytes[place]) {
            let quote = bytes[place]
            let end = bytes[(place + 1)...].firstIndex(of: quote) ?? bytes.count
            return end > place + 1 ? place + 1..<end : nil
        }
        let end = bytes[place...].firstIndex { isEnd($0) || $0 == UInt8(ascii: "&") } ?? bytes.count
        return end > place ? place..<end : nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// True for bytes that end a URL or a value in a sentence.
    private static func isEnd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: ")")
            || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }
}
