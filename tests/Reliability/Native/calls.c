// Stands between a program and the C library (LD_PRELOAD): tells an observer of the calls that matter to a file's fate, and has chosen
// calls fail. Neither is done until the program asks for it, and only for files below the directory that it names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// As in Call.cs.
enum call { OPEN, RENAME, UNLINK, MAKE_DIRECTORY, REMOVE_DIRECTORY, TRUNCATE, ALLOCATE, WRITE, MAP, UNMAP, SYNC_MEMORY, SYNC, LOCK, FUTEX, ADVISE, READ, STATUS, CONTROL, RIGHTS, OWNER, TIMES, PROTECT, CALLS };

typedef void (*observer_t)(int call, int after, const char *path, const char *path2, int64_t inode, int64_t offset, int64_t length, int64_t result);

static char root[4096];
static size_t root_length;
static observer_t volatile observer;
static __thread int inside;

static struct { int call, nth, error, for_good; } plan;
static volatile int armed, seen, failed;

// A clock that is wrong: 0 = right, 1 = moved by an offset, 2 = frozen.
static volatile int clock_mode;
static volatile int64_t clock_offset;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }
#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) *(void **)&real = next(name)

void calls_root(const char *path) { strncpy(root, path, sizeof root - 1); root_length = strlen(root); }
void calls_observe(observer_t o) { observer = o; }
void calls_pause(int by) { inside += by; }

// File systems in memory say of themselves that they are disks: fast, and every level of durability is had. The system's table of mounts
// is read once, and a copy with other names given to whoever asks.
static char mounts[64];
void calls_pretend_disk(void)
{
    FILE *table = fopen("/proc/self/mountinfo", "r");
    int copy = memfd_create("mounts", 0);
    char line[8192];
    while (fgets(line, sizeof line, table))
    {
        char *type = strstr(line, " - tmpfs ");
        if (type) memcpy(type, " - ext4  ", 9);
        if (write(copy, line, strlen(line)) < 0) break;
    }
    fclose(table);
    snprintf(mounts, sizeof mounts, "/proc/self/fd/%d", copy);
}
void calls_fail(int call, int nth, int error, int for_good)
{
    plan.call = call; plan.nth = nth; plan.error = error; plan.for_good = for_good;
    seen = failed = 0;
    __sync_synchronize();
    armed = call >= 0;
}
int64_t calls_inode(const char *path)
{
    struct stat status;
    return stat(path, &status) ? 0 : (int64_t)status.st_ino;
}
int calls_failed(void) { return failed; }
int calls_seen(void) { return seen; }
void calls_clock(int mode, int64_t seconds) { clock_offset = seconds; clock_mode = mode; }

static int is_below(const char *path)
{
    return root_length && path && !strncmp(path, root, root_length) && (path[root_length] == '/' || path[root_length] == 0);
}

static int is_file_below(int file)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static int64_t inode_of(int file)
{
    struct stat status;
    return fstat(file, &status) ? 0 : (int64_t)status.st_ino;
}

static int is_watched(void) { return observer && !inside; }

static void tell(int call, int after, const char *path, const char *path2, int64_t inode, int64_t offset, int64_t length, int64_t result)
{
    int error = errno;
    observer_t told = observer;
    inside++;
    if (told) told(call, after, path, path2, inode, offset, length, result);
    inside--;
    errno = error;
}

// Whether this call is to fail; errno is set then.
static int fails(int call)
{
    if (!armed || inside || plan.call != call) return 0;
    int nth = __sync_add_and_fetch(&seen, 1);
    if (nth < plan.nth || (nth > plan.nth && !plan.for_good)) return 0;
    __sync_add_and_fetch(&failed, 1);
    errno = plan.error;
    return 1;
}

static int path_fails(int call, const char *path) { return armed && plan.call == call && is_below(path) && fails(call); }
static int file_fails(int call, int file) { return armed && plan.call == call && is_file_below(file) && fails(call); }

static int open_with(const char *name, const char *path, int flags, mode_t mode)
{
    int (*real)(const char *, int, mode_t);
    *(void **)&real = next(name);
    if (*mounts && !strcmp(path, "/proc/self/mountinfo")) path = mounts;
    if (path_fails(OPEN, path)) return -1;
    int result = real(path, flags, mode);
    if (result >= 0 && is_watched() && (flags & O_CREAT) && is_below(path))
        tell(OPEN, 1, path, 0, inode_of(result), 0, flags, result);
    return result;
}

