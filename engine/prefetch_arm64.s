#include "go_asm.h"
#include "textflag.h"

// func here() place
TEXT ·here(SB), NOSPLIT, $0-16
	MOVD $ret_goroutine+0(FP), R1
	MOVD g, ret_goroutine+0(FP)
	MOVD R1, ret_stack+8(FP)
	RET

// The whole structure of the goroutine is fetched; of its stack, what the calls take on the way from the wait back into
// the program, and below that, what they take next; and the beginning of what the layer above keeps for the rank.
//
// func prefetch(p *Process)
TEXT ·prefetch(SB), NOSPLIT, $0-8
	MOVD p+0(FP), R2
	MOVD (Process_Local+8)(R2), R3
	MOVD (Process_waits+place_goroutine)(R2), R0
	MOVD (Process_waits+place_stack)(R2), R1
	SUB  $640, R1
	PRFM (R3), PLDL1KEEP
	PRFM 64(R3), PLDL1KEEP
	PRFM 0(R0), PLDL1KEEP
	PRFM 64(R0), PLDL1KEEP
	PRFM 128(R0), PLDL1KEEP
	PRFM 192(R0), PLDL1KEEP
	PRFM 256(R0), PLDL1KEEP
	PRFM 320(R0), PLDL1KEEP
	PRFM 384(R0), PLDL1KEEP
	PRFM 0(R1), PLDL1KEEP
	PRFM 64(R1), PLDL1KEEP
	PRFM 128(R1), PLDL1KEEP
	PRFM 192(R1), PLDL1KEEP
	PRFM 256(R1), PLDL1KEEP
	PRFM 320(R1), PLDL1KEEP
	PRFM 384(R1), PLDL1KEEP
	PRFM 448(R1), PLDL1KEEP
	PRFM 512(R1), PLDL1KEEP
	PRFM 576(R1), PLDL1KEEP
	PRFM 640(R1), PLDL1KEEP
	PRFM 704(R1), PLDL1KEEP
	PRFM 768(R1), PLDL1KEEP
	PRFM 832(R1), PLDL1KEEP
	PRFM 896(R1), PLDL1KEEP
	PRFM 960(R1), PLDL1KEEP
	RET
