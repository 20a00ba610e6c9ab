/// The rules by which the hub decides who may send a command are those of its definition in `Protocol/commands`.
import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary

@Suite struct `Rules of commands` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol").standardized

    private static func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: folder.appending(path: "\(path).json"))) }

    @Test(arguments: CommandKind.allCases) func `the hub keeps a command from just those whom its definition names`(
        kind: CommandKind
    ) throws {
        let definition = try JSON.parse(Self.bytes("commands/\(kind.rawValue)"))
        var items: [ItemURI] = []
        for case .string(let name) in definition["examples"]?.array ?? [] where name.hasPrefix("client-") {
            guard case .command(let frame) = try ClientMessage.decode(Self.bytes("examples/\(name)")) else {
                Issue.record("\(name) is no command.")
                continue
            }
            items += try frame.command().itemURIs
        }
        // An example of each command that names items names one.
        #expect(kind.namesPlaylists == !items.isEmpty)
    }
}
