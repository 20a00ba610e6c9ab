/// Resolves the command line, the environment and a file to one value.

/// The action that the command line requests, with its settings.
package enum HubInvocation: Equatable, Sendable {
    /// Run with these settings. The warnings are sentences for the log.
    case run(HubSettings, warnings: [String])
    /// Report whether the hub could run with these settings, and exit.
    case check(HubSettings, warnings: [String])
    /// Restore the data of a backup, and exit.
    case restore(HubSettings, file: String, takesOthers: Bool)
    /// Print this text and exit.
    case help(String)
    case version
}

/// The reasons why the hub cannot start: every problem, one sentence each.
package struct ConfigurationFault: Error, Equatable, Sendable {
    package var sentences: [String]
}

package enum HubConfiguration {
    /// `words` is the command line without the program's name.
    package static func resolve(_ words: [String], around: ProcessEnvironment) throws(ConfigurationFault) -> HubInvocation {
        let arguments = try understood(words)
        if arguments.has("help") { return .help(help) }
        if arguments.has("help-limits") { return .help(helpOnLimits) }
        if arguments.has("version") { return .version }

        let read = try Read(arguments, around)
        if let file = arguments["restore"] {
            let path = file.hasPrefix("/") ? file : "\(around.workingFolder)/\(file)"
            return .restore(read.settings, file: path, takesOthers: arguments.has("other-hub"))
        }
        return arguments.has("check") ? .check(read.settings, warnings: read.warnings) : .run(read.settings, warnings: read.warnings)
    }

    /// The settings of flags, environment and file, without an error.
    struct Read {
        var settings = HubSettings()
        /// Flags, environment and file, in decreasing precedence.
        let layers: [Layer]
        let warnings: [String]

        init(_ arguments: Arguments, _ around: ProcessEnvironment) throws(ConfigurationFault) {
            var warnings: [String] = []
            var problems: [String] = []
            let file = try fileLayer(
                arguments["config"] ?? around["BATON_CONFIG"], around: around, warnings: &warnings, problems: &problems)
            layers = [Layer(arguments, folder: around.workingFolder), Layer(around, warnings: &warnings), file]
            self.warnings = warnings
            settings.hostNames = around.hostNames
            settings.sources = file.sources
            settings.workers = file.workers
            settings.credentials = around["CREDENTIALS_DIRECTORY"]
            for setting in DeclaredSettings.all { problems += settings.take(setting, from: layers, around: around) }
            // A setting with an error has no value to compare with others.
            if problems.isEmpty { problems = settings.contradictions() }
            guard problems.isEmpty else { throw ConfigurationFault(sentences: problems) }
        }
    }

    static let options: [Arguments.Option] =
        [
            Arguments.Option(
                "check", .flag,
                help:
                    "Look at the configuration, name each mistake, and end: 0 all is right, 1 there are warnings, 2 the hub would not start."
            ),
            Arguments.Option("config", .value("FILE"), help: "Read this file instead of the usual one."),
            Arguments.Option("help", short: "h", .flag, help: "Print this."),
            Arguments.Option("help-limits", .flag, help: "Print the limits, which few hubs need to change."),
            Arguments.Option("other-hub", .flag, help: "With --restore: also a backup of another hub, which this one becomes."),
            Arguments.Option("restore", .value("FILE"), help: "Take the data of this backup over, while no hub runs, and end."),
            Arguments.Option("version", .flag, help: "Print the version."),
        ] + SettingAbout.all.map(\.option)

    package static var help: String {
        """
        batond: a playback hub. Usage: batond [options]

        \(Arguments.help(options.filter { !$0.name.hasPrefix("limit-") }))

        Each is also an environment variable (--lan-plain is BATON_LAN_PLAIN) and a line
        of batond.conf (lan_plain = off), read from \(usualPlaces).
        What a flag says counts before the environment, and that before the file.
        Limits are listed by batond --help-limits.

        """
    }

    private static var helpOnLimits: String {
        """
        Limits of batond, each a number, and each a line under [limits] of batond.conf:

        \(Arguments.help(options.filter { $0.name.hasPrefix("limit-") }))

        """
    }

    private static let usualPlaces = "~/.config/baton or, as a service, /etc/baton"

    static func understood(_ words: [String]) throws(ConfigurationFault) -> Arguments {
        do throws(Arguments.Fault) {
            let arguments = try Arguments(words, options: options)
            guard let stray = arguments.words.first else { return arguments }
            throw Arguments.Fault("batond takes only options, and \"\(stray)\" is none. To play something, say: baton play \(stray)")
        } catch {
            throw ConfigurationFault(sentences: [error.sentence])
        }
    }

    /// A file that was named must exist; the default one may be missing.
    private static func fileLayer(
        _ named: String?, around: ProcessEnvironment, warnings: inout [String], problems: inout [String]
    ) throws(ConfigurationFault) -> Layer {
        let path = named ?? StandardFolders(around).configuration
        if named == nil, !TextFile.exists(path) { return Layer() }
        do {
            let text = try TextFile.read(path, atMost: INIFile.largestFile)
            return Layer(INIFile(text: text), path: path, home: around.home, warnings: &warnings, problems: &problems)
        } catch {
            throw ConfigurationFault(sentences: ["The configuration \(path) cannot be read: \(error.reason)."])
        }
    }
}

extension SettingAbout {
    var option: Arguments.Option {
        let shape: Arguments.Option.Shape = placeholder.map { .value($0) } ?? .yesOrNo
        return Arguments.Option(flag, shape, help: "\(help) [\(usual)]")
    }
}

extension HubSettings {
    /// Errors that show only when several settings are compared.
    func contradictions() -> [String] {
        var found: [String] = []
        let (limits, level, ceiling, socket) = (self.limits, self.startLevel, self.ceiling, self.socket)
        if level > ceiling {
            found.append("start_level is \(level) and ceiling is \(ceiling). Expected a start_level that is no higher.")
        }
        if limits.commandBurst < limits.commandsPerSecond {
            found.append(
                "[limits] command_burst is \(limits.commandBurst) and command_rate is \(limits.commandsPerSecond). Expected a burst that is no smaller."
            )
        }
        for (ping, end, name) in [(limits.pingMs, limits.silenceMs, ""), (limits.watchPingMs, limits.watchSilenceMs, "watch_")]
        where ping >= end {
            found.append("[limits] \(name)ping_ms is \(ping) and \(name)silence_ms is \(end). Expected a silence that is longer.")
        }
        // The address of a unix socket holds 107 bytes and a terminating zero.
        if socket.utf8.count > 107 {
            found.append("socket is \(socket), which is \(socket.utf8.count) bytes long. Expected at most 107; name a shorter one.")
        }
        return found
    }
}
