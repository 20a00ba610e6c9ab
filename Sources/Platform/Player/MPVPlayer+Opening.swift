import BatonCore
import BatonSeams

/// The orders that open files in libmpv, and its answers to them.
extension MPVPlayer {
    func replay(_ slot: LoadedEntries.Slot) { open(slot, "replace") }

    /// Loads a slot; `how` is libmpv's word for its place among the others.
    func open(_ slot: LoadedEntries.Slot, _ how: String) {
        let fills = [deck.current, deck.follower].contains { $0?.playable.needsStore == true }
        if fills != fillsStore {
            fillsStore = fills
            order { $0.set("cache", to: .text(fills ? "yes" : "auto")) }
        }
        let target = target(of: slot)
        let arguments: [MPVNode] = [
            .text("loadfile"), .text(slot.joint?.target(target) ?? target), .text(how),
            .map((slot.joint?.options ?? slot.playable.options(startUs: slot.startUs)) + slot.renderingOptions(keepsPitch: keepsPitch)),
        ]
        order { [weak self] core in
            core.command(arguments) { status, answer in self?.opened(slot, status: status, answer: answer) }
        }
    }

    /// The address that libmpv opens. Files and bytes are offered for it under the order of the slot.
    private func target(of slot: LoadedEntries.Slot) -> String {
        let isJoined = slot.joint != nil
        let trim = slot.playable.trim
        switch slot.playable.location {
        case .url(let url): return url
        case .file(let file):
            let address = files.offer(.file(file.content), named: file.path, as: slot.order, isSoundOnly: isJoined || trim != nil)
            guard let trim else { return address }
            return TrimmedTimeline.target([.init(address: address, lengthUs: trim.lengthUs, beginUs: trim.beginsUs.first ?? 0)], trim.cuts)
        case .parts(let parts):
            let addresses = files.offer(parts.map(\.file), as: slot.order)
            guard let trim else {
                return PartedTimeline.target(
                    zip(addresses, parts).map { PartedTimeline.Part(address: $0, title: $1.title, lengthUs: $1.lengthUs) })
            }
            let sources = zip(addresses, parts).enumerated().map { index, part in
                TrimmedTimeline.Source(
                    address: part.0, lengthUs: part.1.lengthUs, beginUs: trim.beginsUs.indices.contains(index) ? trim.beginsUs[index] : 0)
            }
            return TrimmedTimeline.target(sources, trim.cuts)
        case .bytes(let bytes): return files.offer(.bytes(bytes.content), named: bytes.name, as: slot.order, isSoundOnly: isJoined)
        }
    }

    private func opened(_ slot: LoadedEntries.Slot, status: MPVStatus, answer: MPVNode) {
        if let file = answer["playlist_entry_id"]?.integer {
            deck.name(file, order: slot.order)
            correctCourse()
        } else if let slot = deck.refused(order: slot.order) {
            tell(.failed(slot.entry, reason: Failure.sentence(for: slot.playable, status: status, log: failure.log)))
            restWhenIdle()
        }
    }

    func correctCourse() {
        switch deck.courseCorrection() {
        case .replay(let slot): replay(slot)
        case .halt: order { $0.command([.text("stop")]) }
        case nil: break
        }
    }
}
