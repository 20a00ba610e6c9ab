/// Faults of a database as those who asked a source read them.
package import BatonSeams

extension DatabaseError {
    /// The same as a store behind the sources throws it. A full or locked disk may be free again later.
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
