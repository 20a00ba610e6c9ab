/// The documentation of a setting. Help, manual, completions and sample file are generated from it.
package struct SettingAbout: Sendable {
    /// The name in the file, in snake_case.
    package let name: String
    /// The name on the command line, without the dashes in front.
    package let flag: String
    /// Whether it belongs to `[limits]`.
    package let isLimit: Bool
    package let help: String
    /// The text that completes "Expected …".
    package let accepts: String
    /// The word behind the flag; `nil` for a setting that is yes or no.
    package let placeholder: String?
    package let repeats: Bool
    /// The default, in words if it depends on the machine.
    package let usual: String
    /// True if a running hub applies it when it reads its configuration again; other settings wait for the next start.
    let isLive: Bool
    /// The comment above it in the sample file; `nil` if the comment of the setting before covers it.
    let comment: String?
    let example: [String]
    /// The setting that it follows in the sample file, if that is not the one before it in the help.
    let after: String?
    /// True if no empty line separates it from the setting before.
    let joins: Bool

    /// The name for flags and variables, which have no sections; settings of `[limits]` start with `limit_`.
    static func flatName(_ name: String, _ isLimit: Bool) -> String { (isLimit ? "limit_" : "") + name }

    package static let all = DeclaredSettings.all.map(\.about)

    package var variable: String { "BATON_" + Self.flatName(name, isLimit).uppercased() }
    /// The section of the file; empty for the top.
    var section: String { isLimit ? "limits" : "" }
    /// The name with its section, as people write it.
    var path: String { (isLimit ? "[limits] " : "") + name }
}
