/// One Subsonic server: requests, login, extensions, and errors as sentences. It does not know items.
///
/// Nothing is logged here, because requests may contain secrets. If the server accepts forms, secrets stay out of
/// URLs, which proxies may log.
import BatonCore
import BatonSeams

struct SubsonicServer: Sendable {
    let title: String
    let address: ServerAddress
    let memory: ServerMemory
    private let secrets: SourceSecrets
    private let http: any HTTPCalling
    private let random: @Sendable (Int) -> [UInt8]
    let md5: MD5
    private let clock: Clock
    private let ahead = ServerAhead()

    init(_ account: SourceAccount, secrets: SourceSecrets, parts: SourceParts) throws(SourceFault) {
        title = account.title
        address = try ServerAddress(account.url, without: "/rest")
        md5 = MD5(parts.md5)
        memory = ServerMemory(parts.memory, of: address, clock: parts.clock, hashedBy: md5)
        self.secrets = secrets
        http = parts.http
        random = parts.random
        clock = parts.clock
    }

    /// The lead of the server's clock over this hub's, from its latest answer.
    var aheadMs: Milliseconds { get async { await ahead.ms } }

    /// Limit of an answer, which may list a large library.
    static let mostBytes: Int64 = 32 << 20
    /// Length from which a query is sent as a form, even to a server without that extension.
    private static let longestQuery = 4_000

    // MARK: Requests for content

    /// Sends a request and returns the content of the envelope. With `once` it is not repeated, because it would
    /// count twice.
    func ask(
        _ method: String, _ parameters: Parameters = [:], within limit: Duration = HTTPCallLimits().head, once: Bool = false
    ) async throws(SourceFault) -> SubsonicRecord {
        if memory.lacking.contains(method) { throw lacks(method) }
        try await probe()
        return try await logIn { login throws(SourceFault) in
            let answer = try await answer(to: method, parameters + identity(login), within: limit, once: once)
            switch answer {
            case .content(let record): return .done(record)
            case .error(let error): return .refused(error)
            case .lacking:
                memory.noteLacking(method)
                throw lacks(method)
            case .unreadable(let code, let what): throw SourceFault(code, "The server “\(title)” \(what).")
            }
        }
    }

    /// Opens the bytes of a song or a picture. Errors arrive as JSON, even with status 200, so the content type decides.
    func open(
        _ method: String, _ parameters: Parameters, from start: Int64 = 0, limits: HTTPCallLimits = .stream
    ) async throws(SourceFault) -> HTTPAnswer {
        if memory.lacking.contains(method) { throw lacks(method) }
        try await probe()
        return try await logIn { login throws(SourceFault) in
            let range = start > 0 ? HTTPCallRange(start: start) : nil
            let answer = try await sendWithRetries(request(method, parameters + identity(login), limits: limits, range: range))
            if answer.status < 300, !answer.isText { return .done(answer) }
            if answer.status == 416 { return .done(answer) }
            switch SubsonicAnswer(status: answer.status, await answer.beginning(of: 65_536)) {
            case .error(let error): return .refused(error)
            case .lacking:
                memory.noteLacking(method)
                throw lacks(method)
            case .unreadable(let code, let what): throw SourceFault(code, "The server “\(title)” \(what).")
            case .content: throw SourceFault(.failed, "The server “\(title)” answers with text where sound or a picture was expected.")
            }
        }
    }

    /// The policy for addresses that the server names.
    var policy: AddressPolicy { address.policy }

    func lacks(_ method: String) -> SourceFault { SourceFault(.unsupported, "The server “\(title)” does not have “\(method)”.") }

    // MARK: Extensions

    /// Fetches the extensions, unless they are known and `anew` is false. Servers without that method have none.
    func probe(anew: Bool = false) async throws(SourceFault) {
        if !anew, memory.extensions != nil { return }
        var known: [String: [Int]] = [:]
        // This method needs no login, so no secret is sent.
        if case .content(let record) = try await answer(to: "getOpenSubsonicExtensions", Self.program) {
            for one in record.list("openSubsonicExtensions") {
                guard let name = one.text("name"), name.utf8.allSatisfy(Self.isPlain), name.utf8.count <= 64 else { continue }
                known[name] = one.json["versions"]?.array?.compactMap { $0.int.map { Int($0) } } ?? []
            }
        }
        memory.storeExtensions(known)
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte > 32 && byte < 127 && byte != UInt8(ascii: ":") }

    // MARK: Login

    private enum Attempt<Answer: Sendable>: Sendable {
        case done(Answer)
        case refused(SubsonicError)
    }

    private func logIn<Answer: Sendable>(
        _ attempt: (Login) async throws(SourceFault) -> Attempt<Answer>
    ) async throws(SourceFault) -> Answer {
        var ladder = LoginFallback(secrets, known: memory.login)
        while true {
            switch try await attempt(ladder.current) {
            case .done(let answer):
                memory.store(ladder.current)
                return answer
            case .refused(let error):
                if error.isPastLogin { memory.store(ladder.current) }
                guard ladder.goOn(after: error) else { throw fault(error) }
            }
        }
    }

    private func identity(_ login: Login) throws(SourceFault) -> Parameters {
        try Self.program + login.parameters(secrets, hashedBy: md5) { Hex.text(random(8)) }
    }

    private static let program: Parameters = ["v": "1.16.1", "c": "Baton", "f": "json"]

