/// Counts paragraphs of comments that begin with a clause whose noun is missing, such as “What is not sent yet.” for “Bytes that wait to be sent.”
///
/// The reader of such a sentence learns only from its end what it is about. A few may stand, because the pattern also finds sentences that
/// are right, such as “The other side hangs up.”
struct CommentOpeners {
    private(set) var paragraphs = 0
    private(set) var found: [String] = []

    init(in files: [SourceFile]) {
        for file in files { count(in: file) }
    }

    /// The share of paragraphs that begin so, in percent.
    var percent: Double { paragraphs == 0 ? 0 : 100 * Double(found.count) / Double(paragraphs) }

    private mutating func count(in file: SourceFile) {
        let clause = /What (?!if\b)|Who(?:se|ever|m)? (?!\w+\?)|Those (?:who|which|that|of|with|in|at)\b|Such (?:a|an|as)\b/
        let relation = /Of (?:a|an|the|so|such|what|one|each|all|these|which)\b|(?:By|In|To|For|From|At|With|Of) (?:which|whom|what)\b/
        let reference = /As (?:it|they|long|so|many|much)\b|Where (?:a|an|the|it|no|there|is|they)\b|The same[,.:]|The other/
        var isInside = false
        for (number, line) in file.lines.enumerated() {
            guard let comment = line.prefixMatch(of: /\s*\/\/\/? ?(.*)/)?.1 else {
                isInside = false
                continue
            }
            if !isInside, comment.first?.isLetter == true {
                paragraphs += 1
                if comment.prefixMatch(of: clause) != nil || comment.prefixMatch(of: relation) != nil
                    || comment.prefixMatch(of: reference) != nil
                {
                    found.append("\(file.path):\(number + 1) begins without its noun: \(comment.prefix(80))")
                }
            }
            isInside = comment.contains { !$0.isWhitespace }
        }
    }
}
