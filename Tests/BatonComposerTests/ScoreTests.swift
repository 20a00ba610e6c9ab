import Testing

@testable import BatonComposer

/// What every piece has, whatever was asked for.
@Suite struct ScoreTests {
    static let prompts = [
        "slow piano for rain", "fast rock with drums", "", "waltz for strings", "techno", "lullaby with music box", "epic battle",
        "lofi beats",
        "a jig with fiddle in d major", "jazz at night 5/4", "solo cello, sad", "xyzzy", "ambient no drums without bass", "march 2/4",
        "samba",
        "blues in e minor 80 bpm", "celtic harp", "metal",
    ]

    /// Prompt, seed and length of each case.
    static let cases: [(String, UInt64, Int)] = (0..<360).map { number in
        (prompts[number % prompts.count], UInt64(number), [10, 11, 17, 30, 45, 60, 90, 121, 180][number / 2 % 9])
    }

    /// Composed once, for all tests.
    static let scores = cases.map { prompt, seed, seconds in Composer.score(Prompt.recipe(prompt, seed: seed, seconds: seconds)) }

    static func score(_ number: Int) -> Score { scores[number] }

    @Test(arguments: 0..<360) func `a piece goes from an intro over its motif to an outro`(number: Int) {
        let score = Self.score(number)

        #expect(score.sections.first?.role == .intro)
        #expect(score.sections.last?.role == .outro)
        #expect(score.sections.contains { $0.role == .motif })
        #expect(score.sections.allSatisfy { $0.bars >= 1 })
        #expect(score.sections.reduce(0) { $0 + $1.bars } == score.bars - 1)
        for (one, next) in zip(score.sections, score.sections.dropFirst()) { #expect(one.end == next.firstBar) }
    }

    @Test(arguments: 0..<360) func `no note lies outside the piece or outside what its instrument can play`(number: Int) {
        let score = Self.score(number)

        for part in score.parts {
            let range = Instrument.of(part.program)?.range
            for note in part.notes {
                let isInside = note.start >= 0 && note.length > 0 && note.end <= score.ticks && (1...127).contains(note.velocity)
                let isPlayable = part.role == .drums || range?.contains(note.pitch) == true
                if !isInside || !isPlayable { Issue.record("\(part.instrument) \(note) in \(score.recipe.text)") }
            }
        }
    }

    @Test(arguments: 0..<360) func `the last chord ends within a second of the wished length`(number: Int) {
        let score = Self.score(number)
        let ticksPerSecond = score.recipe.tempo * score.recipe.metre.beatTicks / 60

        let last = score.parts.flatMap(\.notes).map(\.end).max() ?? 0

        #expect(last <= score.ticks)
        #expect(score.ticks - last <= ticksPerSecond, "\(score.recipe.text)")
        #expect(abs(score.ticks - score.recipe.seconds * ticksPerSecond) <= score.recipe.seconds)
    }

    @Test(arguments: 0..<360) func `the melody makes no leap beyond a tenth`(number: Int) {
        let score = Self.score(number)
        let melody = score.parts.first { $0.role == .lead }?.notes ?? []

        for (note, next) in zip(melody, melody.dropFirst()) { #expect(abs(next.pitch - note.pitch) <= 16, "\(score.recipe.text)") }
        #expect(melody.count >= 4)
    }

    @Test(arguments: 0..<360) func `voices of the pad move by a fifth at most`(number: Int) {
        let (prompt, seed, seconds) = Self.cases[number]
        let plan = Plan(Prompt.recipe(prompt, seed: seed, seconds: seconds))

        let voicings = Voicing.all(plan, range: plan.register(.pad), voices: 3)

        #expect(voicings.allSatisfy { $0.count == 3 })
        for (one, next) in zip(voicings, voicings.dropFirst()) {
            #expect(zip(one, next).allSatisfy { abs($0 - $1) <= 7 })
        }
    }

    @Test(arguments: 0..<360) func `the motif is stated, and returns later in the piece`(number: Int) {
        let score = Self.score(number)
        let melody = score.parts.first { $0.role == .lead }?.notes ?? []

        // A bar begins with the motif's rhythm when its notes begin where the motif's do.
        let bar = score.recipe.metre.barTicks
        var starts: [Int] = []
        var step = 0
        for tone in score.recipe.motif.tones {
            if tone.degree != nil { starts.append(step * Metre.step) }
            step += tone.steps
        }
        let stating = (0..<score.bars).filter { index in
            let begun = melody.filter { $0.start / bar == index }.map { ($0.start - index * bar) / Metre.step * Metre.step }
            return begun == starts
        }

        #expect(stating.count >= (score.bars > 12 ? 3 : 1), "\(score.recipe.text)")
    }

    @Test(arguments: 0..<60) func `the same recipe is the same score and the same file`(number: Int) throws {
        let score = Self.score(number)

        let again = Composer.score(try Recipe(score.recipe.text))

        #expect(again == score)
        #expect(MIDIFile.bytes(again) == MIDIFile.bytes(score))
        #expect(Cover.png(again.recipe) == Cover.png(score.recipe))
    }

    @Test func `a lively long piece has eight parts, drums with fills among them`() throws {
        let score = Composer.score(Prompt.recipe("upbeat pop", seed: 1, seconds: 120))

        #expect(score.parts.count == 8)
        let drums = try #require(score.parts.first { $0.role == .drums })
        let filled = score.sections.filter { section in
            let bar = (section.end - 1) * score.recipe.metre.barTicks
            return drums.notes.contains {
                $0.start >= bar && $0.start < bar + score.recipe.metre.barTicks && [45, 47, 50].contains($0.pitch)
            }
        }
        #expect(filled.count >= 2)
    }

    @Test func `a chorus is louder than the intro`() throws {
        let score = Composer.score(Prompt.recipe("pop", seed: 4, seconds: 120))
        let intro = try #require(score.sections.first { $0.role == .intro })
        let chorus = try #require(score.sections.first { $0.role == .chorus })

        #expect(chorus.intensity > intro.intensity + 20)
    }
}
