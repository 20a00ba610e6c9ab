import BatonClient
import Configuration

/// What the satellite keeps between two commands: who it is, and which hub it spoke to last.
struct Memory {
    private let folder: String

    init(_ around: Surroundings) {
        let state = around["XDG_STATE_HOME"] ?? "\(around.home)/.local/state"
        folder = "\(state)/baton-satellite"
    }

    /// Random, made once. A machine where nothing can be written gets a new one each time.
    var clientID: String {
        if let known = read("client-id"), known.utf8.count >= 8 { return known }
        let new = Keys.random(length: 11)
        keep("client-id", new)
        return new
    }

    var lastHub: Endpoint? { read("last-hub").flatMap(Endpoint.init(text:)) }

    func remember(_ endpoint: Endpoint) {
        if lastHub != endpoint { keep("last-hub", endpoint.text) }
    }

    private func read(_ name: String) -> String? { SmallFile.firstLine(of: "\(folder)/\(name)") }

    private func keep(_ name: String, _ value: String) {
        let path = "\(folder)/\(name)"
        SmallFile.makeFolders(above: path)
        SmallFile.replace(path, with: value + "\n")
    }
}
