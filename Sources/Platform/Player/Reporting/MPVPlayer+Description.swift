import BatonCore

/// Description of the current entry, reported once it plays and after each change.
extension MPVPlayer {
    /// Reads the properties instead of observing them, because an answer is in order with the events and so belongs to the current file.
    /// The duration is not observed, since that of a live stream grows all the time.
    func describe() {
        guard let slot = deck.live, slot.hasBegun else { return }
        let question = description.ask()
        order { [weak self] core in
            core.get(["metadata", "duration", "audio-codec-name", "audio-params", "chapter-list"]) { answers in
                guard let self, self.description.isLatest(question), slot.order == self.deck.live?.order else { return }
                self.describe(slot, answers)
            }
        }
    }

    private func describe(_ slot: LoadedEntries.Slot, _ answers: [MPVNode]) {
        var tags = tags(answers, of: slot)
        if let title = description.titles.heard(of: slot.order) { tags.streamTitle = title.isEmpty ? nil : title }
        let now = EntryDescription.Facts(
            order: slot.order, entry: slot.entry, tags: tags,
            format: SoundFormat(codec: answers[2].text, parameters: answers[3]), chapters: chapters(answers[4], of: slot))
        guard description.tell(now) else { return }
        tell(.described(slot.entry, now.tags, now.format))
        // Sent after the length, which ends the last chapter.
        if !now.chapters.isEmpty { tell(.chapters(slot.entry, now.chapters)) }
    }

    private func tags(_ answers: [MPVNode], of slot: LoadedEntries.Slot) -> Tags {
        if let trim = slot.playable.trim { return Tags(title: "", durationMs: trim.durationMs) }
        // The rest of a track has the same tags, and libmpv does not know its length.
        if slot.joint != nil { return description.told.flatMap { $0.entry == slot.entry ? $0.tags : nil } ?? Tags(title: "") }
        // The tags of a whole file do not describe a part of it.
        if slot.playable.isPart || slot.playable.kind == .parts {
            return Tags(title: "", durationMs: slot.playable.partMs(ofSeconds: answers[1].number))
        }
        return Tags(metadata: answers[0], durationSeconds: answers[1].number, of: slot.playable)
    }

    /// The chapters of an entry. The rest of a track that continues from elsewhere has none in its file.
    private func chapters(_ list: MPVNode, of slot: LoadedEntries.Slot) -> [ChapterList.Mark] {
        if let trim = slot.playable.trim { return trim.chapters }
        guard slot.joint == nil else { return [] }
        return (list.list ?? []).prefix(ChapterList.most).compactMap { chapter in
            guard let seconds = chapter["time"]?.number, (0..<1e9).contains(seconds) else { return nil }
            let startMs = Milliseconds((seconds * 1000).rounded()) + Milliseconds(slot.shiftUs)
            return startMs < 0 ? nil : ChapterList.Mark(title: chapter["title"]?.text ?? "", startMs: startMs)
        }
    }
}
