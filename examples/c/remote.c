/* A remote for a small device: the view `watch`, presses on standard input. */
#include "remote.h"
#include <err.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>
#include <wolfssl/wolfcrypt/sha256.h>

#define NAME "Small remote"
enum { AWAY, ASKED, READY, TTL_US = 5000000, PAIRING_US = 60000000, WORDS = 7, VOLUME = 5, BUTTONS };
enum { UNPAIRED, CODE_KNOWN, SHARE_SENT, TAG_SENT };
static const struct { const char *word, *method, *parameters; int button, has_key; } words[WORDS] = {
    {"play", "play", "", 0, 0}, {"pause", "pause", "", 1, 0}, {"next", "next", "", 2, 1}, {"prev", "prev", "", 3, 1},
    {"mute", "vol.mute", ",\"p\":{\"on\":true}", 4, 0}, {"unmute", "vol.mute", ",\"p\":{\"on\":false}", 4, 0}, {"vol", "vol.set", "", VOLUME, 0}};
static const struct { int code, wait_ms; } endings[] = { /* codes and HTTP statuses: stop, or wait; after all others: try again */
    {1000, -1}, {1002, -1}, {1003, -1}, {1007, -1}, {1009, -1}, {1012, 1000}, {1013, 5000}, {4400, -1},
    {4401, -1}, {4403, -1}, {4406, -1}, {4409, -1}, {4429, 10000}, {4430, 10000}, {400, -1}, {403, -1}, {404, -1}, {410, -1}};
static struct {
    unsigned char covered[80]; /* binding, hash of hello and challenge, nonce */
    struct pairing pairing;
    int step, is_tls, is_challenged, is_welcome; /* of a pairing; what this connection has been told */
    char code[7], typed[13];
    long long asked, again; /* when the code was typed, when step 1 is sent once more */
    char epoch[65], boot[65], room[132], run[9], entry[17], title[100];
    int phase, is_behind, is_playing, syncs, has_clock, questions, tries, last_id, next_level;
    unsigned int presses_made;
    long long revision, volume[2], t1, heard, silence, time_due, sync_due, retry, offset, doubt, sampled, next_at;
    struct press { int is_open, word, value, id; unsigned int number; char entry[17]; long long began, sent, due; } presses[BUTTONS];
} hub = {.next_level = -1, .revision = -1, .volume = {-1}};
#define OUTDONE "{\"ok\":1,\"st\":\"noop\",\"why\":\"newer\"}"
#define REFUSAL(code, retry, sentence) "{\"ok\":0,\"err\":{\"code\":\"" code "\",\"retry\":" #retry ",\"msg\":\"" sentence "\"}}"
enum { BUFFERS = sizeof hub + sizeof net + sizeof kept + 2 * sizeof(void *) }; /* two pointers are net.c's own */
_Static_assert(BUFFERS <= 4096, "all buffers together have 4 KiB");
static int is_memory_told, is_new;

_Noreturn void finish(int code, const char *why) {
    char line[96];
    int size = snprintf(line, sizeof line, "{\"memory\":{\"buffers\":%d,\"heap\":%zu,\"stack\":%zu}}\n",
        (int)BUFFERS, memory_heap(), memory_stack());
    if (is_memory_told && write(1, line, (size_t)size) < 0) code = 1;
    if (why != NULL) warnx("%s", why);
    wipe(&hub, sizeof hub), wipe(&kept, sizeof kept), exit(code);
}

