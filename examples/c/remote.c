/* A remote for a small device: the watch's profile, presses on standard input. It allocates nothing once it has begun. */
#include "remote.h"
#include <err.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

enum { AWAY, ASKED, READY, TTL_US = 5000000, WORDS = 7, VOLUME = 5, BUTTONS };
static const struct { const char *word, *method, *parameters; int button, has_key; } words[WORDS] = {
    {"play", "play", "", 0, 0}, {"pause", "pause", "", 1, 0}, {"next", "next", "", 2, 1}, {"prev", "prev", "", 3, 1},
    {"mute", "vol.mute", ",\"p\":{\"on\":true}", 4, 0}, {"unmute", "vol.mute", ",\"p\":{\"on\":false}", 4, 0}, {"vol", "vol.set", "", VOLUME, 0}};
static const struct { int code, wait_ms; } endings[] = { /* codes and HTTP statuses: stop, or wait; after all others: try again */
    {1000, -1}, {1002, -1}, {1003, -1}, {1007, -1}, {1009, -1}, {1012, 1000}, {1013, 5000}, {4400, -1},
    {4401, -1}, {4403, -1}, {4406, -1}, {4409, -1}, {4429, 10000}, {4430, 10000}, {400, -1}, {403, -1}, {404, -1}};
static struct {
    const char *id, *device;
    unsigned char secret[33], covered[80]; /* `covered`: binding, hash of hello and challenge, nonce */
    char epoch[65], boot[65], room[132], run[9], entry[17], title[100];
    int phase, is_behind, has_clock, questions, tries, last_id, next_level;
    unsigned int presses_made;
    long long revision, line[3], volume[2], t1, heard, silence, time_due, sync_due, retry, offset, doubt, sampled;
    struct press { int is_open, word, value, id; unsigned int number; char entry[17]; long long began, sent; } presses[BUTTONS];
} hub = {.next_level = -1};
#define REFUSAL(code, sentence) "{\"ok\":0,\"err\":{\"code\":\"" code "\",\"retry\":1,\"msg\":\"" sentence "\"}}"
typedef char fits_into_4_KiB[sizeof hub + sizeof net + 2 * sizeof(void *) <= 4096 ? 1 : -1]; /* two pointers are net.c's own */

static long long now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static void say(const char *rest) { /* after what was put */
    if (write(1, net.out, net.length) < 0 || write(1, rest, strlen(rest)) < 0 || write(1, "}\n", 2) < 0) exit(1);
    net.length = 0;
}
static long long number(const char *object, const char *name, long long otherwise) {
    json_numbers(json_member(object, name), &otherwise, 1);
    return otherwise;
}
static void encode(const unsigned char *data, int size, char *to) {
    for (EVP_EncodeBlock((unsigned char *)to, data, size); *to; to++) *to = *to == '+' ? '-' : *to == '/' ? '_' : *to == '=' ? 0 : *to;
}
static void decode(const char *text, unsigned char to[33]) {
    char plain[45] = "", *p = plain;
    for (; *text && p < plain + 43; text++) *p++ = *text == '-' ? '+' : *text == '_' ? '/' : *text;
    if (*text || p < plain + 43 || EVP_DecodeBlock(to, (unsigned char *)memcpy(p, "=", 1) - 43, 44) != 33)
        errx(1, "A key and a pin have 43 characters of base64url.");
}

static void put_hello(void) {
    net_put("{\"t\":\"hello\",\"v\":[1],\"profile\":\"watch\",\"client\":{\"id\":\"%s\",\"run\":\"%s\",\"name\":\"Small remote\"},\"caps\":[" CAPS "],"
        "\"max\":%d,\"t1\":%lld", hub.id, hub.run, LONGEST, hub.t1);
    if (hub.revision && *hub.room)
        net_put(",\"resume\":{\"epoch\":\"%s\",\"rev\":%lld,\"rooms\":[\"%s\"],\"sections\":[\"n\",\"l\",\"v\"]}", hub.epoch, hub.revision, hub.room);
    net_put("}");
}

static void prove(const char *side, char text[45]) {
    unsigned char data[14 + 80], mac[32];
    memcpy(data, side, strlen(side)), memcpy(data + strlen(side), hub.covered, 80);
    HMAC(EVP_sha256(), hub.secret, 32, data, strlen(side) + 80, mac, NULL), encode(mac, 32, text);
}

