// Written by deploy/embed from Sources/Web/WebRemote/page/index.html; edit that file.
extension WebRemote {
    static let indexHTML: StaticString = ##"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
        <meta name="theme-color" content="#e9e3f7">
        <link rel="icon" href="/page/@/icon.svg" type="image/svg+xml">
        <link rel="manifest" href="/manifest.json" crossorigin="use-credentials">
        <script src="/page/@/first.js"></script>
        <link rel="stylesheet" href="/page/@/remote.css">
        <script src="/page/@/face.js" defer blocking="render"></script>
        <title>Baton</title>
        </head>
        <body>
        <svg id="icons" aria-hidden="true">
          <symbol id="i-prev" viewBox="0 0 24 24"><path d="M4 4h3.5v16H4zM21 4v16L8.5 12z"/></symbol>
          <symbol id="i-next" viewBox="0 0 24 24"><path d="M16.5 4H20v16h-3.5zM3 4v16l12.5-8z"/></symbol>
          <symbol id="i-play" viewBox="0 0 24 24"><path d="M7 3.5v17L21 12z"/></symbol>
          <symbol id="i-pause" viewBox="0 0 24 24"><path d="M5.5 4h4.5v16H5.5zM14 4h4.5v16H14z"/></symbol>
          <symbol id="i-back" viewBox="0 0 24 24"><path d="M11 1.5v7L4.5 5zM19.5 1.5v7L13 5z"/></symbol>
          <symbol id="i-fwd" viewBox="0 0 24 24"><path d="M4.5 1.5v7L11 5zM13 1.5v7L19.5 5z"/></symbol>
          <symbol id="i-less" viewBox="0 0 18 18"><path d="M2 7.5h14v3H2z"/></symbol>
          <symbol id="i-more" viewBox="0 0 18 18"><path d="M7.5 2h3v5.5H16v3h-5.5V16h-3v-5.5H2v-3h5.5z"/></symbol>
          <symbol id="i-once" viewBox="0 0 24 24"><path d="M3 11h11V7l6 5.2-6 5.3v-4H3zM20.5 6H23v12.5h-2.5z"/></symbol>
          <symbol id="i-repeat-all" viewBox="0 0 24 24"><path d="M3 5h14V1.500l5 4.750-5 4.750V7.500H5.500V12H3zM21 19H7v3.500L2 17.750 7 13v3.500h11.500V12H21z"/></symbol>
          <symbol id="i-repeat-one" viewBox="0 0 24 24"><path d="M3 5h14V1.500l5 4.750-5 4.750V7.500H5.500V12H3zM21 19H7v3.500L2 17.750 7 13v3.500h11.500V12H21zM11 9.300h2.400v5.600h-2.400z"/></symbol>
          <symbol id="i-shuffle" viewBox="0 0 24 24"><path d="M2 5h5.400l7.600 11h2v-3.300l5 4.600-5 4.600v-3.400h-3.300L6 7.500H2zM2 16.500h4l1.900-2.800 1.600 2.300L7.400 19H2zM13.700 5H17V1.600l5 4.600-5 4.600V7.500h-2l-1.900 2.800L11.500 8z"/></symbol>
          <symbol id="i-enqueue" viewBox="0 0 24 24"><path d="M3 4h14v2.500H3zM3 9.500h14V12H3zM3 15h8v2.500H3zM16.500 13.500H19v3.300h3.300v2.400H19v3.300h-2.500v-3.300h-3.300v-2.400h3.300z"/></symbol>
          <symbol id="i-playnext" viewBox="0 0 24 24"><path d="M3 4h18v2.500H3zM11 10.500h10V13H11zM11 17.500h10V20H11zM2.500 9.500v9l6.500-4.500z"/></symbol>
          <symbol id="i-theme" viewBox="0 0 24 24"><path d="M12 2l10 10-10 10L2 12zM12 5.600V18.400L18.400 12z" fill-rule="evenodd"/></symbol>
          <symbol id="i-stop" viewBox="0 0 24 24"><path d="M10.700 2h2.600v10h-2.600zM7.500 4.600v3A6.800 6.800 0 1 0 16.500 7.600v-3A9.400 9.400 0 1 1 7.500 4.600z"/></symbol>
          <symbol id="i-note" viewBox="0 0 24 24"><path d="M9 3.500L20 1v14.500a3.500 3 0 1 1-2.500-2.900V6L11.500 7.400v10.100a3.500 3 0 1 1-2.500-2.900z"/></symbol>
          <symbol id="i-rooms" viewBox="0 0 24 24"><path d="M12 2.500L22 11h-3v10h-5v-6h-4v6H5V11H2z"/></symbol>
          <symbol id="i-queue" viewBox="0 0 24 24"><path d="M3 4.500h18V7H3zM3 10.700h18v2.500H3zM3 17h18v2.500H3z"/></symbol>
          <symbol id="i-people" viewBox="0 0 24 24"><path d="M8 3l3.500 3.500v2L8 12 4.500 8.500v-2zM1.500 20v-4L5 13h6l3.500 3v4zM16.500 5l3 3v1.600l-3 3-2.300-2.300.8-3.800zM16 14h3.500l3 2.600V20H16.500z"/></symbol>
          <symbol id="i-library" viewBox="0 0 24 24"><path d="M2.500 3h4v18h-4zM8.500 3h4v18h-4zM14.500 4.300l3.900-1L23 20l-3.900 1z"/></symbol>
          <symbol id="i-lists" viewBox="0 0 24 24"><path d="M8 4.500h13V7H8zM8 10.700h13v2.500H8zM8 17h13v2.500H8zM2.500 4l3.500 1.800-3.500 1.700zM2.500 10.200L6 12l-3.500 1.700zM2.500 16.500L6 18.200 2.500 20z"/></symbol>
          <symbol id="i-dots" viewBox="0 0 24 24"><path d="M3 10h4v4H3zM10 10h4v4h-4zM17 10h4v4h-4z"/></symbol>
          <symbol id="i-grip" viewBox="0 0 24 24"><path d="M7 5h4v3H7zM13 5h4v3h-4zM7 10.500h4v3H7zM13 10.500h4v3h-4zM7 16h4v3H7zM13 16h4v3h-4z"/></symbol>
          <symbol id="i-x" viewBox="0 0 24 24"><path d="M5.800 4L12 10.200 18.200 4 20 5.800 13.800 12l6.200 6.200-1.800 1.800L12 13.800 5.800 20 4 18.200 10.200 12 4 5.800z"/></symbol>
        </svg>
        <main>
          <header id="top">
            <button id="room"><svg aria-hidden="true"><use href="#i-rooms"/></svg><span id="roomname"></span></button>
            <p id="link" role="status"></p>
          </header>
          <div id="hero" aria-hidden="true"><div id="scene"></div><div id="cover"><svg><use href="#i-note"/></svg><div id="art"></div></div><div id="orb"><i id="halo"></i><i id="globe"></i><svg id="note"><use href="#i-note"/></svg></div></div>
          <section id="what" aria-label="Now playing">
            <button id="open" aria-label="More"></button>
            <p id="where"></p>
            <h1 id="title" dir="auto">Baton</h1>
            <p id="artist" dir="auto"></p>
            <p id="coming" dir="auto"></p>
          </section>
          <div id="saying" role="status"><button id="say" hidden><span id="sentence"></span></button></div>
          <section id="progress" aria-label="Position">
            <canvas id="cat" aria-hidden="true"></canvas>
            <div id="seek" role="slider" tabindex="0" aria-label="Position" aria-valuemin="0"><i id="line"></i></div>
            <p id="time"><span id="elapsed"></span><span id="whole"></span></p>
          </section>
          <section id="transport" aria-label="Transport">
            <button id="prev" aria-label="Previous"><svg><use href="#i-prev"/></svg></button>
            <button id="back" aria-label="Back 15 seconds"><svg><use href="#i-back"/></svg><b>15</b></button>
            <div id="dial">
              <button id="play" aria-label="Play"><span id="disc"><svg id="go"><use href="#i-play"/></svg><svg id="stand"><use href="#i-pause"/></svg></span></button>
              <div id="ring" role="progressbar" aria-label="Position" aria-valuemin="0"></div>
            </div>
            <button id="fwd" aria-label="Forward 15 seconds"><svg><use href="#i-fwd"/></svg><b>15</b></button>
            <button id="next" aria-label="Next"><svg><use href="#i-next"/></svg></button>
          </section>
          <section id="extras" aria-label="More controls">
            <button id="mode" aria-label="Mode"><svg><use href="#i-once"/></svg></button>
            <button id="enqueue" aria-label="Add this to the end of the queue"><svg><use href="#i-enqueue"/></svg></button>
            <button id="playnext" aria-label="Play this again next"><svg><use href="#i-playnext"/></svg></button>
            <button id="theme" aria-label="Theme"><svg><use href="#i-theme"/></svg></button>
            <button id="stop" aria-label="Stop and exit"><svg><use href="#i-stop"/></svg></button>
          </section>
          <section id="volume" role="group" aria-label="Volume">
            <button id="less" aria-label="Volume down"><svg><use href="#i-less"/></svg></button>
            <div id="turn" role="slider" tabindex="0" aria-label="Volume" aria-valuemin="0" aria-valuemax="100"><i id="fill"></i><output id="level" aria-live="off"></output></div>
            <button id="more" aria-label="Volume up"><svg><use href="#i-more"/></svg></button>
          </section>
          <nav id="tabs" role="tablist" aria-label="Panels">
            <button role="tab" id="tab-playing" aria-controls="panel"><svg aria-hidden="true"><use href="#i-note"/></svg><span>Playing</span></button>
            <button role="tab" id="tab-rooms" aria-controls="panel"><svg aria-hidden="true"><use href="#i-rooms"/></svg><span>Rooms</span></button>
            <button role="tab" id="tab-queue" aria-controls="panel"><svg aria-hidden="true"><use href="#i-queue"/></svg><span>Queue</span></button>
            <button role="tab" id="tab-people" aria-controls="panel"><svg aria-hidden="true"><use href="#i-people"/></svg><span>People</span></button>
            <button role="tab" id="tab-library" aria-controls="panel"><svg aria-hidden="true"><use href="#i-library"/></svg><span>Library</span></button>
            <button role="tab" id="tab-lists" aria-controls="panel"><svg aria-hidden="true"><use href="#i-lists"/></svg><span>Lists</span></button>
            <button role="tab" id="tab-more" aria-controls="panel"><svg aria-hidden="true"><use href="#i-dots"/></svg><span>More</span></button>
          </nav>
          <section id="panel" role="tabpanel" tabindex="-1"></section>
        </main>
        <dialog id="sheet" aria-label="More"></dialog>
        </body>
        </html>

        """##
}
