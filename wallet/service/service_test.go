package service

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/tui/state"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"

	"github.com/google/go-cmp/cmp"
)

const recipient = "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7"

// desk is the user at a service: it reads every message in order.
type desk struct {
	*Service
	t testing.TB
	// seen are the messages that were passed over.
	seen []Message
}

func open(t testing.TB, o Options) *desk {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &desk{Service: s, t: t}
}

// await reads messages until one of a type comes.
func await[M Message](d *desk) M {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	for {
		m, ok := d.Next(ctx)
		if !ok {
			var want M
			d.t.Fatalf("no %T came; %d other messages did", want, len(d.seen))
		}
		if found, ok := m.(M); ok {
			return found
		}
		d.seen = append(d.seen, m)
	}
}

// send sends a request of the pane and returns where its outcome comes.
func (d *desk) send(ctx context.Context, method, params string) <-chan Outcome {
	out := make(chan Outcome, 1)
	go func() {
		out <- d.Request(ctx, Request{Method: method, Params: json.RawMessage(params), Options: plainWallet})
	}()
	return out
}

// stacksAddress returns the Stacks address of an account of ours.
func (d *desk) stacksAddress(account uint32, network string) string {
	d.t.Helper()
	entries, err := d.Addresses(account, network)
	if err != nil {
		d.t.Fatal(err)
	}
	return entries[len(entries)-1].Address
}

var plainWallet = map[string]json.RawMessage{"provider": json.RawMessage(`"ChainscopeProvider"`)}

func TestThreeRequestsAtOnceArePromptedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, Options{Network: "testnet"})
		var outcomes []<-chan Outcome
		for _, m := range []string{`{"message":"one"}`, `{"message":"two"}`, `{"message":"three"}`} {
			outcomes = append(outcomes, d.send(t.Context(), "stx_signMessage", m))
			time.Sleep(time.Millisecond)
			synctest.Wait()
		}
		if n := len(d.Queue()); n != 3 {
			t.Fatalf("%d requests wait, want 3", n)
		}
		for i, want := range []string{"one", "two", "three"} {
			a := await[ApprovalNeeded](d)
			if a.Description.Message.Text != want {
				t.Fatalf("request %d asks to sign %q, want %q", i, a.Description.Message.Text, want)
			}
			d.Decide(a.ID, signer.Decision{Approved: want != "two"})
			o := <-outcomes[i]
			if rejected := o.Call.Decision == RejectedByPerson; rejected != (want == "two") {
				t.Errorf("%s came out as %+v", want, o.Call)
			}
			if n := len(d.Queue()); n != 2-i {
				t.Errorf("after %s %d wait, want %d", want, n, 2-i)
			}
		}
	})
}

func TestAWithdrawnRequestClosesItsDialogAndTheNextOneOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		first := d.send(ctx, "stx_signMessage", `{"message":"one"}`)
		a := await[ApprovalNeeded](d)
		second := d.send(t.Context(), "getAddresses", "")
		synctest.Wait()
		cancel()
		if o := <-first; o.Call.Decision != WithdrawnChoice {
			t.Errorf("the decision is %q", o.Call.Decision)
		}
		w := await[Withdrawn](d)
		if w.ID != a.ID || w.Method != "stx_signMessage" || w.Reason == "" {
			t.Errorf("withdrawn: %+v", w)
		}
		if d.Decide(a.ID, signer.Decision{Approved: true}) {
			t.Error("an answer to what was withdrawn was taken")
		}
		d.Decide(await[ApprovalNeeded](d).ID, signer.Decision{Approved: true})
		if o := <-second; o.Err != nil {
			t.Error(o.Err)
		}
	})
}

func TestARequestThatIsWithdrawnBeforeItsTurnSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, Options{})
		first := d.send(t.Context(), "stx_signMessage", `{"message":"one"}`)
		a := await[ApprovalNeeded](d)
		ctx, cancel := context.WithCancel(t.Context())
		second := d.send(ctx, "getAddresses", "")
		synctest.Wait()
		cancel()
		<-second
		if w := await[Withdrawn](d); w.ID != 0 || w.Method != "getAddresses" {
			t.Errorf("withdrawn: %+v", w)
		}
		d.Decide(a.ID, signer.Decision{})
		<-first
	})
}

