package outcome

import (
	"math/big"
	"strings"
	"testing"

	"chainscope/wallet/stxtx"
)

const library = `;; a library
(define-constant ERR-NOT-OWNER (err u401))
(define-constant MINIMUM u10)
(define-constant ERR-CLOSED
  (err u10))
(define-constant ERR-BELOW -5)
`

func TestWhyATransactionEndedAsItDid(t *testing.T) {
	for _, tt := range []struct {
		e    Ended
		want Why
	}{
		{Ended{Status: "success"}, Why{Sentence: "It succeeded.", Certainty: "fact"}},
		{Ended{Status: "pending"}, Why{Sentence: "It is in the mempool.", Certainty: "fact"}},
		{Ended{Status: "pending", Waits: &Waits{Nonce: 8, Executed: new(uint64(7))}}, Why{Sentence: "It waits for a block.", Certainty: "fact"}},
		{
			Ended{Status: "pending", Waits: &Waits{Nonce: 8, Of: "SP1", Executed: new(uint64(591)), Next: 593}},
			Why{Sentence: "It can never be in a block: its nonce 8 was used already, the last one of SP1 in a block is 591.", Certainty: "fact", Fix: "nothing, if the transaction with nonce 8 did what was wanted; if not, sign it again with nonce 593"},
		},
		{
			Ended{Status: "pending", Waits: &Waits{Nonce: 8, Of: "SP1", Executed: new(uint64(8)), Next: 9}},
			Why{Sentence: "It can never be in a block: its nonce 8 was used already, the last one of SP1 in a block is 8.", Certainty: "fact", Fix: "nothing, if the transaction with nonce 8 did what was wanted; if not, sign it again with nonce 9"},
		},
		{
			Ended{Status: "problematic_skipped"},
			Why{Sentence: "The miner skipped it: nodes refuse to run what it does.", Certainty: "fact", Fix: "unless its nonce was used since, send another one with the same nonce"},
		},
		{Ended{Status: "pending", MinerOnly: true, Orphaned: true}, Why{Sentence: "Its block is no longer part of the chain, and what a miner made for one block can be in no other.", Certainty: "fact"}},
		{
			Ended{Status: "abort_by_response", Function: "buy", Result: "(err u401)", Source: library},
			Why{Sentence: "buy answered (err u401), which the contract calls ERR-NOT-OWNER (line 2).", Certainty: "likely", Constant: "ERR-NOT-OWNER", Line: 2},
		},
		{
			Ended{Status: "abort_by_response", Function: "buy", Result: "(err u10)", Source: library},
			Why{Sentence: "buy answered (err u10); the contract has several names for it: MINIMUM (line 3), ERR-CLOSED (line 4).", Certainty: "likely"},
		},
		{
			Ended{Status: "abort_by_response", Function: "buy", Result: "(err -5)", Source: library},
			Why{Sentence: "buy answered (err -5), which the contract calls ERR-BELOW (line 6).", Certainty: "likely", Constant: "ERR-BELOW", Line: 6},
		},
		{
			Ended{Status: "abort_by_response", Function: "buy", Result: "(err u7)", Source: library},
			Why{Sentence: "buy answered (err u7).", Certainty: "fact"},
		},
		{
			Ended{Status: "abort_by_response", Function: "transfer", Result: "(err u1)"},
			Why{Sentence: "transfer answered (err u1): the sender does not have it.", Certainty: "likely"},
		},
		{
			Ended{Status: "abort_by_response", Function: "buy", Result: "(err none)", VMError: "ArithmeticUnderflow"},
			Why{Sentence: "buy failed at run time: ArithmeticUnderflow, a number fell below the least that there is, for uint 0.", Certainty: "fact"},
		},
		{
			Ended{Status: "abort_by_response", Result: "(err none)", VMError: "unmatched parenthesis at line 3"},
			Why{Sentence: "The contract could not be deployed: unmatched parenthesis at line 3.", Certainty: "fact"},
		},
		{
			Ended{Status: "abort_by_response", Result: "(err none)", VMError: "3:21: use of unresolved function 'x'"},
			Why{Sentence: "The contract could not be deployed: 3:21: use of unresolved function 'x'.", Certainty: "fact", Line: 3},
		},
		{
			Ended{Status: "abort_by_response", Result: "(err none)", VMError: "7:3: use of unresolved function 'as-contract'"},
			Why{Sentence: "The contract could not be deployed: 7:3: use of unresolved function 'as-contract': as-contract is in Clarity 1 to 3 only.", Certainty: "fact", Line: 7, Fix: "deploy it as Clarity 3, or write as-contract?"},
		},
		{
			Ended{Status: "abort_by_response", Result: "(err none)", VMError: "8:3: (at-block ...) is not available in this epoch"},
			Why{Sentence: "The contract could not be deployed: 8:3: (at-block ...) is not available in this epoch: at-block ended with epoch 3.3.", Certainty: "fact", Line: 8, Fix: "a mock with --epoch 3.3 has it"},
		},
		{
			Ended{Status: "abort_by_response", Result: "(err none)", VMError: "5:1: Runtime(DivisionByZero)"},
			Why{Sentence: "The contract could not be deployed: 5:1: DivisionByZero outside of any function, something was divided by zero.", Certainty: "fact", Line: 5},
		},
		{
			Ended{Status: "abort_by_response", Result: "(err none)", VMError: "1:9: use of unresolved variable 'stacks-block-time'"},
			Why{Sentence: "The contract could not be deployed: 1:9: use of unresolved variable 'stacks-block-time': stacks-block-time is in Clarity 4 and later.", Certainty: "fact", Line: 1, Fix: "deploy it as Clarity 4"},
		},
		{
			Ended{Status: "abort_by_response", Function: "buy", Contract: "SP1.shop", Result: "(err none)", VMError: "DivisionByZero at bank:6:84 in ( / a b ); stack: SP1.shop:buy, SP2.bank:pay, _native_:native_div"},
			Why{Sentence: "buy failed at run time: DivisionByZero, something was divided by zero, in ( / a b ), line 6 of bank.", Certainty: "fact", Line: 6, Contract: "SP2.bank"},
		},
		{
			Ended{Status: "abort_by_post_condition"},
			Why{Sentence: "A post-condition failed. The API does not say which.", Certainty: "fact"},
		},
		{
			Ended{Status: "dropped_replace_by_fee", ReplacedBy: "0xab"},
			Why{Sentence: "It was dropped: 0xab, which has the same nonce, took its place.", Certainty: "fact", Fix: "nothing is to be sent again, unless the transaction that took its place is not what was wanted"},
		},
		{
			Ended{Status: "dropped_stale_garbage_collect"},
			Why{Sentence: "It was dropped: it waited too long and was thrown away.", Certainty: "fact", Fix: "unless its nonce was used since, send it again with the same nonce and a higher fee"},
		},
	} {
		tt.want.Status = tt.e.Status
		if got := Explain(tt.e); got != tt.want {
			t.Errorf("%+v:\n%+v, want\n%+v", tt.e, got, tt.want)
		}
	}
}