long long now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void say(const char *rest) { /* after what was put */
    if (write(1, net.out, net.length) < 0 || write(1, rest, strlen(rest)) < 0 || write(1, "}\n", 2) < 0) finish(1, NULL);
    net.length = 0;
}
static long long number(const char *object, const char *name, long long otherwise) {
    json_numbers(json_member(object, name), &otherwise, 1);
    return otherwise;
}
static void put_hello(void) {
    net_put("{\"t\":\"hello\",\"core\":\"1.0\",\"view\":\"watch\",\"client\":{\"id\":\"%s\",\"run\":\"%s\",\"name\":\"" NAME "\"},"
        "\"caps\":[" CAPS "],\"features\":[\"watch\"],\"max\":%d,\"t1\":%lld", kept.client, hub.run, LONGEST, hub.t1);
    if (hub.revision >= 0 && *hub.room)
        net_put(",\"resume\":{\"epoch\":\"%s\",\"rev\":%lld,\"rooms\":[\"%s\"],\"sections\":[\"n\",\"l\",\"v\"]}", hub.epoch, hub.revision, hub.room);
    net_put("}");
}

static void send_auth(void) {
    unsigned char mac[32];
    char nonce[23], text[44];
    fill(hub.covered + 64, 16), base64(hub.covered + 64, 16, nonce);
    prove(kept.key, "client", hub.covered, mac), base64(mac, 32, text);
    net_put("{\"t\":\"auth\",\"m\":\"device\",\"dev\":\"%s\",\"nonce\":\"%s\",\"mac\":\"%s\"}", kept.device, nonce, text), net_send();
}

static void hash(const char *before, const char *more, unsigned char to[32]) { /* of what was put, as it is, and more */
    wc_Sha256 hash;
    int wrong = wc_InitSha256(&hash) | wc_Sha256Update(&hash, (const byte *)before, (word32)strlen(before));
    wrong |= wc_Sha256Update(&hash, (const byte *)net.out, (word32)net.length) | wc_Sha256Update(&hash, (const byte *)more, (word32)strlen(more));
    if ((wrong | wc_Sha256Final(&hash, to)) != 0) finish(1, "The library cannot hash.");
    net.length = 0;
}

/* Where a pairing ends: nothing of the code stays. */
static void answer_pairing(const char *result) {
    net_put("{\"press\":\"pair %s\",\"answer\":", hub.typed), say(result);
    wipe(&hub.pairing, sizeof hub.pairing), wipe(hub.code, sizeof hub.code), wipe(hub.typed, sizeof hub.typed);
    hub.step = UNPAIRED, hub.again = 0;
}
static void give_up_pairing(const char *result) {
    net_close(), hub.phase = AWAY, answer_pairing(result);
}

static void send_share(void) { /* BT-PAIR-013: this connection carries one attempt, so its number is 1 */
    char nonce[23], share[44];
    fill(hub.pairing.sid + 16, 16), memcpy(hub.pairing.sid + 32, "\0\0\0\1", 4), fill(hub.pairing.scalar, 32), hub.again = 0;
    if (!pair_begin(&hub.pairing, hub.code, 6, hub.covered)) finish(1, "The library cannot multiply.");
    base64(hub.pairing.sid + 16, 16, nonce), base64(hub.pairing.ya, 32, share), hub.step = SHARE_SENT;
    net_put("{\"t\":\"pair\",\"step\":1,\"name\":\"" NAME "\",\"want\":\"remote\",\"by\":\"pin\",\"nonce\":\"%s\",\"ya\":\"%s\"}", nonce, share);
    net_send();
}

static void send_tag(const char *m) {
    unsigned char yb[32], ta[64];
    char text[87];
    if (!json_bytes(json_member(m, "yb"), yb, 32) || !pair_prove(&hub.pairing, yb, kept.client, NAME, ta)) { /* BT-PAIR-004 */
        give_up_pairing(REFUSAL("pin_wrong", 0, "The hub's share is not an honest one."));
        return;
    }
    base64(ta, 64, text), wipe(hub.code, sizeof hub.code), hub.step = TAG_SENT;
    net_put("{\"t\":\"pair\",\"step\":3,\"ta\":\"%s\"}", text), net_send();
}

