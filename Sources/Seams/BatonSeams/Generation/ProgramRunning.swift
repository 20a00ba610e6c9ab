/// Runs programs of this machine that work for the hub.
package protocol ProgramRunning: Sendable {
    /// Runs the program until it ends, and passes on each line of its output with the notes from earlier lines. Cancelling the task sends SIGTERM,
    /// and kills the program a while later.
    func run<Notes: Sendable>(
        _ call: ProgramCall, noting notes: Notes, line: @escaping @Sendable (inout Notes, [UInt8]) async throws(SourceFault) -> Void
    ) async throws(SourceFault) -> (end: ProgramEnd, notes: Notes)

    /// Throws when it cannot be started in this way.
    func check(_ path: String, isConfined: Bool) throws(SourceFault)
}

/// A program to run, with its input and its restrictions.
package struct ProgramCall: Equatable, Sendable {
    package var path: String
    package var arguments: [String]
    /// The standard input, which must fit into a pipe.
    package var input: [UInt8]
    /// The working folder, the only place where a confined program can write.
    package var folder: String
    /// The whole environment of the program; it inherits nothing of the hub's.
    package var environment: [String: String]
    /// True to deny access to the network and to the files of people and of the hub.
    package var isConfined: Bool
    /// True to give the hub and its players priority for the processor.
    package var isQuiet: Bool

    /// Every Linux pipe has room for this.
    package static let mostInput = 32 << 10
    /// A program that writes a longer line is ended.
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

/// The way in which a program ended.
package enum ProgramEnd: Equatable, Sendable {
    /// The program ended by itself, with this status.
    case exited(Int32)
    /// A signal ended the program, for instance because it was cancelled or took too much memory.
    case killed(signal: Int32)
}
