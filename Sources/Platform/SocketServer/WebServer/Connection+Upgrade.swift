import BatonSeams
import EventLoop
import Glibc

/// The upgrade of a request to a WebSocket (RFC 6455, 4.2).
extension Connection {
    func upgradeAsked(_ head: RequestHead) -> Bool {
        let request = head.request(from: peer, at: listener)
        let subprotocol: String?
        if let refusal = Self.refusalToUpgrade(head) { return decline(refusal) }
        switch server.reception.upgradeOpening(of: request) {
        case .refuse(let response): return decline(response)
        case .speaks(let name): subprotocol = name
        }
        if let refusal = Self.refusalOfHandshake(head, subprotocol) { return decline(refusal) }
        switch server.reception.upgrade(request) {
        case .accept(let owner):
            agreed(with: owner, request.peer)
            guard sendConsent(to: head, subprotocol) else {
                cut()
                return false
            }
            opened()
            return true
        case .refuse(let response): return decline(response)
        }
    }

    private func decline(_ response: HTTPResponse) -> Bool {
        sendOff(response)
        finish()
        return true
    }

    /// Constant with which the answer proves that the server has read the key (RFC 6455, 4.2.2).
    private static let handshake = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// Sends the answer in one piece; a peer that waits for it has room.
    private func sendConsent(to head: RequestHead, _ subprotocol: String?) -> Bool {
        let text = Array(((head.headers["sec-websocket-key"] ?? "") + Self.handshake).utf8)
        guard let accept = TLS.webSocketAccept(text) else { return false }
        let answer = """
            HTTP/1.1 101 Switching Protocols\r
            upgrade: websocket\r
            connection: upgrade\r
            sec-websocket-accept: \(accept)\r
            \(subprotocol.map { "sec-websocket-protocol: \($0)\r\n" } ?? "")\r

            """
        let bytes = Array(answer.utf8)
        return unsafe bytes.withUnsafeBytes { unsafe socket.send($0) } == bytes.count
    }

    private static func refusalToUpgrade(_ head: RequestHead) -> HTTPResponse? {
        if head.headers["upgrade"]?.lowercased() != "websocket" {
            return .sentence(400, "Only an upgrade to WebSocket is understood here.")
        }
        return bodyLength(head) == 0 ? nil : .sentence(400, "An upgrade has no body.")
    }

    private static func refusalOfHandshake(_ head: RequestHead, _ subprotocol: String?) -> HTTPResponse? {
        let words = { (name: String) in
            (head.headers[name] ?? "").split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
        if head.method != .get || !words("connection").contains(where: { $0.lowercased() == "upgrade" }) {
            return .sentence(400, "An upgrade is a GET request with the header Connection: Upgrade.")
        }
        if head.headers["sec-websocket-version"] != "13" {
            return .sentence(426, "Only version 13 of WebSocket is spoken here.", headers: [("sec-websocket-version", "13")])
        }
        if head.headers["sec-websocket-key"]?.utf8.count != 24 {
            return .sentence(400, "Sec-WebSocket-Key must be sixteen bytes in base64.")
        }
        if let subprotocol, !words("sec-websocket-protocol").contains(subprotocol) {
            return .sentence(400, "The subprotocol \(subprotocol) must be offered in Sec-WebSocket-Protocol.")
        }
        return nil
    }
}
