import Foundation
import Synchronization

/// A program that was started by a test, and what it has said so far.
///
/// It writes into files and not into pipes: a pipe's end would be inherited by whatever else is
/// started meanwhile, and its reader would wait for strangers.
final class Running: Sendable {
    let pid: Int32
    private let outFile: URL
    private let errFile: URL
    private let exit = Exit()
    private let process: Process

    private final class Exit: Sendable {
        let code = Mutex<Int32?>(nil)
    }

    init(_ program: String, _ arguments: [String], environment: [String: String], logs: URL) throws {
        let name = "\(URL(filePath: program).lastPathComponent)-\(UUID().uuidString.prefix(8))"
        outFile = logs.appending(path: "\(name).out")
        errFile = logs.appending(path: "\(name).err")
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = logs
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.handle(outFile)
        process.standardError = try Self.handle(errFile)
        process.terminationHandler = { [exit] process in
            let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            exit.code.withLock { $0 = code }
        }
        try process.run()
        pid = process.processIdentifier
        self.process = process
    }

    private static func handle(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }

    var out: String { (try? String(decoding: Data(contentsOf: outFile), as: UTF8.self)) ?? "" }
    var err: String { (try? String(decoding: Data(contentsOf: errFile), as: UTF8.self)) ?? "" }

    /// 128 and the signal's number when a signal ended it; `nil` while it runs.
    var code: Int32? { exit.code.withLock { $0 } }

    /// Only while it has not been waited for, so its number is its own.
    func signal(_ number: Int32) {
        if code == nil { kill(pid, number) }
    }

    /// Waits for its end. One that takes longer is killed, and that is a failure.
    func ended(within limit: Duration = .seconds(20)) async throws -> Ended {
        do {
            try await eventually("the end of \(process.executableURL?.lastPathComponent ?? "a program")", within: limit) { code != nil }
        } catch {
            signal(SIGKILL)
            throw error
        }
        return Ended(code: code ?? -1, out: out, err: err)
    }

    /// For a question asked once, before any test runs.
    static func outcome(of program: String, _ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// How a program ended and what it said.
struct Ended: Sendable {
    let code: Int32
    let out: String
    let err: String

    var lines: [String] { out.split(separator: "\n").map(String.init) }
    var complaints: [String] { err.split(separator: "\n").map(String.init) }
}
