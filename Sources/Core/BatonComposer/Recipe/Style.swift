/// A style of playing: accompaniment patterns, swing, and defaults for prompts that leave them open.
package enum Style: String, CaseIterable, Sendable {
    case ambient, classical, jazz, folk, rock, pop, electronic, lofi, cinematic, funk, latin, blues

    struct Habits {
        var tempo: ClosedRange<Int>
        var energy: Int
        var brightness: Int
        var modes: [Key.Mode]
        var forms: [FormKind]
        /// Possible instruments in the order of a recipe's parts; `nil` where the style has no such part.
        var parts: [[Int?]]
        /// Delay of off-beat eighths in ticks.
        var swing = 0
        /// True when chords have a seventh.
        var sevenths = false
    }

    var habits: Habits {
        switch self {
        case .ambient:
            Habits(
                tempo: 60...80, energy: 22, brightness: 45, modes: [.major, .minor, .lydian, .dorian], forms: [.arch, .build],
                parts: [[11, 49, 0, 46, 89, 32, nil, 14], [73, 52, 4, 8, 91, 32, nil, 98], [0, 71, 0, 46, 50, 43, nil, 9]])
        case .classical:
            Habits(
                tempo: 76...120, energy: 45, brightness: 55, modes: [.major, .minor], forms: [.rondo, .arch, .variations],
                parts: [[40, 71, 0, 46, 48, 43, nil, 9], [73, 42, 6, 45, 48, 43, nil, 11], [0, 68, 0, 46, 48, 42, nil, 9]])
        case .jazz:
            Habits(
                tempo: 92...150, energy: 50, brightness: 50, modes: [.dorian, .major, .minor, .mixolydian], forms: [.song, .rondo],
                parts: [[66, 56, 0, 26, nil, 32, 32, 11], [65, 71, 4, 26, nil, 32, 32, 11], [59, 66, 0, nil, 48, 32, 40, 11]], swing: 80,
                sevenths: true)
        case .folk:
            Habits(
                tempo: 84...126, energy: 45, brightness: 65, modes: [.major, .mixolydian, .dorian], forms: [.song, .variations],
                parts: [[73, 40, 24, 46, 48, 32, nil, 15], [22, 110, 25, 105, nil, 32, 0, 13], [40, 72, 25, 46, 21, 32, nil, 12]])
        case .rock:
            Habits(
                tempo: 108...150, energy: 75, brightness: 55, modes: [.minor, .mixolydian, .major], forms: [.song, .build],
                parts: [[29, 27, 25, 28, 16, 33, 16, 4], [30, 29, 27, nil, 18, 34, 16, 5]])
        case .pop:
            Habits(
                tempo: 96...126, energy: 60, brightness: 65, modes: [.major, .minor], forms: [.song, .build],
                parts: [[80, 65, 0, 27, 50, 33, 8, 9], [65, 61, 4, 25, 48, 33, 8, 11], [73, 27, 0, 24, 89, 39, 0, 98]])
        case .electronic:
            Habits(
                tempo: 112...134, energy: 70, brightness: 50, modes: [.minor, .dorian, .phrygian], forms: [.build, .song],
                parts: [[81, 80, 90, 87, 89, 38, 25, 98], [80, 84, 4, 81, 95, 39, 24, 14]])
        case .lofi:
            Habits(
                tempo: 68...88, energy: 32, brightness: 45, modes: [.dorian, .minor, .major], forms: [.arch, .rondo],
                parts: [[4, 11, 4, 26, 89, 33, 40, 8], [0, 26, 4, nil, 50, 33, 8, 12]], swing: 60, sevenths: true)
        case .cinematic:
            Habits(
                tempo: 72...104, energy: 60, brightness: 40, modes: [.minor, .dorian, .phrygian, .lydian], forms: [.build, .arch],
                parts: [[60, 40, 48, 46, 52, 43, 48, 14], [48, 60, 61, 45, 52, 43, 48, 9]])
        case .funk:
            Habits(
                tempo: 96...116, energy: 72, brightness: 60, modes: [.dorian, .mixolydian, .minor], forms: [.song, .rondo],
                parts: [[65, 61, 7, 28, 16, 36, 8, 11], [56, 66, 4, 27, 18, 37, 16, 12]], sevenths: true)
        case .latin:
            Habits(
                tempo: 96...132, energy: 62, brightness: 65, modes: [.minor, .major, .dorian], forms: [.song, .rondo],
                parts: [[73, 56, 24, 0, nil, 32, 0, 12], [56, 65, 0, 24, 48, 32, 0, 11]], sevenths: true)
        case .blues:
            Habits(
                tempo: 72...112, energy: 50, brightness: 42, modes: [.mixolydian, .minor], forms: [.variations, .song],
                parts: [[22, 66, 0, 26, 16, 32, 40, 4], [27, 65, 17, 25, nil, 33, 0, 11]], swing: 80, sevenths: true)
        }
    }
}
