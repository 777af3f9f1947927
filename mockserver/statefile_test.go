package mockserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/stxtx"
)

// height returns the height of the newest block of a world, "" for the server itself.
func height(t *testing.T, s *Server, world string) int64 {
	t.Helper()
	var answer struct {
		Tip struct {
			Height int64 `json:"height"`
		} `json:"tip"`
	}
	w := get(s, world+"/mock/v1/snapshot")
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
		t.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	return answer.Tip.Height
}

// restarted makes another server on what the files hold now, as after a kill: on a copy,
// since the first one still holds them.
func restarted(t *testing.T, cfg Config) *Server {
	t.Helper()
	cfg.State = copied(t, cfg.State)
	s, _ := newServer(t, cfg)
	return s
}

// copied copies a state file and the folder beside it.
func copied(t *testing.T, file string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "state")
	if _, err := os.Stat(file + ".worlds"); err == nil {
		if err := os.CopyFS(to+".worlds", os.DirFS(file+".worlds")); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func everything(t *testing.T, s *Server) string {
	t.Helper()
	var out strings.Builder
	for _, name := range []string{"alice", "bob"} {
		for _, mainnet := range []bool{true, false} {
			out.WriteString(get(s, "/v2/accounts/"+someone(name).address(mainnet)).Body.String())
			out.WriteString(get(s, "/extended/v1/address/"+someone(name).address(mainnet)+"/nonces").Body.String())
		}
	}
	for _, target := range []string{"/extended/v1/block?limit=30", "/mock/v1/catalog"} {
		out.WriteString(get(s, target).Body.String())
	}
	return out.String()
}

func TestAStateFileBringsTheSameWorldBack(t *testing.T) {
	frozen := newClock().at
	for name, clock := range map[string]*time.Time{"a standing clock": &frozen, "a running clock": nil} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "state")
			cfg := Config{Seed: 9, Freeze: clock, BlockInterval: 5 * time.Second, State: file}
			s, wall := newServer(t, cfg)
			cfg.Seed, cfg.Freeze, cfg.BlockInterval = 0, nil, 0 // the file says it
			alice, bob := someone("alice"), someone("bob")
			accepted(t, s, alice.signed(t, alice.mainnetTx(0, 300, to(t, bob.address(true), 5))))
			waits := alice.signed(t, alice.mainnetTx(2, 300, to(t, bob.address(true), 5)))
			accepted(t, s, waits)
			for _, one := range []step{
				{"POST", "/mock/v1/mempool", `{"drop":"` + stxtx.ID(waits) + `","reason":"problematic"}`},
				{"POST", "/mock/v1/mine", `{"blocks":2}`},
				{"POST", "/mock/v1/snapshot", `{"name":"a"}`},
				{"POST", "/mock/v1/accounts", `{"address":"` + bob.address(false) + `","balance":"7"}`},
				{"POST", "/mock/v1/contracts", counterEntry},
				{"POST", "/mock/v1/clock", `{"advance":"1h"}`},
				{"POST", "/mock/v1/reorg", `{"depth":1}`},
				{"POST", "/mock/v1/mempool", `{"hold":true}`},
				{"POST", "/mock/v1/mine", `{"blocks":1}`},
				{"POST", "/mock/v1/mempool", `{"hold":false}`},
			} {
				if w := send(s, one.method, one.target, one.body); w.Code != 200 {
					t.Fatalf("%s: %d %s", one.target, w.Code, w.Body)
				}
				if got := everything(t, restarted(t, withClock(cfg, wall))); got != everything(t, s) {
					t.Fatalf("after %s another server shows something else", one.target)
				}
			}
			wall.Add(time.Minute)
			accepted(t, s, alice.signed(t, alice.testnetTx(0, 300, to(t, bob.address(false), 5))))
			file = copied(t, file)
			cfg.State = file
			again, _ := newServer(t, withClock(cfg, wall))
			if got := everything(t, again); got != everything(t, s) {
				t.Error("with a transaction that waits another server shows something else")
			}
			if w := send(again, "POST", "/mock/v1/revert", `{"to":"a"}`); w.Code != 200 {
				t.Fatalf("back to a snapshot of the server before: %d %s", w.Code, w.Body)
			}
			wall.Add(time.Second)
			if got := everything(t, restarted(t, withClock(cfg, wall))); got != everything(t, again) {
				t.Error("after a way back another server shows something else")
			}
			info, err := os.Stat(file)
			if err != nil || info.Size() > 8_000 || info.Mode().Perm() != 0o600 {
				t.Errorf("%v: %d bytes, %v", err, info.Size(), info.Mode())
			}
			send(again, "POST", "/mock/v1/reset", "")
			data, err := os.ReadFile(file)
			if err != nil || bytes.Count(data, []byte("\n")) != 1 || !bytes.HasPrefix(data, []byte(`{"chainscope_mock_state":2,"seed":"9","block_interval":"5s",`)) {
				t.Errorf("after a reset: %s %v", data, err)
			}
		})
	}
}

