package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"chainscope/tui/demo"
	"chainscope/tui/film"
	"chainscope/tui/internal/uitest"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// filmHeight is that of the explorer and the caption below it.
const filmHeight = pictureHeight + 1

// The films of README and the guides are the demos, performed by the program on a clock that
// stands still. `bash .ci/pictures` makes them again.
func TestThePicturesThatMoveAreTheDemos(t *testing.T) {
	uitest.NotRaced(t)
	films := map[string]string{
		"explore": "../docs/explore.cast", "mock": "../docs/mock.cast", "sign": "../docs/sign.cast", "test": "../docs/test.svg",
	}
	if !uitest.Long() { // these take twenty seconds of waiting for what does not come
		delete(films, "explore")
		delete(films, "sign")
		delete(films, "test")
	}
	for name, kept := range films {
		t.Run(name, func(t *testing.T) {
			s := startWalletAs(t, pictureLook, "dark", "mainnet", pictureWidth, pictureHeight)
			s.m.options.API, s.m.options.Other = "mock", func(context.Context, string) error { return nil }
			script, err := demo.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := demo.Record(t.Context(), portless{s.m}, script, stillClock{s}, pictureWidth, filmHeight,
				demo.Options{Theme: s.m.theme, Request: page(t, s.service), Busy: s.busy}, func(f func()) { go f() })
			if err != nil {
				t.Fatal(err)
			}
			uitest.Document(t, kept, func(string) string {
				if name == "test" {
					return f.SVG(film.DarkTerminal)
				}
				return f.Cast()
			})
		})
	}
}

// A demo waits for nothing that a small terminal does not show, which has two lines of the demo below the explorer.
func TestEveryDemoPlaysToItsEndAt80x24(t *testing.T) {
	uitest.NotRaced(t)
	names := []string{"mock"}
	if uitest.Long() {
		names = append(names, "explore", "sign", "test")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s := startWalletAs(t, pictureLook, "dark", "mainnet", 80, 22)
			s.m.options.API, s.m.options.Other = "mock", func(context.Context, string) error { return nil }
			script, err := demo.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := demo.Record(t.Context(), portless{s.m}, script, stillClock{s}, 80, 23,
				demo.Options{Theme: s.m.theme, Request: page(t, s.service), Busy: s.busy}, func(f func()) { go f() }); err != nil {
				t.Error(err)
			}
		})
	}
}

// stillClock stands still but for what the user would read.
type stillClock struct{ *walletStory }

func (c stillClock) Now() time.Time       { return c.now() }
func (c stillClock) Skip(d time.Duration) { c.wait(d) }

// After waits in rounds of a millisecond, which take longer on a busy machine, where the program needs longer as
// well. Nothing moves by itself on this clock.
func (c stillClock) After(d time.Duration) <-chan time.Time {
	done := make(chan time.Time, 1)
	go func() {
		for range d / time.Millisecond {
			time.Sleep(time.Millisecond)
		}
		done <- c.Now()
	}()
	return done
}

// portless is the explorer without the ports that the test happened to get.
type portless struct{ tea.Model }

func (p portless) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := p.Model.Update(msg)
	return p, cmd
}

func (p portless) View() string { return address.ReplaceAllString(p.Model.View(), "127.0.0.1:39999") }

// page returns a web page that asks the wallet.
func page(t *testing.T, wallet *service.Service) func(demo.Ask) error {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := wallet.StartBridge(service.BridgeOptions{Listener: listener, AllowOrigin: []string{"http://localhost:3000"}}); err != nil {
		t.Fatal(err)
	}
	return func(ask demo.Ask) error {
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": ask.Method, "params": ask.Params})
		if err != nil {
			return err
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+listener.Addr().String()+"/rpc", bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Origin", ask.Origin)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("the page got %s", answer.Status)
		}
		return nil
	}
}