static void identify(const char *challenge) { /* BT-HS-012 */
    int is_exp = json_is(json_member(challenge, "cb"), "exp");
    char nonce[25], mac[45];
    SHA256_CTX hash;
    net_put(is_exp ? "bt-cb-exp" : "bt-cb-spki"), memcpy(net.out + net.length, is_exp ? net.exporter : net.key, 32);
    SHA256((unsigned char *)net.out, net.length + 32, hub.covered);
    net.length = 0, put_hello(); /* once more, as it was sent */
    SHA256_Init(&hash), SHA256_Update(&hash, net.out, net.length), SHA256_Update(&hash, challenge, strlen(challenge));
    SHA256_Final(hub.covered + 32, &hash);
    RAND_bytes(hub.covered + 64, 16), encode(hub.covered + 64, 16, nonce), prove("baton/1 client", mac);
    net.length = 0, net_put("{\"t\":\"auth\",\"m\":\"device\",\"dev\":\"%s\",\"nonce\":\"%s\",\"mac\":\"%s\"}", hub.device, nonce, mac), net_send();
}

static void sample(const char *m, long long t4) { /* BT-CLK-006, 007: a sample becomes worse by 50 millionths of its age */
    long long t1 = number(m, "t1", t4 + 1), t2 = number(m, "t2", 0), t3 = number(m, "t3", 0), doubt = (t4 - t1 - t3 + t2) / 2;
    if (t1 > t4 || doubt < 0 || (hub.has_clock && doubt > hub.doubt + (t4 - hub.sampled) / 20000)) return;
    hub.has_clock = 1, hub.offset = (t2 - t1 + t3 - t4) / 2, hub.doubt = doubt, hub.sampled = t4;
}

static void welcome(const char *m, long long now) {
    char text[66], mac[45] = "";
    long long pace[2] = {250, 30000};
    json_copy(json_member(m, "mac"), text, sizeof text);
    if (hub.device) prove("baton/1 hub", mac);
    if (hub.device && (strlen(text) != 43 || CRYPTO_memcmp(text, mac, 43) != 0))
        errx(1, "This hub could not prove that it is the one this device was paired with.");
    hub.revision = json_is(json_member(m, "epoch"), hub.epoch) ? hub.revision : 0;
    hub.has_clock &= json_is(json_member(m, "boot"), hub.boot); /* another boot, another clock (BT-CLK-002) */
    json_copy(json_member(m, "epoch"), hub.epoch, sizeof hub.epoch), json_copy(json_member(m, "boot"), hub.boot, sizeof hub.boot);
    json_numbers(json_member(m, "pace"), pace, 2);
    hub.silence = pace[1] * 2000 + 5000000, sample(m, now);
}

static void apply(const char *m, long long now) { /* the sections of a state or of an answer */
    const char *s = json_member(m, "s"), *n = json_member(s, "n"), *l = json_member(s, "l"), *full = json_member(m, "full");
    if (full) n = n ? n : "", l = l ? l : "", hub.is_behind = 0; /* not there means gone */
    else if (!hub.is_behind && number(m, "from", -1) != hub.revision) hub.is_behind = 1, hub.sync_due = now;
    if (hub.is_behind) return; /* BT-STA-007 */
    if (n) json_copy(json_member(n, "i"), hub.entry, sizeof hub.entry), json_copy(json_member(n, "t"), hub.title, sizeof hub.title);
    if (l && json_numbers(l, hub.line, 3) != 3) hub.line[0] = hub.line[2] = 0;
    json_numbers(json_member(s, "v"), hub.volume, 2);
    if (json_member(m, "room")) json_copy(json_member(m, "room"), hub.room, sizeof hub.room);
    hub.revision = number(m, "rev", hub.revision);
    if (hub.phase == ASKED) hub.phase = READY, hub.last_id = hub.questions = 0, hub.time_due = now;
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

static void perform(const char *line, long long now) {
    int value = 0, word = WORDS;
    char name[8] = "";
    if (sscanf(line, "%7s %d", name, &value) < 2 && strcmp(name, "vol") == 0) return;
    if (strcmp(name, "quit") == 0) net_close(), exit(0);
    if (strcmp(name, "show") == 0) {
        const char *mark = *hub.title ? "\"" : "", *title = *hub.title ? hub.title : "null";
        net_put("{\"shown\":{\"connected\":%s,\"title\":%s%s%s,\"level\":%lld,\"playing\":%s}", hub.phase == READY ? "true" : "false",
            mark, title, mark, hub.volume[0], hub.line[2] > 0 ? "true" : "false"), say("");
    }
    while (--word >= 0 && strcmp(name, words[word].word) != 0) continue;
    if (word >= 0 && words[word].button == VOLUME) hub.next_level = value; /* it replaces a level that was not sent yet (BT-PRO-008) */
    else if (word >= 0 && !hub.presses[words[word].button].is_open) begin(word, value, now); /* one unanswered command for each button */
    else if (word >= 0) net_put("{\"press\":\"%s\",\"answer\":", name), say(REFUSAL("busy", "The press before has no answer yet."));
}

static void lost(int code, long long now) {
    int wait_ms = 125 << (hub.tries < 5 ? hub.tries : 5), least = 1000 * net.wait_s;
    net_close();
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) least = endings[i].code == code ? endings[i].wait_ms : least;
    if (least < 0) net_put("{\"ended\":%d", code), say(""), errx(1, "The hub ended the connection for good. 4401 and 4403: pair again.");
    wait_ms += (int)(now % wait_ms); /* the odd microseconds are chance enough */
    hub.retry = now + 1000LL * (wait_ms > least ? wait_ms : least);
    hub.tries++, hub.phase = AWAY, hub.is_behind = 0;
    for (int i = 0; i < BUTTONS; i++) hub.presses[i].sent = 0; /* sent again with their keys (BT-RTY-007) */
}