// withClock lets another server see the same wall clock.
func withClock(cfg Config, c *clock) Config {
	cfg.Now = c.Now
	return cfg
}

func TestAStateFileOfAMachineWhoseClockIsAheadTakesNoBlocksBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	s, wall := newServer(t, Config{State: file})
	alice := someone("alice")
	wall.Add(time.Hour)
	id := accepted(t, s, alice.signed(t, alice.mainnetTx(0, 300, to(t, someone("bob").address(true), 5))))
	mine(t, s, 1)
	send(s, "POST", "/mock/v1/snapshot", "")
	elsewhere := newClock() // an hour behind
	again := restarted(t, withClock(Config{State: file}, elsewhere))
	if got, want := get(again, "/extended/v1/block").Body.String(), get(s, "/extended/v1/block").Body.String(); got != want {
		t.Error("another machine shows other blocks")
	}
	if body := get(again, "/extended/v1/tx/0x"+id).Body.String(); !strings.Contains(body, `"tx_status":"success"`) {
		t.Errorf("%s", body)
	}
	before := get(again, "/mock/v1/catalog").Body.String()
	elsewhere.Add(time.Minute)
	if get(again, "/mock/v1/catalog").Body.String() == before {
		t.Error("the chain does not grow")
	}
}

func TestStateFilesThatAreRefused(t *testing.T) {
	const header = `{"chainscope_mock_state":2,"seed":"9","block_interval":"5s","burn_interval":"10m0s","names":250000,"epoch":"3.4"}` + "\n"
	other := newClock().at
	for name, c := range map[string]struct {
		text string
		cfg  Config
		says string
	}{
		"no state file":       {"hello", Config{}, "line 1 is no header"},
		"a header alone, cut": {header[:40], Config{}, "line 1 is no header"},
		"of the future":       {strings.Replace(header, ":2", ":3", 1), Config{}, "version 3; this chainscope reads version 2"},
		"of before":           {strings.Replace(header, ":2", ":1", 1), Config{}, "a chain of before, with other burn heights and in epoch 3.3"},
		"another epoch":       {header, Config{Epoch: "4.0"}, "--epoch 3.4, not 4.0"},
		"a broken line":       {header + "x\n" + `{"at":"2026-01-01T00:00:00Z","do":"mine","with":{"blocks":1}}` + "\n", Config{}, "line 2"},
		"an unknown deed":     {header + `{"at":"2026-01-01T00:00:00Z","do":"x"}` + "\n", Config{}, "line 2: x: what to do is unknown"},
		"an impossible deed":  {header + `{"at":"2026-01-01T00:00:00Z","do":"mine","with":{"blocks":0}}` + "\n", Config{}, "line 2: mine: blocks must be an integer from 1 to 1000000"},
		"a wrong seed":        {header, Config{Seed: 8}, "seed 9, not 8"},
		"a wrong interval":    {header, Config{BlockInterval: time.Second}, "--block-interval 5s, not 1s"},
		"a wrong clock":       {header, Config{Freeze: &other}, "another clock"},
		"a bad seed":          {strings.Replace(header, `"9"`, `"x"`, 1), Config{}, `seed "x" is no number`},
		"an interval of zero": {strings.Replace(header, `"5s"`, `"0s"`, 1), Config{BlockInterval: 0}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "state")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			c.cfg.State, c.cfg.Now = file, newClock().Now
			s, err := New(c.cfg)
			if c.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var bad *ConfigError
			if !errors.As(err, &bad) || bad.Flag != "--state" || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, %v", s != nil, err)
			}
		})
	}
}

