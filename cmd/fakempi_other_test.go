//go:build !linux

package cmd_test

import "syscall"

var ownSession *syscall.SysProcAttr
