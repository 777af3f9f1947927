package world

import (
	"fmt"
	"os"
	"strings"

	"github.com/gofrs/flock"
)

// ownerLength is the space in the lock file for the name of its owner, in bytes.
const ownerLength = 200

// own locks a state file for the life of the process: the system takes the lock away
// when the process ends, however it ends. The lock is on a file beside it, since the
// state file itself is replaced while it is in use.
func own(path string) (*flock.Flock, error) {
	name := path + ".lock"
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("its lock %q is no regular file", name)
	}
	lock := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !held {
		return nil, fmt.Errorf("another mock uses it (%s); end that one, or name another file", owner(name))
	}
	writeOwner(name, fmt.Sprintf("process %d", os.Getpid()))
	return lock, nil
}

// ShowAddress adds the address of this process to what others see of the lock.
func (s *StateFile) ShowAddress(address string) {
	if s != nil {
		writeOwner(s.path+".lock", fmt.Sprintf("process %d, at %s", os.Getpid(), address))
	}
}

// writeOwner writes who holds a lock. Not the first byte: on Windows nobody else can touch
// that, since the lock is on it. A failure leaves the lock as it is.
func writeOwner(name, who string) {
	f, err := os.OpenFile(name, os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteAt(fmt.Appendf(nil, "%-*.*s\n", ownerLength, ownerLength, who), 1)
}

// owner returns who holds a lock.
func owner(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return "process unknown"
	}
	defer f.Close()
	who := make([]byte, ownerLength)
	n, _ := f.ReadAt(who, 1)
	if text := strings.TrimSpace(string(who[:n])); text != "" {
		return text
	}
	return "process unknown"
}
