/// The answers about workers: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct WorkerAnswerTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [WorkerList.self, WorkerTested.self]

    /// BT-WRK-001
    @Test func `the list of workers`() throws {
        let list = WorkerList([
            .init(
                name: "composer", kind: "built-in", state: .ready, isUsual: true, isConfigured: true, polledMs: 1_763_740_800_000,
                latencyMs: 1,
                program: "/usr/libexec/baton/baton-composer"),
            .init(
                name: "studio", kind: "http", state: .placeholder, latencyMs: 12, sentence: "No torch.", models: ["medium"],
                extensions: ["audio", "key"], url: "http://a"),
        ])
        let expected =
            #"{"workers":[{"name":"composer","kind":"built-in","st":"ready","usual":1,"conf":1,"at":1763740800000,"ms":1,"program":"/usr/libexec/baton/baton-composer"},{"name":"studio","kind":"http","st":"placeholder","ms":12,"msg":"No torch.","models":["medium"],"can":["audio","key"],"url":"http://a"}]}"#
        #expect(text { list.encode(into: &$0, bytes: 48_000) } == expected)
        #expect(try WorkerList(from: parse(expected)) == list)
    }

    /// BT-WRK-002
    @Test func `how a worker is, also in a word of a newer hub`() throws {
        let tested = WorkerTested(state: .down, latencyMs: 31, sentence: "It is away.")
        #expect(text(tested.encode) == #"{"st":"down","ms":31,"msg":"It is away."}"#)
        #expect(try WorkerTested(from: parse(text(tested.encode))) == tested)
        #expect(try WorkerTested(from: parse(#"{"st":"dreaming"}"#)).state == .unrecognised("dreaming"))
    }

    /// BT-CMD-worker.add BT-CMD-worker.test
    @Test(arguments: [
        ("worker.add", #"{"name":"studio"}"#), ("worker.add", #"{"name":"studio","url":"http://a","program":"/bin/a"}"#),
        ("worker.add", #"{"name":"Studio","url":"http://a"}"#), ("worker.add", #"{"name":"studio","url":"ftp://a"}"#),
        ("worker.test", "{}"), ("worker.test", #"{"name":"studio","url":"http://a"}"#), ("worker.test", #"{"name":"a","token":"b"}"#),
        ("worker.default", "{}"), ("worker.remove", #"{"name":""}"#),
    ]) func `what describes no worker is refused`(command: String, parameters: String) throws {
        let text = #"{"t":"cmd","id":1,"m":"\#(command)","k":"abcdefgh","p":\#(parameters)}"#
        guard case .command(let frame) = try ClientMessage.decode(Array(text.utf8)) else { return #expect(Bool(false)) }
        #expect(throws: ProtocolFault.self) { try frame.command() }
    }

    @Test func `a token is never a part of a description`() {
        let worker = Commands.WorkerAdd("studio", url: "http://a", token: WorkerToken("open sesame"))
        #expect(!"\(worker)".contains("sesame") && !String(reflecting: worker).contains("sesame"))
    }
}
