"""Radio and kept music, measured: what a station's first sound takes, what its buffer costs, and what commands notice of keeping.

`stations` has a real icecast2 and a hub that plays it, `sound` the first sound and the way back, `buffer` what is written and held,
`away` a server that goes away, `table` the run and its table."""
