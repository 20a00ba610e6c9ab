import BatonCore
package import BatonProtocol

/// How `LibrarySection` and what belongs to it are written as JSON and read from it.
extension LibrarySection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.object { section in
            section.member("rev", revision)
            section.member("tracks", tracks)
            section.member("albums", albums)
            section.member("artists", artists)
            guard let scan else { return }
            section.member(
                "scan",
                object: {
                    $0.member("done", scan.done)
                    $0.member("total", ifPresent: scan.total)
                    if scan.failed > 0 { $0.member("failed", scan.failed) }
                })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .library)
        self.init(
            revision: try fields.required("rev", fields.count("rev")),
            tracks: try fields.count("tracks") ?? 0,
            albums: try fields.count("albums") ?? 0,
            artists: try fields.count("artists") ?? 0,
            scan: try fields.fields("scan").map { scan throws(ProtocolFault) in
                Scan(done: try scan.count("done") ?? 0, total: try scan.count("total"), failed: try scan.count("failed") ?? 0)
            })
    }
}

extension PlaylistsSection: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.object { section in
            section.member("rev", revision)
            section.member("n", count)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .playlists)
        self.init(
            revision: try fields.required("rev", fields.count("rev")),
            count: try fields.count("n") ?? 0)
    }
}
