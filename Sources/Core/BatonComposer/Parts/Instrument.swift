/// An instrument of General MIDI, and its playable range.
package struct Instrument: Equatable, Sendable {
    package var program: Int
    package var name: String
    /// The lowest and the highest note that is written for it.
    package var range: ClosedRange<Int>
    /// The MIDI volume that balances it with other instruments.
    var volume = 96

    package static func of(_ program: Int) -> Instrument? { table.first { $0.program == program } }

    package static let kits: [Int: String] = [
        0: "Standard kit", 8: "Room kit", 16: "Power kit", 24: "Electronic kit", 25: "TR-808 kit", 32: "Jazz kit", 40: "Brush kit",
        48: "Orchestra kit",
    ]

    package static let table: [Instrument] = [
        Instrument(program: 0, name: "Piano", range: 36...96), Instrument(program: 4, name: "Electric piano", range: 36...91),
        Instrument(program: 5, name: "Chorused piano", range: 36...91),
        Instrument(program: 6, name: "Harpsichord", range: 36...88, volume: 84),
        Instrument(program: 7, name: "Clavinet", range: 40...88, volume: 84), Instrument(program: 8, name: "Celesta", range: 60...103),
        Instrument(program: 9, name: "Glockenspiel", range: 67...103, volume: 76),
        Instrument(program: 10, name: "Music box", range: 60...96),
        Instrument(program: 11, name: "Vibraphone", range: 53...89), Instrument(program: 12, name: "Marimba", range: 48...91),
        Instrument(program: 13, name: "Xylophone", range: 60...96, volume: 80),
        Instrument(program: 14, name: "Tubular bells", range: 60...84, volume: 76),
        Instrument(program: 15, name: "Dulcimer", range: 48...84),
        Instrument(program: 16, name: "Drawbar organ", range: 36...91, volume: 72),
        Instrument(program: 17, name: "Percussive organ", range: 36...91, volume: 76),
        Instrument(program: 18, name: "Rock organ", range: 36...91, volume: 72),
        Instrument(program: 19, name: "Church organ", range: 36...91, volume: 72),
        Instrument(program: 21, name: "Accordion", range: 48...89, volume: 80),
        Instrument(program: 22, name: "Harmonica", range: 60...86, volume: 84),
        Instrument(program: 24, name: "Nylon guitar", range: 40...83), Instrument(program: 25, name: "Steel guitar", range: 40...84),
        Instrument(program: 26, name: "Jazz guitar", range: 40...84), Instrument(program: 27, name: "Clean guitar", range: 40...84),
        Instrument(program: 28, name: "Muted guitar", range: 40...80),
        Instrument(program: 29, name: "Overdriven guitar", range: 40...84, volume: 72),
        Instrument(program: 30, name: "Distorted guitar", range: 40...84, volume: 66),
        Instrument(program: 32, name: "Double bass", range: 28...60, volume: 104),
        Instrument(program: 33, name: "Fingered bass", range: 28...60, volume: 104),
        Instrument(program: 34, name: "Picked bass", range: 28...60, volume: 100),
        Instrument(program: 35, name: "Fretless bass", range: 28...60, volume: 104),
        Instrument(program: 36, name: "Slap bass", range: 28...60, volume: 96),
        Instrument(program: 37, name: "Slap bass 2", range: 28...60, volume: 96),
        Instrument(program: 38, name: "Synth bass", range: 28...60, volume: 96),
        Instrument(program: 39, name: "Synth bass 2", range: 28...60, volume: 96),
        Instrument(program: 40, name: "Violin", range: 55...96, volume: 88),
        Instrument(program: 41, name: "Viola", range: 48...84, volume: 88),
        Instrument(program: 42, name: "Cello", range: 36...76, volume: 92),
        Instrument(program: 43, name: "Contrabass", range: 28...60, volume: 104),
        Instrument(program: 45, name: "Pizzicato strings", range: 40...88), Instrument(program: 46, name: "Harp", range: 36...96),
        Instrument(program: 48, name: "Strings", range: 36...91, volume: 80),
        Instrument(program: 49, name: "Slow strings", range: 36...91, volume: 80),
        Instrument(program: 50, name: "Synth strings", range: 36...91, volume: 76),
        Instrument(program: 52, name: "Choir", range: 43...84, volume: 80),
        Instrument(program: 56, name: "Trumpet", range: 54...84, volume: 84),
        Instrument(program: 57, name: "Trombone", range: 40...72, volume: 84),
        Instrument(program: 59, name: "Muted trumpet", range: 54...84, volume: 84),
        Instrument(program: 60, name: "French horn", range: 41...77, volume: 88),
        Instrument(program: 61, name: "Brass", range: 43...82, volume: 76),
        Instrument(program: 64, name: "Soprano saxophone", range: 56...86, volume: 84),
        Instrument(program: 65, name: "Alto saxophone", range: 49...81, volume: 84),
        Instrument(program: 66, name: "Tenor saxophone", range: 44...76, volume: 84),
        Instrument(program: 68, name: "Oboe", range: 58...91, volume: 84),
        Instrument(program: 70, name: "Bassoon", range: 34...72, volume: 88),
        Instrument(program: 71, name: "Clarinet", range: 50...91, volume: 88),
        Instrument(program: 72, name: "Piccolo", range: 74...102, volume: 72),
        Instrument(program: 73, name: "Flute", range: 60...96, volume: 88),
        Instrument(program: 75, name: "Pan flute", range: 60...96, volume: 84),
        Instrument(program: 79, name: "Ocarina", range: 60...90, volume: 84),
        Instrument(program: 80, name: "Square lead", range: 48...91, volume: 68),
        Instrument(program: 81, name: "Saw lead", range: 48...91, volume: 68),
        Instrument(program: 84, name: "Charang lead", range: 48...91, volume: 68),
        Instrument(program: 87, name: "Bass and lead", range: 36...84, volume: 66),
        Instrument(program: 89, name: "Warm pad", range: 36...91, volume: 84),
        Instrument(program: 90, name: "Polysynth", range: 40...91, volume: 72),
        Instrument(program: 91, name: "Choir pad", range: 40...88, volume: 80),
        Instrument(program: 95, name: "Sweep pad", range: 40...88, volume: 76),
        Instrument(program: 98, name: "Crystal", range: 60...96, volume: 72),
        Instrument(program: 104, name: "Sitar", range: 48...84, volume: 84),
        Instrument(program: 105, name: "Banjo", range: 48...84, volume: 84),
        Instrument(program: 107, name: "Koto", range: 48...88, volume: 88), Instrument(program: 108, name: "Kalimba", range: 55...91),
        Instrument(program: 110, name: "Fiddle", range: 55...93, volume: 84),
    ]
}
