/// `batond --check`: reports problems of the configuration without starting a hub. Syntax was checked before; this
/// part checks the settings against the machine.
import BatonSeams
import Configuration
import Glibc

enum Checking {
    static func run(_ settings: HubSettings, _ warnings: [String]) -> Daemon.Exit {
        let sentences = warnings + missing(in: settings)
        for sentence in sentences { Daemon.complain(sentence) }
        if sentences.isEmpty {
            let place = settings.listen.first.map { "The page is at http://\($0.reachable.text)/." } ?? "There is no plain port."
            print("The configuration is right. \(place)")
        }
        return sentences.isEmpty ? .done : .failed
    }

    /// Sentences about configured files that are missing or unreadable for this user. The hub would start without them.
    private static func missing(in settings: HubSettings) -> [String] {
        let secrets = settings.sources.flatMap { source in
            [("password_file", source.passwordFile), ("api_key_file", source.apiKeyFile)].compactMap { key, path in
                path.map { (what: "\(source.location): [source \(source.name)] \(key)", path: $0) }
            }
        }
        let tokens = settings.workers.compactMap { worker in
            worker.tokenFile.map { (what: "[worker \(worker.name)] token_file", path: $0) }
        }
        let programs = settings.workers.compactMap { worker in
            worker.program.first.map { (what: "[worker \(worker.name)] program", path: $0) }
        }
        let unread = (secrets + tokens).compactMap { file in problem(with: file.path, R_OK).map { "\(file.what) is \(file.path): \($0)." } }
        return unread + programs.compactMap { file in problem(with: file.path, X_OK).map { "\(file.what) is \(file.path): \($0)." } }
    }

    private static func problem(with path: String, _ mode: Int32) -> String? {
        access(path, mode) == 0 ? nil : String(cString: strerror(errno))
    }
}
