/// Error codes and reasons in Swift follow from their registries.
import Testing

@testable import ProtocolWriter

@Suite struct RegistryWordTests {
    private static let codes = """
        {"entries":[{"name":"bad_request","retry":0,"http":400,"about":"It is wrong."},{"name":"internal","retry":1,"http":500,"about":"Ours."}]}
        """
    private static let reasons = #"{"entries":[{"name":"queue_full","about":"`quota`: `max`"}]}"#

    private static func text(_ codes: String = codes) throws(Mistake) -> String {
        let files = ["registries/errors.json": codes, "registries/reasons.json": reasons]
        return try RegistryWords(files.mapValues { Array($0.utf8) }).text
    }

    @Test func `codes have cases, retries and statuses`() throws {
        let text = try Self.text()
        for line in [
            "    /// It is wrong.\n    case badRequest = \"bad_request\"\n", "    case `internal` = \"internal\"\n",
            "        case .internal: true\n",
            "        case .badRequest: 400\n        case .internal: 500\n", "    /// `quota`: `max`\n    case queueFull = \"queue_full\"\n",
        ] {
            #expect(text.contains(line), "\(line)")
        }
    }

    @Test(arguments: [
        (#""http":400"#, #""http":200"#, "entries[0].http: it must be 400 to 599"), (#","http":400"#, "", "entries[0]: http is missing"),
        (#""about":"Ours.""#, #""about":7"#, "entries[1].about: it must be text of one line"),
    ]) func `a mistake names its place`(right: String, wrong: String, sentence: String) {
        let mistake = #expect(throws: Mistake.self) { try Self.text(Self.codes.replacing(right, with: wrong)) }
        #expect(mistake?.sentence == "registries/errors.json: error: \(sentence).")
    }
}
