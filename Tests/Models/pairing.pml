/* How often a code can be tried, with clients on connections of their own that begin, guess, drop the
   line and come back at any moment: the rules of BatonHub's PairingAttempts, and of Protocol/profiles/network.md,
   "Pairing" (BT-PAIR-005, -006, -008).

   The code is never guessed here, so every share that the hub gives away is a wrong attempt. What must
   hold whatever the order of events: no window gives away more than 5 shares, no more than 20 leave
   before the owner acts at the hub's own machine, and at most one attempt is under way whose outcome
   still counts. */

#define CLIENTS 3
#define PER_WINDOW 5
#define IN_ALL 20
#define NOBODY 255

bool open = false;
byte left = 0;           /* of the window: what the hub believes */
byte failures = 0;       /* in all windows: what the hub believes */
byte holder = NOBODY;    /* who is in the middle of an attempt */

byte given = 0;          /* shares of this window that have left */
byte givenInAll = 0;     /* shares since the owner last acted here */

inline check() {
    assert(given <= PER_WINDOW);
    assert(givenInAll <= IN_ALL);
}

/* Another attempt may begin while one is under way only after its ten seconds. */
inline begin(me) {
    open && left > 0 && failures < IN_ALL && holder == NOBODY;
    holder = me;
    failures++;
    left--;
    given++;
    givenInAll++;
    check();
}

/* A wrong proof, a dropped line, a share of low order: the same to the desk. */
inline fail(me) {
    if
    :: holder == me ->
        holder = NOBODY;
        if
        :: left == 0 || failures >= IN_ALL -> open = false
        :: else -> skip
        fi
    :: else -> skip
    fi
}

proctype client(byte me) {
    do
    :: atomic { begin(me) };
        if
        :: skip                                  /* proves, drops the line */
        :: atomic { holder == me -> holder = NOBODY }  /* is too slow: somebody else's turn */
        fi;
        atomic { fail(me) }
    od
}

/* An admin elsewhere opens windows, and cannot once there were too many failures; windows also end by themselves. */
proctype remoteAdmin() {
    do
    :: atomic { failures < IN_ALL -> open = true; left = PER_WINDOW; given = 0; holder = NOBODY }
    :: atomic { open -> open = false; holder = NOBODY }
    od
}

init {
    byte i = 1;
    run remoteAdmin();
    do
    :: i <= CLIENTS -> run client(i); i++
    :: else -> break
    od
}