func TestALastLineThatWasCutIsSaidAndLeftOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen, State: file})
	send(s, "POST", "/mock/v1/mine", `{"blocks":1}`)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	send(s, "POST", "/mock/v1/mine", `{"blocks":1}`)
	longer, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := os.WriteFile(file, longer[:len(longer)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	var said []string
	again, _ := newServer(t, Config{State: file, Report: func(message string) { said = append(said, message) }})
	if got := height(t, again, ""); got != 1_000_001 {
		t.Errorf("the tip is %d", got)
	}
	if data, err := os.ReadFile(file); err != nil || !bytes.Equal(data, whole) {
		t.Errorf("the file holds %s, want %s: %v", data, whole, err)
	}
	if len(said) != 1 || !strings.Contains(said[0], file) || !strings.Contains(said[0], "the last line was cut off") {
		t.Errorf("said: %q", said)
	}
}

func TestWhatIsDoneNextDoesNotStickToALastLineWithoutANewline(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen, State: file})
	for lines := range 3 { // the header alone, then one line and two
		s.Close()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, bytes.TrimSuffix(data, []byte("\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		s, _ = newServer(t, Config{State: file, Report: func(message string) { t.Errorf("nothing is lost, and yet: %s", message) }})
		if got := height(t, s, ""); got != int64(1_000_000+lines) {
			t.Errorf("with %d lines the tip is %d", lines, got)
		}
		send(s, "POST", "/mock/v1/mine", `{"blocks":1}`)
	}
	if got := height(t, restarted(t, Config{State: file}), ""); got != 1_000_003 {
		t.Errorf("at the end the tip is %d", got)
	}
}

func TestAnEmptyStateFileIsANewOne(t *testing.T) {
	for _, text := range []string{"", "\n"} {
		file := filepath.Join(t.TempDir(), "state")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, _ := newServer(t, Config{Seed: 4, State: file})
		send(s, "POST", "/mock/v1/mine", `{"blocks":1}`)
		again := restarted(t, Config{State: file})
		if got, want := get(again, "/extended/v1/block").Body.String(), get(s, "/extended/v1/block").Body.String(); got != want {
			t.Error("another server shows another chain")
		}
	}
}

func TestASecondMockOnAStateFileIsRefusedAndNamesTheFirst(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "state")
	first, _ := newServer(t, Config{State: file})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- first.Serve(l) }()
	r, err := http.Get("http://" + l.Addr().String() + "/mock/v1/scenario") // once it answers it has said where it is
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		link = file // not everybody may make one on Windows
	}
	for _, name := range []string{file, link, filepath.Join(dir, ".", "state")} {
		_, err := New(Config{State: name})
		want := fmt.Sprintf("another mock uses it (process %d, at http://%s)", os.Getpid(), l.Addr())
		var bad *ConfigError
		if !errors.As(err, &bad) || bad.Flag != "--state" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if w := send(first, "POST", "/mock/v1/mine", `{"blocks":1}`); w.Code != 200 {
		t.Errorf("the first one: %d %s", w.Code, w.Body)
	}
	first.Close()
	<-served
	second, _ := newServer(t, Config{State: file})
	if got := height(t, second, ""); got < 1_000_001 {
		t.Errorf("the tip is %d", got)
	}
}

func TestAMockThatDoesNotStartLetsGoOfItsStateFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(file, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, cfg := range []Config{{State: file}, {State: file + "2", Contracts: "nope"}, {State: file + "2", BlockInterval: 1}} {
		for range 2 {
			if _, err := New(cfg); err == nil || strings.Contains(err.Error(), "another mock") {
				t.Errorf("%+v: %v", cfg.State, err)
			}
		}
	}
}

