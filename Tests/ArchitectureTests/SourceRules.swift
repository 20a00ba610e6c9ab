import Foundation

/// What every file under `Sources` is held to, beyond what it may import.
enum SourceRules {
    static let longest = 400

    private static var importLine: Regex<Substring> { /^(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)?import\s/ }

    /// The edges guard a few fields each, and the loop's own queue needs one lock; other code has none.
    static func locks(in file: SourceFile) -> [String] {
        if ModuleRules.kind(of: file) == .edge || file.path.hasSuffix("/BatonSeams/JobQueue.swift") { return [] }
        let lock = /\b(Mutex|NSLock|NSRecursiveLock|pthread_(?:mutex|rwlock|spin)\w*|DispatchSemaphore|sem_wait)\b/
        return file.codeLines.enumerated().compactMap { number, line in
            guard let found = line.firstMatch(of: lock) else { return nil }
            return "\(file.path):\(number + 1) uses \(found.1): live state belongs to the loop and needs no lock; locks live in the edges."
        }
    }

    /// A task is held by the code that starts it, so that it can be cancelled and awaited.
    static func looseTasks(in file: SourceFile) -> [String] {
        let start = /(?:^|[^\w.])Task(?:\s*<[^>]*>)?(?:\.(?:detached|immediate|immediateDetached))?\s*(?:\([^)]*\))?\s*\{/
        let kept = /(?:=|->|\breturn|\.append\(|\.insert\()\s*$/
        let dropped = /(?:^|\s)_\s*=\s*$/
        return file.codeLines.enumerated().compactMap { number, line in
            guard let found = line.firstMatch(of: start) else { return nil }
            let word = line[found.range].range(of: "Task")?.lowerBound ?? found.range.lowerBound
            let before = line[..<word]
            if before.firstMatch(of: kept) != nil && before.firstMatch(of: dropped) == nil { return nil }
            return "\(file.path):\(number + 1) starts a task without an owner: assign it to a stored handle, cancel it and await it."
        }
    }

    /// A part of the hub gets the parts that it needs when it is made. A reference back to its owner, or a value that is there
    /// only later, would let it run before it is complete or after it is gone.
    static func unsafeReferences(in file: SourceFile) -> [String] {
        guard let kind = ModuleRules.kind(of: file), [.kernel, .feature, .hub].contains(kind) else { return [] }
        let found = /\bunowned\b|\btry!|\bas!|[\w\)\]>]!(?=[\s.,;:\)\]]|$)/
        return file.codeLines.enumerated().compactMap { number, line in
            guard let word = line.firstMatch(of: found) else { return nil }
            return "\(file.path):\(number + 1) says \(word.0): pass in what the part needs, or handle the value that is not there."
        }
    }

    /// Names and sentences come from hubs, servers and files, and a terminal obeys the control characters in them. So the satellite prints by
    /// `Output`, which makes them visible, and what is printed as it is comes from few places, which have done so.
    static func terminalWrites(in file: SourceFile) -> [String] {
        guard file.path.hasPrefix("Sources/Programs/baton/"), !file.path.hasSuffix("/Output/Output.swift") else { return [] }
        let direct = /(?:^|[^\w.])(?:(?:print|fputs|puts|putchar)\(|f?write\(STD)/
        let verbatim = /Output\.(?:verbatim|draw)\(/
        let mayDraw = verbatimFiles.contains { file.path.hasSuffix("/" + $0) }
        return file.codeLines.enumerated().compactMap { number, line in
            if line.firstMatch(of: direct) != nil, !line.contains("func print("), !file.text.contains("func print(") {
                return "\(file.path):\(number + 1) writes by itself: use Output.line, so that a terminal does not obey texts of others."
            }
            guard line.firstMatch(of: verbatim) != nil, !mayDraw, !line.contains(".filled(into:") else { return nil }
            return "\(file.path):\(number + 1) prints text as it is: use Output.line, or a Table, which make control characters visible."
        }
    }

    /// Tables, filled forms and lines of the status make texts visible themselves; help and documents contain none of others.
    private static let verbatimFiles = [
        "Satellite.swift", "Output/FileProgress.swift", "Output/ItemLines.swift", "Output/ScanText.swift", "Output/Screen.swift",
        "Output/Table.swift", "Verbs/Verbs+Doctor.swift", "Verbs/Verbs+Looking.swift", "Verbs/Playing/Verbs+Idle.swift",
        "Documents/Verbs+Documents.swift",
    ]

    static func length(of file: SourceFile) -> [String] {
        let count = file.text.hasSuffix("\n") ? file.lines.count - 1 : file.lines.count
        return count > longest ? ["\(file.path) has \(count) lines, and \(longest) are the most: split it along its ideas."] : []
    }

    static let fullest = 25

    /// A folder is read as a list of what there is, so it is short, and its name says what its files are for.
    static func crowds(among paths: [String]) -> [String] {
        let counts = Dictionary(grouping: paths) { $0.split(separator: "/").dropLast().joined(separator: "/") }.mapValues(\.count)
        return counts.sorted { $0.key < $1.key }.filter { $0.value > fullest }.map {
            "\($0.key) holds \($0.value) files, and \(fullest) are the most: put those that belong together into a folder."
        }
    }

    /// One paragraph near the top says what the file is for.
    static func opening(of file: SourceFile) -> [String] {
        let first = file.lines.lazy.map { $0.drop { $0.isWhitespace } }.first { !$0.isEmpty } ?? ""
        var complaints: [String] = []
        if !first.hasPrefix("//") && first.firstMatch(of: Self.importLine) == nil {
            complaints.append("\(file.path) opens with neither a comment nor an import.")
        }
        let body = file.lines.drop { $0.isEmpty || $0.firstMatch(of: Self.importLine) != nil }
        if !body.prefix(12).contains(where: { $0.drop { $0.isWhitespace }.hasPrefix("//") }) {
            complaints.append("\(file.path) does not say within the first 12 lines after its imports what it is for.")
        }
        return complaints
    }

    /// Words in which the subject of a sentence is missing, and pictures of which a reader does not know what they stand for.
    static func wording(of file: SourceFile) -> [String] {
        let unclear = /\b(house|crowd|nobody|whoever|somebody|everybody)\b/.ignoresCase()
        return file.lines.enumerated().flatMap { number, line in
            guard let comment = line.firstMatch(of: /(?:^|\s)\/\/(.*)$/) else { return [String]() }
            // Names of code and of the wire stand in backquotes.
            let words = comment.1.replacing(/`[^`]*`/, with: "")
            return words.matches(of: unclear).map {
                "\(file.path):\(number + 1) says “\($0.1)” in a comment: name the person, the program or the thing that is meant."
            }
        }
    }

    /// Sources are known by what they say of themselves (`SourceAbout`) and by the names in the core (`WellKnownItems`): a
    /// scheme in the hub, a dialect, a program or the page would leave other sources out.
    static func sourceNames(in file: SourceFile) -> [String] {
        let layers = [
            "Sources/Kernel/", "Sources/Assembly/", "Sources/Dialects/", "Sources/Programs/", "Sources/Web/WebRemote/page/",
            "examples/browser/",
        ]
        guard layers.contains(where: file.path.hasPrefix) || ModuleRules.kind(of: file) == .feature,
            !sourceNamesMayStand.contains(file.path)
        else { return [] }
        // The start of a text or a pattern in Swift or JavaScript, but not a sentence's or a member's.
        let name = /["'`\/^](lib|file|demo|pl):/
        return file.lines.enumerated().compactMap { number, line in
            guard !line.drop(while: \.isWhitespace).hasPrefix("//"), let found = line.firstMatch(of: name) else { return nil }
            return "\(file.path):\(number + 1) names items of the source “\(found.1)”: ask SourceAbout, or take the name from the core."
        }
    }

    /// The client library in JavaScript, where the names of the protocol stand for all pages.
    private static let sourceNamesMayStand: Set<String> = ["examples/browser/client/baton-basics.js"]

    /// A link within the project leads somewhere. What stands in fenced code is not a link.
    static func brokenLinks(in document: SourceFile, exists: (String) -> Bool) -> [String] {
        let prose = document.text.split(separator: "```", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        let folder = document.path.split(separator: "/").dropLast().map(String.init)
        return prose.matches(of: /\]\(([^)\s]+)(?:\s+"[^"]*")?\)/).compactMap { link in
            let target = link.1.prefix { $0 != "#" }
            if target.isEmpty || target.contains(":") { return nil }
            let path = resolve(String(target), from: folder)
            return exists(path) ? nil : "\(document.path) links to \(link.1), and there is no \(path)."
        }
    }

    private static func resolve(_ target: String, from folder: [String]) -> String {
        var parts = target.hasPrefix("/") ? [] : folder
        for part in (target.removingPercentEncoding ?? target).split(separator: "/") {
            switch part {
            case ".": continue
            case "..": parts = parts.dropLast()
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }
}