// A call that answered an error moved nothing: what is said is why it failed, and which
// condition nothing could fulfil, whether the node says so or not. No smaller
// amount is advised.
func TestAnErrorUnderConditionsSaysWhyTheCallFailed(t *testing.T) {
	c := newCast(t)
	type conditions = []stxtx.PostCondition
	for _, tt := range []struct {
		given  conditions
		breaks string // in words, "" where all hold
	}{
		{conditions{stx(nil, stxtx.SentEqual, 5)}, alice + " sends exactly 0.000005 STX"},
		{conditions{stx(nil, stxtx.SentEqual, 0)}, ""},
		{conditions{stx(nil, stxtx.SentGreater, 0)}, alice + " sends more than 0 STX"},
		{conditions{stx(nil, stxtx.SentGreaterOrEqual, 1)}, alice + " sends at least 0.000001 STX"},
		{conditions{stx(nil, stxtx.SentGreaterOrEqual, 0)}, ""},
		{conditions{stx(nil, stxtx.SentLess, 1)}, ""},
		{conditions{stx(nil, stxtx.SentLess, 0)}, alice + " sends less than 0 STX"},
		{conditions{stx(nil, stxtx.SentLessOrEqual, 0)}, ""},
		{conditions{c.coins(&c.pool, stxtx.SentEqual, 3)}, pool + " sends exactly 3 units of coin"},
		{conditions{c.stamped(nil, stxtx.NFTSent, 1)}, alice + " sends stamp u1"},
		{conditions{c.stamped(nil, stxtx.NFTNotSent, 1)}, ""},
		{conditions{c.stamped(nil, stxtx.NFTMaybeSent, 1)}, ""},
		{conditions{stx(nil, stxtx.SentLessOrEqual, 9), c.coins(nil, stxtx.SentGreater, 2)}, alice + " sends more than 2 units of coin"},
	} {
		v := Check(c.alice, stxtx.ModeDeny, tt.given, NewSent(nil))
		if (v != nil) != (tt.breaks != "") {
			t.Errorf("%+v: nothing sent gives %+v", tt.given, v)
		}
		if v == nil {
			continue
		}
		want := Why{
			Status: "abort_by_post_condition", Certainty: "fact", Constant: "ERR-NOT-OWNER", Line: 2, Condition: tt.breaks,
			Sentence: "buy answered (err u401), which the contract calls ERR-NOT-OWNER (line 2). An error moves nothing, so the post-condition that " + tt.breaks + " could not hold.",
			Fix:      "mend what made the call fail; the post-condition can stay as it is",
		}
		e := Ended{Status: want.Status, Function: "buy", Result: "(err u401)", Source: library}
		said, read, done := e, e, e
		said.VMError, done.Violation, read.Held = v.Reason, v, &Held{c.alice, tt.given}
		for from, e := range map[string]Ended{"the node's sentence": said, "the conditions": read, "the violation": done} {
			if got := Explain(e); got != want {
				t.Errorf("from %s:\n%+v, want\n%+v", from, got, want)
			}
		}
	}
}

