import BatonClient
import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import EventLoop
import Glibc
import WebClient

/// `baton backup` and `baton restore`: the data of this machine's hub as one file. The hub reads and writes its data
/// itself; the bytes travel over its socket.
extension Verb {
    @Sendable static func backup(_ call: Invocation, _ satellite: Satellite) async throws {
        let path = try call.onlyOperand("a file to write")
        if access(path, F_OK) == 0 { try call.confirm("Replacing \(path)") }
        try await save(to: path, for: call, on: satellite)
    }

    @Loop private static func save(to path: String, for call: Invocation, on satellite: Satellite) async throws {
        let hasSecrets = call.options.has("with-secrets")
        let file = try SavedFile(path)
        defer { file.giveUp() }
        let progress = FileProgress(path)
        defer { progress.clear() }
        progress.begin("The hub prepares the backup")
        let reply = try await satellite.atSocket(call) { endpoint in
            try await Client.receive(
                by: .post, "/backup\(hasSecrets ? "?secrets=1" : "")", of: endpoint, on: satellite.finder.loop, timeout: call.timeout
            ) { piece, length in
                try file.write(piece)
                progress.show(file.written, of: length)
            }
        }
        progress.clear()
        guard reply.status == 200 else { throw Stop(.refused, reply.sentence) }
        try file.store()
        if call.json {
            return Output.json {
                $0.object {
                    $0.member("file", path)
                    $0.member("bytes", Int(file.written))
                    $0.member("secrets", hasSecrets)
                }
            }
        }
        Output.line("\(path) holds the data of the hub, \(ByteSize.text(file.written)). Only you can read it.")
        if !hasSecrets {
            Output.line("It has no keys and no passwords: after a restore they are entered again. With them: --with-secrets")
        }
    }

    @Sendable static func restore(_ call: Invocation, _ satellite: Satellite) async throws {
        let path = try call.onlyOperand("a backup")
        let file = try UploadedFile(path)
        defer { file.close() }
        try call.confirm("Replacing all data of the hub by \(path)")
        try await send(file, from: path, for: call, on: satellite)
    }

    @Loop private static func send(_ file: UploadedFile, from path: String, for call: Invocation, on satellite: Satellite) async throws {
        let progress = FileProgress(path)
        defer { progress.clear() }
        let reply = try await satellite.atSocket(call) { endpoint in
            let body = SentBody(length: file.length) { () throws(SocketsError) in try file.next() }
            return try await Client.send(
                body, by: .put, to: "/backup\(call.options.has("other-hub") ? "?other=1" : "")", of: endpoint, on: satellite.finder.loop,
                timeout: call.timeout
            ) { progress.show($0, of: file.length) }
        }
        progress.clear()
        guard reply.status == 200 else { throw Stop(.refused, reply.sentence) }
        let answer = (try? JSON.parse(reply.body)) ?? .null
        if call.json { return Output.json { $0.value(answer) } }
        let made = answer["madeMs"]?.int.map { ", made \(TimeText.ago(ms: Clock.wallMs() - Milliseconds($0)))" } ?? ""
        Output.line("The hub starts again with the data of “\(answer["hub"]?.string ?? "")”\(made).")
        Output.line("What it had before stays in the folder replaced of its data until the next restore.")
        for sentence in answer["again"]?.array ?? [] { Output.line("To enter again: \(sentence.string ?? "")") }
    }
}

extension Satellite {
    /// Runs `use` with the hub's local socket, the only way for backups.
    @Loop fileprivate func atSocket(_ call: Invocation, _ use: @Loop (Endpoint) async throws -> HTTPReply) async throws -> HTTPReply {
        let named = call.hub == nil ? nil : try await finder.find(call.hub).first
        guard let endpoint = named ?? finder.localSocket else { throw Stop(.noHub, "No hub runs here. Start one with batond.") }
        guard case .unix = endpoint else {
            throw Stop(.usage, "A backup is made and taken over on the hub's own machine, by its socket, and \(endpoint) is elsewhere.")
        }
        return try await use(endpoint)
    }
}

/// A file that gets its name when it is complete. Until then it has a temporary name; an incomplete file is removed.
@Loop private final class SavedFile {
    private(set) var written: Int64 = 0
    private let path: String
    private let draft: String
    private var descriptor: Int32

    init(_ path: String) throws(Stop) {
        self.path = path
        // Exceeding a file size limit then becomes a write error, like a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
        draft = "\(path).part"
        unlink(draft)
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Stop(.usage, "\(path) cannot be written: \(String(cString: strerror(errno))).") }
    }

    func write(_ piece: ArraySlice<UInt8>) throws(Stop) {
        var rest = piece
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw fault(errno) }
            rest = rest.dropFirst(count)
            written += Int64(count)
        }
    }

    func store() throws(Stop) {
        guard fsync(descriptor) == 0 else { throw fault(errno) }
        close(descriptor)
        descriptor = -1
        guard rename(draft, path) == 0 else { throw fault(errno) }
    }

    /// Removes an incomplete file.
    func giveUp() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        unlink(draft)
    }

    private func fault(_ cause: Int32) -> Stop {
        giveUp()
        let why = cause == ENOSPC || cause == EDQUOT ? "its disk is full" : String(cString: strerror(cause))
        return Stop(.refused, "\(path) was not written: \(why). Nothing of it is left.")
    }
}
