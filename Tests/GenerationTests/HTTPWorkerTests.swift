/// A worker over HTTP: one job whatever is lost, polls, files of its disk, and what it refuses.
import BatonCore
import BatonSeams
import Foundation
import Harness
import Synchronization
import Testing

@testable import MusicWorkers

@Suite struct HTTPWorkerTests {
    /// The seven questions of the real worker, in memory: it can lose answers, and it can be restarted.
    private final class Service: HTTPCalling {
        struct State {
            var sessions: [String: [String]] = [:]
            var jobs = 0
            var asked: [String] = []
            var polls = 0
            /// How many more answers get lost.
            var losses = 0
            var refusal: (Int, String)?
            var artifact = "/remote/x.wav"
            var failure: String?
            var extensions = "[]"
        }

        private let state = Mutex(State())

        func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

        private struct Body: Sendable { var status: Int, text: String }

        private final class Bytes: HTTPBody {
            private let bytes: Mutex<[UInt8]?>
            init(_ bytes: [UInt8]) { self.bytes = Mutex(bytes) }
            func next() async throws(HTTPCallFault) -> [UInt8]? {
                bytes.withLock { bytes in
                    defer { bytes = nil }
                    return bytes
                }
            }
            func cancel() {}
        }

        func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer {
            let path = String(call.url.dropFirst("http://studio:8000".count))
            let (answer, isLost) = state.withLock { state in
                state.asked.append("\(call.method.rawValue) \(path.split(separator: "/").first ?? "")")
                let answer = Self.answer(path, &state)
                defer { if state.losses > 0 { state.losses -= 1 } }
                return (answer, state.losses > 0)
            }
            if isLost { throw HTTPCallFault(.timedOut, "studio does not answer.") }
            return HTTPAnswer(status: answer.status, headers: [], body: Bytes(Array(answer.text.utf8)))
        }

        func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource { throw SourceFault(.notFound, "There is none.") }

        private static func answer(_ path: String, _ state: inout State) -> Body {
            let parts = path.split(separator: "/").map(String.init)
            switch (parts.first, parts.dropFirst().first) {
            case ("health", _): return Body(status: 200, text: "{\"status\":\"ok\",\"extensions\":\(state.extensions)}")
            case ("session", nil):
                let name = "session-\(state.sessions.count + 1)"
                state.sessions[name] = []
                return Body(status: 200, text: "{\"session_id\":\"\(name)\"}")
            case ("session", let name?):
                guard let jobs = state.sessions[name] else { return Body(status: 404, text: "{\"detail\":\"session not found\"}") }
                return Body(status: 200, text: "{\"clips\":[" + jobs.map { "{\"job_id\":\"\($0)\"}" }.joined(separator: ",") + "]}")
            case ("generate", _):
                if let refusal = state.refusal { return Body(status: refusal.0, text: refusal.1) }
                guard let session = state.sessions.keys.max() else { return Body(status: 404, text: "{}") }
                state.jobs += 1
                state.sessions[session]?.append("job-\(state.jobs)")
                return Body(status: 200, text: "{\"job_id\":\"job-\(state.jobs)\",\"state\":\"queued\",\"progress\":0.0}")
            case ("status", let job?):
                guard state.sessions.values.contains(where: { $0.contains(job) }) else { return Body(status: 404, text: "{}") }
                state.polls += 1
                if let failure = state.failure { return Body(status: 200, text: "{\"state\":\"failed\",\"message\":\"\(failure)\"}") }
                let isDone = state.polls > 1
                return Body(
                    status: 200, text: "{\"state\":\"\(isDone ? "succeeded" : "running")\",\"progress\":0.4,\"message\":\"rendering 1/3\"}")
            case ("artifact", _?):
                return Body(
                    status: 200,
                    text:
                        "{\"artifact_path\":\"\(state.artifact)\",\"metadata\":{\"seed\":null,\"plan\":{\"tempo_bpm\":90,\"key\":\"D minor\"}}}"
                )
            default: return Body(status: 404, text: "{\"detail\":\"Not Found\"}")
            }
        }
    }

