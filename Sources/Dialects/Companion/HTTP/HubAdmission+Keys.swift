import BatonProtocol
import BatonSeams

/// Authentication of TLS peers: by a device's key, or by the cookie of a paired browser.
extension HubAdmission {
    /// The prefix makes browsers send the cookie only to this host and only encrypted.
    static let cookie = "__Host-baton"

    /// The grant of a TLS peer: a browser with its cookie, a script with its key, or a peer that is not authenticated yet.
    func secureGrant(_ request: HTTPRequest, forUpgrade: Bool) throws(Refusal) -> Grant {
        let address = request.peer.address
        // A WebSocket is opened by a proof of its own, which covers the connection.
        if forUpgrade, Self.bearer(of: request) != nil { return .unproved(address: address) }
        guard let deviceRegistry = companion.ports.devices else { return .unproved(address: address) }
        do throws(ProtocolFault) {
            guard let device = try shown(request, to: deviceRegistry) else { return .unproved(address: address) }
            deviceRegistry.noteActivity(of: device.id)
            return Grant(of: device, address: address)
        } catch {
            let seconds = ((error.retryAfterMs ?? 0).count + 999) / 1000
            throw Refusal(response: .sentence(429, error.sentence, headers: [("retry-after", String(max(1, seconds)))]))
        }
    }

    /// The device whose key or cookie this request carries. Wrong ones are counted, and refused after too many.
    private func shown(_ request: HTTPRequest, to deviceRegistry: any DeviceAccess) throws(ProtocolFault) -> Device? {
        let address = request.peer.address
        if let key = Self.bearer(of: request) {
            let id = DeviceID(String(key.prefix { $0 != "." }))
            try deviceRegistry.mayTry(id, from: address)
            if let device = deviceRegistry.device(withBearer: key) { return device }
            deviceRegistry.failed(id, from: address, showing: key)
        } else if let cookie = Self.cookie(named: Self.cookie, of: request) {
            // A cookie names no device, so it is compared even while its address is blocked.
            if let device = deviceRegistry.browser(withCookie: cookie) { return device }
            try deviceRegistry.mayTry(nil, from: address)
            deviceRegistry.failed(nil, from: address, showing: cookie)
        }
        return nil
    }

    /// The bearer that a request carries, right or wrong.
    static func bearer(of request: HTTPRequest) -> String? {
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }

    static func cookie(named name: String, of request: HTTPRequest) -> String? {
        for pair in (request.headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
            if parts.count == 2, parts[0] == name { return String(parts[1]) }
        }
        return nil
    }
}
