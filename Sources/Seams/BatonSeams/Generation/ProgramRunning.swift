/// Runs programs of this machine that work for the hub.
package protocol ProgramRunning: Sendable {
    /// Runs the program until it ends, and passes on each line that it writes, with what was noted of earlier ones. Cancelling the
    /// task asks it to end (SIGTERM), and kills it a while later.
    func run<Notes: Sendable>(
        _ call: ProgramCall, noting notes: Notes, line: @escaping @Sendable (inout Notes, [UInt8]) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> (end: ProgramEnd, notes: Notes)

    /// Throws when it cannot be started so.
    func check(_ path: String, isConfined: Bool) throws(SourceFault)
}

/// What is run, and with what.
package struct ProgramCall: Equatable, Sendable {
    package var path: String
    package var arguments: [String]
    /// What it reads. No more than a pipe holds.
    package var input: [UInt8]
    /// Where it works, and the only place where a confined program can write.
    package var folder: String
    package var environment: [String: String]
    /// Without network, and without the files of people and of the hub.
    package var isConfined: Bool
    /// The hub and its players get the processor before it.
    package var isQuiet: Bool

    /// Every pipe of Linux holds as much.
    package static let mostInput = 32 << 10
    /// A program that writes longer lines is ended.
    package static let mostLine = 64 << 10

    package init(
        _ path: String, _ arguments: [String] = [], input: [UInt8], folder: String, environment: [String: String] = [:], isConfined: Bool,
        isQuiet: Bool = false
    ) {
        self.path = path
        self.arguments = arguments
        self.input = input
        self.folder = folder
        self.environment = environment
        self.isConfined = isConfined
        self.isQuiet = isQuiet
    }
}

/// How a program ended.
package enum ProgramEnd: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
}
