package term

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// part is something that the terminal sends, some time after what came before.
type part struct {
	after time.Duration
	bytes string
}

// line is a terminal that sends parts, on a clock of its own.
type line struct {
	parts []part
	block int // at most so many bytes a read
}

func (l *line) read(p []byte, within time.Duration) (int, error) {
	switch {
	case len(l.parts) == 0 && within < 0:
		return 0, io.EOF
	case len(l.parts) == 0:
		return 0, nil
	case within >= 0 && l.parts[0].after > within:
		l.parts[0].after -= within
		return 0, nil
	}
	l.parts[0].after = 0
	n := copy(p[:min(len(p), l.block)], l.parts[0].bytes)
	if l.parts[0].bytes = l.parts[0].bytes[n:]; l.parts[0].bytes == "" {
		l.parts = l.parts[1:]
	}
	return n, nil
}

// heard returns what the framework gets from the parts, a string for each Read,
// and what goes to the event loop. A read that comes together with others is
// marked with a plus.
func heard(parts ...part) []string {
	var got []string
	together := false
	in := newInputFrom(&line{parts: parts, block: 4096}, 0, func(msg tea.Msg) {
		switch msg := msg.(type) {
		case togetherMsg:
			together = bool(msg)
		case tea.KeyMsg:
			got = append(got, fmt.Sprintf("paste %q", string(msg.Runes)))
		case BackgroundMsg:
			got = append(got, fmt.Sprintf("dark %v", msg.Dark))
		}
	})
	buf := make([]byte, 256)
	for {
		n, err := in.Read(buf)
		if err != nil {
			return got
		}
		mark := ""
		if together {
			mark = "+"
		}
		got = append(got, mark+string(buf[:n]))
	}
}

// soon, late and later are pauses shorter than a split sequence is waited for,
// longer, and longer than anything is waited for.
const (
	soon  = splitWait - time.Millisecond
	late  = splitWait + time.Millisecond
	later = 2 * pasteWait
)

