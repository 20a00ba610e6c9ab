/// The section `jobs` and the answers about music from prompts: the exact text, and its way back.
import BatonCore
import BatonProtocol
import BatonWire
import Testing

@Suite struct JobAnswerTests {
    /// The answers that are tested here.
    static let contents: [any AnswerCoding.Type] = [
        StartedJob.self, JobRows.self, PromptLine.self, PromptShelf.self, SteeredPiece.self, ClipSessions.self,
    ]

    private static let rows = [
        JobRow(
            job: "Zk3f9Q2b", uri: ItemURI("gen:Zk3f9Q2b"), state: .running, percent: 40, title: "slow piano", author: "Anna",
            worker: "composer", startedMs: 1_763_740_800_000, sentence: "bass"),
        JobRow(
            job: "p0Wq8cX1", uri: ItemURI("gen:p0Wq8cX1"), state: .ready, title: "Slow Rain", worker: "composer",
            startedMs: 5, endedMs: 9, durationMs: 61_234),
    ]
    private static let written =
        #"{"jobs":[{"job":"Zk3f9Q2b","uri":"gen:Zk3f9Q2b","st":"running","pct":40,"title":"slow piano","by":"Anna","worker":"composer","at":1763740800000,"msg":"bass"},{"job":"p0Wq8cX1","uri":"gen:p0Wq8cX1","st":"ready","title":"Slow Rain","worker":"composer","at":5,"end":9,"dur":61234}]}"#

    /// BT-SEC-jobs BT-GEN-004
    @Test func `the section and the list of jobs`() throws {
        #expect(text(JobsSection(Self.rows).encode) == Self.written)
        #expect(text { JobRows(Self.rows).encode(into: &$0, bytes: 48_000) } == Self.written)
        let read = try JobsSection(from: parse(Self.written))
        #expect(read.rows.first == Self.rows.first && read.rows.last?.percent == 0 && read.rows.last?.durationMs == 61_234)
        #expect(try JobRows(from: parse(Self.written)).rows == read.rows)
    }

    /// BT-SEC-001
    @Test func `more jobs than fit are counted, and the longest texts keep the section's bound`() throws {
        let long = String(repeating: "\"é", count: 400)
        let rows = (0..<60).map { number in
            JobRow(
                job: String(repeating: "j", count: 32), uri: ItemURI("gen:" + String(repeating: "j", count: 32)), state: .running,
                percent: 50,
                title: long, author: long, worker: String(repeating: "w", count: 32), startedMs: Milliseconds(1 << 52), sentence: long)
        }
        let bytes = text(JobsSection(rows).encode)
        #expect(bytes.utf8.count <= Section.jobs.cap)
        let read = try JobsSection(from: parse(bytes))
        #expect(read.rows.count > 4 && read.rows.count + read.more == 60)
    }

    /// BT-GEN-002
    @Test func `a job that was started`() throws {
        let started = StartedJob(job: "Zk3f9Q2b", uri: ItemURI("gen:Zk3f9Q2b"))
        #expect(text(started.encode) == #"{"job":"Zk3f9Q2b","uri":"gen:Zk3f9Q2b"}"#)
        #expect(try StartedJob(from: parse(text(started.encode))) == started)
    }

