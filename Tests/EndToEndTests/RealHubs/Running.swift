import Foundation
import Harness

/// A program that was started by a test, and what it has said so far.
///
/// It writes into files and not into pipes: a pipe's end would be inherited by whatever else is
/// started meanwhile, and its reader would wait for another test's child.
final class Running: Sendable {
    private let name: String
    private let outFile: URL
    private let errFile: URL
    private let child: Child

    init(_ program: String, _ arguments: [String], environment: [String: String], logs: URL) throws {
        name = URL(filePath: program).lastPathComponent
        let files = "\(name)-\(UUID().uuidString.prefix(8))"
        outFile = logs.appending(path: "\(files).out")
        errFile = logs.appending(path: "\(files).err")
        child = try Child(program, arguments, environment: environment, folder: logs.path, out: outFile.path, err: errFile.path)
    }

    var pid: Int32 { child.pid }

    var out: String { (try? String(decoding: Data(contentsOf: outFile), as: UTF8.self)) ?? "" }
    var err: String { (try? String(decoding: Data(contentsOf: errFile), as: UTF8.self)) ?? "" }

    /// 128 and the signal's number when a signal ended it; `nil` while it runs.
    var code: Int32? { child.code }

    func signal(_ number: Int32) { child.signal(number) }

    /// Waits for its end. One that takes longer is killed, and that is a failure.
    func ended(within limit: Duration = .seconds(60)) async throws -> Ended {
        do {
            try await eventually("the end of \(name)", within: limit) { code != nil }
        } catch {
            signal(SIGKILL)
            throw error
        }
        return Ended(code: code ?? -1, out: out, err: err)
    }

    /// For a question asked once, before any test runs.
    static func outcome(of program: String, _ arguments: String...) throws -> Int32 {
        try Child(program, arguments).waitUntilExit()
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
