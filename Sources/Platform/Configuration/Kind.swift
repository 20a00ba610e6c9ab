/// How a setting is written, and where its value goes. One table of these is all that parsing, help
/// and the sample file know.
import BatonSeams

/// What a kind makes of one text, or of several for a list.
struct Kind: Sendable {
    /// What would be accepted, to complete "expected …".
    let accepts: String
    /// Stands behind the flag in the help; a switch has none.
    let placeholder: String?
    let repeats: Bool
    /// Takes the texts into the settings; false when one of them is not acceptable.
    let take: @Sendable ([String], Origin, inout HubSettings) -> Bool

    /// What a text needs to be understood where it stands.
    struct Origin: Sendable {
        var home: String
        /// Relative paths begin here; in a file and for defaults nothing may be relative.
        var folder: String?
    }

    private static func one(
        _ accepts: String, _ placeholder: String?, _ take: @escaping @Sendable (String, Origin, inout HubSettings) -> Bool
    ) -> Kind {
        Kind(accepts: accepts, placeholder: placeholder, repeats: false) { texts, origin, settings in
            texts.count == 1 && take(texts[0], origin, &settings)
        }
    }

    static func text(_ path: any WritableKeyPath<HubSettings, String> & Sendable, atMost limit: Int) -> Kind {
        one("1 to \(limit) bytes of text", "TEXT") { text, _, settings in
            guard (1...limit).contains(text.utf8.count), !text.unicodeScalars.contains(where: { $0.value < 32 }) else { return false }
            settings[keyPath: path] = text
            return true
        }
    }

    static func path(_ path: any WritableKeyPath<HubSettings, String> & Sendable, _ placeholder: String) -> Kind {
        one("an absolute path, or one that begins with ~/", placeholder) { text, origin, settings in
            guard let whole = origin.wholePath(text) else { return false }
            settings[keyPath: path] = whole
            return true
        }
    }

    static func pathOrOff(_ path: any WritableKeyPath<HubSettings, String?> & Sendable, _ placeholder: String) -> Kind {
        one("off, an absolute path, or one that begins with ~/", placeholder) { text, origin, settings in
            guard let whole = text == "off" ? "" : origin.wholePath(text) else { return false }
            settings[keyPath: path] = whole.isEmpty ? nil : whole
            return true
        }
    }

    static func whole(_ path: any WritableKeyPath<HubSettings, Int> & Sendable, _ range: ClosedRange<Int>) -> Kind {
        one("a whole number from \(range.lowerBound) to \(range.upperBound)", "N") { text, _, settings in
            guard let number = Int(text), range.contains(number) else { return false }
            settings[keyPath: path] = number
            return true
        }
    }

    /// Bytes, with a unit behind the number where there are many.
    static func size(_ path: any WritableKeyPath<HubSettings, Int64> & Sendable) -> Kind {
        one("a number of bytes, KiB, MiB, GiB or TiB as in 512 MiB", "SIZE") { text, _, settings in
            guard let bytes = ByteSize.bytes(in: text) else { return false }
            settings[keyPath: path] = bytes
            return true
        }
    }

    /// Two levels with a dash between them, or `off`.
    static func levels(_ path: any WritableKeyPath<HubSettings, ClosedRange<Int>?> & Sendable) -> Kind {
        one("off, or two levels from 0 to 100 as in 0-60", "FROM-TO") { text, _, settings in
            if text == "off" {
                settings[keyPath: path] = nil
                return true
            }
            let words = text.split(separator: "-", omittingEmptySubsequences: false)
            let levels = words.compactMap { Int($0) }
            guard words.count == 2, levels.count == 2, levels[0] <= levels[1], 0...100 ~= levels[0], 0...100 ~= levels[1],
                text.allSatisfy({ $0 != "+" })
            else { return false }
            settings[keyPath: path] = levels[0]...levels[1]
            return true
        }
    }

    static func yesOrNo(_ path: any WritableKeyPath<HubSettings, Bool> & Sendable) -> Kind {
        one("yes or no", nil) { text, _, settings in
            guard
                let answer = ["yes": true, "on": true, "true": true, "1": true, "no": false, "off": false, "false": false, "0": false][
                    text.lowercased()]
            else { return false }
            settings[keyPath: path] = answer
            return true
        }
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ path: any WritableKeyPath<HubSettings, Choice> & Sendable
    ) -> Kind {
        let names = Choice.allCases.map(\.rawValue)
        return one(names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined(), names.joined(separator: "|")) {
            text, _, settings in
            guard let choice = Choice(rawValue: text) else { return false }
            settings[keyPath: path] = choice
            return true
        }
    }

