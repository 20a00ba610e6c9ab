package import BatonCore

/// Finds silences in sound files, in a process without other rights.
package protocol SilenceFinding: Sendable {
    /// Begins to analyse an open file.
    func silences(in file: NamedFile) throws(SourceFault) -> any SilenceScan
    /// The chapters in a file. Blocks until they are read.
    func chapters(in file: NamedFile) throws(SourceFault) -> [Chapter]
}

/// An analysis in chunks of about two minutes of sound. Every call waits for its chunk, so none is made on the loop.
package protocol SilenceScan: AnyObject, Sendable {
    /// The next chunk; `nil` after the last one.
    func next() throws(SourceFault) -> SilencePiece?
    func close()
}

package struct SilencePiece: Equatable, Sendable {
    /// Silences in milliseconds from the file's first sample.
    package var silences: [Range<Milliseconds>]
    /// The end of the analysed part.
    package var untilMs: Milliseconds
    /// The time stamp of the file's first sample.
    package var beginUs: Microseconds

    package init(_ silences: [Range<Milliseconds>], untilMs: Milliseconds, beginUs: Microseconds) {
        self.silences = silences
        self.untilMs = untilMs
        self.beginUs = beginUs
    }
}