func TestAnAbortWithoutConditionsIsOfWhatNoneCovers(t *testing.T) {
	c := newCast(t)
	w := Explain(Ended{Status: "abort_by_post_condition", Function: "buy", Result: "(ok true)", Held: &Held{Origin: c.alice}})
	if w.Certainty != "fact" || !strings.Contains(w.Sentence, "no post-condition covers") {
		t.Errorf("%+v", w)
	}
}

// Every violation has a sentence of its own, with what would have been right: from what is
// known of it, and the same from what a node says where only that is known.
func TestEveryViolationIsExplained(t *testing.T) {
	c := newCast(t)
	locked, acted := NewSent(nil), NewSent(nil)
	locked.Locked[c.alice], acted.Stacking[c.alice] = big.NewInt(2_500_000), 1
	lock := stxtx.PostCondition{Asset: stxtx.AssetStaking, Condition: stxtx.SentLess, Amount: 1_000_000}
	act := stxtx.PostCondition{Asset: stxtx.AssetPoX, Condition: stxtx.PoXWillNotPerform}
	type conditions = []stxtx.PostCondition
	sends := func(moves ...Move) *Sent { return NewSent(moves) }
	refused := ", which no post-condition covers; what is not covered is refused."
	add := func(what string) string { return "add the condition that " + alice + what + ", or take the mode allow" }
	for _, tt := range []struct {
		given                    conditions
		sent                     *Sent
		sentence, condition, fix string
		reads                    bool // a node's sentence says as much
	}{
		{conditions{stx(nil, stxtx.SentEqual, 5)}, sends(c.pays(c.alice, c.bob, 6)), " sent 0.000006 STX, but a post-condition wants exactly 0.000005 STX.", " sends exactly 0.000005 STX", "require instead that " + alice + " sends exactly 0.000006 STX, or send what it requires", true},
		{conditions{stx(nil, stxtx.SentLess, 12_500_000)}, sends(c.pays(c.alice, c.bob, 1_000_000_000_000)), " sent 1000000 STX, but a post-condition wants less than 12.5 STX.", " sends less than 12.5 STX", "require instead that " + alice + " sends exactly 1000000 STX, or send what it requires", true},
		{conditions{c.coins(nil, stxtx.SentLessOrEqual, 7)}, sends(c.sends(c.alice, c.bob, 8)), " sent 8 units of coin, but a post-condition wants at most 7 units of coin.", " sends at most 7 units of coin", "require instead that " + alice + " sends exactly 8 units of coin, or send what it requires", true},
		{conditions{c.coins(nil, stxtx.SentLessOrEqual, 1)}, sends(Move{Asset: c.coin, Amount: most128(), From: &c.alice, To: &c.bob}), " sent 340282366920938463463374607431768211455 units of coin, but a post-condition wants at most 1 unit of coin.", " sends at most 1 unit of coin", "leave the condition out: none can name so much", true},
		{conditions{c.stamped(nil, stxtx.NFTSent, 1)}, sends(), " did not send stamp u1, against a post-condition.", " sends stamp u1", "require instead that " + alice + " keeps stamp u1, or send what it requires", true},
		{conditions{c.stamped(nil, stxtx.NFTNotSent, 1)}, sends(c.gives(c.alice, c.bob, 1)), " sent stamp u1, against a post-condition.", " keeps stamp u1", "require instead that " + alice + " sends stamp u1, or send what it requires", true},
		{conditions{lock}, locked, " locked 2.5 STX, but a post-condition wants less than 1 STX.", " locks less than 1 STX", "require instead that " + alice + " locks exactly 2.5 STX, or send what it requires", true},
		{conditions{act}, acted, " changed its stacking state, against a post-condition.", " does not change its stacking state without locking STX", "require instead that " + alice + " may change its stacking state without locking STX, or send what it requires", true},
		{nil, sends(c.pays(c.alice, c.bob, 6)), " sent 0.000006 STX" + refused, "", add(" sends exactly 0.000006 STX"), false},
		{nil, sends(c.sends(c.alice, c.bob, 6)), " sent 6 units of coin" + refused, "", add(" sends exactly 6 units of coin"), false},
		{nil, sends(c.gives(c.alice, c.bob, 6)), " sent stamp u6" + refused, "", add(" sends stamp u6"), false},
		{conditions{c.stamped(nil, stxtx.NFTNotSent, 1)}, sends(c.gives(c.alice, c.bob, 6)), " sent stamp u6" + refused, "", add(" sends stamp u6"), true},
		{nil, locked, " locked 2.5 STX" + refused, "", add(" locks exactly 2.5 STX"), false},
		{nil, acted, " changed its stacking state" + refused, "", add(" may change its stacking state without locking STX"), false},
	} {
		v := Check(c.alice, stxtx.ModeDeny, tt.given, tt.sent)
		if v == nil {
			t.Errorf("%q does not happen", tt.sentence)
			continue
		}
		want := Why{Status: "abort_by_post_condition", Sentence: alice + tt.sentence, Certainty: "fact", Condition: tt.condition, Fix: tt.fix}
		if want.Condition != "" {
			want.Condition = alice + want.Condition
		}
		if got := Explain(Ended{Status: want.Status, Violation: v, VMError: v.Reason}); got != want {
			t.Errorf("of the violation:\n%+v, want\n%+v", got, want)
		}
		got := Explain(Ended{Status: want.Status, VMError: v.Reason})
		if tt.reads && got != want || !strings.Contains(got.Sentence, alice) {
			t.Errorf("of %q:\n%+v, want\n%+v", v.Reason, got, want)
		}
	}
}

