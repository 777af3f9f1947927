package walletpane

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/tui/text"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/form"
	"chainscope/tui/widget/picker"
	"chainscope/wallet/bridge"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// menu is a picker in a box.
type menu struct {
	screen *Screen
	title  string
	picker *picker.Picker
	choose func(id string) tea.Cmd
	typed  func(query string) tea.Cmd // when nothing matches what was typed; nil for none
}

func (s *Screen) menu(title string, items []picker.Item, filter bool, choose func(id string) tea.Cmd) *menu {
	m := &menu{screen: s, title: title, picker: picker.New(s.theme, items, filter), choose: choose}
	s.modal = m
	return m
}

// Key handles a key.
func (m *menu) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if m.typed != nil && msg.String() == "enter" && m.picker.Len() == 0 {
		return m.typed(m.picker.Query()), true
	}
	switch m.picker.Key(msg) {
	case picker.Closed:
		return nil, true
	case picker.Chosen:
		item, _ := m.picker.Current()
		return m.choose(item.ID), true
	}
	return nil, false
}

func (m *menu) click(line int) bool { return m.picker.Click(line - 1) } // below the edge

// View draws the box.
func (m *menu) View(width, height int) []string {
	w := min(width-4, 76)
	h := min(height, max(4, m.picker.Len()+3))
	return box.Draw(m.screen.theme, m.title, "enter choose  esc close", m.picker.View(w-4, h-2), w, h)
}

// pickMethod lists the methods.
func (s *Screen) pickMethod() {
	var items []picker.Item
	for _, f := range params.All() {
		items = append(items, picker.Item{ID: f.Method, Label: text.Pad(f.Method, 26), Note: f.Title})
	}
	items = append(items, picker.Item{ID: "", Label: text.Pad("raw request", 26), Note: "any method, straight to a wallet"})
	s.menu("New request", items, true, func(method string) tea.Cmd {
		s.begin()
		if method == "" {
			s.openRaw(service.Request{})
			return nil
		}
		s.openForm(method)
		return nil
	})
}

// offered is the number of accounts that are listed.
const offered = 10

func (s *Screen) pickAccount() {
	ring := s.wallet.Keys().Ring
	n, _ := signer.NetworkNamed(s.state.Network)
	var items []picker.Item
	for i := range uint32(offered) {
		note := ""
		if ring != nil {
			if address, err := (signer.Env{Keys: ring, Account: i}).StacksAddress(n); err == nil {
				note = address
			}
		}
		item := picker.Item{ID: fmt.Sprint(i), Label: fmt.Sprintf("account %d", i), Note: note}
		if i == s.state.Account {
			item.Label += " (active)"
		}
		items = append(items, item)
	}
	m := s.menu("Account: choose one, or type its number", items, true, s.setAccount)
	m.typed = s.setAccount
}

func (s *Screen) setAccount(number string) tea.Cmd {
	parsed, err := strconv.ParseUint(number, 10, 32)
	n := uint32(parsed)
	if err != nil {
		return notice(fmt.Errorf("%.20q is no account: want a number from 0 to %d", number, uint32(keys.MaxAccount)))
	}
	return s.change(fmt.Sprintf("account %d", n), func(context.Context) error { return s.wallet.SetAccount(n) })
}

// numbered returns items that are chosen by their numbers too; the active one says so.
func numbered[T ~string](all []T, active T, note func(T) string) []picker.Item {
	items := make([]picker.Item, len(all))
	for i, id := range all {
		items[i] = picker.Item{ID: string(id), Key: fmt.Sprint(i + 1), Label: string(id), Note: note(id)}
		if id == active {
			items[i].Label += " (active)"
		}
	}
	return items
}

func (s *Screen) pickNetwork() {
	items := numbered(service.Networks(), s.state.Network, func(n string) string {
		if n == "mainnet" {
			return "real addresses; nothing is ever sent to a live network"
		}
		return ""
	})
	s.menu("Network of requests that name none", items, false, func(n string) tea.Cmd {
		return s.change("network "+n, func(context.Context) error { return s.wallet.SetNetwork(n) })
	})
}

var behaviourNotes = map[provider.Behaviour]string{
	provider.Asks: "you are asked", provider.Approves: "every valid request is approved", provider.Rejects: "every valid request is refused",
	provider.Slow: "answers after 3 s", provider.Locked: "does nothing until unlocked", provider.Failing: "the wallet breaks",
}

func (s *Screen) pickBehaviour(p provider.Personality) {
	items := numbered(provider.Behaviours(), "", func(b provider.Behaviour) string { return behaviourNotes[b] })
	s.menu("How "+string(p)+" behaves", items, false, func(b string) tea.Cmd {
		return s.change(string(p)+" "+b, func(context.Context) error {
			s.wallet.SetBehaviour(p, provider.Behaviour(b))
			return nil
		})
	})
}

