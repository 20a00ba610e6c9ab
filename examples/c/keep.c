/* What a paired device keeps: one JSON object in one file, with the names of examples/python. It is written whole beside the old file, which it then
   replaces. */
#include "remote.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct kept kept;

void keep_find(const char *path) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length = path != NULL ? snprintf(kept.path, sizeof kept.path, "%s", path)
        : state != NULL && *state ? snprintf(kept.path, sizeof kept.path, "%s/baton-small-remote.json", state)
        : snprintf(kept.path, sizeof kept.path, "%s/.local/state/baton-small-remote.json", home != NULL ? home : "");
    if (length < 0 || (size_t)length + sizeof ".new" > sizeof kept.path) finish(1, "The path of the file is too long.");
}

/* `in` is still unused. An incomplete file is as none. */
int keep_read(char url[72]) {
    int file = open(kept.path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file >= 0 ? read(file, net.in, sizeof net.in - 1) : -1;
    if (file >= 0) close(file);
    net.in[size > 0 ? size : 0] = 0;
    json_name(json_member(net.in, "client"), kept.client, sizeof kept.client);
    json_name(json_member(net.in, "hub"), kept.hub, sizeof kept.hub);
    json_copy(json_member(net.in, "url"), url, 72);
    int is_whole = json_name(json_member(net.in, "dev"), kept.device, sizeof kept.device) && json_bytes(json_member(net.in, "key"), kept.key, 32)
        && json_bytes(json_member(net.in, "pin"), net.pin, 32);
    wipe(net.in, sizeof net.in);
    if (!is_whole) kept.device[0] = 0;
    return is_whole;
}

static int open_new(char path[sizeof kept.path]) {
    snprintf(path, sizeof kept.path, "%.*s.new", (int)(sizeof kept.path - sizeof ".new"), kept.path);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0 && fchmod(file, 0600) != 0) close(file), file = -1;
    return file;
}
/* Known before the code is used: a key that cannot be kept is of no use. */
int keep_can(void) {
    char path[sizeof kept.path];
    int file = open_new(path);
    if (file < 0) return 0;
    close(file), unlink(path);
    return 1;
}

int keep_write(const char *role) {
    char path[sizeof kept.path], key[44], pin[44];
    base64(kept.key, 32, key), base64(net.pin, 32, pin);
    net_put("{\"url\":\"wss://%s\",\"client\":\"%s\",\"hub\":\"%s\",\"dev\":\"%s\",\"key\":\"%s\",\"pin\":\"%s\",\"role\":\"%s\"}\n",
        net.host, kept.client, kept.hub, kept.device, key, pin, role);
    int file = open_new(path), is_written = file >= 0 && write(file, net.out, net.length) == (ssize_t)net.length && fsync(file) == 0;
    if (file >= 0 && close(file) != 0) is_written = 0;
    wipe(net.out, sizeof net.out), wipe(key, sizeof key), net.length = 0;
    if (!is_written || rename(path, kept.path) != 0) return 0;
    /* The name itself is on the disk once its folder is. */
    char *end = strrchr(path, '/');
    if (end != NULL) end[end == path] = 0;
    int folder = open(end != NULL ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) fsync(folder), close(folder);
    return 1;
}
