package reason

import "codeberg.org/commsplit/commsplit/engine"

// RuleOf returns the rule that says what a call without a new communicator does, and the section where it stands; "" for
// other calls.
func RuleOf(c engine.Call) (rule, in string) {
	switch c {
	case engine.CallBarrier:
		return barrierRule, c.Rule()
	case engine.CallFree:
		return pendingRule, c.Rule()
	case engine.CallDisconnect:
		return disconnectRule, c.Rule()
	case engine.CallHWInfo:
		return hwInfoRule, c.Rule()
	case engine.CallBind:
		return bindRule, engine.CallSplitType.Rule()
	}
	return "", ""
}
