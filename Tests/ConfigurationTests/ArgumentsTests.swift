/// The words behind a command, as both programs read them.
import Testing

@testable import Configuration

struct ArgumentsTests {
    private let options: [Arguments.Option] = [
        .init("hub", .value("NAME"), help: "Which hub."), .init("json", short: "j", .flag, help: "Objects."),
        .init("wait", .yesOrNo, help: "Wait."),
        .init("timeout", short: "t", .value("S"), help: "How long."),
    ]

    @Test func `options and words may be mixed`() throws {
        let arguments = try Arguments(["play", "--hub=kitchen", "a.mp3", "-j", "--timeout", "3", "b.mp3"], options: options)

        #expect(arguments.words == ["play", "a.mp3", "b.mp3"])
        #expect(arguments["hub"] == "kitchen")
        #expect(arguments["timeout"] == "3")
        #expect(arguments.has("json"))
        #expect(!arguments.has("wait"))
    }

    @Test func `the last of several counts, and all can be asked for`() throws {
        let arguments = try Arguments(["--hub", "a", "--hub=b", "--wait", "--no-wait"], options: options)

        #expect(arguments["hub"] == "b")
        #expect(arguments.all("hub") == ["a", "b"])
        #expect(!arguments.has("wait"))
    }

    @Test func `a negative number is a word`() throws {
        #expect(try Arguments(["seek", "-15", "-.5", "-"], options: options).words == ["seek", "-15", "-.5", "-"])
    }

    @Test func `behind two dashes everything is a word`() throws {
        #expect(try Arguments(["--", "--json", "--", "-x"], options: options).words == ["--json", "--", "-x"])
    }

    @Test func `a value may look like an option`() throws {
        let arguments = try Arguments(["--hub", "--json", "-t", "-1"], options: options)

        #expect(arguments["hub"] == "--json")
        #expect(arguments["timeout"] == "-1")
        #expect(!arguments.has("json"))
    }

    @Test(arguments: [
        (["--hubb", "x"], "There is no option --hubb. Did you mean --hub?"), (["-q"], "There is no option -q. --help lists them all."),
        (["--json=1"], "--json takes no value. Say --json alone."), (["-t"], "--timeout needs a value: --timeout S."),
        (["-TPjfE"], "There is no option -TPjfE. Before a word that begins with a dash, write --."),
        (["--no-json"], "There is no option --no-json. Did you mean --json?"),
    ])
    func `what is not understood is told in a sentence`(line: [String], sentence: String) throws {
        let fault = #expect(throws: Arguments.Fault.self) { try Arguments(line, options: options) }
        #expect(fault?.sentence == sentence)
    }

    @Test func `help lines up`() {
        #expect(
            Arguments.help(options) == """
                  --hub NAME       Which hub.
                  -j, --json       Objects.
                  --[no-]wait      Wait.
                  -t, --timeout S  How long.
                """)
    }
}
