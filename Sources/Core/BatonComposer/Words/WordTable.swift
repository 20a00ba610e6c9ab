/// The words that the composer understands. Every other word of a prompt only feeds the seed.
///
/// The list for people is `BatonComposer.docc/Words.md`; a test compares both.
package enum WordTable {
    static let moods: [(String, [Meaning])] = [
        ("slow", [.tempo(58...72), .energy(-8)]), ("fast", [.tempo(132...160), .energy(12)]), ("quick", [.tempo(126...150), .energy(10)]),
        ("largo", [.tempo(44...58), .energy(-8)]), ("adagio", [.tempo(58...72), .energy(-6)]), ("andante", [.tempo(76...96)]),
        ("moderate", [.tempo(92...108)]), ("allegro", [.tempo(120...148), .energy(10)]), ("presto", [.tempo(160...184), .energy(14)]),
        ("calm", [.energy(-18), .tempo(60...80)]), ("quiet", [.energy(-18)]), ("soft", [.energy(-14)]), ("gentle", [.energy(-14)]),
        ("peaceful", [.energy(-18), .brightness(6)]), ("relaxed", [.energy(-12)]), ("relaxing", [.energy(-14)]), ("chill", [.energy(-10)]),
        ("sleepy", [.energy(-22), .tempo(54...66)]), ("sleep", [.energy(-24), .tempo(52...64)]),
        ("meditation", [.energy(-24), .style(.ambient)]),
        ("dreamy", [.energy(-12), .mode(.lydian)]), ("floating", [.energy(-12), .style(.ambient)]),
        ("warm", [.brightness(8), .energy(-4)]),
        ("energetic", [.energy(24)]), ("lively", [.energy(18)]), ("driving", [.energy(20)]), ("powerful", [.energy(22)]),
        ("intense", [.energy(22), .brightness(-6)]), ("wild", [.energy(28), .tempo(132...168)]), ("loud", [.energy(20)]),
        ("upbeat", [.energy(18), .brightness(12), .tempo(112...132)]), ("happy", [.brightness(22), .mode(.major), .energy(8)]),
        ("joyful", [.brightness(24), .mode(.major), .energy(12)]), ("cheerful", [.brightness(22), .mode(.major), .energy(8)]),
        ("playful", [.brightness(16), .mode(.major), .energy(10)]), ("bright", [.brightness(22)]),
        ("sunny", [.brightness(22), .mode(.major)]),
        ("hopeful", [.brightness(14), .mode(.major)]), ("sad", [.brightness(-24), .mode(.minor), .energy(-10)]),
        ("melancholy", [.brightness(-20), .mode(.minor), .energy(-8)]), ("melancholic", [.brightness(-20), .mode(.minor), .energy(-8)]),
        ("lonely", [.brightness(-18), .mode(.minor), .energy(-12)]), ("nostalgic", [.brightness(-6), .mode(.dorian), .energy(-6)]),
        ("dark", [.brightness(-26), .mode(.minor)]), ("gloomy", [.brightness(-26), .mode(.minor), .energy(-8)]),
        ("mysterious", [.brightness(-18), .mode(.phrygian)]), ("tense", [.brightness(-18), .mode(.phrygian), .energy(8)]),
        ("angry", [.brightness(-20), .mode(.phrygian), .energy(26)]), ("epic", [.style(.cinematic), .energy(24), .form(.build)]),
        ("heroic", [.style(.cinematic), .energy(22), .mode(.major)]), ("romantic", [.brightness(4), .style(.classical), .energy(-4)]),
        ("majestic", [.style(.cinematic), .energy(14), .tempo(72...90)]),
    ]

    static let scenes: [(String, [Meaning])] = [
        ("rain", [.energy(-12), .brightness(-10), .style(.ambient)]), ("storm", [.energy(22), .brightness(-22), .style(.cinematic)]),
        ("night", [.energy(-8), .brightness(-12)]), ("morning", [.brightness(14), .energy(-2)]),
        ("sunrise", [.brightness(18), .form(.build)]),
        ("sunset", [.brightness(2), .energy(-8)]), ("sea", [.metre(.sixEight), .energy(-6)]), ("ocean", [.metre(.sixEight), .energy(-8)]),
        ("forest", [.style(.folk), .energy(-6)]), ("winter", [.brightness(-10), .energy(-8)]), ("summer", [.brightness(16), .energy(6)]),
        ("space", [.style(.ambient), .mode(.lydian)]), ("city", [.style(.lofi)]), ("coffee", [.style(.jazz), .energy(-10)]),
        ("study", [.style(.lofi), .energy(-8)]), ("focus", [.style(.lofi), .energy(-8)]),
        ("party", [.style(.electronic), .energy(22), .brightness(12)]),
        ("dance", [.energy(18), .tempo(118...130)]), ("workout", [.style(.electronic), .energy(26), .tempo(126...144)]),
        ("running", [.style(.electronic), .energy(22), .tempo(132...150)]), ("battle", [.style(.cinematic), .energy(28), .mode(.minor)]),
        ("lullaby", [.metre(.threeFour), .energy(-24), .tempo(66...80), .style(.folk)]),
        ("march", [.metre(.twoFour), .energy(14), .tempo(108...120)]),
        ("waltz", [.metre(.threeFour), .tempo(126...160)]), ("jig", [.metre(.sixEight), .tempo(108...124), .style(.folk), .energy(16)]),
        ("ballad", [.tempo(62...78), .energy(-10)]),
    ]

    static let styles: [(String, [Meaning])] = [
        ("ambient", [.style(.ambient)]), ("drone", [.style(.ambient), .energy(-10)]), ("classical", [.style(.classical)]),
        ("baroque", [.style(.classical), .instrument(6, [.chords])]), ("orchestra", [.style(.cinematic)]),
        ("orchestral", [.style(.cinematic)]),
        ("cinematic", [.style(.cinematic)]), ("film", [.style(.cinematic)]), ("jazz", [.style(.jazz)]),
        ("swing", [.style(.jazz), .energy(10)]),
        ("bossa", [.style(.latin), .energy(-12)]), ("latin", [.style(.latin)]), ("samba", [.style(.latin), .energy(18)]),
        ("salsa", [.style(.latin), .energy(20)]), ("blues", [.style(.blues)]), ("folk", [.style(.folk)]),
        ("country", [.style(.folk), .energy(8)]),
        ("celtic", [.style(.folk), .mode(.dorian)]), ("rock", [.style(.rock)]), ("metal", [.style(.rock), .energy(20), .mode(.phrygian)]),
        ("punk", [.style(.rock), .energy(22), .tempo(150...180)]), ("pop", [.style(.pop)]), ("electronic", [.style(.electronic)]),
        ("techno", [.style(.electronic), .tempo(124...136), .energy(14)]), ("house", [.style(.electronic), .tempo(118...126)]),
        ("trance", [.style(.electronic), .tempo(130...140), .energy(14)]),
        ("synthwave", [.style(.electronic), .tempo(92...112), .mode(.minor)]),
        ("lofi", [.style(.lofi)]), ("hiphop", [.style(.lofi), .energy(12)]), ("funk", [.style(.funk)]), ("funky", [.style(.funk)]),
        ("disco", [.style(.funk), .tempo(112...122)]), ("soul", [.style(.funk), .energy(-14)]),
        ("reggae", [.style(.latin), .tempo(72...86)]),
    ]

    static let shapes: [(String, [Meaning])] = [
        ("major", [.mode(.major)]), ("minor", [.mode(.minor)]), ("dorian", [.mode(.dorian)]), ("mixolydian", [.mode(.mixolydian)]),
        ("lydian", [.mode(.lydian)]), ("phrygian", [.mode(.phrygian)]), ("song", [.form(.song)]), ("rondo", [.form(.rondo)]),
        ("arch", [.form(.arch)]), ("building", [.form(.build)]), ("crescendo", [.form(.build)]), ("variations", [.form(.variations)]),
        ("solo", [.solo]),
    ]

    static let instruments: [(String, [Meaning])] = [
        ("piano", [.instrument(0, [.chords, .lead])]), ("rhodes", [.instrument(4, [.chords, .lead])]),
        ("harpsichord", [.instrument(6, [.chords, .lead])]),
        ("organ", [.instrument(19, [.chords, .pad])]), ("guitar", [.instrument(24, [.chords, .lead])]),
        ("ukulele", [.instrument(24, [.chords])]),
        ("banjo", [.instrument(105, [.arpeggio, .lead])]), ("harp", [.instrument(46, [.arpeggio, .chords, .lead])]),
        ("strings", [.instrument(48, [.pad, .chords, .lead])]), ("violin", [.instrument(40, [.lead, .second])]),
        ("viola", [.instrument(41, [.lead, .second])]),
        ("cello", [.instrument(42, [.lead, .second])]), ("fiddle", [.instrument(110, [.lead, .second])]),
        ("flute", [.instrument(73, [.lead, .second])]), ("oboe", [.instrument(68, [.lead, .second])]),
        ("clarinet", [.instrument(71, [.lead, .second])]),
        ("bassoon", [.instrument(70, [.second, .lead])]), ("saxophone", [.instrument(66, [.lead, .second])]),
        ("sax", [.instrument(66, [.lead, .second])]),
        ("trumpet", [.instrument(56, [.lead, .second])]), ("trombone", [.instrument(57, [.second, .lead])]),
        ("horn", [.instrument(60, [.lead, .second])]),
        ("brass", [.instrument(61, [.chords, .second])]), ("choir", [.instrument(52, [.pad, .second])]),
        ("voices", [.instrument(52, [.pad, .second])]),
        ("bells", [.instrument(14, [.colour, .lead])]), ("glockenspiel", [.instrument(9, [.colour, .lead])]),
        ("celesta", [.instrument(8, [.colour, .lead])]),
        ("musicbox", [.instrument(10, [.lead, .colour])]), ("vibraphone", [.instrument(11, [.lead, .colour])]),
        ("marimba", [.instrument(12, [.arpeggio, .lead])]),
        ("xylophone", [.instrument(13, [.colour, .lead])]), ("kalimba", [.instrument(108, [.arpeggio, .lead])]),
        ("koto", [.instrument(107, [.lead, .arpeggio])]),
        ("sitar", [.instrument(104, [.lead, .arpeggio])]), ("accordion", [.instrument(21, [.chords, .lead])]),
        ("harmonica", [.instrument(22, [.lead, .second])]),
        ("synth", [.instrument(81, [.lead, .arpeggio])]), ("pad", [.instrument(89, [.pad])]), ("pads", [.instrument(89, [.pad])]),
        ("bass", [.instrument(33, [.bass])]), ("contrabass", [.instrument(43, [.bass])]), ("drums", [.kit(0), .energy(8)]),
        ("drum", [.kit(0), .energy(8)]),
        ("percussion", [.kit(0), .energy(6)]), ("beat", [.kit(8), .energy(8)]), ("beats", [.kit(8), .energy(8)]), ("brushes", [.kit(40)]),
    ]

    static let meanings: [String: [Meaning]] = Dictionary(
        uniqueKeysWithValues: moods + scenes + styles + shapes + instruments)

    /// Rows for the document: kind, word, meaning.
    package static var rows: [(kind: String, word: String, meaning: String)] {
        [("mood", moods), ("scene", scenes), ("style", styles), ("shape", shapes), ("instrument", instruments)].flatMap { kind, words in
            words.map { (kind, $0.0, $0.1.map(\.text).joined(separator: ", ")) }
        }
    }
}
