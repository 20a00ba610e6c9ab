/// What a line of a prompt asks for, and the place of what is not understood.
import BatonCore
import Testing

@Suite struct PromptReaderTests {
    @Test func `a plain line is a prompt, with its spaces made one`() {
        let line = PromptLine.read("  slow   piano and/or rain ")
        #expect(line.action == .make && line.mode == .track && line.prompt == "slow piano and/or rain" && line.isFaultless)
        #expect(line.settings == PromptSettings())
    }

    @Test func `commands stand anywhere, and what is left is the prompt`() {
        let line = PromptLine.read("slow /duration 60 piano /cfg 6.50 for /seed 18446744073709551615 rain /model tiny-1")
        #expect(line.isFaultless && line.prompt == "slow piano for rain" && line.action == .make)
        #expect(line.settings == PromptSettings(durationS: 60, model: "tiny-1", cfg: "6.5", seed: "18446744073709551615"))
    }

    @Test func `a line of commands alone changes settings`() {
        let line = PromptLine.read("/duration 90 /seed off /cfg OFF")
        #expect(line.action == .settings && line.isFaultless)
        #expect(line.settings == PromptSettings(durationS: 90, cfg: "off", seed: "off"))
    }

    @Test(arguments: [
        ("/motif four notes", PromptLine.Mode.motif, nil as String?), ("/small a tune", .track, "musicgen-stereo-small"),
        ("/medium a tune", .track, "musicgen-stereo-medium"), ("a tune /large", .track, "musicgen-stereo-large"),
        ("/musicgen a tune", .track, "musicgen-stereo-medium"),
    ]) func `a command for one piece takes the rest as its prompt`(text: String, mode: PromptLine.Mode, model: String?) {
        let line = PromptLine.read(text)
        #expect(line.isFaultless && line.action == .make && line.mode == mode && line.settings.model == model && !line.prompt.isEmpty)
    }

    @Test func `layers, clips, sessions and scenes`() {
        #expect(PromptLine.read("/bass deep and slow").layer == .bass && PromptLine.read("/bass").isFaultless)
        let clip = PromptLine.read("/clip Vocals choir")
        #expect(clip.mode == .clip && clip.layer == .vocals && clip.prompt == "choir" && clip.isFaultless)
        #expect(PromptLine.read("/session new dusk").action == .session)
        let scene = PromptLine.read("/scene rename 2 Big chorus")
        #expect(scene.action == .scene && scene.scene == 2 && scene.prompt == "Big chorus" && scene.isFaultless)
        for word in ["reset", "show", "help"] { #expect(PromptLine.read("/\(word)").action.rawValue == word) }
    }

    @Test func `numbers out of range are refused and not moved into it`() {
        #expect(PromptLine.read("rain /duration 89", .remote).faults.first?.sentence.contains("from 90 to 180") == true)
        #expect(PromptLine.read("rain /duration 10").isFaultless && PromptLine.read("rain /duration 180", .remote).isFaultless)
        for text in [
            "/duration 9", "/duration 181", "/duration 1e2", "/duration -60", "/cfg 20.1", "/cfg 21", "/cfg 1.2345", "/cfg .5", "/cfg 5.",
            "/cfg x", "/seed -1", "/seed 18446744073709551616", "/seed 1.0", "/duration ６０",
        ] {
            let line = PromptLine.read("rain \(text)")
            #expect(
                line.faults.count == 1 && line.faults.first?.from == 5 && line.faults.first?.to == 5 + text.unicodeScalars.count, "\(text)")
        }
    }

    @Test(arguments: [
        ("", 0, 0), ("   ", 0, 3), ("/motif", 0, 6), ("/durations 60 rain", 0, 10), ("é rain /cfg", 7, 11), ("/clip drum", 0, 10),
        ("/clip", 0, 5), ("/reset now", 7, 10), ("rain /duration 60 /duration 70", 18, 30), ("/motif /bass x", 7, 12),
        ("rain\u{7} x", 4, 5), ("/scene rename 4 x", 0, 13), ("/scene rename 2", 0, 15), ("/scene 2", 0, 6),
    ]) func `a fault has its place`(text: String, from: Int, to: Int) {
        let faults = PromptLine.read(text).faults
        #expect(faults.first.map { [$0.from, $0.to] } == [from, to], "\(faults)")
    }

    @Test func `a prompt has at most 512 characters`() {
        #expect(PromptLine.read(String(repeating: "é", count: 512)).isFaultless)
        let line = PromptLine.read("/small " + String(repeating: "é", count: 513))
        #expect(line.faults.map(\.from) == [7] && line.faults.first?.to == 520)
    }

    /// Whatever is typed: the faults lie in the text, and a line without faults, written out, reads as the same line.
    @Test func `any text is read, and what was understood reads the same again`() {
        let pieces = [
            "/duration", "60", "/cfg", "off", "3.5", "/seed", "7", "/model", "m", "/motif", "/bass", "/clip", "lead", "/help", "rain", "é",
            "/", "/x", " ", "\u{1}", "/scene", "rename", "2", "🎹", "/small", "/session",
        ]
        for seed in 0..<2_000 {
            var random = SeededGenerator(UInt64(seed))
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
            let line = PromptLine.read(text)
            let length = text.unicodeScalars.count
            #expect(line.faults.allSatisfy { 0 <= $0.from && $0.from <= $0.to && $0.to <= length && !$0.sentence.isEmpty }, "\(text)")
            guard line.isFaultless, line.action == .make, line.mode == .track else { continue }
            #expect(PromptLine.read(written(line)) == line, "\(text)")
        }
    }

    private func written(_ line: PromptLine) -> String {
        var words = [line.prompt]
        if let value = line.settings.durationS { words += ["/duration", String(value)] }
        if let value = line.settings.model { words += ["/model", value] }
        if let value = line.settings.cfg { words += ["/cfg", value] }
        if let value = line.settings.seed { words += ["/seed", value] }
        return words.joined(separator: " ")
    }

    @Test func `a request has a seed that readers with doubles keep, and its own settings first`() {
        let line = PromptLine.read("rain /duration 30")
        let request = GenerationRequest(line, else: PromptSettings(durationS: 90, cfg: "off", seed: "off"), random: .max)
        #expect(request.durationS == 30 && request.cfg == nil)
        #expect(UInt64(request.seed).map { $0 < 1 << 53 } == true)
        #expect(GenerationRequest(.read("/motif rain"), random: 0).durationS == 16)
        #expect(GenerationRequest(.read("rain /seed 5"), random: 9).seed == "5")
    }
}
