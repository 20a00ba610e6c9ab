import Glibc

/// The file of recorded instruments for libfluidsynth.
package struct SoundFont: Equatable, Sendable {
    package let path: String

    /// Paths of Debian's packages, the default first.
    package static let usualPlaces = [
        "/usr/share/sounds/sf2/TimGM6mb.sf2", "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3", "/usr/share/sounds/sf3/default-GM.sf3",
        "/usr/share/sounds/sf2/default-GM.sf2",
    ]

    /// The given font, or the first that is installed.
    package static func find(_ wished: String?) throws(SynthesisFault) -> SoundFont {
        if let wished {
            guard isReadable(wished) else { throw SynthesisFault("The sound font \"\(wished)\" is not there or cannot be read. \(advice)") }
            guard isFont(wished) else { throw SynthesisFault("\"\(wished)\" is no sound font. \(advice)") }
            return SoundFont(path: wished)
        }
        guard let path = usualPlaces.first(where: isReadable) else { throw SynthesisFault("No sound font is installed. \(advice)") }
        return SoundFont(path: path)
    }

    package static let advice = "Install one: apt-get install timgm6mb-soundfont"

    /// The font's name in pieces: without folder and extension.
    package var name: String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.split(separator: ".").first ?? file)
    }

    /// Whether the file has the beginning of SF2 or SF3. libfluidsynth would pass other files to a library that prints errors.
    private static func isFont(_ path: String) -> Bool {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: 12)
        guard unsafe read(file, &head, head.count) == head.count else { return false }
        return head[..<4].elementsEqual("RIFF".utf8) && head[8...].elementsEqual("sfbk".utf8)
    }

    private static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}
