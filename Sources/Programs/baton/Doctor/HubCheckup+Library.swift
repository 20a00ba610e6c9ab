import BatonCore
import BatonProtocol

/// Findings about the hub's library: its file, the program that reads music files, its folders and the last scan.
extension HubCheckup {
    func library(_ diagnostics: HubDiagnostics) -> [Finding] {
        guard let library = diagnostics.library else { return [] }
        if let problem = library.problem {
            return [.fail("library", problem, advice: "Files and addresses play all the same. Mend it, and start the hub again.")]
        }
        let notices = library.notices.map {
            Finding.warn("library", $0, advice: "The next scan fills it again; this is told until the hub starts again.")
        }
        return notices + [file(library), reader(library)] + looked + watch(library)
    }

    private func file(_ library: HubDiagnostics.Library) -> Finding {
        let counts = mirror.library.map { ": tracks \($0.tracks), albums \($0.albums), artists \($0.artists)" } ?? " is there"
        return .ok("library", "\(library.path ?? "The library")\(counts).")
    }

    private func reader(_ library: HubDiagnostics.Library) -> Finding {
        guard let unread = library.unread else { return .ok("reader", "baton-reader is there: tags and covers are read.") }
        return .fail("reader", unread, advice: "Install Baton whole, or name the program: BATON_READER=/path/to/baton-reader batond")
    }

    private static let mostFolders = 12

    /// Findings about each folder and the last scan.
    private var looked: [Finding] {
        guard let folders else { return [] }
        var findings = folders.folders.prefix(Self.mostFolders).map { folder in
            folder.problem.map {
                Finding.warn(
                    "folder", $0,
                    advice: "Its tracks are kept, and shown as away. If it is gone for good: baton library remove \(folder.path)")
            } ?? .ok("folder", "\(folder.path): \(folder.tracks) \(folder.tracks == 1 ? "track" : "tracks").")
        }
        let more = folders.folders.count - Self.mostFolders
        if more > 0 { findings.append(.ok("folder", "And \(more) more: baton library")) }
        if folders.folders.isEmpty { findings.append(.ok("folder", "None yet. Name one: baton library add FOLDER")) }
        return findings + (folders.report.map { [scan($0)] } ?? [])
    }

    private func scan(_ report: ScanReport) -> Finding {
        let sentence = ScanText.sentence(report)
        guard report.failed > 0 else { return .ok("scan", sentence) }
        return .warn("scan", sentence, advice: "Which files, and why: baton library")
    }

    private func watch(_ library: HubDiagnostics.Library) -> [Finding] {
        guard let unwatched = library.unwatched else {
            return folders?.folders.isEmpty == false ? [.ok("watch", "What changes in the folders is seen at once.")] : []
        }
        return [
            .warn(
                "watch", unwatched,
                advice: "echo fs.inotify.max_user_watches=524288 | sudo tee /etc/sysctl.d/50-baton.conf && sudo sysctl --system"
            )
        ]
    }
}
