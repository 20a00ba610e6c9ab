"""The page, measured in headless Chromium.

`stage` has a hub with music and the browser, `paints` what a load takes and brings, `browsing` a library of 30,000 albums, `drawing` what
is drawn while music plays, `table` the run and its table."""
