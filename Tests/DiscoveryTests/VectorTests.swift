/// The vectors in `Protocol/vectors` for what a hub says of itself on the network.
import Discovery
import Foundation
import Testing

@Suite struct VectorTests {
    struct Record: Decodable, Sendable, CustomTestStringConvertible {
        struct Meaning: Decodable, Equatable, Sendable {
            let id: String?
            let v: [Int]
            let p: String
            let plain: UInt16?
            let tls: UInt16?
            let fp: String?
            let pair: Bool
            let f: [String]
        }

        let name: String
        let port: UInt16
        let txt: [String]
        let expect: Meaning
        var testDescription: String { name }
    }

    private struct File: Decodable { let cases: [Record] }

    private static func cases() throws -> [Record] {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol/vectors/v1/txt.json")
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: path)).cases
    }

    @Test(arguments: try cases()) func `a TXT record means what its vector says`(vector: Record) {
        let hub = HubRecord(name: "Found", port: vector.port, txt: vector.txt.map { Array($0.utf8) })

        let meaning = Record.Meaning(
            id: hub.id, v: hub.majors, p: hub.path, plain: hub.plainPort, tls: hub.tlsPort, fp: hub.fingerprint, pair: hub.pairing,
            f: hub.features)
        #expect(meaning == vector.expect)
    }
}
