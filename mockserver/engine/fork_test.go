package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/engine"
	"chainscope/mockserver/engine/enginetest"
	"chainscope/mockserver/fork"
	"chainscope/mockserver/fork/forktest"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// below has the heights of a chain whose blocks all belong to one burn block.
type below struct{}

func (below) Tenure(int64) (burn, next int64) { return 961_000, 1 << 40 }

// onFork is a session of a program that reads one value of the live chain with each call.
func onFork(t *testing.T, n *forktest.Node, o engine.Options, change func(*fork.Options)) *stage {
	t.Helper()
	height := int64(forktest.Height)
	of := fork.Options{Client: n.Client(t), Height: &height, Pause: time.Millisecond}
	if change != nil {
		change(&of)
	}
	source, err := fork.Open(context.Background(), of)
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, ledger: ledger.New()}
	s.ledger.SetOrigin(func([20]byte, string) (uint64, uint64) { return 0, 0 })
	o.Command, o.Fork, o.Epoch = enginetest.Command(), source, "4.0"
	s.engine = engine.New(o)
	s.session = s.engine.NewSession(below{}, nil)
	t.Cleanup(func() { s.engine.Close(); source.Close() })
	return s
}

// The time in which a call waits for what it reads is not its own.
func TestACallMayWaitLongForWhatItReads(t *testing.T) {
	n := forktest.New(t)
	s := onFork(t, n, engine.Options{CallTime: 150 * time.Millisecond}, nil)
	_, p := s.deploy(nil, forktest.Height+1, "")
	n.Fail(func(i int, _ string) forktest.Fault {
		if i < 40 {
			return forktest.Limited // for 20 ms each
		}
		return forktest.None
	})
	began := time.Now()
	does, after := s.call(p, forktest.Height+2, "add", clarity.NewUInt(5))
	if took := time.Since(began); clarity.Repr(does.Result) != "(ok u5)" || after == p || took < 300*time.Millisecond {
		t.Errorf("after %v: %s %s %v", took, clarity.Repr(does.Result), does.Error, does.Unread)
	}
	does, _ = s.call(after, forktest.Height+3, "hang")
	if !strings.Contains(does.Error, "gave no answer to call within 150ms") {
		t.Errorf("one that hangs: %s", does.Error)
	}
}

// A call of which something could not be read has no effect, and is done when it can be.
func TestWhatACallCouldNotReadIsReported(t *testing.T) {
	n := forktest.New(t)
	s := onFork(t, n, engine.Options{}, nil)
	_, p := s.deploy(nil, forktest.Height+1, "")
	n.Fail(func(int, string) forktest.Fault { return forktest.Failing })
	does, after := s.call(p, forktest.Height+2, "add", clarity.NewUInt(5))
	if after != p || does.Unread == nil || !strings.HasPrefix(does.Unread.Error(), "could not be read: the source of "+alice+".c: ") {
		t.Errorf("%+v", does)
	}
	_, _, err := s.session.Read(engine.State{Point: p, Height: forktest.Height + 2, Balances: &s.ledger}, stxtx.ContractCall{Contract: s.contract(), Function: "total"}, principal(t, alice), false)
	var unread *fork.UnreadError
	if !errors.As(err, &unread) {
		t.Errorf("a read: %v", err)
	}
	n.Fail(nil)
	if does, _ = s.call(p, forktest.Height+2, "add", clarity.NewUInt(5)); clarity.Repr(does.Result) != "(ok u5)" {
		t.Errorf("%+v", does)
	}
}

// A reader learns after a while what is being waited for.
func TestAReadSaysWhatItWaitsFor(t *testing.T) {
	n := forktest.New(t)
	s := onFork(t, n, engine.Options{CallTime: 500 * time.Millisecond}, nil)
	_, p := s.deploy(nil, forktest.Height+1, "")
	n.Fail(func(int, string) forktest.Fault { return forktest.Limited })
	_, _, err := s.session.Read(engine.State{Point: p, Height: forktest.Height + 2, Balances: &s.ledger}, stxtx.ContractCall{Contract: s.contract(), Function: "total"}, principal(t, alice), false)
	var unread *fork.UnreadError
	if !errors.As(err, &unread) || unread.What != "the source of "+alice+".c" {
		t.Errorf("%v", err)
	}
}

// What a reader waits for the live chain does not count as the time of who computes: it is no reason to give up
// while the machine computes after that.
func TestAReadMayComputeAfterALongWait(t *testing.T) {
	n := forktest.New(t)
	s := onFork(t, n, engine.Options{CallTime: 2 * time.Second}, nil) // a reader waits for 4 s at most
	_, p := s.deploy(nil, forktest.Height+1, "")
	began := time.Now()
	n.Fail(func(int, string) forktest.Fault {
		if time.Since(began) < 3*time.Second {
			return forktest.Limited
		}
		return forktest.None
	})
	s.want(s.read(p, forktest.Height+2, "late"), "u0")
	if took := time.Since(began); took < 4300*time.Millisecond {
		t.Errorf("it took %v: the limit was never reached", took)
	}
}