func TestAnEditedFeeIsDescribedAgainAndThatIsWhatIsSigned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, Options{Network: "testnet"})
		out := d.send(t.Context(), "stx_transferStx", `{"recipient":"`+d.stacksAddress(1, "testnet")+`","amount":"1500000"}`)
		first := await[ApprovalNeeded](d)
		if !first.Editable() || first.Round != 1 {
			t.Fatalf("asked: %+v", first)
		}
		fee, nonce := uint64(4321), uint64(7)
		d.Decide(first.ID, signer.Decision{Approved: true, Edit: signer.Edit{Fee: &fee, Nonce: &nonce}})
		second := await[ApprovalNeeded](d)
		tx := second.Description.Transaction
		if second.ID == first.ID || second.Round != 2 || tx.Fee != fee || tx.Nonce != nonce {
			t.Fatalf("asked again: %+v", second)
		}
		if tx.Unsigned == first.Description.Transaction.Unsigned {
			t.Error("the transaction is the old one")
		}
		select {
		case <-out:
			t.Fatal("the edit was taken for an approval")
		default:
		}
		d.Decide(second.ID, signer.Decision{Approved: true})
		o := <-out
		if o.Err != nil || strings.Join(o.Call.Edits, " ") != "fee nonce" || o.Call.Decision != Approved || len(o.Call.TxID) != 64 {
			t.Errorf("came out as %+v: %v", o.Call, o.Err)
		}
		if !strings.Contains(o.Call.NotSent, "no mock chain") {
			t.Errorf("not sent because %q", o.Call.NotSent)
		}
	})
}

func TestAWalletThatApprovesOrRejectsOpensNoPrompt(t *testing.T) {
	for _, c := range []struct {
		behaviour provider.Behaviour
		want      Choice
	}{{provider.Approves, ApprovedAtOnce}, {provider.Rejects, RejectedAtOnce}} {
		t.Run(string(c.behaviour), func(t *testing.T) {
			d := open(t, Options{})
			d.SetBehaviour(provider.PlayChainscope, c.behaviour)
			o := d.Request(t.Context(), Request{Method: "stx_signMessage", Params: json.RawMessage(`{"message":"hi"}`), Options: plainWallet})
			if o.Call.Decision != c.want {
				t.Errorf("decided %q: %v", o.Call.Decision, o.Err)
			}
		})
	}
}

func TestASlowWalletTakesItsTimeOnTheGivenClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, Options{})
		d.SetBehaviour(provider.PlayChainscope, provider.Slow)
		begun := time.Now()
		out := d.send(t.Context(), "getAddresses", "")
		a := await[ApprovalNeeded](d)
		if took := time.Since(begun); took != 3*time.Second {
			t.Errorf("asked after %v", took)
		}
		d.Decide(a.ID, signer.Decision{Approved: true})
		if o := <-out; o.Call.Duration != 3*time.Second {
			t.Errorf("the timeline says %v", o.Call.Duration)
		}
	})
}

func TestTheSelectorOpensAndItsChoiceIsRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, Options{})
		out := make(chan Outcome, 1)
		go func() { out <- d.Connect(t.Context(), nil, "testnet") }()
		sel := await[SelectionNeeded](d)
		var ids []string
		for _, r := range sel.Rows {
			if r.Installed {
				ids = append(ids, r.ID)
			}
		}
		want := []string{provider.ChainscopeID, provider.LeatherID, provider.XverseID}
		if diff := cmp.Diff(want, ids); diff != "" {
			t.Errorf("installed wallets (-want +got):\n%s", diff)
		}
		d.Choose(sel.ID, provider.LeatherID)
		a := await[ApprovalNeeded](d)
		if a.Wallet != provider.PlayLeather {
			t.Errorf("asked by %s", a.Wallet)
		}
		d.Decide(a.ID, signer.Decision{Approved: true})
		if o := <-out; o.Err != nil || o.Call.Kind != KindConnect {
			t.Fatalf("%+v: %v", o.Call, o.Err)
		}
		if st := d.State(); !st.Connected || st.Remembered != provider.LeatherID || len(st.Record.Addresses.STX) != 1 {
			t.Errorf("state: %+v", st)
		}
		if o := d.Disconnect(t.Context()); o.Err != nil || d.State().Connected {
			t.Errorf("still connected: %v", o.Err)
		}
	})
}

func TestADismissedSelectorCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, Options{})
		out := make(chan Outcome, 1)
		go func() { out <- d.Request(t.Context(), Request{Method: "getAddresses"}) }()
		d.Choose(await[SelectionNeeded](d).ID, "")
		if o := <-out; o.Call.Error == nil || o.Call.Error.Code != -31001 {
			t.Errorf("came out as %+v", o.Call)
		}
	})
}

func TestTheTimelineShowsWhatWasRequestedBesideWhatTheWalletReceived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, Options{})
		d.SetBehaviour(provider.PlayLeather, provider.Approves)
		send := func(overrides string) Call {
			return d.Request(t.Context(), Request{
				Method: "stx_getAccounts",
				Options: map[string]json.RawMessage{
					"provider": json.RawMessage(`"LeatherProvider"`), "enableOverrides": json.RawMessage(overrides),
				},
			}).Call
		}
		if c := send("true"); c.Received == nil || c.Wallet != provider.PlayLeather {
			t.Errorf("with overrides: %+v", c)
		}
		if c := send("false"); c.Error == nil || c.Received.Method != "stx_getAccounts" {
			t.Errorf("without overrides: %+v", c)
		}
	})
}

// A param that a wallet drops is not passed over in silence.
func TestTheTimelineNamesWhatTheWalletIgnored(t *testing.T) {
	d := open(t, Options{Behaviour: provider.Approves})
	o := d.Request(t.Context(), Request{
		Method: "getAddresses", Params: json.RawMessage(`{"network":"mainnet","zeta":1,"alpha":2}`),
		Options: map[string]json.RawMessage{"provider": json.RawMessage(`"LeatherProvider"`)},
	})
	if o.Err != nil {
		t.Fatal(o.Err)
	}
	if diff := cmp.Diff([]string{"alpha", "zeta"}, o.Call.Ignored); diff != "" {
		t.Error(diff)
	}
	calls := d.Timeline()
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	if diff := cmp.Diff(o.Call.Ignored, calls[0].Ignored); diff != "" {
		t.Error(diff)
	}
}

