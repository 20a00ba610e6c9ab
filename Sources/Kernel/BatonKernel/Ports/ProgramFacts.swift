package import BatonProtocol
package import BatonSeams

/// The current state of the program outside the hub, for answers to clients.
@Loop
package protocol ProgramFacts: AnyObject {
    /// The condition of the program, without its memory.
    var diagnostics: HubDiagnostics { get }
    /// The memory of all parts. It costs more than the rest, so it is asked for only by admins.
    var memoryDiagnostics: HubDiagnostics.Memory { get }
    /// The log lines of a query, for admins.
    func logLines(_ query: Commands.ReadLog) -> HubLog?
}
