import BatonClient
import Configuration
import Glibc

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

    private func read(_ name: String) -> String? {
        guard let file = fopen("\(folder)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count].prefix { $0 >= 0x20 }, as: UTF8.self)
    }

    /// Half-written files are worse than none, so the new one takes the old one's place at once.
    private func keep(_ name: String, _ value: String) {
        makeFolder(folder)
        let path = "\(folder)/\(name)"
        let draft = "\(path).\(getpid())"
        guard let file = fopen(draft, "w") else { return }
        let whole = fputs(value + "\n", file) >= 0
        if fclose(file) == 0, whole { rename(draft, path) } else { unlink(draft) }
    }

    private func makeFolder(_ path: String) {
        guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
        makeFolder(String(path[..<slash]))
        mkdir(path, 0o700)
    }
}