#define MODE mode_t mode = 0; if (flags & (O_CREAT | __O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }
int open(const char *path, int flags, ...) { MODE return open_with("open", path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_with("open64", path, flags, mode); }

int rename(const char *from, const char *to)
{
    REAL(int, "rename", const char *, const char *);
    if (path_fails(RENAME, from)) return -1;
    int watched = is_watched() && is_below(from);
    if (watched) tell(RENAME, 0, from, to, 0, 0, 0, 0);
    int result = real(from, to);
    if (watched) tell(RENAME, 1, from, to, 0, 0, 0, result);
    return result;
}

#define OF_PATH(function, call) \
    int function(const char *path) \
    { \
        REAL(int, #function, const char *); \
        if (path_fails(call, path)) return -1; \
        int result = real(path); \
        if (is_watched() && is_below(path)) tell(call, 1, path, 0, 0, 0, 0, result); \
        return result; \
    }
OF_PATH(unlink, UNLINK)
OF_PATH(rmdir, REMOVE_DIRECTORY)

int mkdir(const char *path, mode_t mode)
{
    REAL(int, "mkdir", const char *, mode_t);
    if (path_fails(MAKE_DIRECTORY, path)) return -1;
    int result = real(path, mode);
    if (is_watched() && is_below(path))
    {
        struct stat status;
        int64_t inode = result ? 0 : stat(path, &status) ? 0 : (int64_t)status.st_ino;
        tell(MAKE_DIRECTORY, 1, path, 0, inode, 0, 0, result);
    }
    return result;
}

int ftruncate64(int file, off64_t length)
{
    REAL(int, "ftruncate64", int, off64_t);
    return file_fails(TRUNCATE, file) ? -1 : real(file, length);
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int fallocate64(int file, int mode, off64_t offset, off64_t length)
{
    REAL(int, "fallocate64", int, int, off64_t, off64_t);
    return file_fails(ALLOCATE, file) ? -1 : real(file, mode, offset, length);
}
int fallocate(int file, int mode, off_t offset, off_t length) { return fallocate64(file, mode, offset, length); }

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset)
{
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    return file_fails(WRITE, file) ? -1 : real(file, bytes, length, offset);
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset)
{
    REAL(ssize_t, "pwritev64", int, const struct iovec *, int, off64_t);
    return file_fails(WRITE, file) ? -1 : real(file, parts, count, offset);
}
ssize_t pread64(int file, void *bytes, size_t length, off64_t offset)
{
    REAL(ssize_t, "pread64", int, void *, size_t, off64_t);
    return file_fails(READ, file) ? -1 : real(file, bytes, length, offset);
}

// The mappings that the observer was told of: the runtime unmaps memory of its own at moments when it can run no managed code.
static struct { pthread_mutex_t lock; void *known[4096]; int count; } mappings = { PTHREAD_MUTEX_INITIALIZER, { 0 }, 0 };

static void remember(void *address)
{
    pthread_mutex_lock(&mappings.lock);
    if (mappings.count < 4096) mappings.known[mappings.count++] = address;
    pthread_mutex_unlock(&mappings.lock);
}

static int forget(void *address)
{
    int found = 0;
    pthread_mutex_lock(&mappings.lock);
    for (int i = 0; i < mappings.count && !found; i++)
        if (mappings.known[i] == address) { mappings.known[i] = mappings.known[--mappings.count]; found = 1; }
    pthread_mutex_unlock(&mappings.lock);
    return found;
}

void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t offset)
{
    REAL(void *, "mmap64", void *, size_t, int, int, int, off64_t);
    if (file >= 0 && file_fails(MAP, file)) return MAP_FAILED;
    void *result = real(address, length, protection, flags, file, offset);
    if (file >= 0 && result != MAP_FAILED && is_watched() && is_file_below(file))
    {
        remember(result);
        tell(MAP, 1, 0, 0, inode_of(file), offset, (int64_t)length, (int64_t)result);
    }
    return result;
}
void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    return mmap64(address, length, protection, flags, file, offset);
}

int munmap(void *address, size_t length)
{
    REAL(int, "munmap", void *, size_t);
    if (observer && forget(address) && is_watched()) tell(UNMAP, 0, 0, 0, 0, (int64_t)address, (int64_t)length, 0);
    return real(address, length);
}

int msync(void *address, size_t length, int flags)
{
    REAL(int, "msync", void *, size_t, int);
    if (armed && fails(SYNC_MEMORY)) return -1;
    int watched = is_watched();
    if (watched) tell(SYNC_MEMORY, 0, 0, 0, 0, (int64_t)address, (int64_t)length, 0);
    int result = real(address, length, flags);
    if (watched) tell(SYNC_MEMORY, 1, 0, 0, 0, (int64_t)address, (int64_t)length, result);
    return result;
}

