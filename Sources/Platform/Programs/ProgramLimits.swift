/// How much of the machine a confined program may take, together with all that it starts unless a line says otherwise.
package struct ProgramLimits: Equatable, Sendable {
    /// Models of a home's size fit. The address space is not bounded, because libraries reserve far more of it than they use.
    package var memoryBytes: Int64 = 4 << 30
    /// Also threads, which the kernel counts as processes.
    package var processes = 256
    /// For each process. A piece has three minutes at most.
    package var processorSeconds = 3600
    /// For each file. An hour of sound in the best quality fits.
    package var fileBytes: Int64 = 2 << 30
    /// For each process.
    package var openFiles = 1024

    package init() {}

    var memoryText: String { "\(memoryBytes >> 20) MiB" }
}