func TestInputIsDividedIntoKeys(t *testing.T) {
	tests := []struct {
		name  string
		parts []part
		want  []string
	}{
		{"a key", []part{{0, "a"}}, []string{"a"}},
		{"keys one after the other", []part{{0, "a"}, {0, "b"}}, []string{"a", "b"}},
		{"keys at once", []part{{0, "abc"}}, []string{"+a", "+b", "+c"}},
		{"a key after keys at once", []part{{0, "ab"}, {0, "c"}}, []string{"+a", "+b", "c"}},
		{"an arrow", []part{{0, "\x1b[A"}}, []string{"\x1b[A"}},
		{"an arrow after letters", []part{{0, "jk\x1b[B"}}, []string{"+j", "+k", "+\x1b[B"}},
		{"an arrow split after escape", []part{{0, "\x1b"}, {soon, "[A"}}, []string{"\x1b[A"}},
		{"an arrow split into bytes", []part{{0, "\x1b"}, {soon, "["}, {soon, "A"}}, []string{"\x1b[A"}},
		{"an arrow split after a letter", []part{{0, "j\x1b"}, {soon, "[A"}}, []string{"+j", "+\x1b[A"}},
		{"a function key split", []part{{0, "\x1bO"}, {soon, "P"}}, []string{"\x1bOP"}},
		{"a key with parameters split, and slowly", []part{{0, "\x1b[1;"}, {late, "5C"}}, []string{"\x1b[1;5C"}},
		{"a mouse report split", []part{{0, "\x1b[<0;12;"}, {soon, "3M"}}, []string{"\x1b[<0;12;3M"}},
		{"an old mouse report split", []part{{0, "\x1b[M !"}, {soon, "!"}}, []string{"\x1b[M !!"}},
		{"a key of the Linux console split", []part{{0, "\x1b[["}, {soon, "A"}}, []string{"\x1b[[A"}},
		{"a shifted key of urxvt", []part{{0, "\x1b[7$"}}, []string{"\x1b[7$"}},
		{"a letter split", []part{{0, "\xe4\xbd"}, {soon, "\xa0"}}, []string{"你"}},
		{"half a letter", []part{{0, "\xe4\xbd"}, {late, "j"}}, []string{"j"}},
		{"bytes that are no letter", []part{{0, "\xff\xfej"}}, []string{"+j"}},
		{"the escape key", []part{{0, "\x1b"}}, []string{"\x1b"}},
		{"escape, and then a letter", []part{{0, "\x1b"}, {late, "j"}}, []string{"\x1b", "j"}},
		{"escape and soon a letter are no alt", []part{{0, "\x1b"}, {soon, "j"}}, []string{"+\x1b", "+j"}},
		{"alt and a letter", []part{{0, "\x1bj"}}, []string{"\x1bj"}},
		{"alt and a letter of two bytes", []part{{0, "\x1bé"}}, []string{"\x1bé"}},
		{"alt and a bracket", []part{{0, "\x1b["}, {late, "j"}}, []string{"\x1b[", "j"}},
		{"alt and a capital O", []part{{0, "\x1bO"}, {late, "j"}}, []string{"\x1bO", "j"}},
		{"two escapes", []part{{0, "\x1b\x1b"}}, []string{"+\x1b", "+\x1b"}},
		{"three escapes", []part{{0, "\x1b\x1b\x1b"}}, []string{"+\x1b", "+\x1b", "+\x1b"}},
		{"alt and an arrow of old terminals", []part{{0, "\x1b\x1b[A"}}, []string{"\x1b\x1b[A"}},
		{"a sequence that never ends is no keys", []part{{0, "\x1b[1;"}, {later, "x"}}, []string{"x"}},
		{"a sequence that another one breaks off", []part{{0, "\x1b[1;\x1b[A"}}, []string{"+\x1b[A"}},
		{"the window got the focus", []part{{0, "\x1b[I"}}, []string{"\x1b[I"}},
		{"the window lost it", []part{{0, "\x1b[O"}}, []string{"\x1b[O"}},
		{"a paste", []part{{0, "\x1b[200~a\rb\x1b[201~"}}, []string{`paste "a\rb"`}},
		{"a paste with keys round it", []part{{0, "k\x1b[200~ab\x1b[201~j"}}, []string{"+k", `paste "ab"`, "+j"}},
		{"a paste with its markers split", []part{{0, "\x1b[20"}, {soon, "0~a"}, {soon, "b\x1b[2"}, {late, "01~"}}, []string{`paste "ab"`}},
		{"a paste that holds sequences", []part{{0, "\x1b[200~\x1b[A\x1b]11;rgb:0/0/0\x07\x1b[201~"}}, []string{`paste "\x1b[A\x1b]11;rgb:0/0/0\a"`}},
		{"a paste that never ends", []part{{0, "\x1b[200~abc"}, {later, "q"}}, []string{`paste "abc"`, "q"}},
		{"a paste with a pause in it", []part{{0, "\x1b[200~abc"}, {2 * pastePause, "def"}, {2 * pastePause, "\x1b[201~"}}, []string{`paste "abcdef"`}},
		{"a key after a pause in a paste that never ends", []part{{0, "\x1b[200~abc"}, {2 * pastePause, "q"}}, []string{`paste "abc"`, "q"}},
		{"escape keys after a pause in a paste that never ends", []part{{0, "\x1b[200~abc"}, {2 * pastePause, "\x1b"}, {late, "\x1b"}}, []string{`paste "abc"`, "\x1b", "\x1b"}},
		{"a paste that pauses in its end", []part{{0, "\x1b[200~abc\x1b"}, {2 * pastePause, "[201~q"}}, []string{`paste "abc"`, "+q"}},
		{"a paste that pauses after the first byte of its end", []part{{0, "\x1b[200~abc"}, {soon, "\x1b"}, {2 * pastePause, "[201~q"}}, []string{`paste "abc"`, "+q"}},
		{"an arrow after a pause in a paste that never ends", []part{{0, "\x1b[200~abc"}, {2 * pastePause, "\x1b[A"}}, []string{`paste "abc"`, "\x1b[A"}},
		{"ctrl+c in a paste that never ends", []part{{0, "\x1b[200~abc"}, {soon, "\x03"}}, []string{`paste "abc"`, "\x03"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := heard(tt.parts...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRepliesOfTheTerminalAreNoKeys(t *testing.T) {
	tests := []struct {
		name  string
		parts []part
		want  []string
	}{
		{"the background", []part{{0, "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"}}, []string{"dark true"}},
		{"a reply that ends in BEL", []part{{0, "\x1b]11;rgb:ff/ff/ff\x07"}}, []string{"dark false"}},
		{"keys round a reply", []part{{0, "a\x1b]11;rgb:0/0/0\x07b"}}, []string{"+a", "dark true", "+b"}},
		{"a reply in two parts", []part{{0, "\x1b]11;rgb:ffff/"}, {late, "ffff/ffff\x1b\\"}, {late, "j"}}, []string{"dark false", "j"}},
		{"a reply split in its end", []part{{0, "\x1b]11;rgb:ff/ff/ff\x1b"}, {late, "\\"}, {late, "j"}}, []string{"dark false", "j"}},
		{"a reply that makes no sense", []part{{0, "\x1b]11;rgb:gg\x07"}, {late, "j"}}, []string{"j"}},
		{"a reply that nobody asked for", []part{{0, "\x1bP1+r544e=787465726d\x1b\\"}, {late, "j"}}, []string{"j"}},
		{"a long one", []part{{0, "\x1b]52;c;" + strings.Repeat("QUJD", 5000) + "\x07"}, {late, "j"}}, []string{"j"}},
		{"a reply that never ends", []part{{0, "\x1b]11;rgb:ff"}, {later, "j"}}, []string{"j"}},
		{"a reply that a sequence breaks off", []part{{0, "\x1b]11;rgb:ff\x1b[A"}}, []string{"+\x1b[A"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := heard(tt.parts...); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// unmarked removes the marks of keys that came together.
func unmarked(reads []string) []string {
	out := make([]string, len(reads))
	for i, r := range reads {
		out[i] = strings.TrimPrefix(r, "+")
	}
	return out
}

// genEvent draws what a terminal sends for one key, report or paste.
func genEvent() *rapid.Generator[string] {
	letter := rapid.StringOfN(rapid.RuneFrom([]rune("abjkqBG2 éß你\U0001f600")), 1, 1, -1)
	number := rapid.IntRange(1, 300)
	return rapid.OneOf(
		letter,
		rapid.SampledFrom([]string{
			"\x1b[A", "\x1b[B", "\x1bOP", "\x1b[Z", "\x1b[1;5C", "\x1b[15~", "\x1b[[A", "\x1b[5~",
			"\r", "\t", "\x7f", "\x03", "\x1b[I", "\x1b]11;rgb:0/0/0\x07", "\x1b]11;rgb:ff/ff/ff\x1b\\",
		}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("\x1b[<%d;%d;%dM", rapid.SampledFrom([]int{0, 2, 64, 65}).Draw(t, "button"), number.Draw(t, "x"), number.Draw(t, "y"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			text := rapid.StringOfN(rapid.RuneFrom([]rune("abq\x1b[201 \r\n你")), 0, 600, -1).Draw(t, "pasted")
			return "\x1b[200~" + strings.ReplaceAll(text, "\x1b[201~", "") + "\x1b[201~"
		}),
	)
}

// However a stream is cut into reads, it is the same keys as when each came
// alone.
func TestInputIsTheSameHoweverItIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOfN(genEvent(), 1, 60).Draw(t, "events")
		var one []part
		for _, e := range events {
			one = append(one, part{later, e})
		}
		want := heard(one...)
		stream := strings.Join(events, "")
		var cut []part
		for len(stream) > 0 {
			n := min(len(stream), rapid.IntRange(1, 4096).Draw(t, "length"))
			cut = append(cut, part{soon, stream[:n]})
			stream = stream[n:]
		}
		if got := unmarked(heard(cut...)); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// Every place where a read of any length can end.
func TestALongBurstIsCutNowhere(t *testing.T) {
	for name, unit := range map[string]string{"arrows": "\x1b[B", "wheel": "\x1b[<65;30;12M", "letters": "你"} {
		t.Run(name, func(t *testing.T) {
			const times = 100
			stream := strings.Repeat(unit, times)
			for at := range stream {
				got := unmarked(heard(part{0, stream[:at]}, part{soon, stream[at:]}))
				if at == 0 {
					got = unmarked(heard(part{0, stream}))
				}
				if len(got) != times || strings.Join(got, "") != stream {
					t.Fatalf("cut at byte %d: %d reads, %q", at, len(got), got)
				}
			}
		})
	}
}

func FuzzInput(f *testing.F) {
	f.Add("a\x1b[A", "\x1b]11;rgb:0/0/0\x07", "\xe4\xbd")
	f.Add("\x1b", "j", "\x1b]11;")
	f.Add("\x1b[200~", "abc", "\x1b[201")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		const last = "!"
		var parts []part
		for _, bytes := range []string{a, b, c} {
			if bytes != "" {
				parts = append(parts, part{soon, bytes})
			}
		}
		got := heard(append(parts, part{later, last})...)
		if len(got) == 0 || got[len(got)-1] != last {
			t.Errorf("a key after a pause is not heard: %q", got)
		}
	})
}