    private struct Opened: FileRange {
        let data: Data
        var stamp: FileStamp { FileStamp(size: Int64(data.count), modifiedNs: 0, inode: 1) }
        var descriptor: Int32 { -1 }
        func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] { Array(data.dropFirst(Int(position)).prefix(count)) }
    }

    private struct Files: FileReading {
        func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange {
            guard folders.contains(where: { path.hasPrefix($0 + "/") }), !path.contains("/../") else {
                throw SourceFault(.forbidden, "\(path) leads out of its folder.")
            }
            return try open(plainly: path)
        }
        func open(plainly path: String) throws(SourceFault) -> any FileRange {
            guard let data = FileManager.default.contents(atPath: path) else { throw SourceFault(.notFound, "\(path) is not there.") }
            return Opened(data: data)
        }
        func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String { path }
    }

    private let folder: TemporaryFolder
    private let service = Service()

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/remote", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/job", withIntermediateDirectories: true)
        try Self.wav(seconds: 2).write(to: URL(fileURLWithPath: folder.path + "/remote/x.wav"))
    }

    /// 24 bits, mono, 48 kHz, with a chunk in front that readers pass over.
    private static func wav(seconds: Int) -> Data {
        func little(_ number: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let sound = [UInt8](repeating: 1, count: seconds * 48_000 * 3)
        let format = little(1, 2) + little(1, 2) + little(48_000, 4) + little(144_000, 4) + little(3, 2) + little(24, 2)
        let chunks =
            Array("LIST".utf8) + little(3, 4) + [1, 2, 3, 0] + Array("fmt ".utf8) + little(16, 4) + format + Array("data".utf8)
            + little(sound.count, 4) + sound
        return Data(Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WAVE".utf8) + chunks)
    }

    /// As the hub gives an order: with the memory of before, again when the worker could not be reached.
    private func make(tries: Int = 20, mapped: Bool = true) async throws -> Result<GeneratedPiece, SourceFault> {
        let map = mapped ? ArtifactMap(remote: "/remote", local: folder.path + "/remote") : nil
        let worker = try HTTPWorker("studio", url: "http://studio:8000/", token: nil, map: map, http: service, files: Files())
        let memory = Mutex<String?>(nil)
        var last = SourceFault(.failed, "It was never tried.")
        for _ in 0..<tries {
            let order = GenerationOrder(
                id: "job", request: GenerationRequest(prompt: "rain", durationS: 90, seed: "18446744073709551615", cfg: "6.5"),
                memory: memory.withLock { $0 }, folder: folder.path + "/job")
            do throws(SourceFault) {
                return .success(
                    try await worker.make(order) { note throws(SourceFault) in
                        if case .remembers(let text) = note { memory.withLock { $0 = text } }
                    })
            } catch {
                last = error
                guard error.code == .unavailable else { break }
            }
        }
        return .failure(last)
    }

    @Test func `a piece is made, its length is that of its file, and what the worker says of it is kept byte for byte`() async throws {
        let piece = try await make().get()
        #expect(piece.durationMs == 2_000 && piece.tempo == 90 && piece.key == "D minor" && piece.bytes == 288_056)
        let kept = try String(contentsOfFile: folder.path + "/job/metadata.json", encoding: .utf8)
        #expect(kept.hasPrefix("{\"artifact_path\":\"/remote/x.wav\""))
        #expect(
            service.change { $0.asked }.prefix(3) == ["GET health", "POST session", "POST generate"] && service.change { $0.jobs } == 1)
    }

    @Test(arguments: 1...6) func `a lost answer never makes a second job`(losses: Int) async throws {
        service.change { $0.losses = losses }
        #expect(try await make().get().durationMs == 2_000)
        #expect(service.change { $0.jobs } == 1)
    }

    @Test func `only the answer to the submission is lost, and the session shows that the job arrived`() async throws {
        service.change { _ in }
        var memory = RemoteSubmission()
        memory.take(.opened(session: "session-1"))
        memory.begin()
        service.change { $0.sessions = ["session-1": ["job-7"]] }
        let worker = try HTTPWorker(
            "studio", url: "http://studio:8000", token: nil, map: ArtifactMap(remote: "/remote", local: folder.path + "/remote"),
            http: service, files: Files())
        let order = GenerationOrder(
            id: "job", request: GenerationRequest(prompt: "rain", seed: "1"), memory: memory.text, folder: folder.path + "/job")
        _ = try await worker.make(order) { _ throws(SourceFault) in }
        #expect(service.change { $0.jobs } == 0 && service.change { $0.asked }.first == "GET session")
    }

    @Test func `a worker that has forgotten the job makes it anew`() async throws {
        var memory = RemoteSubmission()
        memory.take(.opened(session: "session-1"))
        memory.begin()
        memory.take(.submitted(job: "job-9"))
        let worker = try HTTPWorker(
            "studio", url: "http://studio:8000", token: nil, map: ArtifactMap(remote: "/remote", local: folder.path + "/remote"),
            http: service, files: Files())
        let order = GenerationOrder(
            id: "job", request: GenerationRequest(prompt: "rain", seed: "1"), memory: memory.text, folder: folder.path + "/job")
        _ = try await worker.make(order) { _ throws(SourceFault) in }
        #expect(service.change { $0.jobs } == 1)
    }

    private func sentence(mapped: Bool = true) async throws -> String {
        if case .failure(let fault) = try await make(mapped: mapped) { fault.sentence } else { "made" }
    }

    @Test func `what it refuses and how it fails is told`() async throws {
        service.change { $0.refusal = (422, "{\"detail\":[{\"msg\":\"prompt is too long\",\"loc\":[\"body\"]}]}") }
        #expect(try await sentence().contains("422: prompt is too long"))
        service.change { $0.refusal = (409, "{\"detail\":\"clip request missing precomputed plan\"}") }
        #expect(try await sentence().contains("409: clip request missing precomputed plan"))
        service.change { $0.refusal = nil }
        service.change { $0.failure = "no weights" }
        #expect(try await sentence() == "no weights")
    }

    @Test func `files outside of the map, that are no sound, or that cannot be reached are refused`() async throws {
        for (path, content) in [
            ("/etc/passwd", nil), ("/remote/../job/secret.wav", nil), ("/remote/y.wav", "text"), ("/remote/z.wav", nil),
        ] {
            if let content { try Data(content.utf8).write(to: URL(fileURLWithPath: folder.path + path)) }
            service.change { $0.artifact = path }
            #expect(try await sentence() != "made", "\(path)")
        }
        #expect(try await sentence(mapped: false).contains("on the disk of the worker"))
    }

    @Test func `large seeds and settings go as numbers`() {
        let text = HTTPWorker.request(
            GenerationRequest(prompt: "a", durationS: 90, seed: "18446744073709551615", model: "m", cfg: "6.5", mode: .motif), session: "s")
        #expect(
            text
                == #"{"prompt":"a","seed":18446744073709551615,"duration_seconds":90,"mode":"motif","session_id":"s","model_id":"m","cfg_scale":6.5,"musicgen_cfg_coef":6.5}"#
        )
    }
}