    static let logLevel = one("trace, debug, notice, warning or error", "LEVEL") { text, _, settings in
        guard let level = Log.Level.allCases.first(where: { $0.name == text }) else { return false }
        settings.log = level
        return true
    }

    private static let outputs = "auto, null, pcm:FILE, or a device's name as `mpv --audio-device=help` lists it"

    static let audio = one(outputs, "OUTPUT") { text, origin, settings in
        guard let output = origin.output(text) else { return false }
        settings.audio = output
        return true
    }

    /// One in each text, since commas stand in the names of devices.
    static let allowedOutputs = Kind(accepts: outputs, placeholder: "OUTPUT", repeats: true) { texts, origin, settings in
        let named = texts.filter { !$0.isEmpty && $0 != "none" }
        settings.allowedOutputs = named.compactMap { origin.output($0) }
        return settings.allowedOutputs.count == named.count
    }

    /// Several may stand in one text, separated by commas; `none` or nothing is none.
    /// A list stands in several texts, or in one with commas or spaces between its words; `none` is empty.
    private static func words(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) }.filter { $0 != "none" }
    }

    static func listen(_ path: any WritableKeyPath<HubSettings, [ListenAddress]> & Sendable) -> Kind {
        Kind(accepts: "HOST:PORT as in 127.0.0.1:9442 or [::1]:9442, or none", placeholder: "HOST:PORT", repeats: true) {
            texts, _, settings in
            let words = Self.words(texts)
            let addresses = words.compactMap { ListenAddress(text: $0) }
            settings[keyPath: path] = addresses
            return addresses.count == words.count
        }
    }

    static let allowedHosts = Kind(
        accepts: "a host, or HOST:PORT, as in nas.home or 127.0.0.1:8000, or none", placeholder: "HOST", repeats: true
    ) { texts, _, settings in
        let words = Self.words(texts)
        settings.allowedHosts = words.compactMap { AllowedHost(text: $0) }
        return settings.allowedHosts.count == words.count
    }

    /// As browsers write them, so that they can be compared letter by letter.
    static let origins = Kind(
        accepts: "http:// or https:// and a host, with a port where it is not the usual one, and nothing behind it", placeholder: "ORIGIN",
        repeats: true
    ) { texts, _, settings in
        let words = Self.words(texts)
        settings.origins = words.compactMap { WebOrigin(text: $0)?.text }
        return settings.origins.count == words.count
    }

    static let proxies = Kind(
        accepts: "an address as in 127.0.0.1 or ::1, or a network as in 10.0.0.0/8, or none", placeholder: "ADDRESS", repeats: true
    ) { texts, _, settings in
        let words = Self.words(texts)
        let networks = words.compactMap { AddressRange(text: $0) }
        settings.trustedProxies = TrustedProxies(networks)
        return networks.count == words.count
    }

    /// One folder in each text, since every character may stand in a path.
    static func folders(_ path: any WritableKeyPath<HubSettings, [String]> & Sendable) -> Kind {
        Kind(accepts: "a folder's absolute path, or one that begins with ~/", placeholder: "FOLDER", repeats: true) {
            texts, origin, settings in
            let named = texts.filter { !$0.isEmpty }
            settings[keyPath: path] = named.compactMap { origin.wholePath($0) }
            return settings[keyPath: path].count == named.count
        }
    }
}

extension Kind.Origin {
    func output(_ text: String) -> AudioOutput? {
        guard let output = AudioOutput(text: text), !text.unicodeScalars.contains(where: { $0.value < 32 }) else { return nil }
        guard case .pcm(let path) = output else { return output }
        return wholePath(path).map { .pcm($0) }
    }

    func wholePath(_ text: String) -> String? {
        if text == "~" { return home }
        if text.hasPrefix("~/") { return home + text.dropFirst() }
        if text.hasPrefix("/") { return text }
        guard let folder, !text.isEmpty else { return nil }
        return folder + "/" + text
    }
}
