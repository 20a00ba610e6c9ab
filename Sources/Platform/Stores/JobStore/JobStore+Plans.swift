package import BatonSeams

/// Stored plans; see `PlanStorage`.
extension JobStore {
    package func plans(_ kind: PlanKind) throws(SourceFault) -> [String: String] {
        let rows = try database.wait { jobs throws(SourceFault) in
            try jobs.all("SELECT name, body FROM plan WHERE kind = ?", [.text(kind.rawValue)]) { ($0.text(0), $0.text(1)) }
        }
        return Dictionary(rows) { $1 }
    }

    package func put(_ plan: String?, _ kind: PlanKind, named name: String) throws(SourceFault) {
        try database.wait { jobs throws(SourceFault) in
            guard let plan else {
                try jobs.run("DELETE FROM plan WHERE kind = ? AND name = ?", [.text(kind.rawValue), .text(name)])
                return
            }
            try jobs.run(
                "INSERT INTO plan VALUES (?, ?, ?) ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body",
                [.text(kind.rawValue), .text(name), .text(plan)])
        }
    }
}
