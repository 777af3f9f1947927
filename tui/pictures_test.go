package tui

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// The pictures and films of README and the guides are drawn by the program itself, in a
// window of this size and by a clock that stands still. `go test ./tui -update` makes
// them again.
const (
	pictureWidth  = 120
	pictureHeight = 36
)

var pictureLook = theme.Options{Dark: true, Colors: colorprofile.TrueColor}

// sitter is somebody at the explorer who is drawn.
type sitter struct {
	*walletStory
	cast *uitest.Cast
}

func sitFor(t *testing.T, title string) *sitter {
	t.Helper()
	s := startWalletAs(t, pictureLook, "dark", "mainnet", pictureWidth, pictureHeight)
	s.run(s.m.visit(nav.Home()))
	return &sitter{s, uitest.NewCast(title, pictureWidth, pictureHeight)}
}

// keeps keeps the screen as a picture.
func (s *sitter) keeps(path string) {
	s.t.Helper()
	picture := uitest.SVG(s.screen(), pictureWidth, pictureHeight, "chainscope", uitest.DarkTerminal)
	uitest.Document(s.t, path, func(string) string { return picture })
}

// keepsCast keeps the film.
func (s *sitter) keepsCast(path string) {
	s.t.Helper()
	uitest.Document(s.t, path, func(string) string { return s.cast.String() })
}

// shows adds the screen to the film, which stays for a while before the next.
func (s *sitter) shows(pause time.Duration, want string) {
	s.t.Helper()
	if !strings.Contains(ansi.Strip(s.screen()), want) {
		s.t.Fatalf("no %q on the screen:\n%s", want, ansi.Strip(s.screen()))
	}
	s.cast.Show(pause, s.screen())
}

// hits presses keys, one after the other, and films each.
func (s *sitter) hits(pause time.Duration, want string, keys ...string) {
	s.t.Helper()
	for i, k := range keys {
		s.key(k)
		if i < len(keys)-1 {
			s.cast.Show(pause, s.screen())
		}
	}
	s.shows(pause, want)
}

// asks presses a key that asks the wallet, and returns what waits for its answer once
// the dialog is on the screen.
func (s *sitter) asks(key string) (answered func()) {
	s.t.Helper()
	_, cmd := s.m.Update(uitest.Key(key))
	came := make(chan tea.Msg, 1)
	go func() { came <- cmd() }()
	hear[service.ApprovalAsked](s.walletStory)
	s.wait(time.Second)
	return func() { s.send(<-came) }
}

const (
	letterPause = 120 * time.Millisecond
	stepPause   = 900 * time.Millisecond
	lookPause   = 2500 * time.Millisecond
)

func TestThePicturesShowTheExplorer(t *testing.T) {
	s := sitFor(t, "chainscope: explore the chain")
	s.keeps("../docs/home.svg")
	s.shows(0, "newest left")
	s.hits(lookPause, "Go to anything", "ctrl+g")
	s.hits(letterPause, "harbor-dollar", "h", "a", "r", "b", "o", "r")
	s.hits(stepPause, "Harbor Dollar", "enter")
	s.hits(lookPause, "STACKS BLOCKS", "2")
	s.hits(stepPause, "Burn block ", "j", "j", "enter")
	s.hits(lookPause, "Block 1,0", "1")
	s.hits(stepPause, "compare", "C", "j", "C")
	s.hits(lookPause, "Requests", "esc", "i")
	s.shows(lookPause, "Requests")
	s.keepsCast("../docs/explore.cast")
}

func TestThePicturesShowTheMock(t *testing.T) {
	s := sitFor(t, "chainscope: break and mend the API")
	s.run(s.m.visit(nav.Blocks()))
	s.shows(0, "Blocks")
	s.hits(lookPause, "Mock server", "M")
	s.hits(stepPause, "mined 10 blocks", "n")
	s.hits(stepPause, "scenario down", "5")
	s.hits(lookPause, "OFFLINE", "esc", "r")
	s.hits(stepPause, "Mock server", "M")
	s.keeps("../docs/mock.svg")
	s.hits(stepPause, "scenario healthy", "1")
	s.hits(stepPause, "live", "esc", "r")
	s.shows(lookPause, "live")
	s.keepsCast("../docs/mock.cast")
}

func TestThePicturesShowTheWallet(t *testing.T) {
	s := sitFor(t, "chainscope: send STX and see it in a block")
	s.shows(0, "newest left")
	s.hits(stepPause, "Connection", "5")
	s.hits(stepPause, "New request", "n")
	s.hits(stepPause, "Send request", "down", "enter")
	s.hits(stepPause, "1.500000 STX", "ctrl+x")
	answered := s.asks("ctrl+y")
	s.shows(stepPause, "Approve request")
	s.key("a")
	answered()
	s.shows(lookPause, "Enter to mine a block now")
	s.hits(lookPause, "success", "enter")
	s.hits(lookPause, "yours", "enter")
	s.shows(lookPause, "yours")
	s.keepsCast("../docs/sign.cast")
}

// A web page asks, over whatever is on the screen.
func TestThePicturesShowTheApproval(t *testing.T) {
	s := sitFor(t, "")
	s.run(s.m.visit(nav.Blocks()))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.service.StartBridge(service.BridgeOptions{Listener: listener, AllowOrigin: []string{"http://localhost:5173"}}); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+listener.Addr().String()+"/rpc", strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"stx_transferStx","params":{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":1500000,"memo":"rent"}}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Origin", "http://localhost:5173")
	request.Header.Set("Content-Type", "application/json")
	done := make(chan error, 1)
	go func() {
		answer, err := http.DefaultClient.Do(request)
		if err == nil {
			err = answer.Body.Close()
		}
		done <- err
	}()
	hear[service.ApprovalAsked](s.walletStory)
	s.wait(time.Second)
	s.shows(0, "localhost:5173")
	s.keeps("../docs/approval.svg")
	s.key("a")
	if err := <-done; err != nil {
		t.Error(err)
	}
}