#define OF_SYNC(function) \
    int function(int file) \
    { \
        REAL(int, #function, int); \
        if (file_fails(SYNC, file)) return -1; \
        int watched = is_watched() && is_file_below(file); \
        int64_t inode = watched ? inode_of(file) : 0; \
        if (watched) tell(SYNC, 0, 0, 0, inode, 0, 0, 0); \
        int result = real(file); \
        if (watched) tell(SYNC, 1, 0, 0, inode, 0, 0, result); \
        return result; \
    }
OF_SYNC(fsync)
OF_SYNC(fdatasync)

static int fcntl_with(int file, int command, long argument)
{
    REAL(int, "fcntl64", int, int, ...);
    if ((command == F_OFD_SETLK || command == F_OFD_GETLK) && file_fails(LOCK, file)) return -1;
    return real(file, command, argument);
}
#define ARGUMENT va_list list; va_start(list, command); long argument = va_arg(list, long); va_end(list);
int fcntl(int file, int command, ...) { ARGUMENT return fcntl_with(file, command, argument); }
int fcntl64(int file, int command, ...) { ARGUMENT return fcntl_with(file, command, argument); }

int madvise(void *address, size_t length, int advice)
{
    REAL(int, "madvise", void *, size_t, int);
    // 23: MADV_POPULATE_WRITE, which the runtime itself does not use.
    return advice == 23 && fails(ADVISE) ? -1 : real(address, length, advice);
}

// Of what is asked with a path, or of an open file.
int statx(int directory, const char *restrict path, int flags, unsigned mask, struct statx *restrict status)
{
    REAL(int, "statx", int, const char *, int, unsigned, struct statx *);
    if (*path ? path_fails(STATUS, path) : file_fails(STATUS, directory)) return -1;
    return real(directory, path, flags, mask, status);
}

#define OF_STATUS(function, type) \
    int function(const char *restrict path, struct type *restrict status) \
    { \
        REAL(int, #function, const char *, struct type *); \
        return path_fails(STATUS, path) ? -1 : real(path, status); \
    }
OF_STATUS(stat, stat)
OF_STATUS(lstat, stat)
OF_STATUS(stat64, stat64)
OF_STATUS(lstat64, stat64)

// The names of older C libraries, which the runtime was linked with.
#define OF_OLD_STATUS(function) \
    int function(int version, const char *path, struct stat64 *status) \
    { \
        REAL(int, #function, int, const char *, struct stat64 *); \
        return path_fails(STATUS, path) ? -1 : real(version, path, status); \
    }
OF_OLD_STATUS(__xstat64)
OF_OLD_STATUS(__lxstat64)

int ioctl(int file, unsigned long request, ...)
{
    REAL(int, "ioctl", int, unsigned long, ...);
    va_list list;
    va_start(list, request);
    void *argument = va_arg(list, void *);
    va_end(list);
    return file_fails(CONTROL, file) ? -1 : real(file, request, argument);
}

int fchmod(int file, mode_t mode)
{
    REAL(int, "fchmod", int, mode_t);
    return file_fails(RIGHTS, file) ? -1 : real(file, mode);
}

int fchown(int file, uid_t user, gid_t group)
{
    REAL(int, "fchown", int, uid_t, gid_t);
    return file_fails(OWNER, file) ? -1 : real(file, user, group);
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags)
{
    REAL(int, "utimensat", int, const char *, const struct timespec *, int);
    return path_fails(TIMES, path) ? -1 : real(directory, path, times, flags);
}

// The runtime protects code of its own; BlitQueue gives memory that it has reserved both rights, a multiple of 2 MiB of it.
int mprotect(void *address, size_t length, int protection)
{
    REAL(int, "mprotect", void *, size_t, int);
    int ours = protection == (PROT_READ | PROT_WRITE) && length % (2 << 20) == 0;
    return ours && fails(PROTECT) ? -1 : real(address, length, protection);
}

long syscall(long number, ...)
{
    REAL(long, "syscall", long, ...);
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (number == SYS_renameat2)
    {
        const char *from = (const char *)b, *to = (const char *)d;
        if (path_fails(RENAME, from)) return -1;
        int watched = is_watched() && is_below(from);
        if (watched) tell(RENAME, 0, from, to, 0, 0, 0, 0);
        long result = real(number, a, b, c, d, e, f);
        if (watched) tell(RENAME, 1, from, to, 0, 0, 0, result);
        return result;
    }
    // 449: futex_waitv.
    if ((number == SYS_futex || number == 449) && armed && fails(FUTEX)) return -1;
    return real(number, a, b, c, d, e, f);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static int (*real)(clockid_t, struct timespec *);
    static struct timespec frozen;
    if (!real) *(void **)&real = next("clock_gettime");
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME && clock_mode == 1) time->tv_sec += clock_offset;
    if (clock == CLOCK_REALTIME && clock_mode == 2)
    {
        if (!frozen.tv_sec) frozen = *time;
        *time = frozen;
    }
    return result;
}
