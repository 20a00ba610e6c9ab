/// How important a line of the log is.
extension HubLog {
    /// From the least important one.
    public enum Level: String, CaseIterable, Sendable {
        case trace, debug, notice, warning, error
    }
}
