//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// keyboard holds what the user presses, one key at a time, counted.
type keyboard struct {
	*terminal
	keys int
}

// hit presses keys: each string is one.
func (k *keyboard) hit(keys ...string) {
	k.t.Helper()
	for _, key := range keys {
		k.press(key)
		k.keys++
	}
}

// types writes a word, a key for each letter.
func (k *keyboard) types(word string) { k.hit(strings.Split(word, "")...) }

// opens presses a key that opens a box, and waits for the box.
func (k *keyboard) opens(key, title string) {
	k.t.Helper()
	k.hit(key)
	k.shows(title)
}

// finds types a word into the box that finds anything, and waits for its best row.
func (k *keyboard) finds(word, row string) {
	k.t.Helper()
	k.opens(goToKey, "Go to anything")
	k.types(word)
	k.until("finds "+row, func(screen string) bool {
		return strings.Contains(strings.Join(strings.Fields(screen), " "), "▸ "+row+" ")
	})
}

// approves waits until a box takes keys, and approves.
func (k *keyboard) approves(what string) {
	k.t.Helper()
	k.shows(what, "ready for input")
	for strings.Contains(k.now(), "a read on") {
		k.hit("a")
		k.shows("keys work in")
		k.shows("ready for input")
	}
	k.hit("a")
	k.hides(what)
}

// copied waits until the program has put a text on the clipboard of the terminal.
func (k *keyboard) copied(what string, ok func(text string) bool) {
	k.t.Helper()
	k.until("copies "+what, func(string) bool {
		k.mu.Lock()
		defer k.mu.Unlock()
		return slices.ContainsFunc(k.strict.copied, ok)
	})
}

// later is a chain that is long enough to have burn block 962,180.
var later = []string{"--mock-freeze", "2026-11-01T00:00:00Z", "--mock-seed", "1"}

// Heights of the newest block there, and of the newest in burn block 962,180.
const (
	newest = "3,626,560"
	inBurn = "2,906,848"
)

