/// A word as a person types it into a shell.
enum ShellWord {
    /// With quotation marks where a shell would read it in another way.
    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || plain.contains($0) }
        return isPlain ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    private static let plain: Set<Unicode.Scalar> = Set("0123456789-_./:+,@%=".unicodeScalars)
}
