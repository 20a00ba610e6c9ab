/// What documents say about a setting of the hub: the manual and the completions are made of it.
package struct SettingAbout: Sendable {
    package let flag: String
    /// `nil` for one that is yes or no.
    package let placeholder: String?
    package let variable: String
    /// As it stands in the file.
    package let name: String
    /// Under `[limits]`.
    package let isLimit: Bool
    package let help: String
    package let accepts: String
    package let usual: String
    package let repeats: Bool

    package static var all: [SettingAbout] {
        Setting.all.map { setting in
            SettingAbout(
                flag: setting.flag, placeholder: setting.kind.placeholder, variable: setting.variable, name: setting.name,
                isLimit: !setting.section.isEmpty, help: setting.help, accepts: setting.kind.accepts, usual: setting.defaultText,
                repeats: setting.kind.repeats)
        }
    }
}
