import BatonCore
import BatonProtocol
import Configuration

/// One of the playback modes: its name in `mode`, how it is set, and how it is shown.
struct ModePart: Sendable {
    let name: String
    /// Its form in usage errors.
    var form: String?
    /// Its line in the help of `mode`.
    var usage: (usage: String, says: String)?
    /// Its value and help as an option, if it is one.
    var option: (value: String, says: String)?
    /// Sets the value in the command; returns false for other values.
    let set: @Sendable (_ value: String, _ command: inout Commands.ModeSet) -> Bool
    /// Its short description; `nil` for the usual value, and if the name of the modes includes it.
    let shown: @Sendable (Modes) -> String?

    /// All parts, in the order of help and output.
    static let all: [ModePart] = [
        ModePart(
            name: "repeat", form: "repeat on|off", usage: ("mode repeat on|off", "whether the queue begins again"),
            option: ("on|off", "what comes after the end"), set: { taken(isOn[$0], to: &$1.repeat) }, shown: { _ in nil }),
        ModePart(
            name: "shuffle", form: "shuffle on|off", usage: ("mode shuffle on|off", "that alone"), option: ("on|off", "in which order"),
            set: { taken(isOn[$0], to: &$1.shuffle) }, shown: { _ in nil }),
        ModePart(
            name: "single", form: "single on|off|once",
            usage: ("mode single on|off|once", "stop after each entry, or after this one; with repeat it plays again"),
            option: ("on|off|once", "whether an entry is the last"),
            set: { taken(ModeSwitch(rawValue: $0), to: &$1.single) }, shown: { _ in nil }),
        ModePart(
            name: "consume", form: "consume on|off|once", usage: ("mode consume on|off|once", "remove what was played, or this one alone"),
            option: ("on|off|once", "whether entries leave the queue when they were played"),
            set: { taken(ModeSwitch(rawValue: $0), to: &$1.consume) }, shown: { _ in nil }),
        ModePart(
            name: "speed", form: "speed 0.5 to 3", usage: ("mode speed 1.25", "0.5 to 3"), option: ("0.5-3", "how fast"),
            set: { value, command in
                let speed = Double(value).flatMap { (0.5...3).contains($0) ? Int(($0 * 1000).rounded()) : nil }
                return taken(speed, to: &command.speed)
            }, shown: { $0.speed == 1000 ? nil : "speed \(Double($0.speed) / 1000)" }),
        ModePart(
            name: "gain", form: "gain auto|album|track|off",
            usage: ("mode gain auto|album|track|off", "make recordings equally loud, by their own measures"),
            option: ("auto|album|track|off", "by which of its measures a recording is levelled"),
            set: { taken(GainMode(rawValue: $0), to: &$1.gain) },
            shown: { $0.gain == .auto ? nil : "gain \($0.gain.rawValue)" }),
        ModePart(
            name: "preamp", form: "preamp -15 to 15", usage: ("mode preamp -3", "decibels added to that, -15 to 15"),
            option: ("DB", "added to that"),
            set: { taken(whole($0, of: -15...15), to: &$1.preampDb) },
            shown: { $0.preampDb == 0 ? nil : "preamp \($0.preampDb) dB" }),
        ModePart(
            name: "unfinished", form: "unfinished skip|wait|ITEM",
            usage: (
                "mode unfinished skip|wait|ITEM", "a piece that is not made at its turn: moves back, is waited for, or ITEM plays first"
            ),
            option: ("skip|wait|ITEM", "what becomes of a piece that is not made at its turn"),
            set: { value, command in
                let word = Unfinished.Name(rawValue: value)
                let filler = word == nil && value.contains(":") ? ItemURI(value) : nil
                guard let way = Unfinished(word ?? .filler, filler: filler) else { return false }
                (command.unfinished, command.filler) = (way.name, way.filler)
                return true
            },
            shown: { $0.unfinished == .skip ? nil : "unfinished \($0.unfinished.filler?.text ?? $0.unfinished.name.rawValue)" }),
        ModePart(
            name: "forward", form: "forward or back 1 to 600 seconds",
            usage: ("mode forward 45, mode back 10", "how far skip and the buttons of other remotes go in speech, in seconds"),
            set: { taken(whole($0, of: 1...600).map { Milliseconds.seconds($0) }, to: &$1.forwardMs) },
            shown: { $0.forwardMs == Modes().forwardMs ? nil : "forward \($0.forwardMs.seconds) s" }),
        ModePart(
            name: "back", set: { taken(whole($0, of: 1...600).map { Milliseconds.seconds($0) }, to: &$1.backMs) },
            shown: { $0.backMs == Modes().backMs ? nil : "back \($0.backMs.seconds) s" }),
        ModePart(
            name: "mono", form: "mono on|off", usage: ("mode mono on|off", "both channels mixed to one, for people who hear with one ear"),
            set: { taken(isOn[$0], to: &$1.mono) }, shown: { $0.isMono ? "mono" : nil }),
    ]

    static let usages: [(usage: String, says: String)] =
        [
            ("mode", "how the room plays"), ("mode once", "through the queue, then stop"), ("mode repeat-all", "from the start again"),
            ("mode repeat-one", "the same entry again"), ("mode shuffle", "in a new order each time, without end"),
        ] + all.compactMap(\.usage)

    static let options: [Arguments.Option] = all.compactMap { part in
        part.option.map { Arguments.Option(part.name, .value($0.value), help: $0.says) }
    }

    /// Parses named modes and parts with their values; `nil` without words.
    static func command(from words: [String]) throws(Stop) -> Commands.ModeSet? {
        var command = Commands.ModeSet()
        var rest = words[...]
        while let word = rest.popFirst() {
            // `shuffle` alone is a mode; followed by `on` or `off` it changes one part of the modes.
            let isMode = word == "shuffle" && !["on", "off"].contains(rest.first)
            if !isMode, let part = all.first(where: { $0.name == word }) {
                guard part.set(rest.popFirst() ?? "", &command) else { throw wrong }
            } else {
                guard let mode = ModeWord(rawValue: word) else { throw wrong }
                mode.set(in: &command)
            }
        }
        return words.isEmpty ? nil : command
    }

    private static var wrong: Stop {
        let names = ModeWord.allCases.map(\.rawValue).joined(separator: "|")
        return Stop(.usage, "Write mode \(names), or \(all.compactMap(\.form).joined(separator: ", ")).")
    }

    /// Describes all that is not as usual, and always whether it repeats and in which order.
    static func describe(_ modes: Modes) -> String {
        ([ModeWord.describe(modes)] + all.compactMap { $0.shown(modes) }).joined(separator: ", ")
    }

    private static let isOn = ["on": true, "off": false]

    private static func whole(_ value: String, of range: ClosedRange<Int>) -> Int? {
        Int(value).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func taken<Value>(_ value: Value?, to part: inout Value?) -> Bool {
        guard let value else { return false }
        part = value
        return true
    }
}
