package import BatonCore

/// Finds silences in files of sound, in a process that can do nothing else.
package protocol SilenceFinding: Sendable {
    /// Begins to look through a file that is open.
    func silences(in file: NamedFile) throws(SourceFault) -> any SilenceScan
    /// The chapters that a file names. Waits for them.
    func chapters(in file: NamedFile) throws(SourceFault) -> [Chapter]
}

/// A file that is looked through piece by piece, each of about two minutes of sound. Every call waits for the piece, so none is made on
/// the loop.
package protocol SilenceScan: AnyObject, Sendable {
    /// The next piece; `nil` behind the last one.
    func next() throws(SourceFault) -> SilencePiece?
    /// Nothing more is wanted.
    func close()
}

package struct SilencePiece: Equatable, Sendable {
    /// In ms from the file's first sample on.
    package var silences: [Range<Int>]
    /// Up to here.
    package var untilMs: Int
    /// The time stamp of the file's first sample.
    package var beginUs: Int

    package init(_ silences: [Range<Int>], untilMs: Int, beginUs: Int) {
        self.silences = silences
        self.untilMs = untilMs
        self.beginUs = beginUs
    }
}