func (s *Screen) pickKeys() {
	items := []picker.Item{
		{ID: "test", Key: "1", Label: "public test mnemonic", Note: "public: anyone can spend; never for real coins"},
		{ID: "keystore", Key: "2", Label: "keystore…", Note: "an encrypted file, opened with a passphrase"},
		{ID: "file", Key: "3", Label: "mnemonic file…", Note: "a text file with the words"},
		{ID: "watch", Key: "4", Label: "watched address…", Note: watchedNote},
	}
	if s.state.KeySource == service.FromKeystore {
		if s.state.Locked {
			items = append(items, picker.Item{ID: "unlock", Key: "u", Label: "unlock the keystore"})
		} else {
			items = append(items, picker.Item{ID: "lock", Key: "l", Label: "lock the keystore"})
		}
	}
	s.menu("Where the keys come from", items, false, func(id string) tea.Cmd {
		switch id {
		case "test":
			return s.change("the keys are those of the public test mnemonic", func(context.Context) error {
				s.wallet.SetKeys(service.TestKeys())
				return nil
			})
		case "unlock":
			s.promptPassphrase(s.wallet.Keys())
		case "lock":
			return s.change("the keystore is locked", func(context.Context) error { return s.wallet.Lock() })
		case "keystore":
			s.promptPath("Keystore", "a keystore, as `chainscope wallet keystore create` makes it", func(path string) (take func() error, then func() tea.Cmd) {
				return keys.Keystore{Path: path}.There, func() tea.Cmd {
					if s.modal == nil {
						s.promptPassphrase(service.KeystoreKeys(path))
					}
					return nil
				}
			})
		case "watch":
			s.promptPath("Watched address", "a Stacks address; it needs no keys", s.watch)
		case "file":
			s.promptPath("Mnemonic file", "a text file with the words of a mnemonic", func(path string) (take func() error, then func() tea.Cmd) {
				return func() error { return s.readMnemonic(path) }, func() tea.Cmd { return s.changed("the keys are those of " + path) }
			})
		}
		return nil
	})
}

// pickPersona lists the simulated users.
func (s *Screen) pickPersona() {
	items := numbered(service.Personas(), "", service.Persona.About)
	s.menu("Simulated user of the wallet", items, false, func(p string) tea.Cmd { return s.setPersona(service.Persona(p)) })
}

func (s *Screen) setPersona(p service.Persona) tea.Cmd {
	return s.change("persona "+string(p)+": "+p.About(), func(ctx context.Context) error { return s.wallet.SetPersona(ctx, p) })
}

// watch takes an address instead of keys.
func (s *Screen) watch(address string) (take func() error, then func() tea.Cmd) {
	take = func() error {
		k, err := service.WatchedKeys(address)
		if err == nil {
			s.wallet.SetKeys(k)
		}
		return err
	}
	return take, func() tea.Cmd {
		return s.changed("watching " + address + ": no keys, so only a mock that impersonates it takes its transactions")
	}
}

// readMnemonic takes the keys of a mnemonic in a file. No error quotes it.
func (s *Screen) readMnemonic(path string) error {
	content, err := form.ReadFile(path, 4096)
	if err != nil {
		return err
	}
	ring, err := keys.NewRing(keys.NewSecret(string(content)), keys.Secret{})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.wallet.SetKeys(service.Keys{Source: service.MnemonicFile, Path: path, Ring: ring})
	return nil
}

// promptPassphrase prompts for the passphrase of a keystore that is there.
func (s *Screen) promptPassphrase(k service.Keys) {
	s.modal = newPrompt(s, "Unlock "+k.Path, "the passphrase is not shown; opening takes about a second", true, func(text string) (take func() error, then func() tea.Cmd) {
		secret := keys.NewSecret(text)
		take = func() error {
			err := s.wallet.Open(k, secret)
			if errors.Is(err, keys.ErrPassphrase) {
				return errors.New("the passphrase is wrong, or the file is damaged")
			}
			return err
		}
		return take, func() tea.Cmd { return screen.Notice("the keystore is unlocked") }
	})
}

func (s *Screen) promptPath(title, about string, choose submission) {
	s.modal = newPrompt(s, title, about, false, choose)
}

func (s *Screen) forgetOrigin(origin string) tea.Cmd {
	return s.change("forgot "+origin+": it will be asked about again", func(context.Context) error {
		return s.wallet.SetOrigin(origin, bridge.Undecided)
	})
}

// turnBridge turns the bridge on or off.
func (s *Screen) turnBridge() tea.Cmd {
	if s.state.Bridge.Running {
		return s.change("the bridge is off", func(context.Context) error {
			s.wallet.StopBridge()
			return nil
		})
	}
	s.openBridge()
	return nil
}