// The amounts of a token whose decimals are known are written as people write them.
func TestAmountsOfKnownTokensHaveTheirDecimals(t *testing.T) {
	c := newCast(t)
	v := Check(c.alice, stxtx.ModeDeny, []stxtx.PostCondition{c.coins(nil, stxtx.SentLess, 50)}, NewSent([]Move{c.sends(c.alice, c.bob, 1250)}))
	w := Explain(Ended{Status: "abort_by_post_condition", Violation: v, Unit: func(a stxtx.Asset) (string, int, bool) { return "COIN", 2, a == c.coin }})
	if want := alice + " sent 12.5 COIN, but a post-condition wants less than 0.5 COIN."; w.Sentence != want {
		t.Errorf("%q, want %q", w.Sentence, want)
	}
}

// What a source says in a comment or a string is no name of an error.
func TestNamesAreReadFromCodeAlone(t *testing.T) {
	source := "; ;; (define-constant ERR-OLD (err u5))\n;; (define-constant ERR-OLD (err u5))\n(print \"(define-constant ERR-SAID \\\" (err u5))\")\n( define-constant ERR-NEW\n  ( err u5 ))"
	w := Explain(Ended{Status: "abort_by_response", Function: "f", Result: "(err u5)", Source: source})
	if w.Constant != "ERR-NEW" || w.Line != 4 {
		t.Errorf("%+v", w)
	}
}

