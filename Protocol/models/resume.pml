/* A copy that is held across cut lines and a killed hub: is it ever wrong for good?
 * BT-STA-001 BT-STA-005 BT-STA-006 BT-STA-011 BT-STA-012
 *
 * The hub has two sections, each with the revision of its last change. For a client it remembers one
 * number: the revision it sent last. What it owes are the sections with a higher one, with the values
 * of now; changes in between are nobody's. Section 0 is kept on disk at once, section 1 later, as the
 * volume is; a kill loses what was not kept. The line is cut up to twice. When nothing moves any more,
 * the client must hold what the hub has.
 *
 * RESTAMP  1 after a restart every section counts as changed by the first new revision
 *          0 sections keep the revisions they were kept with
 *
 * RESTAMP 0 leaves a client with a value that the hub has forgotten, under a number it thinks it knows.
 */
#ifndef RESTAMP
#define RESTAMP 1
#endif

byte changes = 3, kills = 1, cuts = 2;

byte rev = 1;                   /* numbers are reserved on disk: never one twice */
byte value[2], changed[2];      /* the hub's sections, and when they changed */
byte keptValue, keptChanged;    /* section 1 as it is on disk */
byte sent;                      /* the revision last sent on this connection */
bool up = false;

byte held[2], heldRev;          /* the client's copy */
bool hasCopy = false;

/* from, revision, whether each section is in it, and its value */
chan line = [2] of { byte, byte, bool, byte, bool, byte };

inline cut() {
    up = false;
    do
    :: nempty(line) -> line?_,_,_,_,_,_
    :: empty(line) -> break
    od
}

inline send(origin, everything) {
    line!origin, rev, (everything || changed[0] > origin), value[0], (everything || changed[1] > origin), value[1];
    sent = rev
}

active proctype Hub() {
    byte one;
end:
    do
    :: atomic { changes > 0 ->
        changes--;
        if
        :: one = 0
        :: one = 1
        fi;
        rev++;
        value[one]++;
        changed[one] = rev
       }
    :: atomic { keptChanged != changed[1] -> keptValue = value[1]; keptChanged = changed[1] }
    :: atomic { kills > 0 ->
        kills--;
        cut();
        rev++;
        value[1] = keptValue;
        changed[1] = keptChanged;
        if
        :: RESTAMP -> changed[0] = rev; changed[1] = rev; keptChanged = rev
        :: else -> skip
        fi
       }
    :: atomic { up && sent < rev && nfull(line) -> send(sent, false) }
    od
}

active proctype Client() {
    byte origin, newer, zero, first;
    bool has0, has1;
end:
    do
    :: atomic { !up ->          /* hello, with what is held; the first state follows at once */
        up = true;
        if
        :: hasCopy -> send(heldRev, false)
        :: else -> send(0, true)
        fi
       }
    :: atomic { line?origin, newer, has0, zero, has1, first ->
        assert(!hasCopy || origin == heldRev || origin == 0);
        if
        :: has0 -> held[0] = zero
        :: else -> skip
        fi;
        if
        :: has1 -> held[1] = first
        :: else -> skip
        fi;
        heldRev = newer;
        hasCopy = true
       }
    :: atomic { cuts > 0 && up -> cuts--; cut() }
    od
}

active proctype Quiet() {
    timeout -> assert(up && held[0] == value[0] && held[1] == value[1] && heldRev == rev)
}
