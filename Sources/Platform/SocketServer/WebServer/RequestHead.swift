import BatonSeams

/// A request before its body, parsed strictly (RFC 9112).
///
/// Differences between two parsers let requests be smuggled past a proxy or past the rules for `Host` and `Origin`. So a head has one
/// meaning here or is refused: no line folding, no space before a colon, no second `Host`, no empty `Origin`, no control characters.
/// libwebsockets hides all of these, so it only carries the bytes.
struct RequestHead {
    /// `nil` for a method that no route supports.
    var method: HTTPRequest.Method?
    /// The path, percent-decoded, as is the query.
    var path: String
    var query: [(name: String, value: String)]
    var headers: [String: String]
    /// HTTP/1.1, not 1.0.
    var isNew: Bool
    /// Whether the connection may serve another request after this one.
    var keepsAlive: Bool
    /// The peer that sent it, once `hear` was called.
    private var sender: Peer?

    /// The reason why a head is refused.
    struct Fault: Error, Equatable {
        var status = 400
        var sentence: String

        init(_ sentence: String, status: Int = 400) {
            self.status = status
            self.sentence = sentence
        }
    }

    /// Limit of bytes. Browsers send the cookies of every program on this machine.
    static let mostBytes = 16_384
    static let mostHeaders = 100

    /// Headers that are stored for every request, and the handling of a repeated one.
    private static let kept: [String: Repeated] = [
        "accept": .joined(", "), "accept-encoding": .joined(", "), "authorization": .refused, "connection": .joined(", "),
        "content-length": .refused, "content-type": .refused, "cookie": .joined("; "), "expect": .joined(", "), "host": .refused,
        "icy-metadata": .joined(", "), "if-none-match": .joined(", "),
        "if-range": .refused,
        "origin": .refused, "range": .refused, "sec-fetch-site": .refused, "sec-websocket-key": .refused,
        "sec-websocket-protocol": .joined(", "),
        "sec-websocket-version": .refused, "transfer-encoding": .joined(", "), "upgrade": .joined(", "), "user-agent": .joined(" "),
    ]

    private enum Repeated {
        case refused
        case joined(String)
    }

    /// Headers that only proxies add. A request with any of them, even an empty one, did not originate on this machine.
    private static let marksOfProxies: Set<String> = ["forwarded", "via", "x-forwarded", "x-real-ip"]

    private static func isMarkOfProxy(_ name: String) -> Bool { marksOfProxies.contains(name) || name.hasPrefix("x-forwarded-") }

    /// The end of the head at the start of these bytes; `nil` if it is incomplete. The first `searched` bytes are not searched again.
    static func end(of bytes: [UInt8], searched: Int = 0) throws(Fault) -> Int? {
        var index = max(3, searched)
        while index < min(bytes.count, mostBytes) {
            if bytes[index] == 0x0A, bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A, bytes[index - 3] == 0x0D { return index + 1 }
            index += 1
        }
        guard bytes.count < mostBytes else {
            throw Fault("The head of a request may have at most \(mostBytes) bytes.", status: 431)
        }
        return nil
    }

