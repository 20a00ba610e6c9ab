import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import EventLoop
import Glibc
import WebClient

/// `baton source upload`: uploads files to a server through the hub.
extension Verb {
    static func uploadToSource(for call: Invocation, on hub: ReconnectingHub, of satellite: Satellite) async throws {
        let source = try call.operand(0, "a source and files")
        _ = try call.operand(1, "files to give to the server")
        let paths = call.operands.dropFirst()
        // A wrong name stops the upload before the first file.
        for path in paths { try UploadedFile(path).close() }
        var taken = 0
        for path in paths {
            let reply = try await satellite.give(path, to: source, at: hub.endpoint, call)
            tell(reply, of: path, call)
            if reply.status == 200 { taken += 1 }
            // These statuses concern the account, so other files would fail, too.
            if [401, 403, 404].contains(reply.status) { break }
        }
        guard taken < paths.count else { return }
        throw Stop(.refused, paths.count == 1 ? "The file was not taken." : "\(taken) of \(paths.count) files were taken.")
    }

    private static func tell(_ reply: HTTPReply, of path: String, _ call: Invocation) {
        if call.json {
            Output.json {
                $0.object {
                    $0.member("file", path)
                    $0.member("status", reply.status)
                    $0.member("text", reply.sentence)
                }
            }
        } else if reply.status == 200 {
            Output.line(reply.sentence)
        } else {
            Output.trouble(reply.sentence)
        }
    }
}

extension Satellite {
    fileprivate func give(_ path: String, to source: String, at endpoint: Endpoint, _ call: Invocation) async throws -> HTTPReply {
        let file = try UploadedFile(path)
        defer { file.close() }
        var headers = [(name: "content-type", value: "application/octet-stream")]
        if let known = memory.knownHub(at: endpoint) { headers.append(known.credential.bearer) }
        let progress = FileProgress(file.name)
        defer { progress.clear() }
        let body = SentBody(length: file.length) { () throws(SocketsError) in try file.next() }
        return try await Client.send(
            body, by: .put, to: "/upload/\(PercentText.encoded(source))?file=\(PercentText.encoded(file.name))", of: endpoint,
            headers: headers, on: finder.loop, timeout: call.timeout
        ) { progress.show($0, of: file.length) }
    }
}
