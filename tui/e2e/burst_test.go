//go:build unix

package e2e

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Text that is pasted into a terminal which does not mark pastes, as a serial
// line or a script does, neither approves what a page asks nor blocks the page.
func TestUnmarkedPastesDecideNothing(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	s := explorer(t, 120, 40, "--bridge="+address)
	s.shows("1,000,000", "bridge")
	answer := make(chan string, 1)
	go func() { answer <- ask("http://" + address) }()
	s.shows("Allow this origin?", "ready for input")
	for _, pasted := range []string{"apple pie", "banana by", "aaaa", "\ra"} {
		s.press(pasted)
		s.shows("Allow this origin?", "keys work in")
		s.hides("Block this origin?")
		s.shows("Allow this origin?", "ready for input")
	}
	s.press("a")
	s.shows("Approve request", "Sign a message", "ready for input")
	for _, pasted := range []string{"apple pie", "banana by", "rye"} {
		s.press(pasted)
		s.shows("Approve request", "keys work in")
		s.shows("Sign a message", "ready for input")
	}
	select {
	case got := <-answer:
		t.Fatalf("a paste has answered: %s", got)
	default:
	}
	s.press("a")
	if got := <-answer; !strings.Contains(got, "signature") {
		t.Errorf("a key that came alone gave %s", got)
	}
	s.quit()
}

// freeAddress returns a loopback address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// ask asks as a web page does and returns the answer.
func ask(address string) string {
	const body = `{"jsonrpc":"2.0","id":1,"method":"stx_signMessage","params":{"message":"hi"}}`
	request, err := http.NewRequest(http.MethodPost, address+"/rpc", strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	request.Header.Set("Origin", "http://localhost:3000")
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: 5 * time.Minute}
	response, err := client.Do(request)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	data, _ := io.ReadAll(response.Body)
	return string(data)
}
