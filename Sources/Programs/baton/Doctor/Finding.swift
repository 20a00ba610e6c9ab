import BatonProtocol
import BatonWire

/// One finding of `baton doctor`: what was examined, its state, and the advice if something is wrong.
struct Finding: Equatable, Sendable {
    enum Mark: String, Sendable {
        case ok, warn, fail
    }

    var mark: Mark
    /// The part that was examined, in one word.
    var part: String
    var found: String
    var advice: String?

    static func ok(_ part: String, _ found: String) -> Finding { Finding(mark: .ok, part: part, found: found) }

    static func warn(_ part: String, _ found: String, advice: String) -> Finding {
        Finding(mark: .warn, part: part, found: found, advice: advice)
    }

    static func fail(_ part: String, _ found: String, advice: String) -> Finding {
        Finding(mark: .fail, part: part, found: found, advice: advice)
    }

    func lines(_ ink: TextStyle) -> [String] {
        let paint = [Mark.ok: ink.green, .warn: ink.yellow, .fail: ink.red]
        let head = Columns.padded(mark.rawValue, to: 4)
        let line = "\(paint[mark]?(head) ?? head)  \(Columns.padded(part, to: 11)) \(VisibleText.of(found))"
        return [line] + (advice.map { ["                  \(ink.faint("→")) \(VisibleText.of($0))"] } ?? [])
    }

    func encode(into writer: inout JSONWriter) {
        writer.object { finding in
            finding.member("part", part)
            finding.member("mark", mark.rawValue)
            finding.member("found", found)
            finding.member("advice", ifPresent: advice)
        }
    }
}

extension [Finding] {
    var isWell: Bool { !contains { $0.mark == .fail } }

    /// The last line, which sums up all findings.
    var summary: String {
        let failed = filter { $0.mark == .fail }.count
        let warned = filter { $0.mark == .warn }.count
        if failed > 0 { return failed == 1 ? "One thing is broken." : "\(failed) things are broken." }
        return warned == 0
            ? "All is well." : warned == 1 ? "It works; one thing could be better." : "It works; \(warned) things could be better."
    }
}
