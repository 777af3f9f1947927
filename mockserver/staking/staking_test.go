package staking

import (
	"testing"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

// onChain returns what is staked on a chain, with its newest height on a day of epoch 4.0.
func onChain(t *testing.T) (*Staking, int64) {
	t.Helper()
	c, err := chain.New(chain.Params{Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	// 333 days after block 1,000,000, which the chain has on the first day of the year.
	return New(c, facts.Current(), nil), 1_000_000 + 333*8_640
}

// What a bond brings ends with its twelfth cycle, and what an account stakes with its last one. Of who
// claims the last cycle that is over is not claimed yet.
func TestRewardsEndWithWhatIsLocked(t *testing.T) {
	s, height := onChain(t)
	now := s.At(height)
	r := &Registration{Bond: &Bond{Start: 100, Rate: 300}, Sats: 2_600_000_000} // 3,000,000 satoshi a cycle
	k := &Stake{Amount: 7_000_000, First: 100, Cycles: 3}                       // 21 satoshi a cycle
	for cycle, want := range map[int64][2]uint64{99: {0, 0}, 100: {0, 0}, 101: {1, 1}, 103: {3, 3}, 104: {4, 3}, 112: {12, 3}, 113: {12, 3}, 300: {12, 3}} {
		for _, claims := range []bool{false, true} {
			now.Cycle, r.claims, k.claims = cycle, claims, claims
			bond, bondClaimed := now.Earned(r)
			stake, stakeClaimed := now.Yield(k)
			if bond != want[0]*3_000_000 || stake != want[1]*21 {
				t.Errorf("in cycle %d the bond has brought %d and the stake %d", cycle, bond, stake)
			}
			wantBond, wantStake := uint64(0), uint64(0)
			if claims {
				wantBond, wantStake = (max(want[0], 1)-1)*3_000_000, (max(want[1], 1)-1)*21
			}
			if bondClaimed != wantBond || stakeClaimed != wantStake {
				t.Errorf("in cycle %d %d and %d are claimed, want %d and %d", cycle, bondClaimed, stakeClaimed, wantBond, wantStake)
			}
		}
	}
}

// Every third on the list of a bond claims, beginning with the first.
func TestEveryThirdClaims(t *testing.T) {
	s, height := onChain(t)
	bonds := s.At(height).Bonds()
	if len(bonds) < 3 {
		t.Fatalf("%d bonds", len(bonds))
	}
	claiming := 0
	for _, b := range bonds {
		place := map[clarity.Principal]int{}
		for i, a := range b.Allowed {
			place[a.Staker] = i
		}
		for _, r := range b.Registered {
			if want := place[r.Staker]%3 == 0; r.claims != want {
				t.Errorf("bond %d: the account at %d claims: %v", b.Index, place[r.Staker], r.claims)
			} else if want {
				claiming++
			}
		}
	}
	if claiming < 3 {
		t.Errorf("%d claim", claiming)
	}
}

// A signer has what is staked with it from the first cycle to the last, and of a bond for twelve.
func TestASignerHasAStakeFromItsFirstCycleToItsLast(t *testing.T) {
	s, height := onChain(t)
	now := s.At(height)
	signer := now.Signers()[0]
	bond := &Bond{Start: 200, Tx: signer.Keys[0].Tx}
	bond.Registered = []*Registration{{Bond: bond, Signer: signer.ID, STX: 11, Tx: signer.Keys[0].Tx}}
	now.period = &period{signers: now.signers, bonds: []*Bond{bond}, stakes: []*Stake{{Signer: signer.ID, Amount: 5, First: 205, Cycles: 3, Tx: signer.Keys[0].Tx}}}
	for cycle, want := range map[int64]uint64{199: 0, 200: 11, 204: 11, 205: 16, 207: 16, 208: 11, 211: 11, 212: 0} {
		if got := now.StakedIn(cycle)[signer.ID]; got != want {
			t.Errorf("in cycle %d it has %d, want %d", cycle, got, want)
		}
	}
}

// What an account sent is what blocks had by then.
func TestAnAccountHasSentWhatBlocksHadByThen(t *testing.T) {
	s, height := onChain(t)
	signer := s.At(height).Signers()[2] // which has a new key for each cycle
	account := signer.ID.Address.Hash160
	for n, key := range signer.Keys[:3] {
		for _, at := range []struct {
			height int64
			want   int
		}{{key.Tx.Height - 1, n}, {key.Tx.Height, n + 1}} {
			sent, _, stakes := s.Of(account, at.height)
			if len(sent) != at.want || !stakes {
				t.Errorf("at %d it has sent %d transactions, want %d", at.height, len(sent), at.want)
			}
		}
	}
	if _, _, stakes := s.Of([20]byte{1}, height); stakes {
		t.Error("somebody stakes who does not")
	}
}

// What an account stakes through the mock takes the place of what was made up for it, and is there once.
func TestWhatIsStakedThroughTheMockIsThereOnce(t *testing.T) {
	s, height := onChain(t)
	k := s.At(height).Stakes()[0]
	l := ledger.New()
	l.Put(ledger.Set{Contract: Contract(false), Name: stakerInfo, Key: k.Staker, Value: info(&Stake{Signer: k.Signer, Amount: 9, First: 3, Cycles: 4})})
	now := s.At(height, &l)
	if got, want := len(now.Stakes()), len(s.At(height).Stakes()); got != want {
		t.Errorf("%d stakes, want %d", got, want)
	}
	if got, ok := now.StakeOf(k.Staker); !ok || got.Amount != 9 || got.First != 3 || got.Cycles != 4 || got.Signer != k.Signer {
		t.Errorf("%+v", got)
	}
}

// A signer takes every stake; only its owner, whose key nobody has, registers a key.
func TestTheContractOfASignerRefusesAKeyAlone(t *testing.T) {
	s, height := onChain(t)
	l := ledger.New()
	signer, ok := s.Played(s.At(height).Signers()[0].ID)
	if !ok {
		t.Fatal("it is not played")
	}
	anyone := clarity.Principal{Address: c32.Address{Version: c32.MainnetP2PKH, Hash160: [20]byte{7}}}
	if does, plays := signer.Call(&l, anyone, "register-self", []clarity.Value{clarity.Buffer(make([]byte, 33))}); !plays || clarity.Repr(does.Result) != "(err u1)" {
		t.Errorf("register-self: %+v %v", does, plays)
	}
	for _, function := range []string{"validate-stake!", "checkpoint-staker"} {
		does, plays := signer.Call(&l, anyone, function, nil)
		if !plays || does.Result != nil { // (ok true)
			t.Errorf("%s: %+v %v", function, does, plays)
		}
	}
}
