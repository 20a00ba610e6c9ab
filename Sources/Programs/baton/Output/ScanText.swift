import BatonCore
import BatonProtocol

/// The progress of a scan for a pipe: a line for each tenth, or for each thousand files while the total is unknown.
struct ScanText {
    private var told = -1

    mutating func next(_ scan: LibrarySection.Scan) -> String? {
        let step = scan.total.map { $0 > 0 ? scan.done * 10 / $0 : 0 } ?? scan.done / 1000
        guard step != told else { return nil }
        told = step
        return Self.words(scan)
    }

    static func words(_ scan: LibrarySection.Scan) -> String {
        let of = scan.total.map { " of \($0)" } ?? ""
        return "\(scan.done)\(of) files" + (scan.failed > 0 ? ", \(scan.failed) could not be read" : "")
    }

    static func sentence(_ report: ScanReport) -> String {
        let parts = [(report.read, "read"), (report.moved, "moved"), (report.gone, "gone"), (report.failed, "could not be read")]
        let said = parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
        let took = report.tookMs > 0 ? ", in \(report.tookMs.seconds).\(report.tookMs.count % 1000 / 100) s" : ""
        return "\(report.isDone ? "Scanned" : "So far"): \(report.seen) \(report.seen == 1 ? "file" : "files")\(said)\(took)."
    }
}

/// The progress of a scan as a bar on a terminal, redrawn in the same line.
struct ScanBar {
    private static let length = 30

    func show(_ scan: LibrarySection.Scan) {
        let part = scan.total.map { $0 > 0 ? min(Self.length, scan.done * Self.length / $0) : 0 } ?? 0
        let bar = String(repeating: "━", count: part) + String(repeating: "─", count: Self.length - part)
        Output.draw("\r\u{1B}[2K" + Columns.cut("\(bar) \(ScanText.words(scan))", to: Columns.available - 1))
    }

    func clear() { Output.draw("\r\u{1B}[2K") }
}
