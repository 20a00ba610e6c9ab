/// A report of a program that generates music, one line of JSON.
///
///     {"progress":0.4,"message":"bass and drums"}
///     {"artifact":{"path":"sound.flac","durationMs":61234,"title":"Slow Rain","tempo":72,"key":"D minor"}}
///     {"error":"There is no sound font."}
///     {"error":"The disk is full.","retry":true}
import BatonCore
import BatonJSON
import BatonSeams

enum WorkerReport: Equatable {
    case progress(percent: Int, message: String?)
    case artifact(Artifact)
    case error(SourceFault)

    struct Artifact: Equatable, Sendable {
        /// The file's name in the job's folder.
        var path: String
        var score: String?
        var metadata: String?
        var durationMs: Milliseconds
        var title: String?
        var tempo: Int?
        var key: String?
        var recipe: String?
    }

    private static let limits = {
        var limits = JSONLimits()
        limits.depth = 6
        limits.stringBytes = 8 << 10
        limits.largeNumbers = .text
        return limits
    }()

    /// Parses a line; `nil` for other output, such as messages of a library.
    init?(_ line: [UInt8]) throws(SourceFault) {
        guard let json = try? JSON.parse(line, limits: Self.limits) else { return nil }
        if let sentence = json["error"]?.string {
            self = .error(Self.fault(DisplayLine.cut(sentence, 300), isForNow: json["retry"]?.bool == true))
        } else if let artifact = json["artifact"] {
            self = .artifact(try Artifact(artifact))
        } else if let percent = json["progress"]?.share {
            self = .progress(percent: percent, message: json["message"]?.string.map { DisplayLine.cut($0, 120) })
        } else {
            return nil
        }
    }

    private static func fault(_ sentence: String, isForNow: Bool) -> SourceFault {
        var fault = SourceFault(isForNow ? .unavailable : .failed, sentence)
        if isForNow { fault.retryAfterMs = retryMs }
        return fault
    }

    /// Pause before a retry. It is long, because a full disk rarely frees space within seconds and each attempt
    /// starts over.
    private static let retryMs: Milliseconds = 60_000
}

extension WorkerReport.Artifact {
    fileprivate init(_ json: JSON) throws(SourceFault) {
        func text(_ name: String) -> String? { json[name]?.string.map { DisplayLine.cut($0, 256) } }
        guard let path = json["path"]?.string, Self.isName(path) else {
            throw SourceFault(.failed, "The worker named no file of its folder as the sound.")
        }
        guard let durationMs = json["durationMs"]?.int, (1...3_600_000).contains(durationMs) else {
            throw SourceFault(.failed, "The worker did not say how long the piece is.")
        }
        self.init(
            path: path, score: text("score").flatMap { Self.isName($0) ? $0 : nil },
            metadata: text("metadata").flatMap { Self.isName($0) ? $0 : nil }, durationMs: Milliseconds(durationMs), title: text("title"),
            tempo: json["tempo"]?.number.map { Int($0.rounded()) }, key: text("key"), recipe: text("recipe"))
    }

    /// Whether the text is a plain file name: not hidden, and without a folder.
    private static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && !text.hasPrefix(".") && !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x2F || $0 == 0x7F })
    }
}

extension JSON {
    fileprivate var number: Double? {
        switch self {
        case .int(let number): (0...1_000_000).contains(number) ? Double(number) : nil
        case .double(let number): (0...1_000_000).contains(number) ? number : nil
        default: nil
        }
    }

    /// A fraction of 1 as a percentage.
    fileprivate var share: Int? { number.map { Int((min(1, $0) * 100).rounded(.down)) } }
}

/// Worker text as a part of a sentence or a title.
enum DisplayLine {
    /// The text without control characters such as line breaks, cut to `most` characters.
    static func cut(_ text: String, _ most: Int) -> String {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
        return plain.count <= most ? plain : plain.prefix(most - 1) + "…"
    }
}