static void take_key(const char *m) { /* BT-PAIR-003 */
    unsigned char tb[64], wk[48];
    char role[9], text[120];
    if (!json_bytes(json_member(m, "tb"), tb, 64) || !json_bytes(json_member(m, "wk"), wk, 48)
        || !json_name(json_member(m, "role"), role, sizeof role) || !json_name(json_member(m, "dev"), kept.device, sizeof kept.device)
        || !pair_finish(&hub.pairing, tb, wk, kept.key)) {
        kept.device[0] = 0, give_up_pairing(REFUSAL("pin_wrong", 0, "The other side does not know the code."));
        return;
    }
    memcpy(net.pin, net.key, 32), net.has_pin = 1, memcpy(kept.hub, hub.pairing.hub, sizeof kept.hub);
    if (!keep_write(role)) finish(1, "This device is paired, but its key could not be kept. Remove it at the hub, and pair again.");
    snprintf(text, sizeof text, "{\"ok\":1,\"st\":\"applied\",\"dev\":\"%s\",\"role\":\"%s\"}", kept.device, role);
    answer_pairing(text), send_auth();
}

static void be_refused(const char *error, long long now) { /* while a pairing goes on */
    const char *code = json_member(error, "code");
    long long wait_ms = 1000;
    json_numbers(json_member(error, "afterMs"), &wait_ms, 1);
    if (hub.step == SHARE_SENT && (json_is(code, "rate_limited") || json_is(code, "busy"))) {
        hub.step = CODE_KNOWN, hub.again = now + 1000 * (wait_ms < 50 ? 50 : wait_ms > 5000 ? 5000 : wait_ms);
        return;
    }
    give_up_pairing(json_is(code, "pin_wrong") ? REFUSAL("pin_wrong", 1, "That is not the code, or another machine is between this one and the hub.")
        : json_is(code, "pairing_closed") ? REFUSAL("pairing_closed", 1, "No pairing window is open at the hub.")
        : REFUSAL("unavailable", 1, "The hub did not want to pair."));
}

static void be_challenged(const char *m) { /* BT-HS-012 */
    int is_exp = json_is(json_member(m, "cb"), "exp");
    if (hub.is_challenged) return;
    hub.is_challenged = 1;
    memcpy(net.out, is_exp ? net.exporter : net.key, 32), net.length = 32;
    hash(is_exp ? "bt-cb-exp" : "bt-cb-spki", "", hub.covered);
    put_hello(), hash("", m, hub.covered + 32); /* once more, as it was sent */
    if (*kept.device) send_auth();
    else if (!json_has(json_member(m, "m"), "pin")) give_up_pairing(REFUSAL("pairing_closed", 1, "No pairing window is open at the hub."));
    else if (!json_bytes(json_member(m, "nonce"), hub.pairing.sid, 16)
        || !json_name(json_member(json_member(m, "hub"), "id"), hub.pairing.hub, sizeof hub.pairing.hub))
        give_up_pairing(REFUSAL("unavailable", 0, "The hub's challenge is malformed."));
    else send_share();
}

static void sample(const char *m, long long t4) { /* BT-CLK-006, 007: a sample becomes worse by 50 millionths of its age */
    long long t1 = number(m, "t1", t4 + 1), t2 = number(m, "t2", 0), t3 = number(m, "t3", 0), doubt = (t4 - t1 - t3 + t2) / 2;
    if (t1 > t4 || t3 - t2 > t4 - t1 || (hub.has_clock && doubt > hub.doubt + (t4 - hub.sampled) / 20000)) return;
    hub.has_clock = 1, hub.offset = (t2 - t1 + t3 - t4) / 2, hub.doubt = doubt, hub.sampled = t4;
}

