/// Workers that were added by commands: `workers.conf`, in the format of `batond.conf`, in a folder that only the hub's user may read, and
/// a file with the token of each beside it.
package import BatonSeams
import Glibc

package struct WorkerFile: WorkerStorage {
    private let folder: String
    private static let name = "workers.conf"

    package init(folder: String) { self.folder = folder }

    package func stored() throws(SourceFault) -> StoredWorkers {
        guard unsafe access("\(folder)/\(Self.name)", F_OK) == 0 else { return StoredWorkers() }
        return try Self.read(try sentences { () throws(KeyStoreFault) in try SecretFile(Self.name, in: folder).load() } ?? [])
    }

    package func store(_ workers: StoredWorkers) throws(SourceFault) {
        let text = Self.text(of: workers)
        // Refuses a path that the format would change.
        guard try Self.read(text) == workers else {
            throw SourceFault(.badRequest, "A path of this worker has characters that cannot be stored.")
        }
        SmallFile.makeFolders(above: folder)
        try sentences { () throws(KeyStoreFault) in try SecretFile(Self.name, in: folder).store(text) }
    }

    package func store(token: String?, of name: String) throws(SourceFault) -> String? {
        let file = "\(name).token"
        let path = "\(folder)/\(file)"
        guard let token else {
            guard unsafe unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else {
                throw SourceFault(.unavailable, "\(path) cannot be removed: \(unsafe String(cString: strerror(errno))).")
            }
            return nil
        }
        guard token.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw SourceFault(.badRequest, "The token has characters that HTTP cannot send.")
        }
        SmallFile.makeFolders(above: folder)
        try sentences { () throws(KeyStoreFault) in try SecretFile(file, in: folder).store(Array("\(token)\n".utf8)) }
        return path
    }

    private func sentences<Result>(_ body: () throws(KeyStoreFault) -> Result) throws(SourceFault) -> Result {
        do throws(KeyStoreFault) { return try body() } catch { throw SourceFault(.unavailable, error.sentence) }
    }

    // MARK: The form

    private static func text(of stored: StoredWorkers) -> [UInt8] {
        var lines = stored.usual.map { ["usual = \($0)"] } ?? []
        for worker in stored.workers {
            lines.append("[worker \(worker.name)]")
            let values = [
                ("url", worker.url), ("program", worker.program.isEmpty ? nil : worker.program.joined(separator: " ")),
                ("sandbox", worker.isConfined ? nil : "off"), ("token_file", worker.tokenFile),
                ("artifact_map", worker.artifactMap.map { "\($0.remote):\($0.local)" }),
            ]
            lines += values.compactMap { name, value in value.map { "\(name) = \($0)" } }
        }
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    private static func read(_ text: [UInt8]) throws(SourceFault) -> StoredWorkers {
        var stored = StoredWorkers()
        var sections = ConfiguredWorkers()
        for line in INIFile(text: text).lines {
            if line.section.isEmpty, line.name == "usual" { stored.usual = line.value }
            if ConfiguredWorkers.isOne(line.section) { sections.take(line, source: name, home: "/") }
        }
        sections.finish()
        if let problem = sections.problems.first { throw SourceFault(.unavailable, problem) }
        stored.workers = sections.workers
        return stored
    }
}
