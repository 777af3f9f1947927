package term

import (
	"strings"
	"testing"
)

func TestACallRingsNotifiesAndSetsTheTitleOnce(t *testing.T) {
	var r root
	first := r.call(CallRequest{CallLoud, "a page asks"})
	for _, want := range []string{"\a", "\x1b]9;a page asks\a", "\x1b]777;notify;chainscope;a page asks\a", saveTitle, "\x1b]2;chainscope: a page asks\a"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q lacks %q", first, want)
		}
	}
	if second := r.call(CallRequest{CallLoud, "another"}); strings.Contains(second, saveTitle) {
		t.Errorf("the title is saved twice: %q", second)
	}
	if got := r.call(CallRequest{}); got != restoreTitle {
		t.Errorf("ends with %q", got)
	}
	if got := r.call(CallRequest{}); got != "" {
		t.Errorf("ends twice, with %q", got)
	}
}

func TestOtherWaysToCall(t *testing.T) {
	var r root
	if got := r.call(CallRequest{CallBell, "x"}); got != "\a" {
		t.Errorf("the bell is %q", got)
	}
	if got := r.call(CallRequest{CallOff, "x"}); got != "" {
		t.Errorf("off is %q", got)
	}
}

// The name of a page cannot end the sequence that it is in.
func TestTheTextOfACallIsOnlyText(t *testing.T) {
	got := new(root).call(CallRequest{CallLoud, "evil\a\x1b]52;c;AAAA\a\x9c\u009d;x" + strings.Repeat("é", 500)})
	if n := strings.Count(got, "\x1b"); n != 4 { // OSC 9, OSC 777, the title saved and set
		t.Errorf("%d escape characters in %q", n, got)
	}
	if n := strings.Count(got, "\a"); n != 4 {
		t.Errorf("%d bells in %q", n, got)
	}
	if len(got) > 1000 {
		t.Errorf("%d bytes", len(got))
	}
}
