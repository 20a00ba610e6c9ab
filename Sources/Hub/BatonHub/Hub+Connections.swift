/// What the hub's parts tell each other. They are made without knowing of each other, and live as long as the hub does.
import BatonCore
import BatonProtocol
import BatonSeams

extension Hub {
    /// Lets the parts know of each other that live as long as the hub does.
    func connect() {
        places.finished = { [weak keeping, weak places] uri, person in
            keeping?.review.note(.finished)
            places?.proposeNext(after: uri, to: person)
        }
        people.listenersChanged = { [weak emptyRooms] in emptyRooms?.listenersChanged(in: $0, saidGoodbye: $1) }
        streams.listenersChanged = { [weak emptyRooms, weak ahead] in
            emptyRooms?.listenersChanged(in: $0, saidGoodbye: true)
            ahead?.roomChanged()
        }
        people.moved = { [weak privateRooms] in privateRooms?.peopleChanged() }
        people.arrived = { [weak savedQueues, weak serverPlaces] in
            savedQueues?.arrived()
            serverPlaces?.arrived()
        }
        sources.changed = {
            [
                weak changes, weak delivery, weak mirrorPasses, weak savedQueues, weak queueSync, weak keeping, weak listening,
                weak serverPlaces,
                accounts, hold
            ] in
            if !hold.isOn {
                listening?.considerAll()
                delivery?.wakeAll()
                serverPlaces?.considerAll()
                mirrorPasses?.considerAll()
                savedQueues?.considerAll()
                queueSync?.considerAll()
            }
            keeping?.review.note(.sources)
            changes?.refresh(nil, [.room])
            accounts.show()
            changes?.publisher.tell()
        }
        deviceRegistry?.hubID = identity.id
        deviceRegistry?.openConnections = { [dialects] in dialects.connectionsByDevice }
        deviceRegistry?.endSessions = { [dialects, media] device, fault in
            media.end(device)
            for dialect in dialects.all { dialect.end(device, fault) }
        }
        users?.changed = { [dialects, weak users, weak deviceRegistry] in
            if users?.hasAdmin == true { deviceRegistry?.voidFirstTicket() }
            for dialect in dialects.all { dialect.usersChanged() }
        }
        users?.forget = { [weak personal] user async throws(SourceFault) in try await personal?.forget(user.person) }
        deviceRegistry?.windowChanged = { [weak changes] in
            changes?.refresh(nil, [.room])
            // In the next turn of the loop, so that the answer to the client that opened the window leaves first.
            _ = changes?.clock.after(.zero) { changes?.publisher.tell() }
        }
    }

    /// Accounts wake what waits for their sources.
    func connectAccounts() {
        accounts.sourceChanged = { [weak delivery, weak mirrorPasses, weak queueSync, weak listening, weak joining, hold] in
            if hold.isOn { return }
            joining?.sourceChanged($0)
            listening?.restart($0)
            queueSync?.considerAll()
            delivery?.wake($0)
            mirrorPasses?.consider($0)
        }
        accounts.forget = { [weak delivery, weak mirrorPasses, weak savedQueues, weak joining] in
            joining?.forget($0)
            savedQueues?.forget($0)
            await mirrorPasses?.forget($0)
            _ = try? await delivery?.drop(of: $0)
        }
    }
}