static void take(const char *m, long long now) {
    const char *t = json_member(m, "t");
    hub.heard = now;
    if (json_is(t, "challenge") && hub.device) identify(m);
    if (json_is(t, "welcome")) welcome(m, now);
    if (json_is(t, "time")) sample(m, now);
    if (json_is(t, "state") || (json_is(t, "res") && json_member(m, "s"))) apply(m, now);
    for (struct press *press = hub.presses; json_is(t, "res") && press < hub.presses + BUTTONS; press++) {
        if (press->is_open && press->sent && press->id == number(m, "id", 0)) answer(press, m);
    }
}

static int keep_time(long long now) { /* whether something is under way */
    int is_busy = hub.phase == AWAY || hub.is_behind || hub.next_level >= 0 || hub.questions < 4;
    if (hub.phase == AWAY && now >= hub.retry) {
        int is_open = net_open();
        if (is_open == REFUSED && net.code == 0) errx(1, "This is not the hub that this device was paired with: its key is another one.");
        hub.t1 = hub.heard = now = now_us(), hub.silence = 8000000, hub.phase = ASKED, memset(hub.covered, 0, sizeof hub.covered);
        is_open == MESSAGE ? (put_hello(), net_send()) : lost(net.code, now);
    }
    if (hub.phase != AWAY && now - hub.heard > hub.silence) lost(0, now); /* BT-SLO-003 */
    if (hub.phase == READY && now >= hub.time_due) {
        hub.time_due = now + (hub.questions < 2 ? 250000 : hub.questions < 3 ? 500000 : 60000000); /* BT-CLK-007 */
        if (hub.questions++ > 3) hub.tries = 0; /* This connection lasts. */
        net_put("{\"t\":\"time\",\"t1\":%lld}", now), net_send();
    }
    if (hub.phase == READY && hub.is_behind && now >= hub.sync_due) hub.sync_due = now + 3000000, net_put("{\"t\":\"sync\"}"), net_send();
    int is_turn = !hub.presses[VOLUME].is_open && now - hub.presses[VOLUME].sent >= 140000; /* BT-PRO-008: at most 8 a second */
    if (is_turn && hub.next_level >= 0) begin(WORDS - 1, hub.next_level, now), hub.next_level = -1;
    for (struct press *press = hub.presses; press < hub.presses + BUTTONS; press++) {
        is_busy |= press->is_open;
        if (press->is_open && hub.phase == READY && press->sent == 0) transmit(press, now);
        if (press->is_open && now - press->began > TTL_US) {
            if (hub.phase == READY && press->sent > hub.heard) lost(0, now); /* Nothing has come since: the connection is dead. */
            answer(press, REFUSAL("timeout", "The hub did not answer in time."));
        }
    }
    return is_busy;
}

int main(int count, char **given) {
    static const char *const flags[5] = {"--url", "--client", "--dev", "--key", "--pin"};
    const char *values[5] = {"ws://127.0.0.1:9442", hub.run, NULL, NULL, NULL};
    char line[24], *message;
    RAND_bytes(hub.secret, 6), encode(hub.secret, 6, hub.run);
    for (int i = 1; i + 1 < count; i += 2) {
        for (int flag = 0; flag < 5; flag++) values[flag] = strcmp(given[i], flags[flag]) ? values[flag] : given[i + 1];
    }
    hub.id = values[1], hub.device = values[2];
    if (net_setup(values[0]) != (hub.device && values[3] && values[4] ? MESSAGE : NOTHING))
        errx(1, "--url ws://HOST:PORT, or --url wss://HOST:PORT --dev NAME --key KEY --pin HASH; --client ID is made anew without it");
    if (hub.device) decode(values[3], hub.secret), decode(values[4], net.pin);
    for (setvbuf(stdin, NULL, _IONBF, 0), signal(SIGPIPE, SIG_IGN);;) { /* unbuffered, so that poll sees each line */
        int is_busy = keep_time(now_us()), got = NOTHING;
        struct pollfd two[2] = {{.fd = 0, .events = POLLIN}, {.fd = net.socket, .events = POLLIN}};
        poll(two, 2, is_busy ? 50 : 1000);
        if (two[0].revents) perform(fgets(line, sizeof line, stdin) ? line : "quit", now_us());
        while (hub.phase != AWAY && (got = net_read(&message)) == MESSAGE) take(message, now_us());
        if (hub.phase != AWAY && got == ENDED) lost(net.code, now_us());
    }
}
