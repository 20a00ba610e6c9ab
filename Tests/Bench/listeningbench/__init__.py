"""What long listening costs and how exact it is: books, sleep timers, speeds, podcasts, and what a watch is told of them."""
import os, sys

import targets as T

# Behind the bench's own folder, since names of modules are used in both.
sys.path += [os.path.normpath(os.path.join(T.HERE, "../EndToEndTests/Support"))]
