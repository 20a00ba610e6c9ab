/// Shows control characters as `\u001b`, so that a terminal prints them instead of obeying them. This includes
/// characters that reverse the direction of writing, which can make a title look like another and change the text
/// after it.
///
/// Names, paths and sentences come from hubs, files and other machines on the network. The form is that of JSON, so
/// that JSON with such characters stays valid.
enum VisibleText {
    static func of(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
        guard text.unicodeScalars.contains(where: { $0.isControl && !kept.contains($0) }) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if scalar.isControl, !kept.contains(scalar) { shown += escape(scalar) } else { shown.unicodeScalars.append(scalar) }
        }
        return shown
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        value < 0x20 || 0x7F..<0xA0 ~= value || 0x202A...0x202E ~= value || 0x2066...0x2069 ~= value
            || [0x61C, 0x200E, 0x200F].contains(value)
    }
}