func TestTheTimelineIsKeptWithoutSecretsAndCanBeReplayed(t *testing.T) {
	store, err := state.Open(state.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	options := Options{Store: store, Now: func() time.Time { return now }}
	d := open(t, options)
	d.SetBehaviour(provider.PlayChainscope, provider.Approves)
	o := d.Request(t.Context(), Request{Method: "stx_getAccounts", Options: plainWallet})
	if o.Err != nil || !strings.Contains(string(o.Call.Result), "[secret]") {
		t.Fatalf("%s: %v", o.Call.Result, o.Err)
	}
	lines, err := store.Last(timelineLog, 10)
	if err != nil || len(lines) != 1 {
		t.Fatalf("%d lines: %v", len(lines), err)
	}
	var full struct{ Accounts []struct{ GaiaAppKey string } }
	if err := json.Unmarshal(o.Result, &full); err != nil || len(full.Accounts) == 0 {
		t.Fatalf("%s: %v", o.Result, err)
	}
	if key := full.Accounts[0].GaiaAppKey; len(key) < 20 || strings.Contains(string(lines[0]), key) {
		t.Error("the gaia key is on disk")
	}

	again := open(t, options)
	again.Refresh()
	calls := again.Timeline()
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	if diff := cmp.Diff(o.Call, calls[0]); diff != "" {
		t.Errorf("read back (-before +after):\n%s", diff)
	}
	again.SetBehaviour(provider.PlayChainscope, provider.Rejects)
	if r := again.Replay(t.Context(), calls[0]); r.Call.Method != "stx_getAccounts" || r.Call.Decision != RejectedAtOnce {
		t.Errorf("replayed: %+v", r.Call)
	}
}

func TestParamsTooLongForTheDiskAreLeftOutByName(t *testing.T) {
	store, err := state.Open(state.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, Options{Store: store})
	long, _ := json.Marshal(map[string]string{"message": strings.Repeat("x", maxField)})
	d.SetBehaviour(provider.PlayChainscope, provider.Rejects)
	d.Request(t.Context(), Request{Method: "stx_signMessage", Params: long, Options: plainWallet})
	d.Refresh()
	c := d.Timeline()[0]
	if diff := cmp.Diff([]string{"params", "received"}, c.Cut); diff != "" {
		t.Error(diff)
	}
	if _, err := c.Request(); err == nil {
		t.Error("it can be replayed without its params")
	}
}

func TestALockedKeystoreAnswersThatItIsLockedUntilItIsOpened(t *testing.T) {
	k := keys.Keystore{Path: t.TempDir() + "/keys.age", WorkFactor: 10}
	if err := k.Import(keys.Contents{Mnemonic: keys.NewSecret(keys.TestMnemonic)}, keys.NewSecret("open sesame")); err != nil {
		t.Fatal(err)
	}
	d := open(t, Options{Keys: KeystoreKeys(k.Path)})
	d.SetBehaviour(provider.PlayChainscope, provider.Approves)
	if st := d.State(); !st.Locked || st.Address != "" || st.KeySource != FromKeystore {
		t.Errorf("state: %+v", st)
	}
	if o := d.Request(t.Context(), Request{Method: "getAddresses", Options: plainWallet}); o.Call.Error == nil || o.Call.Error.Code != -32002 {
		t.Errorf("locked: %+v", o.Call)
	}
	if err := d.Unlock(keys.NewSecret("wrong")); !errors.Is(err, keys.ErrPassphrase) {
		t.Errorf("a wrong passphrase: %v", err)
	}
	if err := d.Unlock(keys.NewSecret("open sesame")); err != nil {
		t.Fatal(err)
	}
	if o := d.Request(t.Context(), Request{Method: "getAddresses", Options: plainWallet}); o.Err != nil {
		t.Error(o.Err)
	}
	if err := d.Lock(); err != nil || !d.State().Locked {
		t.Error("it does not lock", err)
	}
}

func TestAccountAndNetworkChangeTheAddress(t *testing.T) {
	d := open(t, Options{})
	d.Refresh()
	first := d.State()
	if first.Network != "mainnet" || !strings.HasPrefix(first.Address, "SP") || !first.PublicTest {
		t.Errorf("at first: %+v", first)
	}
	if err := d.SetNetwork("testnet"); err != nil || !strings.HasPrefix(d.State().Address, "ST") {
		t.Errorf("on testnet: %+v", d.State())
	}
	if err := d.SetAccount(3); err != nil || d.State().Address == first.Address {
		t.Error("another account has the same address", err)
	}
	if err := d.SetNetwork("moonnet"); err == nil {
		t.Error("moonnet is a network")
	}
	if err := d.SetAccount(1 << 31); err == nil {
		t.Error("account 2^31 is one")
	}
}

func TestBadParamsOpenNoPrompt(t *testing.T) {
	d := open(t, Options{})
	o := d.Request(t.Context(), Request{Method: "stx_transferStx", Params: json.RawMessage(`{"recipient":"` + recipient + `"}`), Options: plainWallet})
	if o.Call.Error == nil || o.Call.Error.Code != -32602 || o.Call.Decision != "" {
		t.Errorf("came out as %+v", o.Call)
	}
}
