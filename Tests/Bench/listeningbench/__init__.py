"""What long listening costs and how exact it is: books, sleep timers, speeds, podcasts, and what a watch is told of them."""
