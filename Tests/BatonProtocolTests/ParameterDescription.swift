import BatonWire

/// One parameter of a command, as its definition describes it.
struct ParameterDescription: Equatable, Sendable {
    enum Form: Equatable, Sendable {
        case int(ClosedRange<Int>)
        case bool
        case text(bytes: ClosedRange<Int>)
        case token(ClosedRange<Int>)
        case choice([String])
        case choices([String])
        case entry, uri, personalName, output, folder, span, place, anchor, word, rule, sourceName, serverURL, options
        case stations(ClosedRange<Int>)
        case entries(ClosedRange<Int>)
        case uris(ClosedRange<Int>)
        case edits(ClosedRange<Int>)
    }

    var name: String
    var form: Form
    var isRequired = false
    /// The value that its absence means.
    var usual: JSON?
}

extension ParameterDescription.Form {
    /// `shape` is that of the parameter and `shared` the name of one that it refers to; `items` are those of the shape's elements.
    init?(_ shape: [String: Any], _ shared: String?, items: (shape: [String: Any], shared: String?)?) {
        let named: [String: Self] = [
            "entry": .entry, "uri": .uri, "personalName": .personalName, "output": .output, "outputOrNull": .output, "folder": .folder,
            "span": .span, "place": .place, "entryOrNull": .anchor, "rule": .rule, "sourceName": .sourceName, "serverURL": .serverURL,
            "options": .options,
        ]
        func range(_ least: String, _ most: String) -> ClosedRange<Int>? {
            guard let least = shape[least] as? Int, let most = shape[most] as? Int else { return nil }
            return least...most
        }
        if let shared, let form = named[shared] {
            self = form
        } else if let words = shape["enum"] as? [String] {
            self = .choice(words)
        } else if shape["const"] as? String == "end" {
            self = .word
        } else if let items {
            if let words = items.shape["enum"] as? [String] {
                self = .choices(words)
                return
            }
            guard let count = range("minItems", "maxItems") else { return nil }
            switch items.shared {
            case "entry": self = .entries(count)
            case "uri": self = .uris(count)
            case "listOp": self = .edits(count)
            case "station": self = .stations(count)
            default: return nil
            }
        } else if let pattern = shape["pattern"] as? String {
            guard let match = pattern.wholeMatch(of: /\^\[A-Za-z0-9_-\]\{(\d+),(\d+)\}\$/), let least = Int(match.1),
                let most = Int(match.2)
            else { return nil }
            self = .token(least...most)
        } else if shape["type"] as? String == "boolean" {
            self = .bool
        } else if let values = range("minimum", "maximum") {
            self = .int(values)
        } else if let bytes = range("minLength", "x-maxBytes") {
            self = .text(bytes: bytes)
        } else {
            return nil
        }
    }
}
