/// What makes music, as `batond.conf` names it: a section `[worker NAME]` each, with a program or the address of a service.
import BatonProtocol
import BatonSeams

/// Reads the sections in the order of the file.
struct ConfiguredWorkers {
    private(set) var workers: [WorkerDescription] = []
    private(set) var problems: [String] = []
    private var given: Set<String> = []
    private var places: [String: String] = [:]

    private static let prefix = "worker "
    private static let most = 16

    /// Whether a line stands in a section of a worker.
    static func isOne(_ section: String) -> Bool { section == "worker" || section.hasPrefix(prefix) }

    mutating func take(_ line: INIFile.Line, source: String, home: String) {
        let name = String(line.section.dropFirst(Self.prefix.count).filter { $0 != " " })
        guard let at = place(of: name, source) else { return }
        let what = "\(source): [worker \(name)] \(line.name)"
        guard given.insert("\(name)/\(line.name)").inserted else { return problems.append("\(what) is given twice.") }
        func path(_ text: String) -> String? { Kind.Origin(home: home, folder: nil).wholePath(text) }
        switch line.name {
        case "program":
            let words = line.value.split(separator: " ").map(String.init)
            guard let first = words.first, let program = path(first) else {
                return problems.append(
                    "\(what) is \"\(line.value)\". Expected an absolute path, or one that begins with ~/, and its arguments.")
            }
            workers[at].program = [program] + words.dropFirst()
        case "url":
            guard SourceText.isServerURL(line.value) else {
                return problems.append("\(what) is not the address of a service. Expected http:// or https:// and a host.")
            }
            workers[at].url = line.value
        case "sandbox":
            let words = ["yes": true, "on": true, "true": true, "1": true, "no": false, "off": false, "false": false, "0": false]
            guard let answer = words[line.value.lowercased()] else {
                return problems.append("\(what) is \"\(line.value)\". Expected on or off.")
            }
            workers[at].isConfined = answer
        case "artifact_map":
            let parts = line.value.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let local = path(parts[1]), let map = ArtifactMap("\(parts[0]):\(local)") else {
                return problems.append("\(what) is \"\(line.value)\". Expected REMOTE:LOCAL, two absolute paths.")
            }
            workers[at].artifactMap = map
        case "token_file":
            guard let file = path(line.value) else {
                return problems.append("\(what) is \"\(line.value)\". Expected an absolute path, or one that begins with ~/.")
            }
            workers[at].tokenFile = file
        default: problems.append("\(source): [worker \(name)] has no setting \(line.name).")
        }
    }

    private mutating func place(of name: String, _ source: String) -> Int? {
        if let at = workers.firstIndex(where: { $0.name == name }) { return at }
        guard given.insert("[\(name)]").inserted else { return nil }
        guard SourceText.isName(name) else {
            problems.append("\(source): “\(name)” is no name of a worker. Expected [worker NAME] with 1 to 32 of a-z 0-9 -.")
            return nil
        }
        guard workers.count < Self.most else {
            problems.append("\(source): there are more than \(Self.most) sections [worker NAME].")
            return nil
        }
        places[name] = source
        workers.append(WorkerDescription(name))
        return workers.count - 1
    }

    /// What is missing, once the file was read.
    mutating func finish() {
        for worker in workers where worker.program.isEmpty == (worker.url == nil) {
            problems.append("\(places[worker.name] ?? "batond.conf"): [worker \(worker.name)] needs a program or a url, and not both.")
        }
    }
}
