import BatonPairing
import BatonProtocol
import BatonSeams

/// What browsers and scripts find on the encrypted port: a form for the code, a session for a person
/// who knew it, and the hub's root certificate for those who want to trust it.
extension RequestRouter {
    /// The prefix has browsers keep it to this very host, and send it encrypted only.
    private static let cookie = "__Host-baton"
    private static let cookieDays = 400

    /// Who comes by TLS: the browser with its cookie, the script with its key, or a client that has yet
    /// to say who it is.
    func secureGrant(_ request: HTTPRequest) -> Result<Grant, Refusal> {
        let address = request.peer.address
        guard let deviceRegistry = companion.ports.devices else { return .success(.unproved(address: address)) }
        do throws(ProtocolFault) {
            guard let device = try shown(request, to: deviceRegistry) else { return .success(.unproved(address: address)) }
            deviceRegistry.saw(device.id)
            return .success(Grant(of: device, address: address))
        } catch {
            let seconds = ((error.retryAfterMs ?? 0) + 999) / 1000
            return .failure(Refusal(response: .sentence(429, error.sentence, headers: [("retry-after", String(max(1, seconds)))])))
        }
    }

    /// The device whose key or cookie this request carries. Wrong ones are counted, and refused where too many came.
    private func shown(_ request: HTTPRequest, to deviceRegistry: any DeviceAccess) throws(ProtocolFault) -> Device? {
        let address = request.peer.address
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        if words.count == 2, words[0].lowercased() == "bearer" {
            let key = String(words[1])
            let id = DeviceID(String(key.prefix { $0 != "." }))
            try deviceRegistry.mayTry(id, from: address)
            if let device = deviceRegistry.device(withBearer: key) { return device }
            deviceRegistry.failed(id, from: address, showing: key)
        } else if let cookie = Self.cookie(of: request) {
            // A cookie names no device, so that a right one from an address that has to wait is told by looking at it.
            if let device = deviceRegistry.browser(withCookie: cookie) { return device }
            try deviceRegistry.mayTry(nil, from: address)
            deviceRegistry.failed(nil, from: address, showing: cookie)
        }
        return nil
    }

    private static func cookie(of request: HTTPRequest) -> String? {
        for pair in (request.headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
            if parts.count == 2, parts[0] == cookie { return String(parts[1]) }
        }
        return nil
    }

    /// Answers to clients that have not shown who they are.
    func respondUnproved(to request: HTTPRequest) -> HTTPResponse {
        switch (request.method, request.path) {
        case (.get, "/"), (.head, "/"): PairPage.response(200, companion.ports.identity.name, saying: nil)
        case (.get, "/pair.css"): PairPage.style
        case (.post, "/session"): beginSession(request)
        case (_, "/companion/v1"): .sentence(426, "This is where WebSocket connections go.", headers: [("upgrade", "websocket")])
        default:
            .sentence(
                401, "Say who you are: pair this browser at /, or send a device's key as Authorization: Bearer.",
                headers: [("www-authenticate", "Bearer realm=\"baton\"")])
        }
    }

    // MARK: Sessions of browsers

    /// A browser cannot tell who stands between it and the hub, so what it gets by typing the code is
    /// never more than a remote.
    private func beginSession(_ request: HTTPRequest) -> HTTPResponse {
        let name = companion.ports.identity.name
        guard let deviceRegistry = companion.ports.devices, request.headers["origin"] != nil else {
            return .sentence(403, "Only the hub's own page may do this.")
        }
        let form = Self.form(request.body)
        let digits = (form["pin"] ?? "").filter(\.isNumber)
        guard digits.utf8.count == 6 else { return PairPage.response(400, name, saying: "The code has six digits.") }
        let holder = companion.nextSession()
        do throws(ProtocolFault) {
            let window = try deviceRegistry.beginAttempt(holder)
            guard isSame(Array(digits.utf8), Array(window.pin.utf8)) else {
                deviceRegistry.failAttempt(holder)
                throw Session.wrongCode(deviceRegistry)
            }
            let secret = Base64URL.text(deviceRegistry.cryptography.random(32))
            let hash = deviceRegistry.cryptography.sha256(Array(secret.utf8))
            let device = try deviceRegistry.admit(
                holder, name: Self.name(form["name"]), role: min(window.role, .remote), as: .cookie(hash: hash), window)
            let age = device.expiresMs.map { max(60, ($0 - deviceRegistry.wallMs()) / 1000) } ?? Int64(Self.cookieDays * 86_400)
            return Self.toTheRemote("\(Self.cookie)=\(secret); Path=/; Max-Age=\(age); Secure; HttpOnly; SameSite=Strict")
        } catch {
            return PairPage.response(error.code == .rateLimited ? 429 : 403, name, saying: error.sentence)
        }
    }

    /// The browser goes away for good.
    func endSession(_ grant: Grant) -> HTTPResponse {
        if let device = grant.device, device.isBrowser { try? companion.ports.devices?.revoke(device.id) }
        return Self.toTheRemote("\(Self.cookie)=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict")
    }

    private static func toTheRemote(_ cookie: String) -> HTTPResponse {
        HTTPResponse(status: 303, headers: [("location", "/"), ("set-cookie", cookie), ("cache-control", "no-store")])
    }

    private static func name(_ text: String?) -> String {
        let name = String((text ?? "").filter { !$0.isNewline }.prefix(40))
        return name.allSatisfy(\.isWhitespace) ? "A browser" : name
    }

    /// `application/x-www-form-urlencoded`, as far as a form of two fields needs it.
    private static func form(_ body: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in body.prefix(1024).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            fields[decoded(parts[0])] = decoded(parts[1])
        }
        return fields
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: The root certificate

    /// For anyone: a certificate is no secret, and whether to trust it is the visitor's decision.
    func trust(_ request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .get, !policy.root.isEmpty else { return nil }
        return switch request.path {
        case "/trust": TrustPage.response(companion.ports.identity.name)
        case "/trust/baton-root.crt":
            HTTPResponse(
                status: 200,
                headers: [
                    ("content-type", "application/x-x509-ca-cert"), ("content-disposition", "attachment; filename=\"baton-root.crt\""),
                    ("x-content-type-options", "nosniff"),
                ], body: policy.root)
        case "/pair.css": PairPage.style
        default: nil
        }
    }
}