func TestNothingIsDoneThatTheStateFileCannotKeep(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "inner", "state")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	frozen := newClock().at
	s, _ := newServer(t, Config{Freeze: &frozen, State: file, Worlds: true})
	alice := someone("alice")
	transfer := alice.signed(t, alice.mainnetTx(0, 300, to(t, someone("bob").address(true), 5)))
	do := func(world, route, body string) *httptest.ResponseRecorder {
		return send(s, "POST", world+"/mock/v1/"+route, body)
	}
	for _, world := range []string{"", "/w/a"} {
		do(world, "snapshot", `{"name":"a"}`)
		do(world, "mine", `{"blocks":3}`)
		do(world, "snapshot", `{"name":"b"}`)
		do(world, "mine", `{"blocks":3}`)
		do(world, "revert", `{"to":"b"}`)
	}
	before := everything(t, s) + get(s, "/mock/v1/snapshot").Body.String() + get(s, "/w/a/mock/v1/snapshot").Body.String()
	away := filepath.Join(dir, "away")
	if err := os.Rename(filepath.Dir(file), away); err != nil {
		t.Fatal(err)
	}
	for _, world := range []string{"", "/w/a", "/w/new"} {
		for route, body := range map[string]string{
			"mine": `{"blocks":1}`, "clock": `{"advance":"1h"}`, "reorg": `{"depth":1}`, "contracts": counterEntry, "snapshot": `{"name":"c"}`, "mempool": `{"hold":true}`,
			"accounts": `{"address":"` + alice.address(true) + `","balance":"7"}`, "revert": `{"to":"a"}`, "redo": "", "reset": "",
		} {
			if world == "/w/new" && (route == "revert" || route == "redo") {
				continue // nothing to go back to
			}
			if w := do(world, route, body); w.Code != http.StatusInsufficientStorage || !strings.Contains(w.Body.String(), "the state file cannot be written, so nothing was done") {
				t.Errorf("%s %s: %d %s", world, route, w.Code, w.Body)
			}
		}
	}
	if reason, data := refused(t, s, transfer); reason != "ServerFailureOther" || !strings.Contains(data, "cannot be written") {
		t.Errorf("%s %s", reason, data)
	}
	if after := everything(t, s) + get(s, "/mock/v1/snapshot").Body.String() + get(s, "/w/a/mock/v1/snapshot").Body.String(); after != before {
		t.Errorf("something was done all the same:\n%s\nbefore:\n%s", after, before)
	}
	if err := os.Rename(away, filepath.Dir(file)); err != nil {
		t.Fatal(err)
	}
	if w := do("", "redo", ""); w.Code != 200 || height(t, s, "") != 1_000_006 {
		t.Errorf("with room again: %d %s", w.Code, w.Body)
	}
	accepted(t, s, transfer)
	if got := everything(t, restarted(t, Config{State: file, Worlds: true})); got != everything(t, s) {
		t.Error("another server shows something else")
	}
}

