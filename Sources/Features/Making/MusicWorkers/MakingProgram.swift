/// Runs programs that generate or store music. Each reads one line of JSON, works in its folder, and prints lines of
/// `WorkerReport`.
import BatonSeams

extension ProgramCall {
    init(
        making path: String, _ arguments: [String] = [], of request: String = "", in folder: String, isConfined: Bool = false,
        isQuiet: Bool = true
    ) {
        self.init(
            path, arguments, input: Array((request + "\n").utf8), folder: folder,
            environment: ["BATON_JOB_DIR": folder, "HOME": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], isConfined: isConfined,
            isQuiet: isQuiet)
    }
}

extension ProgramRunning {
    typealias Progress = @Sendable (_ percent: Int, _ message: String?) async throws(SourceFault) -> Void

    /// Runs a program and returns its exit and its artifact; throws the error that it reports.
    func make(
        _ call: ProgramCall, progress: @escaping Progress = { _, _ in }
    ) async throws(SourceFault) -> (end: ProgramEnd, artifact: WorkerReport.Artifact?) {
        let (end, said) = try await run(call, noting: Said()) { said, line async throws(SourceFault) in
            switch try WorkerReport(line) {
            case .progress(let percent, let message): try await progress(percent, message)
            case .artifact(let artifact): said.artifact = artifact
            case .error(let fault): said.fault = fault
            case nil: break
            }
        }
        if Task.isCancelled { throw .cancelled }
        if let fault = said.fault { throw fault }
        return (end, said.artifact)
    }
}

extension ProgramEnd {
    var words: String {
        switch self {
        case .exited(0): "ended"
        case .exited(let status): "ended with status \(status)"
        // SIGXCPU and SIGXFSZ, which the kernel sends at the limits of a confined program.
        case .killed(24): "took more time of the processor than a worker may"
        case .killed(25): "wrote a larger file than a worker may"
        case .killed(let signal): "was ended by signal \(signal)"
        }
    }
}

/// The program's output so far.
private struct Said: Sendable {
    var artifact: WorkerReport.Artifact?
    var fault: SourceFault?
}
