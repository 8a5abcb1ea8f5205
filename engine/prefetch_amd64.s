#include "go_asm.h"
#include "textflag.h"

// func here() place
TEXT ·here(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	LEAQ ret_goroutine+0(FP), BX
	MOVQ AX, ret_goroutine+0(FP)
	MOVQ BX, ret_stack+8(FP)
	RET

// The whole structure of the goroutine is fetched; of its stack, what the calls take on the way from the wait back into
// the program, and below that, what they take next; and the beginning of what the layer above keeps for the rank.
//
// func prefetch(p *Process)
TEXT ·prefetch(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), CX
	MOVQ (Process_Local+8)(CX), DX
	MOVQ (Process_waits+place_goroutine)(CX), AX
	MOVQ (Process_waits+place_stack)(CX), BX
	PREFETCHT0 (DX)
	PREFETCHT0 64(DX)
	PREFETCHT0 0(AX)
	PREFETCHT0 64(AX)
	PREFETCHT0 128(AX)
	PREFETCHT0 192(AX)
	PREFETCHT0 256(AX)
	PREFETCHT0 320(AX)
	PREFETCHT0 384(AX)
	PREFETCHT0 -640(BX)
	PREFETCHT0 -576(BX)
	PREFETCHT0 -512(BX)
	PREFETCHT0 -448(BX)
	PREFETCHT0 -384(BX)
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