func FuzzStateFile(f *testing.F) {
	const header = `{"chainscope_mock_state":1,"seed":"9","block_interval":"10s","burn_interval":"10m0s","names":25}` + "\n"
	f.Add([]byte(header))
	f.Add([]byte(header + `{"at":"2026-01-01T00:00:00Z","do":"mine","with":{"blocks":1}}` + "\n" + `{"at":"2026-01-01T00:00:00Z","do":"snapshot","with":{"name":"a"}}` + "\n"))
	f.Add([]byte(header + `{"at":"2026-01-01T00:00:00Z","do":"clock","with":{},"ahead":"1h"}` + "\n" + `{"at":"2026-01-01T00:00:00Z","do":"clock","with":{"set":"2026-01-01T00:00:00Z"}}` + "\n"))
	f.Add([]byte(header + `{"at":"2026-01-01T00:00:00Z","do":"reorg","with":{"depth":1}}` + "\n" + `{"at":"2026-01-01T00:00:00Z","do":"broadcast","with":{"tx":"00"}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(t.TempDir(), "state")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := New(Config{State: file, Now: newClock().Now})
		if err != nil {
			var bad *ConfigError
			if !errors.As(err, &bad) {
				t.Errorf("%v names no flag", err)
			}
			return
		}
		defer s.Close()
		if w := get(s, "/extended/v1/block?limit=2"); w.Code != 200 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestWhatWorldsDidIsThereAfterARestart(t *testing.T) {
	frozen := newClock().at
	for name, clock := range map[string]*time.Time{"a standing clock": &frozen, "a running clock": nil} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{Seed: 9, Freeze: clock, State: filepath.Join(t.TempDir(), "state"), Worlds: true}
			before, wall := newServer(t, cfg)
			mine(t, before, 4) // worlds of the server after that begin with it
			cfg.State = copied(t, cfg.State)
			cfg = withClock(cfg, wall)
			s, _ := newServer(t, cfg)
			alice, bob := someone("alice"), someone("bob")
			for i, world := range []string{"/w/A", "/w/a", "/w/a.b_c-1"} {
				send(s, "POST", world+"/mock/v1/mine", fmt.Sprintf(`{"blocks":%d}`, i+1))
				send(s, "POST", world+"/mock/v1/snapshot", `{"name":"x"}`)
				w := post(s, world+"/v2/transactions", "application/octet-stream", alice.signed(t, alice.mainnetTx(0, 300, to(t, bob.address(true), uint64(i+5)))))
				if w.Code != 200 {
					t.Fatalf("%s: %d %s", world, w.Code, w.Body)
				}
				send(s, "POST", world+"/mock/v1/reorg", `{"depth":1}`)
				send(s, "POST", world+"/mock/v1/mine", `{"blocks":2}`)
			}
			files := map[string]bool{}
			found, err := os.ReadDir(cfg.State + ".worlds")
			for _, one := range found {
				files[strings.ToLower(one.Name())] = true // one file on some systems
			}
			if err != nil || len(files) != 3 {
				t.Errorf("files: %v %v", found, err)
			}
			send(s, "POST", "/w/a/mock/v1/revert", `{"to":"x"}`)
			send(s, "POST", "/w/a/mock/v1/mine", `{"blocks":1}`)
			get(s, "/w/untouched/extended/v1/block")
			mine(t, s, 7) // the worlds that there are do not begin with that
			wall.Add(time.Minute)
			again := restarted(t, cfg)
			for _, world := range []string{"", "/w/A", "/w/a", "/w/a.b_c-1"} {
				for _, target := range []string{"/extended/v1/block?limit=30", "/v2/accounts/" + alice.address(true), "/mock/v1/snapshot"} {
					if got, want := get(again, world+target).Body.String(), get(s, world+target).Body.String(); got != want {
						t.Errorf("%s%s: %s\nbefore: %s", world, target, got, want)
					}
				}
			}
			if got, want := height(t, again, "/w/untouched"), height(t, again, ""); got != want {
				t.Errorf("a world to which nothing was done begins at %d, the server is at %d", got, want)
			}
			for _, one := range []*Server{s, again} {
				send(one, "POST", "/w/A/mock/v1/reset", "")
			}
			if got, want := height(t, again, "/w/A"), height(t, s, "/w/A"); got != want {
				t.Errorf("a reset goes to %d, before the restart to %d", got, want)
			}
		})
	}
}

func TestTheFileOfAWorldThatIsWrongIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	s, _ := newServer(t, Config{Seed: 9, State: file, Worlds: true})
	send(s, "POST", "/w/a/mock/v1/mine", `{"blocks":1}`)
	send(s, "POST", "/w/a/mock/v1/mine", `{"blocks":1}`)
	s.Close()
	path := filepath.Join(file+".worlds", "w-a")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for says, text := range map[string]string{
		"line 2: what":  strings.Replace(string(data), "mine", "what", 1),
		"another chain": strings.Replace(string(data), `"seed":"9"`, `"seed":"8"`, 1),
		"line 1: begin": strings.Replace(string(data), `"names"`, `"begin":3,"names"`, 1),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := New(Config{State: file, Worlds: true}); err == nil || !strings.Contains(err.Error(), "w-a") || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if err := os.WriteFile(path, data[:len(data)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	var said []string
	again, _ := newServer(t, Config{State: file, Worlds: true, Report: func(message string) { said = append(said, message) }})
	if got := height(t, again, "/w/a"); got != 1_000_001 || len(said) != 1 || !strings.Contains(said[0], "w-a") {
		t.Errorf("a line that was cut: %d, said %q", got, said)
	}
}

func TestAWorldThatIsForgottenIsSaidAndItsFileIsGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	s, _ := newServer(t, Config{State: file, Worlds: true})
	send(s, "POST", "/w/first/mock/v1/mine", `{"blocks":1}`)
	for i := range 1024 {
		get(s, fmt.Sprintf("/w/%d/v2/fees/transfer", i))
	}
	send(s, "POST", "/w/3/mock/v1/mine", `{"blocks":2}`)
	var list struct {
		Worlds []struct {
			Name string `json:"name"`
			Tip  struct {
				Height int64 `json:"height"`
			} `json:"tip"`
		} `json:"worlds"`
		Limit     int `json:"limit"`
		Forgotten int `json:"forgotten"`
	}
	w := get(s, "/mock/v1/worlds")
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != 200 {
		t.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	if len(list.Worlds) != 1024 || list.Limit != 1024 || list.Forgotten != 1 {
		t.Errorf("%d worlds of %d, %d forgotten", len(list.Worlds), list.Limit, list.Forgotten)
	}
	if newest := list.Worlds[0]; newest.Name != "3" || newest.Tip.Height != 1_000_002 || list.Worlds[1023].Name != "0" {
		t.Errorf("the newest is %+v, the oldest %+v", newest, list.Worlds[1023])
	}
	if found, err := os.ReadDir(file + ".worlds"); err != nil || len(found) != 1 || found[0].Name() != "w-3" {
		t.Errorf("files: %v %v", found, err)
	}
	none, _ := newServer(t, Config{})
	if w := get(none, "/mock/v1/worlds"); w.Code != 404 || !strings.Contains(w.Body.String(), "--worlds") {
		t.Errorf("without worlds: %d %s", w.Code, w.Body)
	}
}
