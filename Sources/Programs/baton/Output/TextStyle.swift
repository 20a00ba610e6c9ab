import Configuration
import Glibc

/// Colours and bold text: on a terminal and unless `NO_COLOR` is set, or as `--color` says.
struct TextStyle: Sendable {
    let isOn: Bool

    /// The choice of `--color`.
    enum Choice: String, CaseIterable, Sendable {
        case auto, always, never
    }

    enum Weight: Sendable {
        case bold, faint
    }

    init(isOn: Bool) { self.isOn = isOn }

    init(_ around: ProcessEnvironment, _ choice: Choice = .auto) {
        switch choice {
        case .always: isOn = true
        case .never: isOn = false
        case .auto: isOn = Output.isTerminal && around["NO_COLOR"] == nil && around["TERM"] != "dumb"
        }
    }

    static let none = TextStyle(isOn: false)

    func bold(_ text: String) -> String { paint(text, "1") }
    func faint(_ text: String) -> String { paint(text, "2") }
    func green(_ text: String) -> String { paint(text, "32") }
    func yellow(_ text: String) -> String { paint(text, "33") }
    func red(_ text: String) -> String { paint(text, "31") }

    func painted(_ text: String, _ weight: Weight) -> String {
        switch weight {
        case .bold: bold(text)
        case .faint: faint(text)
        }
    }

    private func paint(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
