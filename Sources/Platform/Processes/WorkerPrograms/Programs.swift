/// Runs helper programs of the hub: each in its own process group, with pipes for its input and output, and, if it has to be confined, in
/// bubblewrap.
///
/// A thread of its own starts each program and reads its output until it ends, so no other thread waits for a program.
package import BatonSeams
import Glibc
import Threads

package struct Programs: ProgramRunning {
    private let limits: ProgramLimits

    package init(within limits: ProgramLimits = ProgramLimits()) { self.limits = limits }

    package func run<Notes: Sendable>(
        _ call: ProgramCall, noting notes: Notes, line: @escaping @Sendable (inout Notes, [UInt8]) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> (end: ProgramEnd, notes: Notes) {
        let words = try Confinement.words(for: call, within: limits)
        guard !call.isConfined || call.folder != "/" else {
            throw SourceFault(.unsupported, "\(call.path) needs a folder of its own to work in.")
        }
        guard call.input.count <= ProgramCall.mostInput else {
            throw SourceFault(.tooLarge, "What \(call.path) would have to read is too long.")
        }
        let (lines, sink) = AsyncStream.makeStream(of: RunningProgram.News.self)
        guard let program = RunningProgram.start(words, for: call, within: limits, report: { sink.yield($0) }) else {
            throw SourceFault(.unavailable, "The system has no process to give for \(call.path).")
        }
        let result: Result<(ProgramEnd, Notes), SourceFault> = await withTaskCancellationHandler {
            defer { program.end() }
            do throws(SourceFault) { return .success(try await follow(lines, of: call, from: notes, line: line)) } catch {
                return .failure(error)
            }
        } onCancel: {
            program.end()
        }
        return try result.get()
    }

    package func check(_ path: String, isConfined: Bool) throws(SourceFault) {
        _ = try Confinement.words(for: ProgramCall(path, input: [], folder: "/", isConfined: isConfined), within: limits)
    }

    private func follow<Notes>(
        _ lines: AsyncStream<RunningProgram.News>, of call: ProgramCall, from first: Notes,
        line: @Sendable (inout Notes, [UInt8]) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> (ProgramEnd, Notes) {
        var notes = first
        for await news in lines {
            switch news {
            case .line(let bytes): try await line(&notes, bytes)
            case .tooMuch: throw SourceFault(.failed, "\(call.path) wrote more than a worker may.")
            case .tooLarge:
                throw SourceFault(.failed, "\(call.path) took more memory than a worker may, which is \(limits.memoryText).")
            case .notStarted(let cause):
                throw SourceFault(.unavailable, "\(call.path) cannot be started: \(unsafe String(cString: strerror(cause))).")
            case .ended(let end): return (end, notes)
            }
        }
        throw .cancelled
    }
}
