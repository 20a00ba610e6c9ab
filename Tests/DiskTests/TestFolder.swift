/// A folder for one test: music, and private files beside it.
import Foundation

struct TestFolder {
    let root: String
    var music: String { root + "/music" }
    var outside: String { root + "/outside" }

    func file(_ path: String, _ bytes: [UInt8] = []) throws {
        let url = URL(fileURLWithPath: root + "/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root + "/" + path, withDestinationPath: target)
    }
}

func withFolder<Result>(_ body: (TestFolder) throws -> Result) throws -> Result {
    let root = NSTemporaryDirectory() + "baton-disk-\(UUID().uuidString)"
    for name in ["music", "outside"] {
        try FileManager.default.createDirectory(atPath: root + "/" + name, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(atPath: root) }
    return try body(TestFolder(root: root))
}
