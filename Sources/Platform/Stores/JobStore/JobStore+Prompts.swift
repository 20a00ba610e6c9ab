/// Text that people have entered: settings, earlier prompts and presets.
package import BatonCore
package import BatonSeams
import SQLite

extension JobStore {
    /// Limit for all people together, since guests come and go.
    private static let mostLines = 5_000

    package func prompts(of owner: String) throws(SourceFault) -> PersonPrompts {
        try database.wait { jobs throws(SourceFault) in
            let history = try jobs.all("SELECT text, at_ms FROM prompt WHERE owner = ? ORDER BY number DESC", [.text(owner)]) {
                UsedPrompt($0.text(0), atMs: $0.time(1))
            }
            let presets = try jobs.all("SELECT name, text FROM preset WHERE owner = ? ORDER BY name", [.text(owner)]) {
                PromptPreset($0.text(0), $0.text(1))
            }
            return PersonPrompts(settings: try Self.settings(of: owner, jobs), presets: presets, history: history)
        }
    }

    package func settings(of owner: String) throws(SourceFault) -> PromptSettings {
        try database.wait { jobs throws(SourceFault) in try Self.settings(of: owner, jobs) }
    }

    private static func settings(of owner: String, _ jobs: StoreDatabase) throws(SourceFault) -> PromptSettings {
        try jobs.first("SELECT seconds, model, cfg, seed FROM setting WHERE owner = ?", [.text(owner)]) {
            PromptSettings(durationS: $0.maybeInt(0), model: $0.maybeText(1), cfg: $0.maybeText(2), seed: $0.maybeText(3))
        } ?? PromptSettings()
    }

    package func put(_ settings: PromptSettings, of owner: String) throws(SourceFault) {
        try database.wait { jobs throws(SourceFault) in
            guard !settings.isEmpty else {
                try jobs.run("DELETE FROM setting WHERE owner = ?", [.text(owner)])
                return
            }
            try jobs.change { () throws(SourceFault) in
                try jobs.run(
                    "INSERT OR REPLACE INTO setting VALUES (?, ?, ?, ?, ?)",
                    [
                        .text(owner), .maybe(settings.durationS), .maybe(settings.model), .maybe(settings.cfg), .maybe(settings.seed),
                    ])
                try jobs.run(
                    "DELETE FROM setting WHERE rowid NOT IN (SELECT rowid FROM setting ORDER BY rowid DESC LIMIT ?)", [.int(Self.mostLines)]
                )
            }
        }
    }

    package func note(_ prompt: UsedPrompt, of owner: String) throws(SourceFault) {
        try database.wait { jobs throws(SourceFault) in
            try jobs.change { () throws(SourceFault) in
                try jobs.run(
                    "INSERT OR REPLACE INTO prompt (owner, text, at_ms) VALUES (?, ?, ?)",
                    [.text(owner), .text(prompt.text), .time(prompt.atMs)])
                try jobs.run(
                    "DELETE FROM prompt WHERE owner = ?1 AND number NOT IN (SELECT number FROM prompt WHERE owner = ?1 ORDER BY number DESC LIMIT ?2)",
                    [.text(owner), .int(PersonPrompts.mostHistory)])
                try jobs.run(
                    "DELETE FROM prompt WHERE number NOT IN (SELECT number FROM prompt ORDER BY number DESC LIMIT ?)",
                    [.int(Self.mostLines)])
            }
        }
    }

    package func forget(_ text: String?, of owner: String) throws(SourceFault) -> Bool {
        try database.wait { jobs throws(SourceFault) in
            try jobs.run("DELETE FROM prompt WHERE owner = ?1 AND text = ifnull(?2, text)", [.text(owner), .maybe(text)]) > 0
        }
    }

    package func put(_ preset: PromptPreset, of owner: String) throws(SourceFault) -> Bool {
        try database.wait { jobs throws(SourceFault) in
            let known = try jobs.all("SELECT name, text FROM preset WHERE owner = ?", [.text(owner)]) { ($0.text(0), $0.text(1)) }
            if known.contains(where: { $0 == (preset.name, preset.text) }) { return false }
            guard known.count < PersonPrompts.mostPresets || known.contains(where: { $0.0 == preset.name }) else {
                throw SourceFault(.quota, "A person has at most \(PersonPrompts.mostPresets) presets. Remove one of them.")
            }
            try jobs.run("INSERT OR REPLACE INTO preset VALUES (?, ?, ?)", [.text(owner), .text(preset.name), .text(preset.text)])
            return true
        }
    }

    package func removePreset(_ name: String, of owner: String) throws(SourceFault) -> Bool {
        try database.wait { jobs throws(SourceFault) in
            try jobs.run("DELETE FROM preset WHERE owner = ? AND name = ?", [.text(owner), .text(name)]) > 0
        }
    }
}

/// All entered text of one person.
extension JobStore {
    package func rows(of owner: String) throws(SourceFault) -> [PersonRow] {
        try database.wait { jobs throws(SourceFault) in
            let presets = try jobs.all("SELECT name, text FROM preset WHERE owner = ? ORDER BY name", [.text(owner)]) {
                PersonRow("preset").adding("name", $0.text(0)).adding("text", $0.text(1))
            }
            let prompts = try jobs.all("SELECT text, at_ms FROM prompt WHERE owner = ? ORDER BY number", [.text(owner)]) {
                PersonRow("prompt").adding("text", $0.text(0)).adding("atMs", $0.int64(1))
            }
            let settings = try jobs.all("SELECT seconds, model, cfg, seed FROM setting WHERE owner = ?", [.text(owner)]) { row in
                let texts = PersonRow("promptSettings").adding("model", row.maybeText(1)).adding("cfg", row.maybeText(2))
                    .adding("seed", row.maybeText(3))
                return row.maybeInt(0).map { texts.adding("seconds", Int64($0)) } ?? texts
            }
            let made = try jobs.all("SELECT id, prompt, started_ms FROM job WHERE owner = ? ORDER BY number", [.text(owner)]) {
                PersonRow("job").adding("id", $0.text(0)).adding("prompt", $0.text(1)).adding("atMs", $0.int64(2))
            }
            return presets + prompts + settings + made
        }
    }

    package func give(_ owner: String, to other: String) throws(SourceFault) {
        try database.wait { jobs throws(SourceFault) in
            try jobs.change { () throws(SourceFault) in
                for table in ["setting", "prompt", "preset"] {
                    try jobs.run("UPDATE OR IGNORE \(table) SET owner = ?2 WHERE owner = ?1", [.text(owner), .text(other)])
                    try jobs.run("DELETE FROM \(table) WHERE owner = ?", [.text(owner)])
                }
                try jobs.run("UPDATE job SET owner = ?2 WHERE owner = ?1", [.text(owner), .text(other)])
            }
        }
    }

    /// Removes a person's data. Pieces stay, without an owner, for the queues that contain them.
    package func forget(owner: String) throws(SourceFault) {
        try database.wait { jobs throws(SourceFault) in
            try jobs.change { () throws(SourceFault) in
                for table in ["setting", "prompt", "preset"] { try jobs.run("DELETE FROM \(table) WHERE owner = ?", [.text(owner)]) }
                try jobs.run("UPDATE job SET owner = '', author = NULL WHERE owner = ?", [.text(owner)])
            }
        }
    }
}
