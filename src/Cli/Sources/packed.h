#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef BLITQ_PACKED
#define BLITQ_PACKED

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Packed messages are little-endian, as this header expects the processor to be."
#endif

typedef struct { uint64_t low; int64_t high; } blitq_i128;
typedef struct { uint64_t low, high; } blitq_u128;
typedef struct { double real, imaginary; } blitq_complex;
/* The number is high:middle:low divided by 10 to the power of flags >> 16 & 255; it is negative if bit 31 of flags is set. */
typedef struct { uint32_t low, middle, high, flags; } blitq_decimal;
/* Ticks of 100 ns since the year 1, in UTC, and by how much the writer's clock was ahead. */
typedef struct { int64_t utc_ticks; int16_t offset_minutes; } blitq_datetimeoffset;

#define BLITQ_MOST_TICKS INT64_C(3155378975999999999)

static inline bool blitq_is_rune(const unsigned char *bytes) {
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

static inline bool blitq_is_decimal(const unsigned char *bytes) {
    uint32_t flags;
    memcpy(&flags, bytes + 12, 4);
    return (flags & 0x7F00FFFF) == 0 && (flags >> 16 & 0xFF) <= 28;
}

static inline bool blitq_is_datetime(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return word >> 62 != 3 && (word & (UINT64_MAX >> 2)) <= (uint64_t)BLITQ_MOST_TICKS;
}

static inline bool blitq_is_datetimeoffset(const unsigned char *bytes) {
    int64_t ticks;
    int16_t minutes;
    memcpy(&ticks, bytes, 8);
    memcpy(&minutes, bytes + 8, 2);
    if (minutes < -840 || minutes > 840 || ticks < 0 || ticks > BLITQ_MOST_TICKS) return false;
    ticks += minutes * INT64_C(600000000);
    return ticks >= 0 && ticks <= BLITQ_MOST_TICKS;
}

static inline bool blitq_is_date(const unsigned char *bytes) {
    uint32_t days;
    memcpy(&days, bytes, 4);
    return days <= 3652058;
}

static inline bool blitq_is_time(const unsigned char *bytes) {
    uint64_t ticks;
    memcpy(&ticks, bytes, 8);
    return ticks < UINT64_C(864000000000);
}

/* Whether a message begins there whose lengths fit; how long its fixed block is. */
static inline bool blitq_begin(const unsigned char *bytes, size_t length, size_t *size) {
    size_t count, at;
    if (length < 4) return false;
    *size = bytes[0] | (size_t)bytes[1] << 8;
    count = bytes[2] | (size_t)bytes[3] << 8;
    if (*size > 65534 || count > 65534 || *size > length - 4) return false;
    for (at = 4 + *size; count > 0; count--) {
        uint32_t variable;
        if (length - at < 4) return false;
        memcpy(&variable, bytes + at, 4);
        at += 4;
        if (variable >= UINT32_C(0xFFFFFFFE)) continue;
        if (variable > length - at) return false;
        at += variable;
    }
    return at == length;
}

#endif
