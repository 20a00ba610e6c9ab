/// Parts of a module that the compiler does not keep apart: a connector in the module of the feature that it serves, or a small dialect.
enum PartRules {
    /// A part and the rest of its module meet in the seams, so neither names a type of the other. Otherwise a source could not be read,
    /// tested or replaced without its feature.
    static func complaints(about files: [SourceFile]) -> [String] {
        let shared = Set(files.filter { ModuleRules.part(of: $0) != nil }.map(\.module))
        return shared.sorted().flatMap { module in
            let inside = files.filter { $0.module == module }
            let owners = Dictionary(
                inside.flatMap { file in types(in: file).map { ($0, place(of: file)) } }, uniquingKeysWith: { first, _ in first })
            return inside.flatMap { file in
                names(in: file).compactMap { name -> String? in
                    guard let owner = owners[name], owner != place(of: file) else { return nil }
                    return "\(file.path) names \(name) of \(owner): parts of a module meet in BatonSeams."
                }
            }
        }
    }

    private static func place(of file: SourceFile) -> String { ModuleRules.part(of: file) ?? file.module }

    /// Types that a file declares for its whole module.
    private static func types(in file: SourceFile) -> [String] {
        let declaration =
            /^(?:@\w+ )*(?:(?:public|package|internal|final|indirect|nonisolated) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/
        return file.codeLines.compactMap { $0.firstMatch(of: declaration) }.map { String($0.1) }
    }

    /// Words of a file that begin as types do, each once, but for those behind a dot.
    private static func names(in file: SourceFile) -> [String] {
        Set(file.codeLines.flatMap { $0.matches(of: /(?:^|[^\w.])([A-Z]\w*)/).map { String($0.1) } }).sorted()
    }
}
