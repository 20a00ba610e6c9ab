import BatonCore
package import BatonProtocol

/// The JSON form of `LibraryFolders` and its parts.
extension LibraryFolders {
    package func encode(into writer: inout JSONWriter, bytes: Int) {
        let start = writer.count
        writer.object { answer in
            _ = answer.member("folders", folders, upTo: start + bytes / 2) { $1.object($0.encodeMembers) }
            if !found.isEmpty {
                _ = answer.member("found", found, upTo: start + bytes * 3 / 4) { $1.object($0.encodeMembers) }
            }
            if let inside {
                let written = answer.member("inside", inside, upTo: start + bytes * 7 / 8) { $1.object($0.encodeMembers) }
                answer.flag("more", hasMore || written < inside.count)
            }
            if let report { answer.member("report", object: { report.encodeMembers(into: &$0, upTo: start + bytes) }) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(result: value)
        self.init(
            try fields.required("folders", fields.elements("folders", Folder.init(from:))),
            found: try fields.elements("found", Folder.init(from:)) ?? [], inside: try fields.elements("inside", Inside.init(from:)),
            hasMore: try fields.flag("more"),
            report: try fields.fields("report").map { report throws(ProtocolFault) in try Report(from: report) })
    }
}

extension LibraryFolders.Report {
    fileprivate func encodeMembers(into writer: inout JSONWriter, upTo end: Int) {
        writer.member("seen", seen)
        writer.member("read", read)
        writer.member("moved", moved)
        writer.member("gone", gone)
        writer.member("failed", failed)
        writer.member("tookMs", tookMs)
        writer.flag("done", isDone)
        guard !problems.isEmpty else { return }
        _ = writer.member("problems", problems, upTo: end) { $1.string($1.shown($0, DisplayText(bytes: 512))) }
    }

    fileprivate init(from fields: Fields) throws(ProtocolFault) {
        self.init()
        seen = try fields.count("seen") ?? 0
        read = try fields.count("read") ?? 0
        moved = try fields.count("moved") ?? 0
        gone = try fields.count("gone") ?? 0
        failed = try fields.count("failed") ?? 0
        tookMs = try fields.count("tookMs") ?? 0
        isDone = try fields.flag("done")
        problems = try fields.texts("problems") ?? []
    }
}
