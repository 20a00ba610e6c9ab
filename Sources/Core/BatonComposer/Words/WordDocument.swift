/// The word table as `BatonComposer.docc/Words.md`; `baton-composer --words` prints it.
extension WordTable {
    package static var document: String {
        let titles = [
            "mood": "Moods and tempos", "scene": "Scenes and dances", "style": "Styles", "shape": "Modes and forms",
            "instrument": "Instruments",
        ]
        var text = """
            # Words

            The words of a prompt that the composer understands, and what each asks for. Case does not matter. Every other word only feeds the
            seed, so it changes the piece without a rule.

            Also understood: a tempo (`96 bpm`), a metre (`2/4`, `3/4`, `4/4`, `5/4`, `6/8`), a key (`D minor`, `f# dorian`, `e flat major`), and
            `no` or `without` before an instrument. Where two words disagree about style, mode, metre, tempo or form, the last one has it; energy
            and brightness add up, between 0 and 100.

            """
        var kind = ""
        for row in rows {
            if row.kind != kind {
                kind = row.kind
                text += "\n## \(titles[kind] ?? kind)\n\n| word | asks for |\n|---|---|\n"
            }
            text += "| \(row.word) | \(row.meaning) |\n"
        }
        return text
    }
}