    /// Parses a complete head, including the empty line at its end. `also` names further headers to store.
    init(_ bytes: some Collection<UInt8>, keeping also: Set<String> = []) throws(Fault) {
        var lines = try Self.lines(Array(bytes))
        guard !lines.isEmpty else { throw Fault("A request begins with a line such as GET / HTTP/1.1.") }
        let (verb, target, isNew) = try Self.requestLine(lines.removeFirst())
        self.isNew = isNew
        guard lines.count <= Self.mostHeaders else {
            throw Fault("A request may have at most \(Self.mostHeaders) header lines.", status: 431)
        }
        method = HTTPRequest.Method(rawValue: verb)
        (path, query) = try Self.place(target)
        headers = [:]
        for line in lines { try Self.take(line, into: &headers, also) }
        guard headers["origin"] != "" else { throw Fault("The header Origin is empty.") }
        let connection = Set((headers["connection"] ?? "").lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } })
        keepsAlive = connection.contains("close") ? false : isNew || connection.contains("keep-alive")
    }

    func request(from peer: Peer, at listener: ListenerName = .plain, body: [UInt8] = []) -> HTTPRequest {
        HTTPRequest(
            method: method ?? .get, path: path, query: query, headers: headers, body: body, peer: sender ?? heard(before: peer),
            listener: listener)
    }

    /// The peer without trusted proxies: headers of a proxy can only take rights away.
    private func heard(before peer: Peer) -> Peer {
        (try? TrustedProxies().peer(behind: peer, headers, isMarked: headers.keys.contains(where: Self.isMarkOfProxy))) ?? peer
    }

    /// Determines the peer from the headers that proxies have added.
    mutating func hear(_ proxies: TrustedProxies, before peer: Peer) throws(Fault) {
        do throws(TrustedProxies.Fault) {
            sender = try proxies.peer(behind: peer, headers, isMarked: headers.keys.contains(where: Self.isMarkOfProxy))
        } catch {
            throw Fault(error.sentence)
        }
    }
}

// MARK: - Lines

extension RequestHead {
    /// Lines without their ends and without the empty one. A line ends with CR and LF, and contains neither.
    private static func lines(_ bytes: [UInt8]) throws(Fault) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == 0x0A {
            guard index > start, bytes[index - 1] == 0x0D else { throw Fault("A line of a request must end with CR and LF.") }
            // Some clients send an empty line after a body.
            if index - 1 > start { lines.append(bytes[start..<index - 1]) } else if !lines.isEmpty { break }
            start = index + 1
        }
        return lines
    }

    private static func requestLine(_ line: ArraySlice<UInt8>) throws(Fault) -> (verb: String, target: ArraySlice<UInt8>, isNew: Bool) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(isOfToken) else {
            throw Fault("A request begins with a line such as GET / HTTP/1.1, with one space between its three words.")
        }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw Fault("Only HTTP/1.1 is spoken here.", status: 505) }
        return (String(decoding: words[0], as: UTF8.self), words[1], version == "HTTP/1.1")
    }

    private static func take(_ line: ArraySlice<UInt8>, into headers: inout [String: String], _ also: Set<String>) throws(Fault) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex, line[..<colon].allSatisfy(isOfToken) else {
            // This includes a line that begins with a space, the old form of a continued header.
            throw Fault("A header line is a name, a colon right behind it, and a value on the same line.")
        }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        var value = line[(colon + 1)...]
        while let first = value.first, isBlank(first) { value.removeFirst() }
        while let last = value.last, isBlank(last) { value.removeLast() }
        guard value.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw Fault("The header \(name) holds a control character.")
        }
        guard kept[name] != nil || isMarkOfProxy(name) || also.contains(name) else { return }
        let text = String(decoding: value, as: UTF8.self)
        guard let before = headers[name] else { return headers[name] = text }
        switch kept[name] ?? .joined(", ") {
        case .refused: throw Fault("The header \(name) may come once only.")
        case .joined(let separator): headers[name] = [before, text].filter { !$0.isEmpty }.joined(separator: separator)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isOfToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

// MARK: - The target

extension RequestHead {
    private static func place(_ target: ArraySlice<UInt8>) throws(Fault) -> (path: String, query: [(name: String, value: String)]) {
        guard target.first == UInt8(ascii: "/"), target.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw Fault("The target of a request is a path that begins with a slash and holds no control characters.")
        }
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var query: [(name: String, value: String)] = []
        for pair in parts.dropFirst().first?.split(separator: UInt8(ascii: "&")) ?? [] {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            query.append((try decoded(halves[0]), halves.count > 1 ? try decoded(halves[1]) : ""))
        }
        return (try decoded(parts[0]), query)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
        var plain: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                plain.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit, high | low != 0 else {
                throw Fault("The target of a request holds a % without the two digits of a character.")
            }
            plain.append(high << 4 | low)
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
