import BatonProtocol
import BatonSeams

/// The encrypted port for browsers: a form for the pairing code, a session for a browser that knows the code, and the hub's root
/// certificate.
extension RequestRouter {
    private static let cookieDays = 400

    /// Registers the routes for unauthenticated peers, and for ending a browser's session.
    func registerPairing(in routes: inout Routes) {
        routes.add([.get, .head], .exact("/"), for: .unproved) { [companion] request, _ in
            PairPage.response(200, companion.ports.identity.name, in: PairTheme(of: request), saying: nil)
        }
        routes.add([.get], .exact("/pair.css"), for: .unproved) { _, _ in PairTheme.style }
        routes.add([.post], .exact("/session"), for: .unproved) { [self] request, _ in beginSession(request) }
        routes.add([.post], .exact("/session/user"), for: .unproved) { [self] request, _ in await beginUserSession(request) }
        routes.add([.post], .exact("/session/end"), for: .proved) { [self] _, grant in endSession(grant) }
        routes.add([.get, .head, .post], .prefix("/"), for: .unproved) { _, _ in
            .sentence(
                401,
                "Say who you are: pair this browser at /, or send a device's bearer as Authorization: Bearer. "
                    + "The bearer follows from the device's key; the profile network of the protocol says how.",
                headers: [("www-authenticate", "Bearer realm=\"baton\"")])
        }
    }

    // MARK: Sessions of browsers

    /// A browser cannot detect a machine between it and the hub, so the code grants the role of a remote at most.
    private func beginSession(_ request: HTTPRequest) -> HTTPResponse {
        let name = companion.ports.identity.name, theme = PairTheme(of: request)
        guard let deviceRegistry = companion.ports.devices, request.headers["origin"] != nil else {
            return .sentence(403, "Only the hub's own page may do this.")
        }
        let form = Self.form(request.body)
        let digits = (form["pin"] ?? "").filter(\.isNumber)
        guard digits.utf8.count == 6 else {
            return PairPage.response(400, name, in: theme, saying: "The code has six digits.", typed: form["name"] ?? "")
        }
        let holder = companion.nextSession()
        do throws(ProtocolFault) {
            let window = try deviceRegistry.beginAttempt(holder)
            try deviceRegistry.countAttempt(holder)
            guard isSame(Array(digits.utf8), Array(window.pin.utf8)) else {
                deviceRegistry.failAttempt(holder)
                throw Session.wrongCode(deviceRegistry)
            }
            let secret = Base64URL.text(deviceRegistry.cryptography.random(32))
            let hash = deviceRegistry.cryptography.sha256(Array(secret.utf8))
            let device = try deviceRegistry.admit(
                holder, name: Self.name(form["name"]), role: min(window.role, .remote), as: .cookie(hash: hash), window)
            let age = device.expiresMs.map { max(60, ($0 - deviceRegistry.wallMs()).seconds) } ?? Int64(Self.cookieDays * 86_400)
            return Self.toTheRemote("\(HubAdmission.cookie)=\(secret); Path=/; Max-Age=\(age); Secure; HttpOnly; SameSite=Strict")
        } catch {
            let status = error.code == .rateLimited ? 429 : 403
            return PairPage.response(status, name, in: theme, saying: error.sentence, typed: form["name"] ?? "")
        }
    }

    /// Ends the browser's pairing.
    private func endSession(_ grant: Grant) -> HTTPResponse {
        if let device = grant.device, device.isBrowser { try? companion.ports.devices?.revoke(device.id) }
        return Self.toTheRemote("\(HubAdmission.cookie)=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict")
    }

    private static func toTheRemote(_ cookie: String) -> HTTPResponse {
        HTTPResponse(status: 303, headers: [("location", "/"), ("set-cookie", cookie), ("cache-control", "no-store")])
    }

    private static func name(_ text: String?) -> String {
        let name = String((text ?? "").filter { !$0.isNewline }.prefix(40))
        return name.allSatisfy(\.isWhitespace) ? "A browser" : name
    }

    /// Parses `application/x-www-form-urlencoded`, as far as a form of two fields needs it.
    static func form(_ body: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in body.prefix(4096).split(separator: UInt8(ascii: "&")) {
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

    /// Registers the certificate for every visitor: it is not secret, and trusting it is the visitor's decision.
    func registerTrust(in routes: inout Routes) {
        guard !policy.root.isEmpty else { return }
        routes.add([.get], .exact("/trust"), for: .visitors) { [companion] request, _ in
            TrustPage.response(companion.ports.identity.name, in: PairTheme(of: request))
        }
        routes.add([.get], .exact("/pair.css"), for: .visitors) { _, _ in PairTheme.style }
        routes.add([.get], .exact("/trust/baton-root.crt"), for: .visitors) { [policy] _, _ in
            HTTPResponse(
                status: 200,
                headers: [
                    ("content-type", "application/x-x509-ca-cert"), ("content-disposition", "attachment; filename=\"baton-root.crt\""),
                    ("x-content-type-options", "nosniff"),
                ], body: policy.root)
        }
    }
}