static void welcome(const char *m, long long now) {
    unsigned char expected[32], mac[32];
    long long pace[2] = {250, 30000};
    prove(kept.key, "hub", hub.covered, expected);
    if (hub.is_tls && (!*kept.device || !hub.is_challenged || !json_bytes(json_member(m, "mac"), mac, 32) || differs(mac, expected, 32)))
        finish(1, "This hub could not prove that it is the one this device was paired with.");
    hub.is_welcome = 1, hub.revision = json_is(json_member(m, "epoch"), hub.epoch) ? hub.revision : -1;
    hub.has_clock &= json_is(json_member(m, "boot"), hub.boot); /* another boot, another clock (BT-CLK-002) */
    json_copy(json_member(m, "epoch"), hub.epoch, sizeof hub.epoch), json_copy(json_member(m, "boot"), hub.boot, sizeof hub.boot);
    json_numbers(json_member(m, "pace"), pace, 2);
    pace[1] = pace[1] < 20 ? 20 : pace[1] > 120000 ? 120000 : pace[1];
    hub.silence = pace[1] * 2000 + 5000000, hub.last_id = hub.questions = 0;
    hub.t1 = hub.time_due = now, sample(m, now); /* t1 is the moment of the welcome from here on */
}

static void apply(const char *m, long long now) { /* the sections of a state or of an answer */
    const char *s = json_member(m, "s"), *n = json_member(s, "n"), *l = json_member(s, "l"), *full = json_member(m, "full");
    if (full) n = n ? n : "", l = l ? l : "", hub.is_behind = 0; /* not there means gone */
    else if (!hub.is_behind && number(m, "from", -2) != hub.revision) hub.is_behind = 1, hub.syncs = 0, hub.sync_due = now;
    if (hub.is_behind) return; /* BT-STA-007 */
    if (n) json_copy(json_member(n, "i"), hub.entry, sizeof hub.entry), json_copy(json_member(n, "t"), hub.title, sizeof hub.title);
    long long line[4] = {0};
    if (l) json_numbers(l, line, 4), hub.is_playing = line[2] > 0 || line[3] == 1;
    json_numbers(json_member(s, "v"), hub.volume, 2);
    if (json_member(m, "room")) json_copy(json_member(m, "room"), hub.room, sizeof hub.room);
    hub.revision = number(m, "rev", hub.revision);
    if (hub.phase == ASKED) hub.phase = READY;
}

static void answer(struct press *press, const char *result) {
    net_put("{\"press\":\"%s", words[press->word].word);
    if (words[press->word].button == VOLUME) net_put(" %d", press->value);
    net_put("\",\"answer\":"), say(result), press->is_open = 0;
}

static void transmit(struct press *press, long long now) {
    int has_key = words[press->word].has_key;
    net_put("{\"t\":\"cmd\",\"id\":%d,\"m\":\"%s\"", press->id = ++hub.last_id, words[press->word].method);
    if (has_key) net_put(",\"k\":\"%s%x\"", hub.run, press->number & 0xffffff); /* `run` is random, and each press has a number of its own */
    if (now - press->began > 500000 && hub.has_clock) net_put(",\"ct\":%lld", (press->began + hub.offset) / 1000); /* by this boot's clock */
    if (words[press->word].button == VOLUME) net_put(",\"p\":{\"level\":%d}", press->value);
    if (has_key && *press->entry) net_put(",\"p\":{\"from\":\"%s\"}", press->entry);
    net_put("%s}", words[press->word].parameters), net_send(), press->sent = now;
}

static void begin(int word, int value, long long now) { /* keep_time sends it */
    struct press *press = &hub.presses[words[word].button];
    *press = (struct press){.is_open = 1, .word = word, .value = value, .number = ++hub.presses_made, .began = now};
    memcpy(press->entry, hub.entry, sizeof hub.entry);
}

