/// Visits the type of a command. It is generic instead of a value of `any HubRequest.Type`, so that what a codec does with
/// each type is compiled for that type.
package protocol CommandVisitor {
    associatedtype Result

    mutating func visit<Command: HubRequest>(_ command: Command.Type) throws(ProtocolFault) -> Result
    /// The specification reserves the command, and it has no parameters yet.
    mutating func reserved(_ definition: CommandDefinition) throws(ProtocolFault) -> Result
}

extension RequestKind {
    /// The one list of all commands. A new command has a line here.
    package func accept<Visitor: CommandVisitor>(_ visitor: inout Visitor) throws(ProtocolFault) -> Visitor.Result {
        switch self {
        case .play: try visitor.visit(Commands.Play.self)
        case .pause: try visitor.visit(Commands.Pause.self)
        case .stop: try visitor.visit(Commands.Stop.self)
        case .toggle: try visitor.visit(Commands.Toggle.self)
        case .next: try visitor.visit(Commands.Next.self)
        case .prev: try visitor.visit(Commands.Previous.self)
        case .jump: try visitor.visit(Commands.Jump.self)
        case .seek: try visitor.visit(Commands.Seek.self)
        case .seekBy: try visitor.visit(Commands.SeekBy.self)
        case .volumeSet: try visitor.visit(Commands.VolumeSet.self)
        case .volumeStep: try visitor.visit(Commands.VolumeStep.self)
        case .volumeMute: try visitor.visit(Commands.VolumeMute.self)
        case .modeSet: try visitor.visit(Commands.ModeSet.self)
        case .queueGet: try visitor.visit(Commands.QueueWindow.self)
        case .queueAdd: try visitor.visit(Commands.QueueAdd.self)
        case .queueRemove: try visitor.visit(Commands.QueueRemove.self)
        case .queueMove: try visitor.visit(Commands.QueueMove.self)
        case .queueClear: try visitor.visit(Commands.QueueClear.self)
        case .queueReplace: try visitor.visit(Commands.QueueReplace.self)
        case .queueShuffle: try visitor.visit(Commands.QueueShuffle.self)
        case .queueUndo: try visitor.visit(Commands.QueueUndo.self)
        case .queueHistory: try visitor.visit(Commands.QueueHistory.self)
        case .queueSave: try visitor.visit(Commands.QueueSave.self)
        case .queueContinue: try visitor.visit(Commands.QueueContinue.self)
        case .roomMove: try visitor.visit(Commands.RoomMove.self)
        case .roomCreate: try visitor.visit(Commands.RoomCreate.self)
        case .roomRename: try visitor.visit(Commands.RoomRename.self)
        case .roomDelete: try visitor.visit(Commands.RoomDelete.self)
        case .roomRestore: try visitor.visit(Commands.RoomRestore.self)
        case .roomSet: try visitor.visit(Commands.RoomSet.self)
        case .libSearch: try visitor.visit(Commands.Search.self)
        case .libBrowse: try visitor.visit(Commands.Browse.self)
        case .libItem: try visitor.visit(Commands.Item.self)
        case .libFolders: try visitor.visit(Commands.Folders.self)
        case .libFolder: try visitor.visit(Commands.FolderSet.self)
        case .libHistory: try visitor.visit(Commands.PlayedHistory.self)
        case .favSet: try visitor.visit(Commands.FavouriteSet.self)
        case .rateSet: try visitor.visit(Commands.RatingSet.self)
        case .libSplit: try visitor.visit(Commands.Split.self)
        case .playlistList: try visitor.visit(Commands.Playlists.self)
        case .playlistGet: try visitor.visit(Commands.Playlist.self)
        case .playlistEdit: try visitor.visit(Commands.PlaylistEdit.self)
        case .playlistCreate: try visitor.visit(Commands.PlaylistCreate.self)
        case .playlistDelete: try visitor.visit(Commands.PlaylistDelete.self)
        case .playlistRestore: try visitor.visit(Commands.PlaylistRestore.self)
        case .artGet: try visitor.visit(Commands.Picture.self)
        case .sourceList: try visitor.visit(Commands.Sources.self)
        case .sourceAdd: try visitor.visit(Commands.SourceAdd.self)
        case .sourceSet: try visitor.visit(Commands.SourceSet.self)
        case .sourceTest: try visitor.visit(Commands.SourceTest.self)
        case .sourceRemove: try visitor.visit(Commands.SourceRemove.self)
        case .sourceSync: try visitor.visit(Commands.SourceSync.self)
        case .sourcePending: try visitor.visit(Commands.SourcePending.self)
        case .keepSet: try visitor.visit(Commands.KeepSet.self)
        case .keepList: try visitor.visit(Commands.KeepList.self)
        case .keepLimit: try visitor.visit(Commands.KeepLimit.self)
        case .radioPlay: try visitor.visit(Commands.RadioPlay.self)
        case .radioList: try visitor.visit(Commands.RadioList.self)
        case .radioEdit: try visitor.visit(Commands.RadioChange.self)
        case .radioRecord: try visitor.visit(Commands.RadioRecord.self)
        case .radioBack: try visitor.visit(Commands.RadioBack.self)
        case .radioLive: try visitor.visit(Commands.RadioLive.self)
        case .radioTitles: try visitor.visit(Commands.RadioTitles.self)
        case .radioSave: try visitor.visit(Commands.RadioSave.self)
        case .podcastList: try visitor.visit(Commands.PodcastListing.self)
        case .podcastAdd: try visitor.visit(Commands.PodcastAdd.self)
        case .podcastImport: try visitor.visit(Commands.PodcastImport.self)
        case .podcastRefresh: try visitor.visit(Commands.PodcastRefresh.self)
        case .podcastKeep: try visitor.visit(Commands.PodcastKeep.self)
        case .podcastRemove: try visitor.visit(Commands.PodcastRemove.self)
        case .progressReport: try visitor.visit(Commands.ProgressTold.self)
        case .progressList: try visitor.visit(Commands.ProgressListing.self)
        case .progressRestore: try visitor.visit(Commands.ProgressRestore.self)
        case .progressFinish: try visitor.visit(Commands.ProgressFinish.self)
        case .progressReset: try visitor.visit(Commands.ProgressReset.self)
        case .progressAsleep: try visitor.visit(Commands.ProgressAsleep.self)
        case .progressHere: try visitor.visit(Commands.ProgressHere.self)
        case .genParse: try visitor.visit(Commands.PromptParse.self)
        case .genPrompts: try visitor.visit(Commands.PromptList.self)
        case .genSet: try visitor.visit(Commands.PromptSet.self)
        case .genPreset: try visitor.visit(Commands.PromptPresetSet.self)
        case .genForget: try visitor.visit(Commands.PromptForget.self)
        case .genEndless: try visitor.visit(Commands.Endless.self)
        case .genSteer: try visitor.visit(Commands.SteerNext.self)
        case .genVary: try visitor.visit(Commands.Vary.self)
        case .genAgain: try visitor.visit(Commands.Again.self)
        case .clipsStart: try visitor.visit(Commands.ClipsStart.self)
        case .clipsList: try visitor.visit(Commands.ClipsList.self)
        case .clipsAdd: try visitor.visit(Commands.ClipsAdd.self)
        case .clipsRemove: try visitor.visit(Commands.ClipsRemove.self)
        case .clipsTurn: try visitor.visit(Commands.ClipsTurn.self)
        case .clipsScene: try visitor.visit(Commands.ClipsScene.self)
        case .clipsResume: try visitor.visit(Commands.ClipsResume.self)
        case .clipsContinue: try visitor.visit(Commands.ClipsContinue.self)
        case .jobStart: try visitor.visit(Commands.JobBegin.self)
        case .jobCancel: try visitor.visit(Commands.JobCancel.self)
        case .jobRetry: try visitor.visit(Commands.JobRetry.self)
        case .jobApprove: try visitor.visit(Commands.JobApprove.self)
        case .jobKeep: try visitor.visit(Commands.JobKeep.self)
        case .jobList: try visitor.visit(Commands.JobList.self)
        case .workerList: try visitor.visit(Commands.Workers.self)
        case .workerAdd: try visitor.visit(Commands.WorkerAdd.self)
        case .workerTest: try visitor.visit(Commands.WorkerTest.self)
        case .workerDefault: try visitor.visit(Commands.WorkerDefault.self)
        case .workerRemove: try visitor.visit(Commands.WorkerRemove.self)
        case .bookChapter: try visitor.visit(Commands.BookChapter.self)
        case .bookSet: try visitor.visit(Commands.BookSet.self)
        case .markAdd: try visitor.visit(Commands.MarkAdd.self)
        case .markList: try visitor.visit(Commands.Marks.self)
        case .markEdit: try visitor.visit(Commands.MarkEdit.self)
        case .markDelete: try visitor.visit(Commands.MarkDelete.self)
        case .sleepSet: try visitor.visit(Commands.SleepSet.self)
        case .sleepClear: try visitor.visit(Commands.SleepClear.self)
        case .pairOpen: try visitor.visit(Commands.PairOpen.self)
        case .pairClose: try visitor.visit(Commands.PairClose.self)
        case .deviceList: try visitor.visit(Commands.Devices.self)
        case .deviceRole: try visitor.visit(Commands.DeviceRole.self)
        case .deviceRename: try visitor.visit(Commands.DeviceRename.self)
        case .devicePerson: try visitor.visit(Commands.DevicePerson.self)
        case .deviceRevoke: try visitor.visit(Commands.DeviceRevoke.self)
        case .deviceRotate: try visitor.visit(Commands.DeviceRotate.self)
        case .hubInfo: try visitor.visit(Commands.Info.self)
        case .hubTicket: try visitor.visit(Commands.NewTicket.self)
        case .hubScan: try visitor.visit(Commands.Scan.self)
        case .volumeMember, .roomGroup, .roomLeave, .outputSet, .bookResume, .levels, .hubRestart:
            try visitor.reserved(CommandDefinition(self))
        }
    }
}

extension RequestKind {
    private struct DefinitionOf: CommandVisitor {
        func visit<Command: HubRequest>(_ command: Command.Type) -> CommandDefinition { Command.definition }
        func reserved(_ definition: CommandDefinition) -> CommandDefinition { definition }
    }

    public var definition: CommandDefinition {
        var visitor = DefinitionOf()
        // This visitor never throws.
        return try! accept(&visitor)
    }

    package var `class`: CommandDefinition.Class { definition.class }
    package var role: Role { definition.role }
    package var keys: CommandDefinition.KeyTable { row.keys }
    package var needsKey: Bool { definition.needsKey }
    package var runsBeside: Bool { definition.runsBeside }
    package var isOfPerson: Bool { definition.isOfPerson }
    package var isReserved: Bool { definition.isReserved }
}
