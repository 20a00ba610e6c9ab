package import BatonProtocol
package import BatonSeams

/// The current state of the program outside the hub, for answers to clients.
@Loop
package protocol ProgramFacts: AnyObject {
    var diagnostics: HubDiagnostics { get }
    var memoryDiagnostics: HubDiagnostics.Memory { get }
    /// The log lines of a query, for admins.
    func logLines(_ query: Commands.ReadLog) -> HubLog?
}
