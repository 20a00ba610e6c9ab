import BatonCore
import BatonProtocol

/// How `HubDiagnostics` and what belongs to it are written as JSON and read from it.
// MARK: Wire

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

extension HubDiagnostics.Discovery {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("st", state.rawValue)
        part.member("name", ifPresent: name)
        part.member("problem", ifPresent: problem)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            // A state from a newer hub that this version does not know counts as not known.
            State(rawValue: try fields.text("st") ?? "") ?? .registering,
            name: try fields.text("name"),
            problem: try fields.text("problem"))
    }
}

extension HubDiagnostics.Journal {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("path", ifPresent: path)
        part.member("schema", schema)
        part.member("bytes", bytes)
        part.member("logBytes", logBytes)
        part.member("freeBytes", ifPresent: freeBytes)
        part.member("writtenMs", ifPresent: writtenMs)
        part.member("problem", ifPresent: problem)
        part.member("notices", notices)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            path: try fields.text("path"),
            schema: try fields.count("schema") ?? 0,
            bytes: try fields.count("bytes") ?? 0,
            logBytes: try fields.count("logBytes") ?? 0,
            freeBytes: try fields.count("freeBytes"),
            writtenMs: try fields.int64("writtenMs"),
            problem: try fields.text("problem"),
            notices: try fields.texts("notices") ?? [])
    }
}

extension HubDiagnostics.Audio {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("choice", choice)
        if let hasPlayer { part.member("player", hasPlayer) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            choice: try fields.text("choice") ?? "",
            hasPlayer: try fields.bool("player"))
    }
}

extension HubDiagnostics.Limits {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("connections", connections)
        part.member("descriptors", descriptors)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            connections: try fields.count("connections") ?? 0,
            descriptors: try fields.count("descriptors") ?? 0)
    }
}

extension HubDiagnostics.Certificate {
    fileprivate func encodeMembers(into part: inout JSONWriter) {
        part.member("root", root)
        part.member("names", names)
        part.member("untilMs", untilMs)
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init(
            root: try fields.text("root") ?? "",
            names: try fields.texts("names") ?? [],
            untilMs: try fields.int64("untilMs") ?? 0)
    }
}
