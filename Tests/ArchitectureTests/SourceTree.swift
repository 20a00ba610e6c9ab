import Foundation

/// The source tree as these tests read it: files, their code without comments and strings, their imports.
///
/// Rules are functions from files to complaints, and each complaint is a sentence that says what to
/// do. So a rule is tested on invented files as well as applied to the tree.
enum SourceTree {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file under `Sources`.
    static let sources: [SourceFile] = paths(under: "Sources", endingIn: ".swift").map { path in
        SourceFile(path: path, text: text(of: path))
    }

    /// Every Swift file under `Tests`.
    static let tests: [SourceFile] = paths(under: "Tests", endingIn: ".swift").map { path in
        SourceFile(path: path, text: text(of: path))
    }

    /// Every document that people read, wherever it lies.
    static let documents: [SourceFile] = paths(under: "", endingIn: ".md").map { path in
        SourceFile(path: path, text: text(of: path))
    }

    /// The page's own code.
    static let pageFiles: [SourceFile] = paths(under: "Sources/Web/WebRemote/page", endingIn: ".js").map { path in
        SourceFile(path: path, text: text(of: path))
    }

    /// The client in modules, of which the page serves each.
    static let clientFiles: [SourceFile] = paths(under: "examples/browser/client", endingIn: ".js").map { path in
        SourceFile(path: path, text: text(of: path))
    }

    /// Every file under `Sources`, of whatever kind.
    static let sourcePaths = paths(under: "Sources", endingIn: "").filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: root.appending(path: path).path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// The page's style sheets.
    static let pageStyles: [SourceFile] = paths(under: "Sources/Web/WebRemote/page", endingIn: ".css").map { path in
        SourceFile(path: path, text: text(of: path))
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    private static func text(of path: String) -> String {
        // A file that is not UTF-8 reads as an empty one, which the rule on openings then names.
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }

    private static func paths(under folder: String, endingIn ending: String) -> [String] {
        let top = folder.isEmpty ? root : root.appending(path: folder)
        let entries = FileManager.default.enumerator(atPath: top.path)
        var found: [String] = []
        while let path = entries?.nextObject() as? String {
            let name = path.split(separator: "/").last ?? ""
            // A build folder holds many times more files than the sources.
            if name.hasPrefix(".build") || name == ".git" {
                entries?.skipDescendants()
            } else if path.hasSuffix(ending) {
                found.append(folder.isEmpty ? path : "\(folder)/\(path)")
            }
        }
        return found.sorted()
    }
}

struct SourceFile {
    /// Relative to the root, as in `Sources/Core/BatonCore/Room.swift`.
    let path: String
    let text: String
    /// Line by line, with comments and the text of strings blanked out; empty for what is no Swift. Found once, since
    /// every rule asks for it.
    let codeLines: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        codeLines = path.hasSuffix(".swift") ? Code.only(of: text).split(separator: "\n", omittingEmptySubsequences: false) : []
    }

    /// The target it belongs to: the folder below its layer, or below its feature.
    var module: String {
        let folders = path.split(separator: "/")
        return folders.dropFirst(folders.dropFirst().first == "Features" ? 3 : 2).first.map(String.init) ?? ""
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    var imports: [String] {
        let line =
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
        return codeLines.compactMap { $0.firstMatch(of: line) }.map { String($0.1) }
    }
}
