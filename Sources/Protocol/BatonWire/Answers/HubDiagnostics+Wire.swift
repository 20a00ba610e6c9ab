import BatonCore
import BatonProtocol

/// The JSON form of `HubDiagnostics` and its parts.
extension HubDiagnostics {
    func encodeMembers(into diagnostics: inout JSONWriter) {
        diagnostics.member("listen", listen)
        diagnostics.member("lanPlain", lanPlain)
        diagnostics.member("discovery", object: discovery.encodeMembers)
        diagnostics.member("journal", object: journal.encodeMembers)
        diagnostics.member("audio", object: audio.encodeMembers)
        diagnostics.member("limits", object: limits.encodeMembers)
        if let certificate { diagnostics.member("certificate", object: certificate.encodeMembers) }
        if let library { diagnostics.member("library", object: library.encodeMembers) }
        if let memory, diagnostics.bounds.text == .max { diagnostics.member("memory", object: memory.encodeMembers) }
    }
}
