package tui

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/tui/film"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
	"chainscope/wallet/clarity"
	"chainscope/wallet/service"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// The pictures of README and the guides are drawn by the program itself, in a
// window of this size and by a clock that stands still. `go test ./tui -update` makes
// them again.
const (
	pictureWidth  = 120
	pictureHeight = 36
)

var pictureLook = theme.Options{Dark: true, Colors: colorprofile.TrueColor}

// sitter is somebody at the explorer who is drawn.
type sitter struct{ *walletStory }

func sitFor(t *testing.T) *sitter {
	t.Helper()
	s := startWalletAs(t, pictureLook, "dark", "mainnet", pictureWidth, pictureHeight)
	s.run(s.m.visit(nav.Home()))
	return &sitter{s}
}

// keeps keeps the screen as a picture.
func (s *sitter) keeps(path string) {
	s.t.Helper()
	picture := film.Picture(s.screen(), pictureWidth, pictureHeight, "chainscope", film.DarkTerminal)
	uitest.Document(s.t, path, func(string) string { return picture })
}

// sees checks that a text is on the screen.
func (s *sitter) sees(want string) {
	s.t.Helper()
	if !strings.Contains(ansi.Strip(s.screen()), want) {
		s.t.Fatalf("no %q on the screen:\n%s", want, ansi.Strip(s.screen()))
	}
}

func TestThePictureShowsHome(t *testing.T) {
	s := sitFor(t)
	s.sees("newest first")
	s.keeps("../docs/home.svg")
}

func TestThePictureShowsTheMock(t *testing.T) {
	s := sitFor(t)
	s.run(s.m.visit(nav.Blocks()))
	for _, k := range []string{"M", "n", "5", "esc", "r", "M"} {
		s.key(k)
	}
	s.sees("Mock server")
	s.keeps("../docs/mock.svg")
}

// A contract with its functions, each of which can be called where it is.
func TestThePictureShowsAContract(t *testing.T) {
	s := sitFor(t)
	s.run(s.m.visit(nav.Contract("SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token")))
	s.sees("get-balance")
	s.keeps("../docs/contract.svg")
}

// An account of the wallet, with a transaction that waits for a nonce that is missing.
func TestThePictureShowsAnAccount(t *testing.T) {
	s := sitFor(t)
	s.sends("stx_transferStx", `{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"1250000","fee":"3000","nonce":1}`)
	s.run(s.m.visit(nav.Accounts()))
	s.key("enter")
	s.sees("what follows waits for it")
	s.keeps("../docs/account.svg")
}

// A call that its post-conditions aborted: which asset was moved and not covered, and what
// would have allowed it.
func TestThePictureShowsWhyATransactionFailed(t *testing.T) {
	s := sitFor(t)
	var args []string
	for _, literal := range []string{"u5000000", "'" + someone, "'SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH", "none"} {
		value, err := clarity.ParseLiteral(literal)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, `"`+hexOf(t, value)+`"`)
	}
	id := s.sends("stx_callContract", `{"contract":"`+usdaToken+`","functionName":"transfer","fee":2000,"postConditionMode":"deny","functionArgs":[`+strings.Join(args, ",")+`]}`)
	response, err := http.Post(s.m.options.Client.BaseURL()+"/mock/v1/mine", "application/json", strings.NewReader(`{"blocks":1}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	s.run(s.m.visit(nav.TransactionsOf(someone)))
	s.key("enter")
	s.sees("as the chain says")
	if at := s.m.Place(); at != nav.Transaction("0x"+strings.TrimPrefix(id, "0x")) {
		t.Fatalf("it shows %s", at)
	}
	s.keeps("../docs/failed.svg")
}

func hexOf(t *testing.T, v clarity.Value) string {
	t.Helper()
	digits, err := clarity.EncodeHex(v)
	if err != nil {
		t.Fatal(err)
	}
	return digits
}

// sends has the wallet send a transaction, and returns its id.
func (s *sitter) sends(method, params string) string {
	s.t.Helper()
	out := s.request(s.t.Context(), method, params)
	hear[service.ApprovalNeeded](s.walletStory)
	s.approve()
	call := (<-out).Call
	if call.TxID == "" || call.NotSent != "" {
		s.t.Fatalf("came out as %+v", call)
	}
	return call.TxID
}

func TestThePictureShowsTheThemes(t *testing.T) {
	s := sitFor(t)
	s.key("T")
	s.sees("high-contrast")
	s.keeps("../docs/themes.svg")
}

// A web page asks, over whatever is on the screen.
func TestThePictureShowsTheApproval(t *testing.T) {
	s := sitFor(t)
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
	hear[service.ApprovalNeeded](s.walletStory)
	s.wait(time.Second)
	s.sees("localhost:5173")
	s.keeps("../docs/approval.svg")
	s.approve()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
