// Users of messages also need the values in them.
@_exported public import BatonJSON

/// The value as JSON text, on one line.
extension JSON: CustomStringConvertible {
    /// JSON text that can be read back; it is made anew at each call.
    public var description: String { String(decoding: JSONWriter.bytes { $0.value(self) }, as: UTF8.self) }
}
