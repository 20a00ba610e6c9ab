/// Text escaped for HTML or XML, between tags and in quoted attributes.
package enum MarkupText {
    /// The text with the four characters escaped that mean something in markup.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
        return result
    }
}
