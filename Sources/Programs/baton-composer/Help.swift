import BatonComposer

/// The text of `baton-composer --help`.
enum Help {
    static let text = """
        Usage: baton-composer < request.json
               baton-composer store < request.json
               baton-composer check
               baton-composer serve [--port 8000] [--folder FOLDER] [--program PATH ARGUMENTS...]

        Makes one piece of music. The request is a JSON object on standard input:
          prompt      what the music should be like, such as "slow piano for rain"
          durationS   10 to 180 seconds; 60 without it
          seed        a whole number as a string; the same seed and prompt are the same piece
          recipe      the recipe of a piece, to make it again
          motif       the recipe of a piece, to follow it with another on the same motif
          vary        {"recipe": "…", "amount": 0 to 100}
          steer       presses, such as {"calmer": 1, "brighter": 2}; also livelier and darker
          clip        {"layer": "bass", "bars": 1 to 64}, a loop of one layer on the plan of the piece, without a
                      seam; the layers are rhythm, bass, harmony, lead, textures and vocals
          mix         {"files": ["/PATH/sound.flac", …]}, up to six loops, mixed into one that repeats; also needs recipe
          author      who asked for it, as the file says
          title       what it is called; without it, after the prompt or the recipe
          soundfont   the path of a sound font; without it the one of Debian's timgm6mb-soundfont

        It says how far it is, and at last what it made or why not, a JSON object on each line. The files are
        written to the folder $BATON_JOB_DIR. SIGTERM ends it at once.

        store reads a WAV file of the folder, which "sound" names, and stores the same samples as sound.flac, with tags: title, artist,
        author, tempo, key and prompt.

        check ends with 0 where pieces can be made, and else says what is to be installed.

        serve makes pieces for programs of this machine that ask by HTTP, as Protocol/worker.md says; each is made by a process of its
        own, and its files are kept in the folder until 50 others were made. With --program another program makes them, and a
        socket that a service manager has opened is used in place of a port.

        This version understands \(WordTable.rows.count) words of prompts; --words lists them.
        """
}