// tasks hold what people do, with the most keys that each may take. Every one begins at
// home, after the program has been opened.
var tasks = []struct {
	name string
	most int
	play func(k *keyboard)
	args []string
}{
	{"copy the hash of the newest block", 2, func(k *keyboard) {
		k.opens("y", "─ Copy  Block "+newest)
		k.hit("h")
		k.copied("a hash", func(text string) bool { return len(text) == 66 && strings.HasPrefix(text, "0x7bcd149e9") })
	}, nil},
	{"see the block of burn block 962180", 8, func(k *keyboard) {
		k.finds("962180", "burn height 962180")
		k.hit(enterKey)
		k.shows("Blocks › "+inBurn, "✓ canonical", "962,180")
	}, nil},
	{"see all its Stacks blocks", 9, func(k *keyboard) {
		k.finds("962180", "burn height 962180")
		k.hit(downKey)
		k.shows("▸ blocks of burn height")
		k.hit(enterKey)
		k.shows("Burn blocks › 962,180", inBurn, "2,906,846")
	}, nil},
	{"copy the newest block as JSON, and the request as curl", 4, func(k *keyboard) {
		k.opens("y", "─ Copy  Block "+newest)
		k.hit("j")
		k.copied("JSON", func(text string) bool { return strings.HasPrefix(text, "{") && strings.Contains(text, "3626560") })
		k.opens("y", "─ Copy  Block "+newest)
		k.hit("c")
		k.copied("curl", func(text string) bool { return strings.HasPrefix(text, "curl ") })
	}, nil},
	{"write the list to a CSV file", 3, func(k *keyboard) {
		k.opens("1", "Blocks  newest")
		k.opens("e", "─ Export ")
		k.hit("c")
		k.shows("exported ", " rows to")
		files, _ := filepath.Glob(filepath.Join(k.dir, "*.csv"))
		if len(files) != 1 {
			k.t.Fatalf("the files are %q", files)
		}
		if rows, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(rows), "\n3626560,") {
			k.t.Errorf("%v, %.200q", err, rows)
		}
	}, nil},
	{"open a token by its name", 8, func(k *keyboard) {
		k.finds("harbor", "token harbor-dollar")
		k.hit(enterKey)
		k.shows("Tokens › FT harbor-dollar", "99,999.8")
	}, nil},
	{"find out whether muneeb.btc is registered", 8, func(k *keyboard) {
		k.finds("muneeb", "name muneeb.btc")
		k.hit(enterKey)
		k.shows("Name muneeb.btc", "owner      SP3XHES5990FYDV5BHB")
	}, nil},
	{"compare two blocks", 4, func(k *keyboard) {
		k.opens("1", "Blocks  newest")
		k.hit("C", "j", "C")
		k.shows("─ Compare ", "fields differ", "Block "+newest, "Block 3,626,559")
	}, nil},
	{"go on to the block before", 2, func(k *keyboard) {
		k.opens("1", "│ Block "+newest)
		k.hit("j")
		k.shows("│ Block 3,626,559")
	}, nil},
	{"break the API, and mend it", 4, func(k *keyboard) {
		k.opens("M", "─ Mock server ")
		k.hit("3")
		k.shows("scenario flaky")
		k.hit("1")
		k.shows("scenario healthy")
	}, nil},
	{"mine ten blocks", 2, func(k *keyboard) {
		k.opens("M", "─ Mock server ")
		k.hit("n")
		k.shows("3,626,570")
	}, nil},
	{"send STX, and see it in a block", 9, func(k *keyboard) {
		k.alerts()
		k.opens("5", "Connection")
		k.opens("n", "─ New request ")
		k.hit(downKey, enterKey)
		k.shows("stx_transferStx", "Send request")
		k.hit(exampleKey)
		k.shows("1.500000 STX")
		k.hit(sendKey)
		k.approves("Approve request")
		k.shows("pending: the next block takes it")
		k.hit(enterKey)
		k.shows("3,626,561  success")
		if k.keys > 8 {
			k.t.Errorf("the link to the block stood there after %d keys, want 8", k.keys)
		}
		k.hit(enterKey)
		k.shows("Blocks › 3,626,561", "stx_transferStx")
	}, nil},
	{"connect", 4, func(k *keyboard) {
		k.opens("5", "not connected")
		k.opens("c", "Connect a wallet")
		k.hit(enterKey)
		k.approves("Approve request")
		k.shows("● connected")
	}, nil},
	{"use another account", 4, func(k *keyboard) {
		k.opens("5", "Connection")
		k.opens("A", "─ Account: ")
		k.hit("1")
		k.shows("▸ account 1 ")
		k.hit(enterKey)
		k.shows("Addresses of account 1")
	}, nil},
	{"allow a web page, and approve what it asks", 2, func(k *keyboard) {
		address := after(k.cmd.Args[len(k.cmd.Args)-1], "=")
		answer := make(chan string, 1)
		go func() { answer <- ask("http://" + address) }()
		k.approves("Allow this origin?")
		k.approves("Approve request")
		if got := <-answer; !strings.Contains(got, "signature") {
			k.t.Errorf("the page got %s", got)
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		if !strings.Contains(k.raw.String(), "\a\x1b]9;") {
			k.t.Error("neither bell nor notification came")
		}
	}, []string{"--bridge="}},
}

// The fifteen tasks by which an explorer is judged: each is possible, and none takes
// more than ten keys.
func TestFifteenTasksTakeFewKeys(t *testing.T) {
	t.Parallel()
	for _, task := range tasks {
		t.Run(task.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{}, later...)
			for _, a := range task.args {
				args = append(args, a+freeAddress(t))
			}
			k := &keyboard{terminal: open(t, 120, 40, args...)}
			k.mu.Lock()
			k.strict.copying = true
			k.mu.Unlock()
			k.shows(newest, "newest first", "public test keys")
			task.play(k)
			if k.keys > min(task.most, 10) {
				t.Errorf("it took %d keys, want at most %d", k.keys, task.most)
			}
			t.Logf("%d keys", k.keys)
		})
	}
}
