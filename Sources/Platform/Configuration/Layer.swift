/// One source of settings, all of them optional: flags, environment or file.
import BatonSeams

struct Layer {
    /// The texts of one setting. `source` is its place for messages: "--audio", "BATON_AUDIO", "/etc/baton/batond.conf, line 7".
    struct Entry {
        var texts: [String] = []
        var source: String
    }

    /// Entries by the setting's flag, which is a unique name without a section.
    private(set) var entries: [String: Entry] = [:]
    /// The folder that relative paths are resolved against.
    var folder: String?
    /// Accounts at servers, which only a file can have.
    private(set) var sources: [ConfiguredSource] = []
    /// Workers for music, which only a file can have.
    private(set) var workers: [WorkerDescription] = []

    /// Adds a text. Settings without repetition use the last one.
    mutating func add(_ text: String, to setting: SettingAbout, source: String) {
        if setting.repeats {
            entries[setting.flag, default: Entry(source: source)].texts.append(text)
        } else {
            entries[setting.flag] = Entry(texts: [text], source: source)
        }
    }
}

extension Layer {
    /// Settings from the flags.
    init(_ arguments: Arguments, folder: String) {
        self.folder = folder
        for given in arguments.given {
            guard let setting = SettingAbout.all.first(where: { $0.flag == given.option }) else { continue }
            add(given.value, to: setting, source: "--" + setting.flag)
        }
    }

    /// Settings from the environment. Folders are separated by colons, as in PATH.
    init(_ around: ProcessEnvironment, warnings: inout [String]) {
        folder = around.workingFolder
        for setting in SettingAbout.all {
            guard let value = around[setting.variable] else { continue }
            let isFolders = setting.repeats && setting.placeholder == "FOLDER"
            let texts = isFolders ? value.split(separator: ":").map(String.init) : [value]
            for text in texts { add(text, to: setting, source: setting.variable) }
        }
        let known = SettingAbout.all.map(\.variable)
        for name in around.environment.keys.sorted() where name.hasPrefix("BATON_") && !(known + Self.otherVariables).contains(name) {
            // Variables of other programs are ignored, unless one looks like a misspelt name.
            if let nearest = Spelling.nearest(to: name, among: known) {
                warnings.append("The environment variable \(name) means nothing here. Did you mean \(nearest)?")
            }
        }
    }

    private static let otherVariables = ["BATON_CONFIG", "BATON_HUB", "BATON_NO_SKIP", "BATON_ROOM", "BATON_TIMEOUT"]

    /// Settings from the file. Errors in its format count like invalid values.
    init(_ file: INIFile, path: String, home: String, warnings: inout [String], problems: inout [String]) {
        for line in file.strayLines {
            problems.append(
                "\(path), line \(line): this is not a setting. Expected `name = value`, `[limits]`, `[source NAME]`, `[worker NAME]`, or a comment that begins with #."
            )
        }
        var named = ConfiguredSources()
        var working = ConfiguredWorkers()
        for line in file.lines {
            let source = "\(path), line \(line.number)"
            if ConfiguredSources.isOne(line.section) {
                named.take(line, source: source, home: home)
            } else if ConfiguredWorkers.isOne(line.section) {
                working.take(line, source: source, home: home)
            } else if let setting = SettingAbout.all.first(where: { $0.name == line.name && $0.section == line.section }) {
                add(line.value, to: setting, source: source)
            } else {
                warnings.append(Self.warning(about: line, source: source))
            }
        }
        named.finish()
        sources = named.sources
        working.finish()
        workers = working.workers
        problems += named.problems + working.problems
    }

    private static func warning(about line: INIFile.Line, source: String) -> String {
        let what = "\(source): there is no setting " + (line.section.isEmpty ? "" : "[\(line.section)] ") + line.name
        if let elsewhere = SettingAbout.all.first(where: { $0.name == line.name }) {
            return what + ". "
                + (elsewhere.section.isEmpty ? "It belongs above the first section." : "It belongs into [\(elsewhere.section)].")
        }
        let here = SettingAbout.all.filter { $0.section == line.section }.map(\.name)
        let nearest = Spelling.nearest(to: line.name, among: here) ?? Spelling.nearest(to: line.name, among: SettingAbout.all.map(\.name))
        return what + (nearest.map { ". Did you mean \($0)?" } ?? "; it is ignored.")
    }
}
