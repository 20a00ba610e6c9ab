package import BatonProtocol
package import BatonSeams

/// The parts of the program that are not the hub's, as they are when a client asks for them.
@Loop
package protocol ProgramFacts: AnyObject {
    var diagnostics: HubDiagnostics { get }
    var memoryDiagnostics: HubDiagnostics.Memory { get }
    /// Lines of the log, for admins.
    func logLines(_ query: HubLogQuery) -> HubLog?
}
