import BatonCore
package import BatonProtocol

/// The JSON form of `LibraryFolders` and its parts.
extension LibraryFolders {
    /// Writes the folders. Each list may take a part of the page, so that a long one leaves room for the report.
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
}

extension ScanReport {
    func encodeMembers(into writer: inout JSONWriter, upTo end: Int) {
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
}
