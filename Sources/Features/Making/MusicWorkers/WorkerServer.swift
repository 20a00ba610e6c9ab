/// HTTP requests to a worker. Answers are limited in size, and refusals become sentences.
import BatonCore
import BatonJSON
import BatonSeams

struct WorkerServer: Sendable {
    struct Answer {
        var status: Int
        var body: [UInt8]
        var json: JSON?
    }

    private let name: String
    private let address: String
    private let headers: [HTTPCall.Header]
    private let policy: AddressPolicy
    private let http: any HTTPCalling

    private static let limits = {
        var limits = JSONLimits()
        limits.depth = 16
        limits.members = 512
        limits.elements = 10_000
        limits.stringBytes = 16 << 10
        limits.nameBytes = 256
        limits.largeNumbers = .text
        return limits
    }()

    init(_ name: String, url: String, token: String?, _ http: any HTTPCalling) throws(SourceFault) {
        var address = url
        while address.hasSuffix("/") { address.removeLast() }
        guard let scheme = WebAddress.scheme(of: address),
            let place = AllowedHost(text: String(address.dropFirst(scheme.count).prefix { $0 != "/" }))
        else {
            throw SourceFault(.badRequest, "The address of the worker “\(name)” must be a web address such as http://studio:8000.")
        }
        self.name = name
        self.address = address
        self.http = http
        policy = .server(place.host, port: place.port ?? (scheme == "https://" ? 443 : 80))
        headers = token.map { [HTTPCall.Header("Authorization", "Bearer \($0)")] } ?? []
    }

    func get(_ path: String, allowing status: Int? = nil) async throws(SourceFault) -> Answer { try await ask(call(.get, path), status) }

    func delete(_ path: String) async throws(SourceFault) { _ = try await ask(call(.delete, path), 404) }

    /// Sends a POST request. The worker treats a repeated key as the same request.
    func post(_ path: String, _ json: String, key: String? = nil, allowing status: Int? = nil) async throws(SourceFault) -> Answer {
        var call = call(.post, path)
        if let key { call.headers.append(HTTPCall.Header("Idempotency-Key", key)) }
        call.headers.append(HTTPCall.Header("Content-Type", "application/json"))
        call.body = Array(json.utf8)
        call.isSentOnce = true
        return try await ask(call, status)
    }

    func health() async throws(SourceFault) -> WorkerHealth {
        guard let json = try await get("/health").json, json["status"]?.string != nil else {
            throw SourceFault(.failed, "What answers at the address of “\(name)” is no worker.")
        }
        return WorkerHealth(json, name)
    }

    func open(_ path: String) async throws(SourceFault) -> any ByteSource {
        var call = call(.get, path)
        call.limits = .stream
        return try await http.open(call)
    }

    /// The worker's id, checked to be safe in a path and in a line of the store.
    func id(_ value: JSON?) throws(SourceFault) -> String {
        guard let text = value?.string, (1...128).contains(text.utf8.count), text != "-",
            text.utf8.allSatisfy({
                $0 == 0x2D || $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            })
        else { throw SourceFault(.failed, "The worker “\(name)” answers with no id of a job or a session.") }
        return text
    }

    private func call(_ method: HTTPCall.Method, _ path: String) -> HTTPCall {
        var limits = HTTPCallLimits()
        // Time limit of an answer. A real worker is silent for seconds while it mixes.
        limits.head = .seconds(60)
        limits.total = .seconds(90)
        limits.bodyBytes = 4 << 20
        limits.redirects = 0
        return HTTPCall(method, address + path, headers: headers, limits: limits, policy: policy)
    }

    private func ask(_ call: HTTPCall, _ allowed: Int?) async throws(SourceFault) -> Answer {
        let answer: Answer
        do throws(HTTPCallFault) {
            let head = try await http.call(call)
            let body = try await head.whole()
            answer = Answer(status: head.status, body: body, json: try? JSON.parse(body, limits: Self.limits))
        } catch {
            throw error.asSourceFault
        }
        if 200...204 ~= answer.status || answer.status == allowed { return answer }
        let detail = Self.detail(answer.json).map { ": \(DisplayLine.cut($0, 200))" } ?? ""
        if [408, 425, 429].contains(answer.status) || answer.status >= 500 {
            throw SourceFault(.unavailable, "The worker “\(name)” cannot answer just now (status \(answer.status))\(detail)")
        }
        throw SourceFault(.failed, "The worker “\(name)” refuses this with status \(answer.status)\(detail)")
    }

    /// The message of an error: a sentence, or the first of a list.
    private static func detail(_ json: JSON?) -> String? {
        let detail = json?["detail"]
        return detail?.string ?? detail?.array?.first?["msg"]?.string
    }
}

extension WorkerHealth {
    private static let most = 16

    fileprivate init(_ json: JSON, _ name: String) {
        func words(_ list: [JSON?], _ length: Int) -> [String] {
            var found: [String] = []
            for word in list.compactMap({ $0?.string }) where 1...length ~= word.utf8.count && !found.contains(word) { found.append(word) }
            return Array(found.prefix(Self.most))
        }
        let models = [json["default_model_id"], json["musicgen_default_model_id"]] + (json["models"]?.array ?? [])
        self.init(models: words(models, 64), extensions: words(json["extensions"]?.array ?? [], 32))
        placeholder = Self.lack(json["backend_status"], name)
    }

    /// The sentence for a worker without any ready backend, which generates only noise.
    private static func lack(_ backends: JSON?, _ name: String) -> String? {
        let states = backends?.object?.members.map(\.value) ?? []
        guard !states.isEmpty, !states.contains(where: { $0["ready"]?.bool == true }) else { return nil }
        let error = states.compactMap { $0["error"]?.string }.first.map { ": " + DisplayLine.cut($0, 200) } ?? "."
        return "The worker “\(name)” has no model that is ready, so it makes placeholders\(error)"
    }
}
