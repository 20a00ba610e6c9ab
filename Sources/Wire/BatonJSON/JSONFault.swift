/// The reason why text was refused as JSON, and the byte at which the fault was found.
package struct JSONFault: Error, Equatable, Sendable {
    /// The kind of fault, which the sentence puts into words.
    package enum Kind: Equatable, Sendable, CaseIterable {
        /// Not JSON, or text after the end of the value.
        case syntax
        /// Bytes of a string or a name are not UTF-8.
        case notUTF8
        /// Objects and arrays inside each other exceed `JSONLimits.depth`.
        case tooDeep
        case tooManyMembers
        case tooManyElements
        case stringTooLong
        case nameTooLong
        /// An object has two members with the same bytes as their name.
        case duplicateName
        /// An escape is half of a surrogate pair, which is no character.
        case loneSurrogate
        /// A number is beyond 2^53-1, where doubles are no longer exact.
        case numberOutOfRange
    }

    package var kind: Kind
    /// The index of the byte at which reading stopped, from 0.
    package var offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// A sentence for the person who wrote the text. It never repeats a part of the text, which may contain secrets.
    package var sentence: String {
        switch kind {
        case .syntax: "This is not JSON, from byte \(offset) on."
        case .notUTF8: "The text is not UTF-8 at byte \(offset)."
        case .tooDeep: "The value at byte \(offset) is nested too deeply."
        case .tooManyMembers: "The object around byte \(offset) has too many members."
        case .tooManyElements: "The array around byte \(offset) has too many elements."
        case .stringTooLong: "The string at byte \(offset) is too long."
        case .nameTooLong: "The member name at byte \(offset) is too long."
        case .duplicateName: "The member name at byte \(offset) was used before in the same object."
        case .loneSurrogate: "The escape at byte \(offset) is half of a surrogate pair."
        case .numberOutOfRange: "The number at byte \(offset) is beyond 2^53-1."
        }
    }
}
