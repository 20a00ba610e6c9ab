public import BatonCore

/// The data of an answer beside its outcome: the result of a query, or the thing that a command created.
///
/// The hub passes on the whole value. A codec cuts long lists to a page when it encodes them, and the client requests the next page.
public indirect enum ReplyData: Equatable, Sendable {
    /// `queue.get`, and a subscription that opens the queue.
    case queuePage(QueuePage)
    /// `queue.history`.
    case queueHistory(QueueHistoryList)
    /// `queue.save`.
    case queueSaved(QueueSaved)
    /// `room.create`, `listen.only`: the new room.
    case room(RoomID)
    /// `room.joined`.
    case joinedRoom(JoinedRoomInfo)
    /// `listen.here`.
    case listening(ListeningAnswer)
    /// `listen.link`.
    case listenLink(MadeListenLink)
    /// `listen.links`.
    case listenLinks(ListenLinkList)
    /// `hub.info`.
    case hubInfo(HubInfo)
    /// `hub.log`.
    case hubLog(HubLog)
    /// `lib.search` and `lib.browse`.
    case items(ItemList)
    /// `lib.item`.
    case item(ItemAnswer)
    /// `lib.history`.
    case played(PlayedList)
    /// `lib.folders`.
    case folders(LibraryFolders)
    /// `pl.list`.
    case playlists(PlaylistList)
    /// `pl.get`.
    case playlist(PlaylistContents)
    /// `pl.create` and `pl.edit`.
    case playlistEdited(PlaylistEdited)
    /// `art.get`.
    case picture(ArtTransfer)
    /// `source.list`.
    case sources(SourceList)
    /// `source.test`.
    case sourceTested(SourceTested)
    /// `source.pending`.
    case pendingNotes(PendingNotes)
    /// `keep.list`.
    case kept(KeptList)
    /// `radio.list`.
    case stations(StationList)
    /// `podcast.list`, `podcast.add`.
    case podcasts(PodcastList)
    /// `mark.list`, `mark.add`, `mark.edit`.
    case bookmarks(BookmarkList)
    /// `progress.list` and the other commands about places.
    case progress(ProgressList)
    /// `progress.asleep`.
    case asleep(AsleepPlaces)
    /// `radio.titles`.
    case titles(TitleList)
    /// `gen.parse`.
    case parsedPrompt(ParsedPrompt)
    /// `gen.prompts`.
    case prompts(PromptShelf)
    /// `job.start`.
    case startedJob(StartedJob)
    /// `gen.steer`.
    case steered(SteeredPiece)
    /// `clips.start` and `clips.list`.
    case clips(ClipSessions)
    /// `job.list`.
    case jobs(JobRows)
    /// `worker.list`.
    case workers(WorkerList)
    /// `worker.test`.
    case workerTested(WorkerTested)
    /// `pair.open`.
    case pairingWindow(PairingWindow)
    /// `dev.list`.
    case devices(DeviceList)
    /// `dev.rotate`.
    case deviceKey(NewDeviceKey)
    /// `hub.ticket`.
    case ticket(Ticket)
    /// `user.signup`, `user.signin` and `user.guest`.
    case signedIn(SignedInUser)
    /// `user.me`.
    case ownUser(OwnUser)
    /// `room.control`.
    case roomControl(RoomControl)
    /// `pl.share`.
    case sharedPlaylist(SharedPlaylist)
    /// `user.list`.
    case users(UserList)
    /// `user.sessions`.
    case userSessions(UserSessionList)
    /// `user.export`.
    case exported(ExportedRows)

    /// The cases without their values. An answer does not name its form; the command determines it.
    public enum Form: Sendable, CaseIterable {
        case queuePage, queueHistory, queueSaved, room, joinedRoom, listening, listenLink, listenLinks, hubInfo, hubLog, items, item,
            played, folders, playlists,
            playlist,
            playlistEdited,
            picture, sources, sourceTested, pendingNotes, kept, stations, podcasts, bookmarks, progress, asleep, titles, parsedPrompt,
            prompts, startedJob,
            steered,
            clips, jobs, workers,
            workerTested,
            pairingWindow, devices, deviceKey, ticket, signedIn, ownUser, users, userSessions, exported, sharedPlaylist, roomControl
    }
}
