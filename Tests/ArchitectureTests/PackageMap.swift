/// Which modules of this package a target is linked with, as `Package.swift` says it.
enum PackageMap {
    /// The targets that a manifest names, each with those that it names as its dependencies.
    static func dependencies(in manifest: String) -> [String: [String]] {
        let target = /name:\s*"([\w-]+)",\s*dependencies:\s*\[([^\]]*)\]/
        let name = /"([\w-]+)"/
        let pairs = manifest.matches(of: target).map { match in
            (String(match.1), match.2.matches(of: name).map { String($0.1) })
        }
        return Dictionary(pairs, uniquingKeysWith: +)
    }

    /// The dependencies of a target, and theirs.
    static func modules(linkedBy target: String, in manifest: String) -> Set<String> {
        let dependencies = dependencies(in: manifest)
        var linked: Set<String> = []
        var open = dependencies[target] ?? []
        while let next = open.popLast() {
            if linked.insert(next).inserted { open += dependencies[next] ?? [] }
        }
        return linked
    }
}
