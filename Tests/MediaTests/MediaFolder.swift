/// A folder of real files for each test, made by ffmpeg or byte by byte, and readers to read them with.
import BatonCore
import BatonSeams
import Disk
import Foundation
import Harness

@testable import Media

struct MediaFolder {
    let root: String

    /// One second of a tone; the tags are ffmpeg's words. Options go before the file's name.
    @discardableResult
    func tone(_ name: String, _ tags: [String: String] = [:], seconds: Double = 1, _ options: [String] = []) throws -> String {
        let words = tags.sorted { $0.key < $1.key }.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
        return try ffmpeg(["-f", "lavfi", "-i", "sine=frequency=440:duration=\(seconds)"] + words + options, name)
    }

    /// A picture of this size, of ffmpeg's own making.
    @discardableResult
    func drawing(_ name: String, _ width: Int, _ height: Int, _ options: [String] = []) throws -> String {
        try ffmpeg(["-f", "lavfi", "-i", "testsrc=size=\(width)x\(height)", "-frames:v", "1"] + options, name)
    }

    @discardableResult
    func ffmpeg(_ words: [String], _ name: String) throws -> String {
        let path = self.path(name)
        if !words.contains(where: { $0.contains(root) }) {
            try Fixture.make(["ffmpeg", "-nostdin", "-v", "error", "-y"] + words, at: path)
            return path
        }
        let errors = path + ".log"
        let code = try Child("/usr/bin/ffmpeg", ["-nostdin", "-v", "error", "-y"] + words + [path], err: errors).waitUntilExit()
        let said = (try? String(decoding: Data(contentsOf: URL(filePath: errors)), as: UTF8.self)) ?? ""
        try? FileManager.default.removeItem(atPath: errors)
        guard code == 0 else { throw NotMade(description: "ffmpeg could not make \(name): \(said)") }
        return path
    }

    func probe(_ words: [String], out: String) throws {
        guard try Child("/usr/bin/ffprobe", words, out: out).waitUntilExit() == 0 else {
            throw NotMade(description: "ffprobe refused \(words)")
        }
    }

    struct NotMade: Error, CustomStringConvertible {
        let description: String
    }

    @discardableResult
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path(name)))) }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    static func with<Result>(_ body: (MediaFolder) async throws -> Result) async throws -> Result {
        let root = NSTemporaryDirectory() + "baton-media-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        return try await body(MediaFolder(root: root))
    }
}

/// Readers as they ship.
enum Readers {
    static func pool(readers: Int = 2, patienceMs: Milliseconds = 10_000) -> ReaderPool {
        ReaderPool(.found(ReaderProgram(program)), readers: readers, patienceMs: patienceMs, opening: anywhere, log: .silent)
    }

    static let anywhere: FileOpening = { Disk().open($0, below: ["/"]) }
    /// Every path exists: these readers look at names alone.
    static let something: FileOpening = { $0.map { _ in Disk().open(["/etc/hostname"], below: ["/"])[0] } }

    /// One that behaves as no reader should: see faulty_readers.py.
    static func faulty(_ manner: String, readers: Int = 1, patienceMs: Milliseconds = 10_000) -> ReaderPool {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "faulty_readers.py").path
        return ReaderPool(
            .found(ReaderProgram("/usr/bin/python3", arguments: [script, manner])), readers: readers, patienceMs: patienceMs,
            opening: something,
            log: .silent)
    }

    /// One that starts with the lowest priority on a processor that something else keeps busy.
    static func starved(on processor: Int, patienceMs: Milliseconds) -> ReaderPool {
        let reader = ReaderProgram("/usr/bin/taskset", arguments: ["-c", "\(processor)", "/usr/bin/nice", "-n", "19", program])
        return ReaderPool(.found(reader), readers: 1, patienceMs: patienceMs, opening: anywhere, log: .silent)
    }

    static func read(_ path: String) -> Result<MediaFacts, SourceFault> { pool(readers: 1).read([path])[0] }

    /// Beside the tests, where the package's programs are built.
    static let program: String = {
        let built = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let places = [built, root.appending(path: ".build/debug"), root.appending(path: ".build/release")]
        return places.map { $0.appending(path: "baton-reader").path }.first { FileManager.default.isExecutableFile(atPath: $0) }
            ?? "baton-reader"
    }()
}

extension Result where Failure == SourceFault {
    var fault: SourceFault? {
        if case .failure(let fault) = self { fault } else { nil }
    }
}

/// A tag at the head of an MP3, byte by byte: what no tool here can be talked into writing.
struct ID3 {
    var version: UInt8 = 4
    var frames: [(id: String, body: [UInt8])] = []

    var bytes: [UInt8] {
        let body = frames.flatMap { frame -> [UInt8] in
            Array(frame.id.utf8) + (version == 4 ? safe(frame.body.count) : plain(frame.body.count)) + [0, 0] + frame.body
        }
        return Array("ID3".utf8) + [version, 0, 0] + safe(body.count) + body
    }

    /// Seven bits a byte.
    private func safe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }

    private func plain(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
}
