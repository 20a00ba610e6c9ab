import BatonCore
import BatonSeams

/// The kernel's own parts in the rounds of the hub: they hear of events before all features, and stop around them.
extension Kernel {
    /// Before the features, which read what the kernel knows by then.
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

    /// Behind the features: clients are told what the kernel and they have published.
    package func finish(_ event: HubEvent, _ round: EventRound) {
        switch event {
        case .sourcesChanged: round.tell("publisher") { publisher.tell() }
        case .pairingWindowChanged:
            // In the next turn of the loop, so that the answer to the client that opened the window leaves first.
            round.tell("publisher") { _ = clock.after(.zero) { [weak publisher] in publisher?.tell() } }
        default: break
        }
    }

    /// Shows all clients why a feature does not run.
    package func note(_ fault: FeatureFault, of feature: FeatureName) {
        guard let sentence = problems.note(fault, of: feature) else { return }
        log(.error, sentence)
        changes.refresh(nil, [.room])
        publisher.tell()
    }

    /// The rules of the kernel's own, which come before those of features.
    package var steps: [any CommandStep] { [SentOutRule(people: people), guests] }

    package func install(in commands: CommandTable) {
        DeviceRegistry.install(deviceRegistry, in: commands, ledger)
        QueueCommands(ports: ports, ledger: ledger).install(in: commands)
        HubCommands(information: information, hold: hold, ledger: ledger).install(in: commands)
    }

    package var roomHearers: [RoomHearers.Hearer] {
        [
            .init("people", .people) { [weak people] in people?.roomChanged($0) },
            .init("sleepAlarms", .alarms) { [weak sleepAlarms] in sleepAlarms?.look(at: $0) },
            .init("chapterAlarms", .alarms) { [weak chapterAlarms] in chapterAlarms?.look(at: $0) },
        ]
    }

    /// Parts that stop before those of features, since they begin something by themselves.
    package var firstClosing: [Closing] {
        [
            Closing("players.stopListening", .atOnce { self.players.stopListening() }),
            Closing("hold", .atOnce { self.hold.close() }),
            Closing("memoryRelease", .atOnce { self.memoryRelease.close() }),
            Closing("people", .atOnce { self.people.close() }),
        ]
    }

    /// Parts that stop when nothing of a feature begins anything any more; connections end, and what was held back is kept.
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