func TestErrorsAtRunTimeSayWhere(t *testing.T) {
	const vault = ";; (- u1 u2)\n(define-public (spend (n uint))\n  (ok (- (var-get left)\n    n)))\n(define-public (open (id uint))\n  (let ((a (unwrap-panic (map-get? a id))) (b (unwrap-panic (map-get? b id)))) (ok (/ a b))))\n"
	for name, tt := range map[string]struct {
		function, says, sentence, certainty string
		line                                int
	}{
		"a node, one expression": {"spend", "ArithmeticUnderflow\n Stack Trace: \nSP1.vault:spend", "spend failed at run time: ArithmeticUnderflow, a number fell below the least that there is, for uint 0, likely in (- (var-get left) n), line 3.", "likely", 3},
		"a node, several":        {"open", "UnwrapFailure", "open failed at run time: UnwrapFailure, there was nothing to unwrap, or the wrong side of a response, likely in one of (unwrap-panic (map-get? a id)) (line 6), (unwrap-panic (map-get? b id)) (line 6).", "likely", 0},
		"a node, none of it":     {"spend", "UnwrapFailure", "spend failed at run time: UnwrapFailure, there was nothing to unwrap, or the wrong side of a response.", "fact", 0},
		"with its place":         {"open", "DivisionByZero at SP1.vault:6:84 in ( / a b ); stack: SP1.vault:open", "open failed at run time: DivisionByZero, something was divided by zero, in ( / a b ), line 6 of SP1.vault.", "fact", 6},
		"of another contract":    {"gone", "DivisionByZero", "gone failed at run time: DivisionByZero, something was divided by zero.", "fact", 0},
		"an unknown one":         {"open", "SomethingNew", "open failed at run time: SomethingNew.", "fact", 0},
	} {
		w := Explain(Ended{Status: "abort_by_response", Function: tt.function, Result: "(err none)", VMError: tt.says, Source: vault})
		if w.Sentence != tt.sentence || w.Certainty != tt.certainty || w.Line != tt.line {
			t.Errorf("%s:\n%+v, want\n%+v", name, w, tt)
		}
	}
}

func TestWhatWaitsSaysForWhat(t *testing.T) {
	missing := uint64(4)
	for _, tt := range []struct {
		of            Waits
		sentence, fix string
	}{
		{Waits{Nonce: 6, Missing: &missing, Of: alice}, "It waits for nonce 4 of " + alice + ", which no transaction has; its own is 6.", "send a transaction with nonce 4"},
		{Waits{Nonce: 6, Unread: "could not be read: the nonce of x"}, "It waits: what it does is not known; could not be read: the nonce of x.", "nothing, if the live chain answers again: the next block decides it; else drop it"},
		{Waits{Nonce: 6, Held: true}, "It waits: the mempool is on hold, and nothing goes into a block.", "release the mempool"},
		{Waits{Nonce: 6, Fee: 180, Least: 300}, "It waits for a block and pays 0.00018 STX; transactions of its kind in recent blocks paid at least 0.0003 STX.", "send it again with the same nonce 6 and a higher fee"},
		{Waits{Nonce: 6, Fee: 180}, "It waits for a block.", ""},
	} {
		if w := Explain(Ended{Status: "pending", Waits: &tt.of}); w.Sentence != tt.sentence || w.Fix != tt.fix || w.Failed() {
			t.Errorf("%+v, want %q and %q", w, tt.sentence, tt.fix)
		}
	}
}

