/// Generators of music in `batond.conf`, one section `[worker NAME]` each, with a program or the address of a service.
import BatonProtocol
import BatonSeams

/// A reader for the sections, in the order of the file.
struct ConfiguredWorkers {
    private(set) var workers: [WorkerDescription] = []
    private var sections = NamedSections("worker", most: 16)
    private var places: [String: String] = [:]

    private static let prefix = "worker "

    /// Whether a section describes a worker.
    static func isOne(_ section: String) -> Bool { section == "worker" || section.hasPrefix(prefix) }

    var problems: [String] { sections.problems }

    mutating func take(_ line: INIFile.Line, source: String, home: String) {
        let name = String(line.section.dropFirst(Self.prefix.count).filter { $0 != " " })
        guard let at = sections.place(of: name, source) else { return }
        if at == workers.count {
            workers.append(WorkerDescription(name))
            places[name] = source
        }
        let what = "\(source): [worker \(name)] \(line.name)"
        guard sections.take(line.name, of: name, source) else { return }
        func path(_ text: String) -> String? { PathOrigin(home: home).wholePath(text) }
        switch line.name {
        case "program":
            let words = line.value.split(separator: " ").map(String.init)
            guard let first = words.first, let program = path(first) else {
                return sections.problems.append(
                    "\(what) is \"\(line.value)\". Expected an absolute path, or one that begins with ~/, and its arguments.")
            }
            workers[at].program = [program] + words.dropFirst()
        case "url":
            guard SourceText.isServerURL(line.value) else {
                return sections.problems.append("\(what) is not the address of a service. Expected http:// or https:// and a host.")
            }
            workers[at].url = line.value
        case "sandbox":
            guard let answer = NamedSections.answers[line.value.lowercased()] else {
                return sections.problems.append("\(what) is \"\(line.value)\". Expected on or off.")
            }
            workers[at].isConfined = answer
        case "artifact_map":
            let parts = line.value.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let local = path(parts[1]), let map = ArtifactMap("\(parts[0]):\(local)") else {
                return sections.problems.append("\(what) is \"\(line.value)\". Expected REMOTE:LOCAL, two absolute paths.")
            }
            workers[at].artifactMap = map
        case "token_file":
            guard let file = path(line.value) else {
                return sections.problems.append("\(what) is \"\(line.value)\". Expected an absolute path, or one that begins with ~/.")
            }
            workers[at].tokenFile = file
        default: sections.problems.append("\(source): [worker \(name)] has no setting \(line.name).")
        }
    }

    /// Reports missing settings after the file was read.
    mutating func finish() {
        for worker in workers where worker.program.isEmpty == (worker.url == nil) {
            sections.problems.append(
                "\(places[worker.name] ?? "batond.conf"): [worker \(worker.name)] needs a program or a url, and not both.")
        }
    }
}
