import BatonCore
import BatonProtocol

/// The JSON form of `HubDiagnostics` and its parts.
extension HubDiagnostics {
    func encode(into writer: inout JSONWriter) {
        writer.object { diagnostics in
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

    init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            listen: try fields.texts("listen") ?? [],
            lanPlain: try fields.text("lanPlain") ?? "off",
            discovery: try Discovery(from: fields.required("discovery", fields.fields("discovery"))),
            journal: try Journal(from: fields.required("journal", fields.fields("journal"))),
            audio: try Audio(from: fields.required("audio", fields.fields("audio"))),
            limits: try Limits(from: fields.required("limits", fields.fields("limits"))),
            certificate: try fields.fields("certificate").map { (fields) throws(ProtocolFault) in try Certificate(from: fields) },
            library: try fields.fields("library").map { (fields) throws(ProtocolFault) in try Library(from: fields) },
            memory: try fields.fields("memory").map(Memory.init(from:)))
    }
}
