/// Formats of settings.
import BatonSeams

/// The format of a value: one text, or several for a list.
struct Kind<Value: Sendable>: Sendable {
    /// The text that completes "Expected …".
    let accepts: String
    /// The word behind the flag in the help; a switch has none.
    let placeholder: String?
    let repeats: Bool
    /// Parses the texts; `nil` if one of them is invalid.
    let read: @Sendable ([String], PathOrigin) -> Value?

    static func one(
        _ accepts: String, _ placeholder: String?, read: @escaping @Sendable (String, PathOrigin) -> Value?
    ) -> Kind {
        Kind(accepts: accepts, placeholder: placeholder, repeats: false) { texts, origin in
            texts.count == 1 ? read(texts[0], origin) : nil
        }
    }

    /// A list whose elements are parsed separately; `words` finds them in the texts.
    static func list<Element: Sendable>(
        _ accepts: String, _ placeholder: String, of words: @escaping @Sendable ([String]) -> [String],
        read: @escaping @Sendable (String, PathOrigin) -> Element?
    ) -> Kind where Value == [Element] {
        Kind(accepts: accepts, placeholder: placeholder, repeats: true) { texts, origin in
            let given = words(texts)
            let found = given.compactMap { read($0, origin) }
            return found.count == given.count ? found : nil
        }
    }
}

/// The origin of a text, which determines how its paths are resolved.
struct PathOrigin {
    var home: String
    /// The base of relative paths; `nil` if they are not allowed, as in a file and for defaults.
    var folder: String?

    func wholePath(_ text: String) -> String? {
        if text == "~" { return home }
        if text.hasPrefix("~/") { return home + text.dropFirst() }
        if text.hasPrefix("/") { return text }
        guard let folder, !text.isEmpty else { return nil }
        return folder + "/" + text
    }

    func output(_ text: String) -> AudioOutput? {
        guard let output = AudioOutput(text: text), !text.unicodeScalars.contains(where: { $0.value < 32 }) else { return nil }
        guard case .pcm(let path) = output else { return output }
        return wholePath(path).map { .pcm($0) }
    }
}

// MARK: One text

extension Kind where Value == String {
    static func text(atMost limit: Int) -> Kind {
        one("1 to \(limit) bytes of text", "TEXT") { text, _ in
            let isText = (1...limit).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 32 }
            return isText ? text : nil
        }
    }

    static func path(_ placeholder: String) -> Kind {
        one("an absolute path, or one that begins with ~/", placeholder) { text, origin in origin.wholePath(text) }
    }
}

extension Kind where Value == String? {
    static func pathOrOff(_ placeholder: String) -> Kind {
        one("off, an absolute path, or one that begins with ~/", placeholder) { text, origin in
            text == "off" ? .some(nil) : origin.wholePath(text).map { .some($0) }
        }
    }
}

extension Kind where Value == Int {
    static func whole(_ range: ClosedRange<Int>) -> Kind {
        one("a whole number from \(range.lowerBound) to \(range.upperBound)", "N") { text, _ in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Kind where Value == Int64 {
    /// A size in bytes, with an optional unit.
    static var size: Kind {
        one("a number of bytes, KiB, MiB, GiB or TiB as in 512 MiB", "SIZE") { text, _ in ByteSize.bytes(in: text) }
    }
}

extension Kind where Value == ClosedRange<Int>? {
    /// Two levels with a dash in between, or `off`.
    static var levels: Kind {
        one("off, or two levels from 0 to 100 as in 0-60", "FROM-TO") { text, _ in
            if text == "off" { return .some(nil) }
            let words = text.split(separator: "-", omittingEmptySubsequences: false)
            let levels = words.compactMap { Int($0) }
            guard words.count == 2, levels.count == 2, levels[0] <= levels[1], 0...100 ~= levels[0], 0...100 ~= levels[1],
                text.allSatisfy({ $0 != "+" })
            else { return nil }
            return levels[0]...levels[1]
        }
    }
}

extension Kind where Value == Bool {
    static var yesOrNo: Kind { one("yes or no", nil) { text, _ in NamedSections.answers[text.lowercased()] } }
}

extension Kind where Value: RawRepresentable<String> & CaseIterable {
    static var choice: Kind {
        let names = Value.allCases.map(\.rawValue)
        return one(names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined(), names.joined(separator: "|")) { text, _ in
            Value(rawValue: text)
        }
    }
}

extension Kind where Value == Log.Level {
    static var level: Kind {
        one("trace, debug, notice, warning or error", "LEVEL") { text, _ in Log.Level.allCases.first { $0.name == text } }
    }
}

private let acceptedOutput = "auto, null, pcm:FILE, or a device's name as `mpv --audio-device=help` lists it"

extension Kind where Value == AudioOutput {
    static var output: Kind { one(acceptedOutput, "OUTPUT") { text, origin in origin.output(text) } }
}

// MARK: Lists

extension [String] {
    /// The elements of a list, from several texts or separated by commas or spaces; `none` is empty.
    var words: [String] {
        flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) }.filter { $0 != "none" }
    }
}

extension Kind where Value == [AudioOutput] {
    /// One output in each text, since names of devices may contain commas.
    static var outputs: Kind {
        list(acceptedOutput, "OUTPUT", of: { $0.filter { !$0.isEmpty && $0 != "none" } }) { text, origin in origin.output(text) }
    }
}

extension Kind where Value == [String] {
    /// One folder in each text, since a path may contain any character.
    static var folders: Kind {
        list("a folder's absolute path, or one that begins with ~/", "FOLDER", of: { $0.filter { !$0.isEmpty } }) { text, origin in
            origin.wholePath(text)
        }
    }

    /// Origins in the form of browsers, so that texts can be compared.
    static var origins: Kind {
        list(
            "http:// or https:// and a host, with a port where it is not the usual one, and nothing behind it", "ORIGIN", of: { $0.words }
        ) { text, _ in WebOrigin(text: text)?.text }
    }
}

extension Kind where Value == [ListenAddress] {
    static var addresses: Kind {
        list("HOST:PORT as in 127.0.0.1:9442 or [::1]:9442, or none", "HOST:PORT", of: { $0.words }) { text, _ in
            ListenAddress(text: text)
        }
    }
}

extension Kind where Value == [AllowedHost] {
    static var hosts: Kind {
        list("a host, or HOST:PORT, as in nas.home or 127.0.0.1:8000, or none", "HOST", of: { $0.words }) { text, _ in
            AllowedHost(text: text)
        }
    }
}

extension Kind where Value == [AddressRange] {
    static var networks: Kind {
        list("an address as in 127.0.0.1 or ::1, or a network as in 10.0.0.0/8, or none", "ADDRESS", of: { $0.words }) { text, _ in
            AddressRange(text: text)
        }
    }
}
