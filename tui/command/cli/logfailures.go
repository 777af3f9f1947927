package cli

import "sync"

// logFailures holds what files beside the result, such as a log, could not take. It is reported
// once for each, and the command fails at its end: a full disk must not stop it.
type logFailures struct {
	mu       sync.Mutex
	reported map[string]bool
	// later are the messages that the explorer keeps until the terminal is free again.
	later []string
}

// Note says that the file of a flag lacks something. A nil error is none.
func (a *App) Note(flag string, err error) {
	if err == nil {
		return
	}
	u := &a.logFailures
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.reported[flag] {
		return
	}
	if u.reported == nil {
		u.reported = map[string]bool{}
	}
	u.reported[flag] = true
	message := flag + ": " + err.Error() + "; not everything is in this file"
	if a.FullScreen {
		u.later = append(u.later, message)
		return
	}
	a.Notice(message)
}

// end returns what was kept, and reports whether a file lacks something.
func (u *logFailures) end(report func(string)) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, message := range u.later {
		report(message)
	}
	return len(u.reported) > 0
}
