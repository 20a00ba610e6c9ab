/// The file of the workers that were added: what comes back from it, and who can read it.
import BatonSeams
import Foundation
import Harness
import Testing

@testable import Configuration

@Suite struct WorkerFileTests {
    private let folder: TemporaryFolder
    private var file: WorkerFile { WorkerFile(folder: folder.path + "/workers") }

    init() throws { folder = try TemporaryFolder() }

    private func rights(_ name: String) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: folder.path + "/workers/" + name)
        return facts[.posixPermissions] as? Int ?? 0
    }

    private static func studio() -> WorkerDescription {
        var studio = WorkerDescription("studio", url: "http://studio:8000/a;b")
        studio.artifactMap = ArtifactMap("/srv/pieces/:/mnt/studio")
        studio.tokenFile = "/data/workers/studio.token"
        return studio
    }

    @Test func `what is kept comes back, for the hub's user alone`() throws {
        #expect(try file.stored() == StoredWorkers())
        var tones = WorkerDescription("tones")
        tones.program = ["/usr/share/tones.py", "--slow", "a=b;c"]
        tones.isConfined = false
        let stored = StoredWorkers([Self.studio(), tones], usual: "tones")
        try file.store(stored)
        #expect(try file.stored() == stored && stored.workers[0].artifactMap == ArtifactMap(remote: "/srv/pieces", local: "/mnt/studio"))
        #expect(try rights("workers.conf") == 0o600)
    }

    @Test func `a path that the form cannot hold is refused, and what was kept stays`() throws {
        try file.store(StoredWorkers([Self.studio()]))
        for word in ["a\nurl = http://elsewhere", "a\u{0}b", String(repeating: "a", count: 5_000), "; gone"] {
            var tones = WorkerDescription("tones")
            tones.program = ["/bin/tones", word]
            #expect(throws: SourceFault.self, "\(word.prefix(8))") { try file.store(StoredWorkers([tones])) }
        }
        #expect(try file.stored() == StoredWorkers([Self.studio()]))
    }

    @Test func `a token is a file of its own, and goes when it is taken away`() throws {
        let path = try #require(try file.store(token: "open sesame", of: "studio"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "open sesame\n" && rights("studio.token") == 0o600)
        #expect(try SourceSecretFiles.firstLine(of: path) == "open sesame")
        #expect(throws: SourceFault.self) { try file.store(token: "two\r\nlines: x", of: "studio") }
        #expect(try file.store(token: nil, of: "studio") == nil && !FileManager.default.fileExists(atPath: path))
        #expect(try file.store(token: nil, of: "studio") == nil)
    }
}
