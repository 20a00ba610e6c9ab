/// One name for one place: a reader who looks for a module or a layer finds one folder of that name.
enum FolderNames {
    /// Folders of the root, which bear no other name of the project's parts.
    private static let roots: Set<String> = ["Protocol", "Sources", "Tests", "deploy", "examples"]

    static func complaints(about paths: [String]) -> [String] {
        let folders = Set(paths.flatMap(folders))
        let layers = Set(folders.filter { $0.count == 2 }.map { $0[1] }), modules = Set(ModuleRules.kinds.keys)
        return folders.filter { $0.count > 1 }.compactMap { folder -> String? in
            let name = folder[folder.count - 1]
            let isModule = folder.count == (folder[1] == "Features" ? 4 : 3)
            let taken = (folder.count > 2 && layers.contains(name)) || (!isModule && modules.contains(name)) || roots.contains(name)
            return taken
                ? "\(folder.joined(separator: "/")) bears the name of a layer, a module or a folder of the root: name it by what it holds."
                : nil
        }.sorted()
    }

    /// The folders that a path goes through, each as its parts.
    private static func folders(of path: String) -> [[String]] {
        let parts = path.split(separator: "/").dropLast().map(String.init)
        return parts.indices.map { Array(parts[...$0]) }
    }
}