static void press_pair(const char *line, long long now) {
    size_t length = strspn(line, "0123456789- "), count = 0;
    char code[sizeof hub.code] = "";
    if (hub.step != UNPAIRED) {
        net_put("{\"press\":\"pair\",\"answer\":"), say(REFUSAL("busy", 1, "A pairing is under way."));
        return;
    }
    snprintf(hub.typed, sizeof hub.typed, "%.*s", (int)(length < sizeof hub.typed ? length : sizeof hub.typed - 1), line);
    for (const char *p = hub.typed; *p; p++) if (*p >= '0' && *p <= '9' && count++ < 6) code[count - 1] = *p;
    if (!hub.is_tls || *kept.device) answer_pairing(REFUSAL("invalid_state", 0, "Pairing is for wss:// and without a key: begin with --new."));
    else if (count != 6) answer_pairing(REFUSAL("bad_request", 0, "The code has six digits."));
    else if (!keep_can()) answer_pairing(REFUSAL("invalid_state", 0, "The file for the key cannot be written."));
    else memcpy(hub.code, code, sizeof code), hub.step = CODE_KNOWN, hub.asked = now, hub.retry = 0, hub.tries = 0;
    wipe(code, sizeof code);
}

static void perform(const char *line, long long now) {
    char name[8] = "";
    int value = 0, word = WORDS, is_level = sscanf(line, "%7s %9d", name, &value) == 2;
    if (strncmp(line, "pair ", 5) == 0) { press_pair(line + 5, now); return; }
    if (strcmp(name, "quit") == 0) net_close(), finish(0, NULL);
    if (strcmp(name, "show") == 0) {
        const char *mark = *hub.title ? "\"" : "", *title = *hub.title ? hub.title : "null";
        net_put("{\"shown\":{\"connected\":%s,\"title\":%s%s%s", hub.phase == READY && !hub.is_behind ? "true" : "false", mark, title, mark);
        hub.volume[0] < 0 ? net_put(",\"level\":null") : net_put(",\"level\":%lld", hub.volume[0]);
        net_put(",\"playing\":%s}", hub.is_playing ? "true" : "false"), say("");
        return;
    }
    while (--word >= 0 && strcmp(name, words[word].word) != 0) continue;
    struct press *press = word < 0 ? NULL : &hub.presses[words[word].button];
    if (word >= 0 && word < 2 && press->is_open && !press->sent && press->due > now) answer(press, OUTDONE); /* The same once more. */
    if (!press || (words[word].button == VOLUME && !is_level))
        net_put("{\"press\":\"%.*s\",\"answer\":", (int)strcspn(line, "\"\\\r\n"), line), say(REFUSAL("bad_request", 0, "There is no such press."));
    else if (words[word].button == VOLUME) hub.next_level = value, hub.next_at = now; /* it replaces one that was not sent yet (BT-PRO-008) */
    else if (!press->is_open) begin(word, value, now); /* one unanswered command for each button */
    else net_put("{\"press\":\"%s\",\"answer\":", name), say(REFUSAL("busy", 1, "The press before has no answer yet."));
}

static void lost(int code, long long now) {
    if (hub.is_welcome && now - hub.t1 > 10000000) hub.tries = 0; /* That one has lasted. */
    int most = hub.tries < 6 ? 250 << hub.tries : hub.tries < 7 ? 15000 : 30000, least = 1000 * net.wait_s;
    net_close();
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) least = endings[i].code == code ? endings[i].wait_ms : least;
    if (least < 0) net_put("{\"ended\":%d", code), say(""), finish(1, "The hub ended the connection for good. 4401, 4403: pair with --new.");
    if (hub.step == TAG_SENT)
        answer_pairing(REFUSAL("unavailable", 1, "The connection ended early. Pair by another code; the hub may list this device twice then."));
    hub.again = 0;
    hub.retry = now + 1000LL * (least + now % most); /* the odd microseconds are chance enough */
    hub.tries++, hub.phase = AWAY, hub.is_behind = 0;
    for (int i = 0; i < BUTTONS; i++) hub.presses[i].sent = 0; /* sent again with their keys (BT-RTY-007) */
}

