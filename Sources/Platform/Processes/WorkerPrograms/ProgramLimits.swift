/// Limits of a confined program, including its child processes unless a comment says otherwise.
package struct ProgramLimits: Equatable, Sendable {
    /// Enough for models that fit a home machine. Address space is not limited, because libraries reserve far more of it than they use.
    package var memoryBytes: Int64 = 4 << 30
    /// Includes threads, which the kernel counts as processes.
    package var processes = 256
    /// Limit for each process. A piece is at most three minutes long.
    package var processorSeconds = 3600
    /// Limit for each file, enough for an hour of sound in the best quality.
    package var fileBytes: Int64 = 2 << 30
    /// Limit for each process.
    package var openFiles = 1024

    package init() {}

    var memoryText: String { "\(memoryBytes >> 20) MiB" }
}
