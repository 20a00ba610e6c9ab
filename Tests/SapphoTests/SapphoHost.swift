/// A Sappho server (`Tests/Contract/sappho.py`) for the length of one test, accounts at it, and what it saw.
public import BatonCore
import BatonJSON
import BatonSeams
import Foundation
import HTTPClient
import Harness
import ServerConnectors
import Synchronization

final class SapphoHost: Sendable {
    private struct Told: Decodable {
        var port: Int
        var key: String
    }

    private let server: HelperServer
    private let port: Int
    let key: String
    let http = HTTPClient()
    /// Moved by tests.
    let nowMs = Mutex<Milliseconds>(1_000_000)

    init() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        server = try HelperServer(tests.appendingPathComponent("Contract/sappho.py").path)
        let told = try server.said(Told.self)
        (port, key) = (told.port, told.key)
    }

    var url: String { "http://127.0.0.1:\(port)" }

    func account(_ secrets: SourceSecrets? = nil, renew: SourceParts.Renewal? = nil) throws -> SapphoConnector {
        let account = SourceAccount(name: "shelf", title: "Loft", kind: "sappho", url: url)
        let clock = Clock(
            nowUs: { [self] in Microseconds(nowMs.withLock { $0 }) }, wallUs: { [self] in Microseconds(nowMs.withLock { $0 }) })
        let parts = SourceParts(
            http: http, clock: clock, log: .silent, random: { Array(repeating: 0, count: $0) }, md5: { _ in [] }, memory: NoMemory(),
            renew: renew)
        return try SapphoConnector(account, secrets: secrets ?? SourceSecrets(apiKey: key), parts: parts)
    }

    func pass(ms: Milliseconds) { nowMs.withLock { $0 += ms } }

    /// Changes how the server behaves (`Behaviour` in the script).
    func set(_ behaviour: [String: String]) async throws {
        let query = behaviour.map { "\($0.key)=\(PercentText.encoded($0.value))" }.joined(separator: "&")
        _ = try await ask(.get, "/control?\(query)")
    }

    /// `POST /api/auth/login` and so on, without the test's own.
    func requests() async throws -> [String] {
        try await ask(.get, "/seen").array?.map { "\($0["method"]?.string ?? "") \($0["path"]?.string ?? "")" } ?? []
    }

    /// As another device of the account does it.
    @discardableResult
    func ask(_ method: HTTPCall.Method, _ path: String, _ body: String? = nil) async throws -> JSON {
        let headers = [HTTPCall.Header("Authorization", "Bearer \(key)"), HTTPCall.Header("Content-Type", "application/json")]
        let call = HTTPCall(method, url + path, headers: headers, body: Array((body ?? "").utf8), policy: .server("127.0.0.1", port: port))
        var limits = JSONLimits()
        limits.elements = 100_000
        return try JSON.parse(try await http.call(call).whole(), limits: limits)
    }
}

private struct NoMemory: SourceMemory {
    func value(_ name: String) -> String? { nil }
    func store(_ value: String?, _ name: String) {}
}

extension SapphoConnector {
    func page(_ node: String?, from: Int = 0, limit: Int = 100) async throws -> ItemPage {
        try await browse(BrowseQuery(node: node.map { ItemURI($0) }, window: PageWindow(from: from, limit: limit)))
    }

    func titles(_ node: String?) async throws -> [String] { try await page(node).rows.map(\.tags.title) }

    /// How something fails; `nil` when it does not.
    func fault(_ work: (SapphoConnector) async throws -> Void) async -> SourceFault? {
        do { try await work(self) } catch { return error as? SourceFault }
        return nil
    }
}

extension ItemURI: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