    /// BT-GEN-015
    @Test(arguments: [
        (SteeredPiece(piece: 7, ahead: 2), #"{"piece":7,"ahead":2}"#),
        (SteeredPiece(job: "Zk3f9Q2b", title: "Slow Rain"), #"{"job":"Zk3f9Q2b","title":"Slow Rain"}"#),
    ]) func `a piece that was steered`(piece: SteeredPiece, written: String) throws {
        #expect(text(piece.encode) == written)
        #expect(try SteeredPiece(from: parse(written)) == piece)
    }

    /// BT-CLP-001
    @Test func `sessions of clips`() throws {
        let row = ClipSessions.Row(
            session: "Zk3f9Q2b", name: "Rain", prompt: "slow rain", worker: "studio", author: "Anna", startedMs: 5,
            uri: ItemURI("loop:Zk3f9Q2b"),
            tempo: 72, key: "D minor", scene: 2,
            scenes: [.init(name: "Verse", durationMs: 8_000), .init(name: "Chorus", sentence: "It has ended.")],
            clips: [.init(layer: .bass, scene: 2, bars: 8, job: "Zk3f9Q2b-c1", state: .ready, isHeard: true)])
        let written =
            #"{"sessions":[{"session":"Zk3f9Q2b","name":"Rain","prompt":"slow rain","worker":"studio","by":"Anna","at":5,"uri":"loop:Zk3f9Q2b","tempo":72,"key":"D minor","scene":2,"scenes":[{"name":"Verse","dur":8000},{"name":"Chorus","msg":"It has ended."}],"clips":[{"layer":"bass","scene":2,"bars":8,"job":"Zk3f9Q2b-c1","st":"ready","heard":1}]}],"more":3}"#
        let list = ClipSessions([row], more: 3)
        #expect(text { list.encode(into: &$0, bytes: 4_000) } == written)
        #expect(try ClipSessions(from: parse(written)) == list)
    }

    /// BT-SEC-endless BT-SEC-001
    @Test func `the section of music without end, and its bound`() throws {
        var section = EndlessSection(
            isOn: true, prompt: "slow rain", ahead: 2, follow: .motif, worker: "tones", author: "Anna", startedMs: 5, made: 6,
            steering: [.calmer, .darker], sentence: "It waits.")
        let written =
            #"{"on":true,"prompt":"slow rain","ahead":2,"follow":"motif","worker":"tones","by":"Anna","at":5,"n":6,"steer":["calmer","darker"],"msg":"It waits."}"#
        #expect(text(section.encode) == written)
        #expect(try EndlessSection(from: parse(written)) == section)
        let long = String(repeating: "\"é", count: 400)
        (section.prompt, section.author, section.sentence) = (long, long, long)
        section.steering = Array(repeating: .livelier, count: 40)
        #expect(text(section.encode).utf8.count <= Section.endless.cap)
    }

    /// BT-GEN-001
    @Test(arguments: [
        (
            "rain /duration 60 /cfg 6.50 /seed 18446744073709551615",
            #"{"act":"make","prompt":"rain","dur":60,"cfg":"6.5","seed":"18446744073709551615"}"#
        ),
        ("/scene rename 2 Dusk", #"{"act":"scene","prompt":"Dusk","scene":2}"#),
        ("/bass", #"{"act":"make","mode":"clip","layer":"bass"}"#),
        ("/x", ##"{"act":"make","faults":[{"from":0,"to":2,"msg":"There is no command “/x”. /help lists them."}]}"##),
    ]) func `a line that was read`(line: String, expected: String) throws {
        let parsed = PromptLine.read(line)
        #expect(text(parsed.encode) == expected)
        #expect(try PromptLine(from: parse(expected)) == parsed)
    }

    /// BT-GEN-012
    @Test func `a person's prompts, and the oldest are left out where not all fit`() throws {
        let shelf = PromptShelf(
            prompts: PersonPrompts(
                settings: PromptSettings(durationS: 60, cfg: "off"),
                presets: [PromptPreset("A", "b", isOwn: false), PromptPreset("C", "d")],
                history: [UsedPrompt("rain", atMs: 5), UsedPrompt("sun", atMs: 3)]))
        let written =
            #"{"settings":{"dur":60,"cfg":"off"},"presets":[{"name":"A","text":"b"},{"name":"C","text":"d","own":1}],"history":[{"text":"rain","at":5},{"text":"sun","at":3}]}"#
        #expect(text { shelf.encode(into: &$0, bytes: 48_000) } == written)
        #expect(try PromptShelf(from: parse(written)) == shelf)
        #expect(text { shelf.encode(into: &$0, bytes: 180) }.hasSuffix(#"[{"text":"rain","at":5}],"more":1}"#))
    }

    /// BT-SEC-g
    @Test func `a watch is shown the piece that is furthest`() throws {
        func row(_ state: JobState, due: Microseconds? = nil) -> JobRow {
            JobRow(
                job: "Zk3f9Q2b", uri: ItemURI("gen:Zk3f9Q2b"), state: state, percent: 40, title: "slow piano for rain", author: "Anna",
                worker: "composer", startedMs: 1, dueUs: due)
        }
        let shown = try #require(WatchJob([row(.submitting), row(.running, due: 88_383_456_789), row(.ready)]))
        #expect(text(shown.encode) == #"{"t":"slow piano for rain","b":"Anna","p":40,"e":88383456}"#)
        #expect(WatchJob([row(.ready)]) == nil && WatchJob([row(.approval), row(.offline)])?.halt == .offline)
        #expect(try WatchJob(from: JSON.parse(Array(text(shown.encode).utf8))) == shown)
    }

    /// BT-CMD-job.start BT-CMD-gen.parse
    @Test(arguments: [
        ("job.start", #"{"text":"rain"}"#), ("job.start", #"{"kind":"clip","text":"rain"}"#), ("job.start", #"{"kind":"generation"}"#),
        ("job.start", #"{"kind":"generation","text":""}"#), ("job.start", #"{"kind":"generation","text":"rain","at":"head"}"#),
        ("job.cancel", #"{"job":"a b c d"}"#), ("job.retry", "{}"), ("gen.parse", "{}"),
    ]) func `what names no job or no music is refused`(command: String, parameters: String) throws {
        let text = #"{"t":"cmd","id":1,"m":"\#(command)","k":"abcdefgh","p":\#(parameters)}"#
        guard case .command(let frame) = try ClientMessage.decode(Array(text.utf8)) else { return #expect(Bool(false)) }
        #expect(throws: ProtocolFault.self) { try frame.command() }
    }
}