static void take(const char *m, long long now) {
    const char *t = json_member(m, "t");
    hub.heard = now;
    if (json_is(t, "challenge") && hub.is_tls) be_challenged(m);
    if (json_is(t, "pair") && hub.step == SHARE_SENT && number(m, "step", 0) == 2) send_tag(m);
    else if (json_is(t, "pair") && hub.step == TAG_SENT && number(m, "step", 0) == 4) take_key(m);
    if (json_is(t, "err") && (hub.step == SHARE_SENT || hub.step == TAG_SENT)) be_refused(json_member(m, "err"), now);
    if (json_is(t, "welcome")) welcome(m, now);
    if (!hub.is_welcome) return; /* BT-HS-012 */
    if (json_is(t, "time")) sample(m, now);
    if (json_is(t, "state") || (json_is(t, "res") && json_member(m, "s"))) apply(m, now);
    for (struct press *press = hub.presses; json_is(t, "res") && press < hub.presses + BUTTONS; press++) {
        const char *error = json_member(m, "err"), *code = json_member(error, "code");
        long long due = now + 1000 * number(error, "afterMs", TTL_US);
        if (!press->is_open || !press->sent || press->id != number(m, "id", 0)) continue;
        if ((json_is(code, "rate_limited") || json_is(code, "busy")) && due < press->began + TTL_US)
            press->sent = press->id = 0, press->due = due; /* the same key later (BT-RTY-018) */
        else answer(press, m);
    }
}

static int keep_time(long long now) { /* whether something is under way */
    int is_wanted = !hub.is_tls || *kept.device || hub.step != UNPAIRED;
    int is_busy = (hub.phase == AWAY && is_wanted) || hub.step != UNPAIRED || hub.is_behind || hub.next_level >= 0 || hub.questions < 4;
    if (hub.step != UNPAIRED && now - hub.asked > PAIRING_US) give_up_pairing(REFUSAL("timeout", 1, "The hub could not be asked in time."));
    else if (hub.step == CODE_KNOWN && hub.again && now >= hub.again) send_share();
    else if (hub.phase == AWAY && now >= hub.retry && is_wanted) {
        int is_open = net_open();
        if (is_open == REFUSED && net.code == 0) finish(1, "This is not the hub that this device was paired with: its key is another one.");
        hub.t1 = hub.heard = now = now_us(), hub.silence = 8000000, hub.phase = ASKED;
        hub.is_challenged = hub.is_welcome = 0, memset(hub.covered, 0, sizeof hub.covered);
        is_open == MESSAGE ? (put_hello(), net_send()) : lost(net.code, now);
    }
    if (hub.phase != AWAY && now - hub.heard > hub.silence) lost(0, now); /* BT-SLO-003 */
    if (hub.phase != AWAY && hub.is_welcome && now >= hub.time_due) {
        hub.time_due = now + (hub.questions++ < 2 ? 250000 : hub.questions < 4 ? 500000 : 60000000); /* BT-CLK-007 */
        net_put("{\"t\":\"time\",\"t1\":%lld}", now), net_send();
    }
    if (hub.phase != AWAY && hub.is_behind && now >= hub.sync_due) { /* BT-STA-018 */
        if (hub.syncs++ == 3) hub.revision = -1, net.is_open = 0, lost(0, now); /* 1000 would say that it stays away */
        else hub.sync_due = now + 5000000, net_put("{\"t\":\"sync\"}"), net_send();
    }
    int is_turn = !hub.presses[VOLUME].is_open && now - hub.presses[VOLUME].sent >= 140000; /* BT-PRO-008: at most 8 a second */
    if (is_turn && hub.next_level >= 0) begin(WORDS - 1, hub.next_level, hub.next_at), hub.next_level = -1;
    struct press *first = NULL; /* the oldest of those that are to be sent */
    for (struct press *press = hub.presses; press < hub.presses + BUTTONS; press++) {
        int button = (int)(press - hub.presses), is_here = press->is_open && !press->sent;
        int is_outdone = button == VOLUME ? hub.next_level >= 0 : button < 2 && press->due > now && hub.presses[1 - button].number > press->number;
        if (is_here && is_outdone) answer(press, OUTDONE); /* of levels, and of play and pause, only the newest counts (BT-RTY-018) */
        else if (is_here && now >= press->due && (!first || press->number < first->number)) first = press;
        is_busy |= press->is_open;
        if (press->is_open && now - press->began > TTL_US) {
            if (hub.phase == READY && !press->due && press->sent > hub.heard) lost(0, now); /* Nothing has come since: the connection is dead. */
            answer(press, press->id ? REFUSAL("timeout", 1, "The hub did not answer in time.") : REFUSAL("expired", 0, "The hub was not reached."));
        }
    }
    if (first && first->is_open && hub.phase == READY) transmit(first, now);
    return is_busy;
}

