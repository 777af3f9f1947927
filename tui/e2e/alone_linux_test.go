package e2e

import (
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// asAlone makes the test binary a program that runs its arguments with no network but
// loopback.
const asAlone = "CHAINSCOPE_E2E_ALONE"

func init() {
	if os.Getenv(asAlone) == "" {
		return
	}
	if err := loopbackUp(); err != nil {
		panic(err)
	}
	if c, err := net.Dial("udp", "192.0.2.1:53"); err == nil {
		panic("there is a way to " + c.RemoteAddr().String())
	}
	_ = os.Unsetenv(asAlone)
	panic(syscall.Exec(os.Args[1], os.Args[1:], os.Environ()))
}

// loopbackUp switches on the one interface of a new network namespace.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// alone lets a command run without a network, and reports whether the system allows that.
func alone(cmd *exec.Cmd) *exec.Cmd {
	shut := exec.Command(os.Args[0], cmd.Args...)
	shut.Dir, shut.Env = cmd.Dir, append(cmd.Env, asAlone+"=1")
	shut.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Getuid() != 0 {
		shut.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		shut.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
	}
	return shut
}

// lookedUp holds what the resolver of Go says of a name that is looked up.
var lookedUp = regexp.MustCompile(`hostLookupOrder\((.*?)\)`)

// What README says works without a network does: each line runs where there is none, and
// looks up no name. Where the system gives no such place to a test, it is the names alone.
func TestWhatNeedsNoNetworkHasNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var done sync.WaitGroup // the demos take their time
	for _, line := range [][]string{
		{"demo", "test", "--record", "test.svg"}, // the explorer, a wallet, its bridge and the mock
		{"demo", "explore", "--record", "explore.svg"},
		{"block", "872114"},
		{"account", "muneeb.btc"},
		{"check", "mock"},
		{"mock", "--seed", "1", "--addr", "127.0.0.1:0", "--until-eof"},
		{"bridge", "--proxy", "http://localhost:5173", "--approve", "always", "--addr", "127.0.0.1:0", "--until-eof"},
		{"wallet", "request", "stx_signMessage", `{"message":"hello"}`, "--approve", "always"},
	} {
		done.Go(func() {
			command := func() *exec.Cmd {
				cmd := exec.Command(binary, line...)
				cmd.Dir, cmd.Env = dir, append(environ(dir), "GODEBUG=netdns=2")
				return cmd
			}
			said, err := alone(command()).CombinedOutput()
			if err != nil && strings.Contains(err.Error(), "operation not permitted") {
				t.Logf("a place without a network: %v", err)
				said, err = command().CombinedOutput()
			}
			if err != nil {
				t.Errorf("%s: %v\n%s", strings.Join(line, " "), err, said)
			}
			for _, name := range lookedUp.FindAllStringSubmatch(string(said), -1) {
				if name[1] != "localhost" {
					t.Errorf("%s looks up %s", strings.Join(line, " "), name[1])
				}
			}
		})
	}
	done.Wait()
}
