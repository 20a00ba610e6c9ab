package import BatonCore
import BatonJSON
/// Backups over HTTP: `POST /backup` returns an archive, `PUT /backup` accepts one. Only admins on the hub's own machine have access,
/// through its socket file: an archive holds the data of all users, and with secrets the keys of the hub.
package import BatonSeams

@Loop
package enum BackupRoutes {
    /// A finished backup.
    package struct Made: Sendable {
        package var length: Int64
        package let read: @Sendable (_ at: Int64, _ count: Int) async -> [UInt8]?

        package nonisolated init(length: Int64, read: @escaping @Sendable (Int64, Int) async -> [UInt8]?) {
            self.length = length
            self.read = read
        }
    }

    /// A backup that the hub restores at its next start, which follows at once.
    package struct Taken: Sendable {
        package var hub: String
        package var madeMs: Milliseconds
        package var version: String
        /// One sentence for each setting that has to be entered again.
        package var again: [String]

        package nonisolated init(hub: String, madeMs: Milliseconds, version: String, again: [String]) {
            self.hub = hub
            self.madeMs = madeMs
            self.version = version
            self.again = again
        }
    }

    package typealias Making = @Loop (_ withSecrets: Bool) async -> Result<Made, SourceFault>
    package typealias Taking = @Loop (IncomingBody, _ takesOthers: Bool) async -> Result<Taken, SourceFault>

    private static let path = RoutePath.exact("/backup")
    /// Upper bound for the size of a backup.
    private static let mostBytes: Int64 = 1 << 40

    package static func register(
        make: @escaping Making, take: @escaping Taking, blockingPool: any TaskExecutor, in routes: inout Routes
    ) {
        // As a streaming route it has enough time for a large library.
        routes.add([.post], path, for: .visitors, streamBytes: 1024, at: [.unix]) { request, grant in
            guard isAdmin(request, grant) else { return refusal }
            switch await make(request.says("secrets")) {
            case .failure(let fault): return response(to: fault)
            case .success(let made):
                return HTTPResponse(
                    status: 200, headers: [("content-type", "application/x-tar"), ("cache-control", "no-store")],
                    stream: HTTPStream(length: made.length, blockingPool: blockingPool, read: made.read))
            }
        }
        routes.add([.put], path, for: .visitors, streamBytes: mostBytes, at: [.unix]) { request, grant in
            guard isAdmin(request, grant) else { return refusal }
            guard let incoming = request.incoming else { return .sentence(400, "The backup is the body of the request.") }
            switch await take(incoming, request.says("other")) {
            case .failure(let fault): return response(to: incoming.fault ?? fault)
            case .success(let taken):
                let again = taken.again.map { .string($0) } as [JSON]
                let answer = JSON.object([
                    "hub": .string(taken.hub), "madeMs": .int(taken.madeMs.count), "version": .string(taken.version),
                    "again": .array(again),
                ])
                return HTTPResponse(
                    status: 200, headers: [("content-type", "application/json")], body: Array((JSONText.value(answer) + "\n").utf8))
            }
        }
    }

    private static let refusal = HTTPResponse.sentence(403, "Backups are for admins on the hub's own machine.")

    private static func isAdmin(_ request: HTTPRequest, _ grant: Grant) -> Bool {
        guard case .unix = request.peer.channel else { return false }
        return grant.role == .admin && !grant.needsProof
    }

    private static func response(to fault: SourceFault) -> HTTPResponse {
        switch fault.code {
        case .unreadable, .badRequest: .sentence(400, fault.sentence)
        case .conflict, .invalidState: .sentence(409, fault.sentence)
        case .unsupported: .sentence(415, fault.sentence)
        case .quota: .sentence(507, fault.sentence)
        default: .sentence(503, fault.sentence)
        }
    }
}

extension HTTPRequest {
    fileprivate func says(_ name: String) -> Bool { query.contains { $0.name == name && $0.value == "1" } }
}
