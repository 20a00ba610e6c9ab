import BatonProtocol

/// Findings about the accounts at servers.
extension HubCheckup {
    var servers: [Finding] { (mirror.sources?.sources ?? []).flatMap(findings) }

    func findings(about source: SourcesSection.Source) -> [Finding] {
        let name = source.title == source.name ? source.name : "\(source.title) (\(source.name))"
        var findings = [state(of: source, called: name)]
        if source.refused > 0 {
            findings.append(
                .warn(
                    "source", "\(name) refuses \(source.refused) of the marks and plays that were made here.",
                    advice: "Which, and why: baton source pending \(source.name). Forget them: baton source pending \(source.name) --drop"))
        }
        if source.repeated > 0 {
            let plays = source.repeated == 1 ? "One play was" : "\(source.repeated) plays were"
            findings.append(
                .ok(
                    "source",
                    "\(plays) sent to \(name) again, for the answer was lost and the server did not show them: it may count so many too many."
                ))
        }
        return findings
    }

    private func state(of source: SourcesSection.Source, called name: String) -> Finding {
        let waiting = source.pending == 0 ? "" : " \(source.pending) of what was done here is to be told to it."
        let since = source.sinceMs.map { " since \(TimeText.ago(ms: wallMs - $0))" } ?? ""
        let sentence = source.sentence ?? "There is no reason given."
        switch source.state {
        case .ok:
            let rows = source.mirror.map { "; \($0.rows) rows are kept for when it is down" } ?? ""
            return .ok("source", "\(name) answers in \(source.latencyMs ?? 0) ms\(rows).\(waiting)")
        case .checking: return .ok("source", "\(name) is being asked.\(waiting)")
        case .disabled: return .ok("source", "\(name) is switched off.\(waiting)")
        case .unconfigured:
            return .warn("source", "\(name): \(sentence)", advice: "Give what is missing: baton source set \(source.name)")
        case .down:
            return .warn(
                "source", "\(name) is down\(since): \(sentence)\(waiting)",
                advice:
                    "See that the server runs and can be reached from here (baton source list shows its address); with a new password: baton source set \(source.name). The hub tries again by itself."
            )
        case .unrecognised(let state): return .ok("source", "\(name) is \(state).\(waiting)")
        }
    }
}
