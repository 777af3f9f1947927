package uitest

import "os"

// Long reports whether the tests take all their rounds, as they do each night. Otherwise
// those that do the same in many ways take some of them.
func Long() bool { return os.Getenv("CHAINSCOPE_LONG") != "" }
