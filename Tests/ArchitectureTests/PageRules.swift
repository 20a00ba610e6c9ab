/// What every module of the page is held to. Its files are read by people without a build step between, so they are short and fit a
/// screen, and what the page is at the moment is in one module.
enum PageRules {
    static let longest = 200, widest = 120

    static func size(of file: SourceFile) -> [String] {
        let count = file.text.hasSuffix("\n") ? file.lines.count - 1 : file.lines.count
        let long = count > longest ? ["\(file.path) has \(count) lines, and \(longest) are the most: split it along its ideas."] : []
        return long + width(of: file)
    }

    /// What style sheets are held to as well.
    static func width(of file: SourceFile) -> [String] {
        file.lines.enumerated().filter { $1.count > widest }.map { number, line in
            "\(file.path):\(number + 1) has \(line.count) columns, and \(widest) are the most."
        }
    }

    /// Programs that run before any module, and the module itself.
    private static let storages = ["first.js", "lastscreen.js", "state.js"]

    /// Style sheets read the page's state from the root element, and parts from `state.js`.
    static func rootState(in file: SourceFile) -> [String] {
        guard !storages.contains(file.name) else { return [] }
        return file.lines.enumerated().compactMap { number, line in
            guard line.contains(/(?:documentElement|\broot)\.(?:classList|className|dataset)/) else { return nil }
            return "\(file.path):\(number + 1) keeps state on the root element: tell state.js, and read it there."
        }
    }

    /// A module that does not lie where an import says, or that the page does not serve, such as the client in one file, which is for others.
    /// Editors and type checkers follow these paths; `served` are those of all modules.
    static func missingModules(in file: SourceFile, served: Set<String>) -> [String] {
        file.lines.enumerated().flatMap { number, line in
            line.matches(of: /(?:\bfrom |\bimport |\bimport\()'(\.[^']+)'/).map { String($0.1) }
                .filter { !served.contains(path(of: $0, from: file.path)) }
                .map { "\(file.path):\(number + 1) imports \($0), which the page does not serve." }
        }
    }

    private static func path(of module: String, from path: String) -> String {
        var folders = path.split(separator: "/").dropLast()
        for part in module.split(separator: "/") where part != "." {
            if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }
}