    // MARK: Requests

    private func answer(
        to method: String, _ parameters: Parameters, within limit: Duration = HTTPCallLimits().head, once: Bool = false
    ) async throws(SourceFault) -> SubsonicAnswer {
        var limits = HTTPCallLimits()
        limits.bodyBytes = Self.mostBytes
        limits.head = limit
        var call = request(method, parameters, limits: limits, range: nil)
        call.isSentOnce = once
        let answer = try await sendWithRetries(call)
        if let dateMs = answer.dateMs { await ahead.learn(dateMs - clock.wallMs) }
        do throws(HTTPCallFault) {
            return SubsonicAnswer(status: answer.status, try await answer.whole())
        } catch {
            throw error.asSourceFault
        }
    }

    private func request(_ method: String, _ parameters: Parameters, limits: HTTPCallLimits, range: HTTPCallRange?) -> HTTPCall {
        let url = "\(address.base)/rest/\(method).view"
        let text = parameters.encoded
        guard memory.has("formPost") || text.utf8.count > Self.longestQuery else {
            return HTTPCall(.get, "\(url)?\(text)", range: range, limits: limits, policy: address.policy)
        }
        var headers = [HTTPCall.Header("Content-Type", "application/x-www-form-urlencoded")]
        // libcurl drops its range option for forms, so the header is set here.
        if let range { headers.append(HTTPCall.Header("Range", "bytes=\(range.start)-")) }
        return HTTPCall(.post, url, headers: headers, body: Array(text.utf8), limits: limits, policy: address.policy)
    }

    /// Repeats a request up to twice if the server is overloaded, after the pause that it asks for, at most ten
    /// seconds. A request to be sent once fails at once, because its caller queues it and knows when to retry.
    private func sendWithRetries(_ call: HTTPCall) async throws(SourceFault) -> HTTPAnswer {
        var waits = 0
        while true {
            let answer: HTTPAnswer
            do throws(HTTPCallFault) { answer = try await http.call(call) } catch { throw error.asSourceFault }
            guard answer.status == 429 || answer.status == 503 else { return answer }
            answer.body.cancel()
            let seconds = answer.header("retry-after").flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
            guard answer.status == 429, !call.isSentOnce, waits < 2 else {
                var fault = SourceFault(.unavailable, "The server “\(title)” has too much to do just now (status \(answer.status)).")
                fault.isUntaken = true
                fault.retryAfterMs = seconds.map { Milliseconds.seconds($0) }
                throw fault
            }
            waits += 1
            do { try await Task.sleep(for: .seconds(min(seconds ?? 1, 10))) } catch { throw .cancelled }
        }
    }

    // MARK: Errors

    private func fault(_ error: SubsonicError) -> SourceFault {
        let said = spoken(error.message).map { ": \($0)" } ?? "."
        return switch error.code {
        case 20, 30: SourceFault(.unsupported, "The server “\(title)” and Baton speak versions of Subsonic that do not fit\(said)")
        case 40: SourceFault(.forbidden, "The server “\(title)” does not accept the user name or the password.")
        case 41, 42: SourceFault(.forbidden, "The server “\(title)” accepts none of the ways in which Baton can log in.")
        case 43: SourceFault(.forbidden, "The server “\(title)” does not accept how Baton has logged in.")
        case 44: SourceFault(.forbidden, "The server “\(title)” does not accept the API key.")
        case 50: SourceFault(.forbidden, "The server “\(title)” does not allow this account to do that.")
        case 60: SourceFault(.forbidden, "The trial period of the server “\(title)” is over.")
        case 70: SourceFault(.notFound, "The server “\(title)” has no such item any more.")
        default: SourceFault(.failed, "The server “\(title)” answers with error \(error.code)\(said)")
        }
    }

    /// The server's own message on one line, unless it may contain a secret.
    private func spoken(_ message: String?) -> String? {
        guard let message else { return nil }
        let line = String(message.prefix(200).map { $0.isNewline || $0.asciiValue.map { $0 < 32 } ?? false ? " " : $0 })
        let password = secrets.password ?? ""
        let secret = [password, secrets.apiKey ?? "", Hex.text(Array(password.utf8))].filter { !$0.isEmpty }
        guard !secret.contains(where: message.contains), !Self.hasDigest(message) else { return nil }
        return line.hasSuffix(".") ? line : line + "."
    }

    /// Whether the text contains 32 consecutive hexadecimal digits, which may be a token.
    private static func hasDigest(_ text: String) -> Bool {
        var run = 0
        for character in text {
            run = character.isHexDigit ? run + 1 : 0
            if run == 32 { return true }
        }
        return false
    }
}

/// The offset of the server's clock in its latest answer.
private actor ServerAhead {
    private(set) var ms: Milliseconds = 0

    func learn(_ ms: Milliseconds) { self.ms = ms }
}

extension HTTPAnswer {
    /// Whether the body is an error message instead of sound.
    fileprivate var isText: Bool {
        guard let type = header("content-type")?.lowercased() else { return false }
        return type.contains("json") || type.contains("xml") || type.hasPrefix("text/")
    }

    /// Reads the beginning of the body and closes its transfer.
    fileprivate func beginning(of most: Int) async -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < most, let piece = try? await body.next() { bytes += piece.prefix(most - bytes.count) }
        body.cancel()
        return bytes
    }
}
