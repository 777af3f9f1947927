package term

import (
	"io"
	"testing"
	"time"
)

// typed reads what the framework gets from keys that arrive in these parts;
// "" is a pause longer than a split sequence is waited for.
func typed(parts ...string) (reads []string, answers []BackgroundMsg) {
	in := &input{
		answer: func(m BackgroundMsg) { answers = append(answers, m) },
		read: func(p []byte) (int, error) {
			for len(parts) > 0 && parts[0] == "" {
				parts = parts[1:]
			}
			if len(parts) == 0 {
				return 0, io.EOF
			}
			n := copy(p, parts[0])
			if parts[0] = parts[0][n:]; parts[0] == "" {
				parts = parts[1:]
			}
			return n, nil
		},
		more: func(time.Duration) bool { return len(parts) > 0 && parts[0] != "" },
	}
	buf := make([]byte, 256)
	for {
		n, err := in.Read(buf)
		if err != nil {
			return reads, answers
		}
		if n > 0 {
			reads = append(reads, string(buf[:n]))
		}
	}
}

func TestSplitInputIsJoined(t *testing.T) {
	tests := []struct {
		name  string
		parts []string
		want  []string
	}{
		{"whole keys are passed as they come", []string{"a", "b"}, []string{"a", "b"}},
		{"an arrow split after escape", []string{"\x1b", "[A"}, []string{"\x1b[A"}},
		{"an arrow split after the bracket", []string{"\x1b[", "A"}, []string{"\x1b[A"}},
		{"an arrow split into bytes", []string{"\x1b", "[", "A"}, []string{"\x1b[A"}},
		{"an SS3 key split", []string{"\x1bO", "P"}, []string{"\x1bOP"}},
		{"a key with parameters split", []string{"\x1b[1;", "5C"}, []string{"\x1b[1;5C"}},
		{"a mouse report split", []string{"\x1b[<0;12;", "3M"}, []string{"\x1b[<0;12;3M"}},
		{"an old mouse report split", []string{"\x1b[M !", "!"}, []string{"\x1b[M !!"}},
		{"a letter split", []string{"\xe4\xbd", "\xa0"}, []string{"你"}},
		{"an escape key alone", []string{"\x1b", "", "j"}, []string{"\x1b", "j"}},
		{"an escape key and soon a letter are no alt", []string{"\x1b", "j"}, []string{escapeKey + "j"}},
		{"alt and a letter in one piece stay", []string{"\x1bj"}, []string{"\x1bj"}},
		{"a sequence that never ends is given up", []string{"\x1b[1;", "", "x"}, []string{"\x1b[1;", "x"}},
		{"letters before a split arrow are kept", []string{"jk\x1b", "[B"}, []string{"jk\x1b[B"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := typed(tt.parts...)
			if len(got) != len(tt.want) {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			}
		})
	}
}

func TestAnswersAreTakenOut(t *testing.T) {
	tests := []struct {
		name  string
		parts []string
		rest  string
		dark  []bool
	}{
		{"an answer alone", []string{"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\"}, "", []bool{true}},
		{"an answer that ends in BEL", []string{"\x1b]11;rgb:ff/ff/ff\x07"}, "", []bool{false}},
		{"keys round an answer stay", []string{"a\x1b]11;rgb:0/0/0\x07b"}, "ab", []bool{true}},
		{"an answer in two parts", []string{"\x1b]11;rgb:ffff/", "ffff/ffff\x1b\\j"}, "j", []bool{false}},
		{"an answer whose rest comes late", []string{"k\x1b]11;rgb:ffff/", "", "ffff/ffff\x1b\\j"}, "kj", []bool{false}},
		{"an answer split in its end", []string{"\x1b]11;rgb:ff/ff/ff\x1b", "\\j"}, "j", []bool{false}},
		{"an answer that makes no sense", []string{"\x1b]11;rgb:gg\x07j"}, "j", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reads, answers := typed(tt.parts...)
			rest := ""
			for _, r := range reads {
				rest += r
			}
			if rest != tt.rest || len(answers) != len(tt.dark) {
				t.Fatalf("passed %q and told %v, want %q and %v", rest, answers, tt.rest, tt.dark)
			}
			for i, a := range answers {
				if a.Dark != tt.dark[i] {
					t.Errorf("told %v", a)
				}
			}
		})
	}
}

func FuzzInput(f *testing.F) {
	f.Add("a\x1b[A", "\x1b]11;rgb:0/0/0\x07", "\xe4\xbd")
	f.Add("\x1b", "j", "\x1b]11;")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		typed(a, b, "", c)
	})
}
