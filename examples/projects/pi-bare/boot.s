@ The first instructions: one core goes on, with a stack and numbers of floating point.
    .section .text.start
    .global start
start:
    ldr sp, =start
    mrc p15, 0, r0, c1, c0, 2
    orr r0, r0, #0xf00000
    mcr p15, 0, r0, c1, c0, 2
    mov r0, #0x40000000
    .fpu vfp
    fmxr fpexc, r0
    ldr r0, =bss_start
    ldr r1, =bss_end
    mov r2, #0
clear:
    cmp r0, r1
    strlo r2, [r0], #4
    blo clear
    bl board_main
stop:
    b stop
