/// The state of a job, as clients ask about it.
extension JobState {
    /// Whether the job makes no further progress; a failed or cancelled one continues only after `job.retry`.
    public var isOver: Bool { self == .ready || self == .failed || self == .cancelled }
}
