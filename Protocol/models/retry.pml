/* One press of "next" on a bad line: does it ever skip two songs?  BT-RTY-002 BT-RTY-003 BT-RTY-005
 *
 * A remote sends its press up to four times, until it is answered. Up to two frames are lost and the
 * hub is killed once, anywhere: also between keeping a change and answering it. The promise is that the
 * current entry moves at most once, and by the one press at most.
 *
 * KEYS   0 the hub knows no keys, 1 it keeps them in memory, 2 it keeps them with the change itself
 * GUARD  1 the press names the entry that was current, and does nothing when another one is
 *
 * KEYS 0 and KEYS 1 without a guard skip twice: that is why the table of keys is on disk.
 */
#ifndef KEYS
#define KEYS 2
#endif
#ifndef GUARD
#define GUARD 0
#endif
#define TRIES 4

mtype = { press, answer };
chan toHub = [2] of { mtype };
chan toRemote = [2] of { mtype };

byte current = 0;               /* kept with every change */
bool known = false;             /* the key, in memory */
bool kept = false;              /* the key, on disk */
byte kills = 1, losses = 2;

inline forget(line) {
    do
    :: nempty(line) -> line?_
    :: empty(line) -> break
    od
}

inline die() {
    kills--;
    known = kept;               /* what is not on disk is gone */
    forget(toHub);
    forget(toRemote)
}

active proctype Remote() {
    byte tries = 0;
    do
    :: tries < TRIES ->
        atomic { forget(toRemote) };    /* a new connection: old answers cannot come by it */
        if
        :: nfull(toHub) -> toHub!press
        :: full(toHub) -> skip
        fi;
        tries++;
        if
        :: toRemote?answer -> break
        :: true -> skip         /* no answer in time */
        fi
    :: tries == TRIES -> break
    od
}

active proctype Hub() {
end:
    do
    :: atomic {                 /* one transaction: the change, its key, its answer */
        toHub?press ->
        if
        :: KEYS > 0 && known -> skip
        :: !(KEYS > 0 && known) && GUARD && current != 0 -> skip
        :: else ->
            current++;
            known = (KEYS > 0);
            kept = (KEYS == 2)
        fi;
        assert(current <= 1)
       };
       if
       :: nfull(toRemote) -> toRemote!answer
       :: full(toRemote) -> skip
       :: atomic { kills > 0 -> die() }
       fi
    :: atomic { kills > 0 -> die() }
    od
}

active proctype Network() {
end:
    do
    :: atomic { losses > 0 && nempty(toHub) -> toHub?_; losses-- }
    :: atomic { losses > 0 && nempty(toRemote) -> toRemote?_; losses-- }
    :: losses == 0 -> break
    od
}
