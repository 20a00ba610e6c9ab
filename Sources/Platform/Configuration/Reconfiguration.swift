/// The result of reading the configuration again while the hub runs: settings that apply now, and settings that wait for the next start.
package struct Reconfiguration: Equatable, Sendable {
    /// Settings that apply from now on.
    package var settings: HubSettings
    /// Changed settings that apply now, by their names in the file.
    package var taken: [String] = []
    /// Changed settings that need a restart.
    package var waiting: [String] = []
    /// Unknown settings, reported as at the start.
    package var warnings: [String] = []

    /// `words` are the arguments that the hub was started with, and `running` its current settings. A file with an error changes nothing.
    package init(_ words: [String], around: ProcessEnvironment, running: HubSettings) throws(ConfigurationFault) {
        // Any error leaves everything unchanged.
        let read = try HubConfiguration.Read(try HubConfiguration.understood(words), around)
        settings = running
        warnings = read.warnings
        for setting in DeclaredSettings.all {
            var changed = settings
            _ = changed.take(setting, from: read.layers, around: around)
            guard changed != settings else { continue }
            if setting.about.isLive {
                settings = changed
                taken.append(setting.about.path)
            } else {
                waiting.append(setting.about.path)
            }
        }
        waiting += Self.changes(in: "source", read.settings.sources.map(\.withoutLocation), running.sources.map(\.withoutLocation)) {
            $0.name
        }
        waiting += Self.changes(in: "worker", read.settings.workers, running.workers) { $0.name }
    }

    /// Sections of one kind that were added, removed or changed. Their line numbers are not compared.
    private static func changes<Section: Equatable>(
        in kind: String, _ new: [Section], _ old: [Section], name: (Section) -> String
    ) -> [String] {
        let names = Set((new + old).map(name)).sorted()
        return names.filter { one in new.first { name($0) == one } != old.first { name($0) == one } }.map { "[\(kind) \($0)]" }
    }

    /// Sentences for the log: one for the changes that apply, and one for those that wait.
    package var sentences: [String] {
        var sentences = taken.isEmpty ? [] : ["The configuration was read again: \(Self.list(taken)) changed."]
        if !waiting.isEmpty {
            sentences.append(
                "\(Self.list(waiting)) changed in the configuration, and \(waiting.count == 1 ? "takes" : "take") effect when the hub is restarted."
            )
        }
        return sentences.isEmpty ? ["The configuration was read again; nothing has changed."] : sentences
    }

    private static func list(_ names: [String]) -> String {
        names.count < 2 ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }
}

extension ConfiguredSource {
    fileprivate var withoutLocation: ConfiguredSource {
        var copy = self
        copy.location = ""
        return copy
    }
}
