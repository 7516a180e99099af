static inline void console_init(void) {}
