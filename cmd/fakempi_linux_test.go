package cmd_test

import "syscall"

var ownSession = &syscall.SysProcAttr{Setsid: true}
