import BatonCore
package import BatonSeams

/// The kernel's own parts in events and closing: they hear of events before all features, and close before and after them.
extension Kernel {
    /// Handles an event before the features, which read the kernel's state.
    package func handle(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourcesChanged, .pairingWindowChanged: round.tell("changes") { changes.refresh(nil, [.room]) }
        case .featureFailed(let feature, let fault): round.tell("problems") { note(fault, of: feature) }
        case .copyArrived(let uri): round.tell("players") { players.copied(uri) }
        case .usersChanged:
            round.tell("deviceRegistry") { if users?.hasAdmin == true { deviceRegistry?.voidFirstTicket() } }
            round.tell("dialects") { for dialect in dialects.all { dialect.usersChanged() } }
        default: break
        }
    }

    /// Handles an event after the features, and tells clients what was published.
    package func finish(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourcesChanged: round.tell("publisher") { publisher.tell() }
        case .pairingWindowChanged:
            // This runs in the next turn of the loop, so that the answer to the client that opened the window is sent first.
            round.tell("publisher") { _ = clock.after(.zero) { [weak publisher] in publisher?.tell() } }
        default: break
        }
    }

    /// Shows clients the reason why a feature does not run.
    package func note(_ fault: FeatureFault, of feature: FeatureName) {
        guard let sentence = problems.note(fault, of: feature) else { return }
        log(.error, sentence)
        changes.refresh(nil, [.room])
        publisher.tell()
    }

    /// The kernel's own rules, which come before those of features.
    package var steps: [any CommandStep] { [SentOutRule(people), guests] }

    /// Registers the commands that no feature handles: those of devices, queries of queues, and those of the hub itself.
    package func install(in commands: CommandTable) {
        deviceRegistry?.install(in: commands, ledger)
        QueueCommands(ports: ports, ledger: ledger).install(in: commands)
        HubCommands(information: information, hold: hold, sections: sections, people: people, ledger: ledger).install(in: commands)
    }

    /// The kernel's own parts that hear of changes of rooms. Only the hub owns the observers, and these own the parts.
    package var roomObservers: [RoomObservers.Observer] {
        [
            .init("people", .people) { [self] in people.roomChanged($0) },
            .init("sleepAlarms", .alarms) { [self] in sleepAlarms.look(at: $0) },
            .init("chapterAlarms", .alarms) { [self] in chapterAlarms.look(at: $0) },
        ]
    }

    /// The profiles that the hub has without any feature.
    package var profiles: Set<HubProfile> { deviceRegistry == nil ? [] : [.network] }

    /// The parts that close before the features, since they start work by themselves.
    package var firstClosing: [Closing] {
        [
            Closing("players.stopListening", .atOnce { self.players.stopListening() }),
            Closing("hold", .atOnce { self.hold.close() }),
            Closing("memoryRelease", .atOnce { self.memoryRelease.close() }),
            Closing("people", .atOnce { self.people.close() }),
        ]
    }

    /// The parts that close when no feature starts work any more: connections end, and delayed changes are written.
    package var lastClosing: [Closing] {
        [
            Closing("sleepAlarms", .atOnce { self.sleepAlarms.close() }),
            Closing("chapterAlarms", .atOnce { self.chapterAlarms.close() }),
            Closing("deviceRegistry", .atOnce { self.deviceRegistry?.close() }),
            Closing("sources", .atOnce { self.sources.close() }),
            Closing("dialects", .atOnce { for dialect in self.dialects.all { dialect.close() } }),
            Closing("changes", .atOnce { self.changes.close() }),
            Closing("players", .waiting { await self.players.close() }),
        ]
    }
}
