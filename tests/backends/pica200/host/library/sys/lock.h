/* Types that headers of libctru take from the C library of its tools. */
typedef int _LOCK_T;
typedef struct { _LOCK_T lock; unsigned tag, counter; } _LOCK_RECURSIVE_T;
typedef unsigned _COND_T;
