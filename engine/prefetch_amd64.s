#include "go_asm.h"
#include "textflag.h"

// func here() place
TEXT ·here(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	LEAQ ret_goroutine+0(FP), BX
	MOVQ AX, ret_goroutine+0(FP)
	MOVQ BX, ret_stack+8(FP)
	RET

// The whole structure of the goroutine is fetched, and of its stack what the calls take on the way from the wait back
// into the program.
//
// func prefetch(at *place)
TEXT ·prefetch(SB), NOSPLIT, $0-8
	MOVQ at+0(FP), CX
	MOVQ place_goroutine(CX), AX
	MOVQ place_stack(CX), BX
	PREFETCHT0 0(AX)
	PREFETCHT0 64(AX)
	PREFETCHT0 128(AX)
	PREFETCHT0 192(AX)
	PREFETCHT0 256(AX)
	PREFETCHT0 320(AX)
	PREFETCHT0 384(AX)
	PREFETCHT0 -320(BX)
	PREFETCHT0 -256(BX)
	PREFETCHT0 -192(BX)
	PREFETCHT0 -128(BX)
	PREFETCHT0 -64(BX)
	PREFETCHT0 0(BX)
	PREFETCHT0 64(BX)
	PREFETCHT0 128(BX)
	PREFETCHT0 192(BX)
	PREFETCHT0 256(BX)
	PREFETCHT0 320(BX)
	RET