func TestEveryRefusalHasASentence(t *testing.T) {
	for _, tt := range []struct{ reason, data, sentence, fix string }{
		{"Deserialization", `{"message":"it is too short"}`, "It is no transaction that a node can read: it is too short.", "build it anew"},
		{"SignatureValidation", `{"message":"the key is of somebody else"}`, "Its signature does not hold: the key is of somebody else.", "sign it with the key of its sender, for the network that it is sent to"},
		{"FeeTooLow", `{"expected":300,"actual":180}`, "It pays 0.00018 STX, and a node takes it for 0.0003 STX at least.", "pay a fee of 0.0003 STX or more"},
		{"BadNonce", `{"expected":5,"actual":3,"principal":"SP1","is_origin":true}`, "Nonce 3 of SP1 cannot be used; the next one is 5.", "sign it with nonce 5, unless the transaction with nonce 3 did what was wanted"},
		{"TooMuchChaining", `{"expected":30,"actual":40,"principal":"SP1"}`, "Nonce 40 of SP1 is too far ahead; the highest that can wait is 30.", "send it once the ones before it are in a block"},
		{"ConflictingNonceInMempool", `null`, "A transaction with the same nonce waits already, and pays as much or more.", "pay a higher fee to take its place; take the next nonce only if both are wanted"},
		{"NotEnoughFunds", `{"expected":"0x000000000000000000000000000f4240","actual":"0x00000000000000000000000000000001"}`, "It takes 1 STX with its fee, and the account has 0.000001 STX beside what waits.", "send less, or give the account more"},
		{"NoSuchContract", ``, "There is no contract SP1.c; one that waits in the mempool is not there yet.", "deploy it and wait for its block, or call the one that is meant"},
		{"NoSuchPublicFunction", ``, "SP1.c has no public function go; private and read-only ones cannot be called by a transaction.", "call one of its public functions"},
		{"BadFunctionArgument", `{"message":"2 arguments are wanted"}`, "The arguments do not fit go of SP1.c: 2 arguments are wanted.", "give the arguments that the function declares"},
		{"ContractAlreadyExists", `{"contract_identifier":"SP1.c"}`, "SP1.c is deployed already.", "deploy it under another name"},
		{"TransferRecipientCannotEqualSender", `{"recipient":"SP1"}`, "It sends STX to its own sender.", "name another recipient"},
		{"TransferAmountMustBePositive", ``, "It sends nothing.", "send 0.000001 STX or more"},
		{"BadAddressVersionByte", ``, "It names an address of another network.", "name addresses of the network that it is sent to"},
		{"NoCoinbaseViaMempool", ``, "Only a miner makes transactions of this type.", ""},
		{"ServerFailureOther", `{"message":"the mempool is full."}`, "It was refused: ServerFailureOther, the mempool is full.", ""},
		{"SomethingNew", `{"expected":[]}`, "It was refused: SomethingNew.", ""},
	} {
		w := Explain(Ended{Status: Rejected, Contract: "SP1.c", Function: "go", Rejection: &Rejection{tt.reason, []byte(tt.data)}})
		if w.Sentence != tt.sentence || w.Fix != tt.fix || w.Certainty != "fact" || !w.Failed() {
			t.Errorf("%s: %+v, want %q and %q", tt.reason, w, tt.sentence, tt.fix)
		}
	}
}

func most128() *big.Int { return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1)) }

func FuzzExplain(f *testing.F) {
	f.Add("abort_by_response", "", "(err u401)", "buy", library)
	f.Add("abort_by_post_condition", "Post-condition check failure on STX owned by X: 5 SentEq 6", "(ok true)", "", "")
	f.Fuzz(func(t *testing.T, status, vmError, result, function, source string) {
		w := Explain(Ended{Status: status, VMError: vmError, Result: result, Function: function, Source: source})
		if w.Status != status || w.Sentence == "" || w.Line < 0 || w.Line > 1+strings.Count(source, "\n") && !strings.Contains(vmError, " at ") {
			t.Errorf("%+v", w)
		}
	})
}
