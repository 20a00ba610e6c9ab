/// A worker that is a program: what it is asked, what it says, and what is believed of it.
import BatonCore
import BatonSeams
import Glibc
import Synchronization
import Testing

@testable import MusicWorkers

@Suite struct ProgramWorkerTests {
    /// Says these lines, whatever it is asked.
    private final class Programme: ProgramRunning {
        let lines: [String]
        let end: ProgramEnd
        let call = Mutex<ProgramCall?>(nil)

        init(_ lines: [String], end: ProgramEnd = .exited(0)) {
            self.lines = lines
            self.end = end
        }

        func run<Notes: Sendable>(
            _ call: ProgramCall, noting notes: Notes, line: @escaping @Sendable (inout Notes, [UInt8]) async throws(SourceFault) -> Void
        ) async throws(SourceFault) -> (end: ProgramEnd, notes: Notes) {
            self.call.withLock { $0 = call }
            var notes = notes
            for text in lines { try await line(&notes, Array(text.utf8)) }
            return (end, notes)
        }

        func check(_ path: String, isConfined: Bool) throws(SourceFault) {}
    }

    private struct Bytes: FileRange {
        let bytes: [UInt8]
        var stamp: FileStamp { FileStamp(size: Int64(bytes.count), modifiedNs: 0, inode: 1) }
        var descriptor: Int32 { -1 }
        func read(at position: Int64, count: Int) throws(SourceFault) -> [UInt8] { Array(bytes.dropFirst(Int(position)).prefix(count)) }
    }

    private struct Files: FileReading {
        let files: [String: [UInt8]]
        func open(_ path: String, below folders: [String]) throws(SourceFault) -> any FileRange { try open(plainly: path) }
        func open(plainly path: String) throws(SourceFault) -> any FileRange {
            guard let bytes = files[path] else { throw SourceFault(.notFound, "\(path) is not there.") }
            return Bytes(bytes: bytes)
        }
        func realPath(_ path: String, below folders: [String]) throws(SourceFault) -> String { path }
    }

    private static let flac = Array("fLaC".utf8) + [0, 0, 0, 34]
    private static let artifact =
        #"{"artifact":{"path":"sound.flac","score":"score.mid","metadata":"metadata.json","durationMs":61234,"title":"Slow Rain","tempo":72,"key":"D minor","seed":"123","recipe":"r1"}}"#

    private func make(
        _ lines: [String], end: ProgramEnd = .exited(0), files: [String: [UInt8]] = ["/job/sound.flac": flac, "/job/score.mid": [1]]
    ) async -> (Result<GeneratedPiece, SourceFault>, [WorkerNote], ProgramCall?) {
        let program = Programme(lines, end: end)
        let worker = ProgramWorker("w", "/usr/bin/w", ["-x"], isConfined: true, programs: program, files: Files(files: files))
        let notes = Mutex<[WorkerNote]>([])
        let order = GenerationOrder(
            id: "j", request: GenerationRequest(prompt: "a \"b\"\\", durationS: 60, seed: "7", cfg: "6.5", mode: .motif), memory: nil,
            folder: "/job")
        do throws(SourceFault) {
            let piece = try await worker.make(order) { note throws(SourceFault) in notes.withLock { $0.append(note) } }
            return (.success(piece), notes.withLock { $0 }, program.call.withLock { $0 })
        } catch {
            return (.failure(error), notes.withLock { $0 }, program.call.withLock { $0 })
        }
    }

    private func sentence(_ lines: [String], end: ProgramEnd = .exited(0), files: [String: [UInt8]] = [:]) async -> String {
        if case .failure(let fault) = await make(lines, end: end, files: files).0 { fault.sentence } else { "made" }
    }

    @Test func `what may succeed later is tried again a minute later, and anything else is not`() async throws {
        guard case .failure(let later) = await make([#"{"error":"The disk is full.","retry":true}"#], end: .exited(1)).0,
            case .failure(let never) = await make([#"{"error":"No font.","retry":"yes"}"#], end: .exited(1)).0
        else { return #expect(Bool(false), "It was made.") }
        #expect(later.code == .unavailable && later.retryAfterMs == 60_000 && later.sentence == "The disk is full.")
        #expect(never.code == .failed && never.retryAfterMs == nil)
    }

    @Test func `one that can be asked says what it lacks, or how it ended`() async throws {
        func health(_ lines: [String], _ end: ProgramEnd) async -> String? {
            let worker = ProgramWorker(
                "composer", "/usr/bin/w", isConfined: false, asking: ["check"], programs: Programme(lines, end: end),
                files: Files(files: [:]))
            do throws(SourceFault) { _ = try await worker.health() } catch { return error.sentence }
            return nil
        }
        #expect(await health([], .exited(0)) == nil)
        #expect(await health([#"{"error":"No sound font is installed."}"#], .exited(1)) == "No sound font is installed.")
        #expect(await health([], .exited(127))?.contains("status 127") == true)
    }

    @Test func `it is asked in one line, and its progress and its piece are taken`() async throws {
        let (result, notes, call) = await make([
            #"{"progress":0.4,"message":"bass"}"#, "a remark of a library", #"{"progress":7}"#, #"{"progress":-1}"#, "{}", Self.artifact,
        ])
        let piece = try result.get()
        #expect(
            piece
                == GeneratedPiece(
                    title: "Slow Rain", durationMs: 61_234, tempo: 72, key: "D minor", recipe: "r1", sound: "sound.flac", hasScore: true,
                    bytes: 8))
        #expect(
            notes == [
                .accepted, .progress(percent: 40, message: "bass"), .progress(percent: 100, message: nil), .fetching,
            ])
        #expect(
            call?.input == Array((#"{"prompt":"a \"b\"\\","durationS":60,"seed":"7","mode":"motif","cfg":"6.5"}"# + "\n").utf8))
        #expect(call?.isConfined == true && call?.environment["BATON_JOB_DIR"] == "/job" && call?.folder == "/job")
    }

    @Test func `its error is told as its own sentence`() async {
        #expect(await sentence([#"{"error":"There is no\u0007 sound font."}"#], end: .exited(1)) == "There is no sound font.")
        #expect(await sentence([], end: .exited(2)).contains("status 2"))
        #expect(await sentence([], end: .killed(signal: 9)).contains("signal 9"))
        #expect(await sentence([], end: .killed(signal: SIGXCPU)).contains("more time of the processor"))
        #expect(await sentence([], end: .killed(signal: SIGXFSZ)).contains("a larger file"))
        #expect(await sentence([#"{"progress":1}"#]).contains("made nothing"))
    }

    @Test(arguments: [
        #"{"path":"../sound.flac","durationMs":5}"#, #"{"path":"/etc/passwd","durationMs":5}"#, #"{"path":".x","durationMs":5}"#,
        #"{"path":"sound.flac"}"#, #"{"path":"sound.flac","durationMs":0}"#, #"{"path":"sound.flac","durationMs":1e300}"#,
        #"{"path":"missing.flac","durationMs":5}"#, #"{"path":"text.flac","durationMs":5}"#, #"{"durationMs":5}"#, "7",
    ]) func `a piece that names no sound of its folder is refused`(artifact: String) async {
        let files = [
            "/job/sound.flac": Self.flac, "/job/text.flac": Array("text".utf8), "/etc/passwd": Self.flac, "/sound.flac": Self.flac,
        ]
        #expect(await sentence([#"{"artifact":\#(artifact)}"#], files: files) != "made")
    }
}