static _Noreturn void serve(void) {
    char line[24], *message;
    for (setvbuf(stdin, NULL, _IONBF, 0), signal(SIGPIPE, SIG_IGN);;) { /* unbuffered, so that poll sees each line */
        int is_busy = keep_time(now_us()), got = NOTHING;
        struct pollfd two[2] = {{.fd = 0, .events = POLLIN}, {.fd = net.socket, .events = POLLIN}};
        poll(two, 2, is_busy ? 50 : 1000);
        if (two[0].revents) perform(fgets(line, sizeof line, stdin) ? line : "quit", now_us());
        while (hub.phase != AWAY && (got = net_read(&message)) == MESSAGE) take(message, now_us());
        if (hub.phase != AWAY && got == ENDED) lost(net.code, now_us());
    }
}

static const char *values[6], *const flags[6] = {"--url", "--client", "--dev", "--key", "--pin", "--file"};

static void start(void) {
    char url[72] = "";
    unsigned char random[8];
    fill(random, 6), base64(random, 6, hub.run);
    int is_given = values[2] && values[3] && values[4];
    if (!is_given && (!values[0] || strncmp(values[0], "wss://", 6) == 0)) keep_find(values[5]), net.has_pin = keep_read(url);
    if (is_new) kept.device[0] = 0, net.has_pin = 0;
    if (is_given) {
        snprintf(kept.device, sizeof kept.device, "%s", values[2]), net.has_pin = bytes(values[4], net.pin, 32);
        if (!bytes(values[3], kept.key, 32) || !net.has_pin) finish(1, "A key and a pin have 43 characters of base64url.");
    }
    if (values[1]) snprintf(kept.client, sizeof kept.client, "%s", values[1]);
    if (!*kept.client) fill(random, 8), base64(random, 8, kept.client);
    int kind = net_setup(values[0] ? values[0] : *url ? url : "ws://127.0.0.1:9442");
    hub.is_tls = kind == MESSAGE;
    if (kind == ENDED || (is_given && !hub.is_tls) || (!is_given && (values[2] || values[3])))
        finish(1, "--url ws://HOST:PORT or wss://HOST:PORT, with --file PATH --new, or --dev NAME --key KEY --pin HASH; --client ID; --memory");
    if (!hub.is_tls) kept.device[0] = 0;
    if (!is_given && values[4] && !net.has_pin && !(net.has_pin = bytes(values[4], net.pin, 32))) finish(1, "A pin has 43 characters of base64url.");
    serve();
}

int main(int count, char **given) {
    for (int i = 1; i < count; i++) {
        if (strcmp(given[i], "--memory") == 0) is_memory_told = 1;
        else if (strcmp(given[i], "--new") == 0) is_new = 1;
        for (int flag = 0; flag < 6; flag++) { /* --flag VALUE or --flag=VALUE */
            size_t size = strlen(flags[flag]);
            if (strncmp(given[i], flags[flag], size) != 0) continue;
            if (given[i][size] == '=') { values[flag] = given[i] + size + 1; break; }
            if (given[i][size] == 0 && i + 1 < count) { values[flag] = given[++i]; break; }
        }
    }
    return memory_run(start);
}
