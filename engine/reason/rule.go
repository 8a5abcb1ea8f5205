package reason

import "codeberg.org/commsplit/commsplit/engine"

// RuleOf returns the rule that says what a call without a new communicator does; "" for other calls.
func RuleOf(c engine.Call) string {
	switch c {
	case engine.CallBarrier:
		return barrierRule
	case engine.CallFree:
		return freeRule
	case engine.CallDisconnect:
		return disconnectRule
	case engine.CallHWInfo:
		return hwInfoRule
	}
	return ""
}
