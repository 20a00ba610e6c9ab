import BatonCore
import BatonKernel
import BatonSeams

/// The timing of a joined room's player: when a track was ordered and is due, when measured positions count, and how a difference is corrected.
///
/// A track is loaded paused at a position that the server's room reaches a moment later, and is started at that moment. Remaining
/// differences are corrected by `DriftRule`.
struct JoinedTiming {
    /// The start of a prepared track that has just been loaded.
    enum Start: Equatable {
        /// Its time comes later, or it was started already.
        case inTime
        /// Its time has just passed: the speed corrects the rest.
        case late
        /// Its time has passed long ago, so another position is prepared.
        case tooLate
    }

    /// Time after a seek or start during which measured positions are not accurate.
    private static let settlesAfterUs: Microseconds = 1_500_000
    /// Lead time for a seek in a loaded track.
    private static let seekLeadUs: Microseconds = 250_000
    /// Delay of a start up to which the speed corrects it.
    private static let mostLateUs: Microseconds = 60_000
    /// Time after which a failed track is tried again.
    private static let restUs: Microseconds = 5_000_000

    private var rule = DriftRule()
    private var lead = StartLead()
    private var orderedUs: Microseconds = 0
    private var dueUs: Microseconds = 0
    private var movedUs: Microseconds = 0
    private var restUntilUs: Microseconds = 0
    private var isOverdue = false
    private var isStartMeasured = true

    /// The speed of the player in thousandths.
    var speed: Int { rule.speed }

    // MARK: Starting

    /// False for a while after a track has failed.
    func mayLoad(atUs nowUs: Microseconds) -> Bool { nowUs >= restUntilUs }

    /// The position at which to prepare a track, so that the server's room reaches it when the track can sound.
    func target(on line: ServerRoomClock, isLoaded: Bool, atUs nowUs: Microseconds) -> Double {
        line.positionMs(atUs: nowUs + (isLoaded ? Self.seekLeadUs + lead.soundUs : lead.leadUs)).rounded()
    }

    /// Notes that a track is prepared; returns the time at which to start it.
    mutating func prepare(at targetMs: Double, on line: ServerRoomClock, atUs nowUs: Microseconds) -> Microseconds {
        rule.startOver()
        orderedUs = nowUs
        dueUs = line.momentUs(ofMs: targetMs) - lead.soundUs
        (movedUs, isStartMeasured) = (dueUs, false)
        return dueUs
    }

    /// Notes that the time has come; the track starts once it is loaded.
    mutating func waitForLoad() { isOverdue = true }

    mutating func loaded(atUs nowUs: Microseconds) -> Start {
        lead.loaded(afterUs: nowUs - orderedUs)
        guard isOverdue else { return .inTime }
        isOverdue = false
        return nowUs - dueUs <= Self.mostLateUs ? .late : .tooLate
    }

    mutating func started(atUs nowUs: Microseconds) { movedUs = nowUs }

    /// Forgets a track whose time had come.
    mutating func halt() { isOverdue = false }

    mutating func failed(atUs nowUs: Microseconds) { restUntilUs = nowUs + Self.restUs }

    /// Notes that another track plays there, which may be tried at once.
    mutating func trackChanged() { restUntilUs = 0 }

    // MARK: Drift

    /// The correction of a measured difference.
    mutating func correct(driftMs: Double, atUs nowUs: Microseconds) -> DriftRule.Step {
        let isSettled = nowUs - movedUs >= Self.settlesAfterUs
        if isSettled, !isStartMeasured {
            isStartMeasured = true
            lead.heard(behindMs: -driftMs)
        }
        let step = rule.step(driftMs: driftMs, isSettled: isSettled, atUs: nowUs)
        if case .speed = step { movedUs = nowUs }
        return step
    }
}
