/// The configuration read once more while the hub runs: what it takes over now, and what waits for its next start.
package struct Reconfiguration: Equatable, Sendable {
    /// As the hub runs with them from now on.
    package var settings: HubSettings
    /// The settings that changed and were taken over, as the file names them.
    package var taken: [String] = []
    /// Those that changed and take a restart.
    package var waiting: [String] = []
    /// What the configuration has that means nothing, as at the start.
    package var warnings: [String] = []

    /// `words` are those that the hub was started with, and `running` the settings that it runs with. A file with a mistake
    /// changes nothing.
    package init(_ words: [String], around: Surroundings, running: HubSettings) throws(ConfigurationFault) {
        // A mistake anywhere leaves everything as it is.
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
        waiting += Self.changes(in: "source", read.settings.sources.map(\.withoutPlace), running.sources.map(\.withoutPlace)) { $0.name }
        waiting += Self.changes(in: "worker", read.settings.workers, running.workers) { $0.name }
    }

    /// The sections of one kind that came, went or changed. The line on which one stands does not count.
    private static func changes<Section: Equatable>(
        in kind: String, _ new: [Section], _ old: [Section], name: (Section) -> String
    ) -> [String] {
        let names = Set((new + old).map(name)).sorted()
        return names.filter { one in new.first { name($0) == one } != old.first { name($0) == one } }.map { "[\(kind) \($0)]" }
    }

    /// For the log, a sentence for what happened and one for what did not.
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
    fileprivate var withoutPlace: ConfiguredSource {
        var copy = self
        copy.place = ""
        return copy
    }
}
