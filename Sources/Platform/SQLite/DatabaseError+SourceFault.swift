/// Database errors in the form of source errors.
package import BatonSeams

extension DatabaseError {
    /// The error of a store behind the sources. A full or locked disk may recover later.
    package func sourceFault(at path: String) -> SourceFault {
        let fault = fault(at: path)
        switch code {
        case .full, .busy, .readOnly: return SourceFault(.unavailable, fault.sentence)
        case .damaged, .newer, .failed: return SourceFault(.failed, fault.sentence)
        }
    }
}

extension SourceFault {
    package init(_ fault: JournalFault) {
        switch fault.code {
        case .full, .busy, .readOnly: self.init(.unavailable, fault.sentence)
        case .damaged, .newer, .failed: self.init(.failed, fault.sentence)
        }
    }
}
