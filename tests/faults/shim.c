/* Makes one system call of a process fail: the Nth that has to do with the folder under test.

   Loaded with LD_PRELOAD. FAULTS names a file that is mapped into every process; see struct plan. A call
   counts if its path is relative or below the folder, or if its descriptor is standard input, standard
   output or a file below the folder. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define CALLS 65536

struct plan {
    int64_t count;  /* of calls so far */
    int64_t fail;   /* which one fails, from 1; 0 for none */
    int32_t error;  /* errno */
    int32_t stays;  /* whether writes fail ever after, as on a full disk */
    int32_t armed;
    int32_t unused;
    char folder[1024];
    char calls[CALLS]; /* what each was: r w o s n m for read, write, open, fsync, rename, mkdir and the like */
};

static struct plan *plan;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTS");
    int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
    if (file < 0) return;
    void *found = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (found != MAP_FAILED) plan = found;
    syscall(SYS_close, file);
}

static int below(const char *path) {
    return path[0] != '/' || !strncmp(path, plan->folder, strlen(plan->folder));
}

static int concerns(int descriptor) {
    char link[64], path[1024];
    ssize_t length;
    if (descriptor == 0 || descriptor == 1) return 1;
    if (descriptor == 2) return 0;
    strcpy(link, "/proc/self/fd/");
    char digits[16];
    int n = 0, number = descriptor;
    do digits[n++] = '0' + number % 10; while (number /= 10);
    char *end = link + strlen(link);
    while (n) *end++ = digits[--n];
    *end = 0;
    length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return path[0] == '/' && below(path);
}

/* Returns whether this call is to fail, with errno set. */
static int fails(char call) {
    int64_t number = __sync_add_and_fetch(&plan->count, 1);
    if (number <= CALLS) plan->calls[number - 1] = call;
    if (!plan->fail || number < plan->fail) return 0;
    if (number > plan->fail && !(plan->stays && (call == 'w' || call == 'm'))) return 0;
    errno = plan->error;
    return 1;
}

#define ARMED (plan && plan->armed)
#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define BY_FILE(type, name, call, parameters, arguments) \
    type name parameters { REAL(name); return ARMED && concerns(file) && fails(call) ? -1 : real arguments; }
#define BY_PATH(type, name, call, parameters, arguments) \
    type name parameters { REAL(name); return ARMED && below(path) && fails(call) ? -1 : real arguments; }
#define OPENING(name, parameters, arguments) \
    int name parameters { \
        REAL(name); mode_t mode = 0; va_list rest; va_start(rest, flags); \
        if (flags & (O_CREAT | O_TMPFILE)) mode = va_arg(rest, mode_t); \
        va_end(rest); return ARMED && below(path) && fails('o') ? -1 : real arguments; }

BY_FILE(ssize_t, read, 'r', (int file, void *data, size_t size), (file, data, size))
BY_FILE(ssize_t, pread, 'r', (int file, void *data, size_t size, off_t at), (file, data, size, at))
BY_FILE(ssize_t, pread64, 'r', (int file, void *data, size_t size, off64_t at), (file, data, size, at))
BY_FILE(ssize_t, write, 'w', (int file, const void *data, size_t size), (file, data, size))
BY_FILE(ssize_t, pwrite, 'w', (int file, const void *data, size_t size, off_t at), (file, data, size, at))
BY_FILE(ssize_t, pwrite64, 'w', (int file, const void *data, size_t size, off64_t at), (file, data, size, at))
BY_FILE(ssize_t, writev, 'w', (int file, const struct iovec *data, int count), (file, data, count))
BY_FILE(int, fsync, 's', (int file), (file))
BY_FILE(int, fdatasync, 's', (int file), (file))
BY_FILE(int, ftruncate, 'w', (int file, off_t size), (file, size))
BY_FILE(int, ftruncate64, 'w', (int file, off64_t size), (file, size))
BY_PATH(int, rename, 'n', (const char *path, const char *new), (path, new))
BY_PATH(int, renameat, 'n', (int from, const char *path, int to, const char *new), (from, path, to, new))
BY_PATH(int, link, 'm', (const char *path, const char *new), (path, new))
BY_PATH(int, mkdir, 'm', (const char *path, mode_t mode), (path, mode))
BY_PATH(int, mkdirat, 'm', (int folder, const char *path, mode_t mode), (folder, path, mode))
OPENING(open, (const char *path, int flags, ...), (path, flags, mode))
OPENING(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENING(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPENING(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
