import BatonComposer
import BatonJSON
import BatonSeams
import Disk

/// Routes for the seven endpoints of a worker and its three extensions.
@Loop
struct ServiceRoutes {
    let service: ComposerService
    let files: any FileReading
    let pool: any TaskExecutor

    var routes: Routes {
        var routes = Routes()
        routes.add([.get], .exact("/health"), for: .visitors) { _, _ in .json(service.health) }
        routes.add([.post], .exact("/generate"), for: .visitors) { request, _ in generate(request) }
        routes.add([.get], .named("/status/{id}"), for: .visitors) { request, _ in
            service.job(request.id).map { .json($0.status) } ?? .lack("job not found")
        }
        routes.add([.delete], .named("/status/{id}"), for: .visitors) { request, _ in
            service.cancel(request.id) ? .json(["job_id": .string(request.id), "state": "cancelled"]) : .lack("job not found")
        }
        routes.add([.get], .named("/artifact/{id}"), for: .visitors) { request, _ in
            service.job(request.id)?.artifact.map { .json($0) } ?? .lack("artifact not available")
        }
        routes.add([.get], .named("/artifact/{id}/audio"), for: .visitors) { request, _ in audio(request) }
        routes.add([.post], .exact("/session"), for: .visitors) { request, _ in openSession(request) }
        routes.add([.get], .named("/session/{id}"), for: .visitors) { request, _ in
            service.session(request.id).map { .json($0) } ?? .lack("session not found")
        }
        routes.add([.post], .named("/session/{id}/clip"), for: .visitors) { request, _ in clip(request) }
        return routes
    }

    private func generate(_ request: HTTPRequest) -> HTTPResponse {
        guard let json = request.json else { return .complaint("body", "JSON decode error") }
        let wanted: ServedRequest
        do throws(ServedRequest.InvalidMember) { wanted = try ServedRequest(json) } catch {
            return .complaint(error.member, error.sentence)
        }
        guard let job = service.begin(wanted, key: request.headers["idempotency-key"]) else {
            return .lack("session \(wanted.session ?? "") not found")
        }
        return .json(job.status)
    }

    private func openSession(_ request: HTTPRequest) -> HTTPResponse {
        guard let json = request.json else { return .complaint("body", "JSON decode error") }
        let name = json["name"]?.string
        guard name.map({ $0.count <= 64 }) ?? true else { return .complaint("name", "String should have at most 64 characters") }
        return service.session(service.openSession(name)).map { .json($0) } ?? .lack("session not found")
    }

    private func clip(_ request: HTTPRequest) -> HTTPResponse {
        guard let plan = service.plan(request.id) else { return .lack("session not found") }
        guard let plan else { return .detail(409, "session seed plan not available") }
        guard let json = request.json else { return .complaint("body", "JSON decode error") }
        do throws(ServedRequest.InvalidMember) {
            let wanted = try ServedRequest(clip: json, of: request.id, on: plan)
            return service.begin(wanted, key: nil).map { .json($0.status) } ?? .lack("session not found")
        } catch {
            return .complaint(error.member, error.sentence)
        }
    }

    private func audio(_ request: HTTPRequest) -> HTTPResponse {
        guard let path = service.job(request.id)?.sound, let file = try? files.open(plainly: path) else {
            return .lack("artifact not available")
        }
        let size = file.stamp.size
        var headers = [
            ("content-type", path.hasSuffix(".wav") ? "audio/wav" : "audio/flac"), ("accept-ranges", "bytes"),
            ("etag", "\"\(request.id)\""),
        ]
        guard let range = request.headers["range"].map({ ByteRange($0, of: size) }) else {
            return sound(file, within: 0..<size, status: 200, headers: headers)
        }
        guard let bounds = range?.bounds else {
            return HTTPResponse(status: 416, headers: [("content-range", "bytes */\(size)")])
        }
        headers.append(("content-range", "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(size)"))
        return sound(file, within: bounds, status: 206, headers: headers)
    }

    private func sound(
        _ file: any FileRange, within bounds: Range<Int64>, status: Int, headers: [(name: String, value: String)]
    ) -> HTTPResponse {
        let stream = HTTPStream(start: bounds.lowerBound, length: Int64(bounds.count), blockingPool: pool) { at, count in
            try? file.read(at: at, count: count)
        }
        return HTTPResponse(status: status, headers: headers, stream: stream)
    }
}

/// A range of a file from `bytes=5-9` or `bytes=5-`. `bounds` is `nil` if the file is shorter.
struct ByteRange: Equatable {
    let bounds: Range<Int64>?

    /// Parses a range; `nil` for other forms.
    init?(_ text: String, of size: Int64) {
        guard text.hasPrefix("bytes=") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = Int64(parts[0]), start >= 0 else { return nil }
        let end = parts[1].isEmpty ? size - 1 : Int64(parts[1]) ?? -1
        bounds = start < size && end >= start ? start..<min(end + 1, size) : nil
    }
}

extension HTTPRequest {
    fileprivate var id: String { parts["id"] ?? "" }
    fileprivate var json: JSON? {
        guard let json = try? JSON.parse(body, limits: ServedRequest.limits), json.object != nil else { return nil }
        return json
    }
}

extension HTTPResponse {
    static func json(_ json: JSON, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("content-type", "application/json")], body: Array(json.composerText.utf8))
    }

    static func detail(_ status: Int, _ sentence: String) -> HTTPResponse { .json(["detail": .string(sentence)], status: status) }
    static func lack(_ sentence: String) -> HTTPResponse { .detail(404, sentence) }

    /// An error in the format of workers.
    static func complaint(_ member: String, _ sentence: String) -> HTTPResponse {
        let row: JSON = ["type": "value_error", "loc": ["body", .string(member)], "msg": .string(sentence), "input": .null]
        return .json(["detail": [row]], status: 422)
    }
}
