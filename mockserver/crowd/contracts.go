package crowd

import (
	"math/big"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// The contracts that strangers call and that the mock plays for everybody, on mainnet.
const (
	SendManyID  = "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.send-many-memo"
	GuestbookID = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-guestbook"
	ClubID      = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-club"
)

// Contract is one of them.
type Contract struct {
	id     clarity.Principal
	source string
	// function is the only one that changes something; does is its effect for arguments of the
	// right types.
	function string
	does     func(c *Contract, l *ledger.Ledger, caller clarity.Principal, args []clarity.Value) ledger.Effect
}

// played are the contracts by their ids.
var played = func() map[clarity.Principal]*Contract {
	all := map[clarity.Principal]*Contract{}
	for _, c := range []*Contract{
		{principal(SendManyID), sendManySource, "send-many", (*Contract).sendMany},
		{principal(GuestbookID), guestbookSource, "sign", (*Contract).sign},
		{principal(ClubID), clubSource, "join", (*Contract).join},
	} {
		all[c.id] = c
	}
	return all
}()

// principal reads an id that is a constant.
func principal(id string) clarity.Principal {
	p, err := clarity.ParsePrincipal(id)
	if err != nil {
		panic("crowd: " + err.Error())
	}
	return p
}

// Find returns a contract by its id.
func Find(id clarity.Principal) (*Contract, bool) {
	c, ok := played[id]
	return c, ok
}

// Source returns the text of the contract.
func (c *Contract) Source() string { return c.source }

// Call returns the effect of a call. It reports false for a function that the contract does not have.
func (c *Contract) Call(l *ledger.Ledger, caller clarity.Principal, function string, args []clarity.Value) (ledger.Effect, bool) {
	if function != c.function || len(args) != 1 {
		return ledger.Effect{}, false
	}
	return c.does(c, l, caller, args), true
}

// Read answers the one read-only function that there is.
func (c *Contract) Read(l *ledger.Ledger, function string, args []clarity.Value) (clarity.Value, bool) {
	if c.id.Contract != "harbor-club" || function != "is-member" || len(args) != 1 {
		return nil, false
	}
	_, there := l.Owner(c.card(), args[0])
	return clarity.Bool(there), true
}

func (c *Contract) card() stxtx.Asset { return stxtx.Asset{Contract: c.id, Name: "card"} }

func fails(code uint64) ledger.Effect {
	return ledger.Effect{Result: clarity.Err{Value: clarity.NewUInt(code)}}
}

func (c *Contract) prints(fields ...clarity.Field) []ledger.Print {
	return []ledger.Print{{Contract: c.id, Value: clarity.Tuple{Fields: fields}}}
}

const sendManySource = `;; Sends STX to many accounts in one transaction, each with a memo.

;; there is nothing to send
(define-constant ERR-NOTHING-TO-SEND (err u400))

(define-private (add (one { to: principal, ustx: uint, memo: (buff 34) }) (sum uint))
  (+ sum (get ustx one)))

(define-private (send (one { to: principal, ustx: uint, memo: (buff 34) }) (before (response bool uint)))
  (begin
    (try! before)
    (stx-transfer-memo? (get ustx one) tx-sender (get to one) (get memo one))))

(define-public (send-many (recipients (list 200 { to: principal, ustx: uint, memo: (buff 34) })))
  (let ((total (fold add recipients u0))
        (left (- (stx-get-balance tx-sender) total)))
    (asserts! (> total u0) ERR-NOTHING-TO-SEND)
    (try! (fold send recipients (ok true)))
    (print { left: left, topic: "send-many", total: total })
    (ok true)))
`

// sendMany does what send-many does on the chain.
func (c *Contract) sendMany(l *ledger.Ledger, caller clarity.Principal, args []clarity.Value) ledger.Effect {
	list, _ := args[0].(clarity.List)
	total, moves := new(big.Int), []outcome.Move{}
	refused := ledger.Effect{}
	for _, one := range list {
		to, n, memo := recipient(one)
		total.Add(total, n)
		switch {
		case refused.Result != nil:
		case n.Sign() == 0:
			refused = fails(3) // of stx-transfer-memo?
		case to == caller:
			refused = fails(2)
		}
		moves = append(moves, outcome.Move{Amount: n, From: &caller, To: &to, Memo: memo})
	}
	left := new(big.Int).Sub(new(big.Int).SetUint64(l.Account(caller).Balance), total)
	switch {
	case left.Sign() < 0:
		return ledger.Effect{Result: clarity.Err{Value: clarity.None{}}, Error: "Runtime(ArithmeticUnderflow)"}
	case total.Sign() == 0:
		return fails(400)
	case refused.Result != nil:
		return refused
	}
	return ledger.Effect{Moves: moves, Prints: c.prints(
		clarity.Field{Name: "left", Value: clarity.UInt{N: left}},
		clarity.Field{Name: "topic", Value: clarity.ASCII("send-many")},
		clarity.Field{Name: "total", Value: clarity.UInt{N: total}},
	)}
}

// recipient reads one of the recipients of send-many.
func recipient(v clarity.Value) (to clarity.Principal, n *big.Int, memo []byte) {
	n = new(big.Int)
	tuple, _ := v.(clarity.Tuple)
	for _, f := range tuple.Fields {
		switch value := f.Value.(type) {
		case clarity.Principal:
			to = value
		case clarity.UInt:
			n = value.N
		case clarity.Buffer:
			memo = value
		}
	}
	return to, n, memo
}

const guestbookSource = `;; A book that everybody can write into: what is written is in the events.

;; there is no text
(define-constant ERR-NO-TEXT (err u400))

(define-public (sign (text (string-utf8 140)))
  (begin
    (asserts! (> (len text) u0) ERR-NO-TEXT)
    (print { text: text, topic: "signed", who: tx-sender })
    (ok true)))
`

// sign performs sign.
func (c *Contract) sign(_ *ledger.Ledger, caller clarity.Principal, args []clarity.Value) ledger.Effect {
	if text, _ := args[0].(clarity.UTF8); text == "" {
		return fails(400)
	}
	return ledger.Effect{Moves: []outcome.Move{}, Prints: c.prints(
		clarity.Field{Name: "text", Value: args[0]},
		clarity.Field{Name: "topic", Value: clarity.ASCII("signed")},
		clarity.Field{Name: "who", Value: caller},
	)}
}

const clubSource = `;; A club that every account can join once. The dues are burned, and the card stays with its
;; member.

(define-constant LEAST-DUES u1000000)

;; less than a STX was paid
(define-constant ERR-DUES-TOO-LOW (err u402))
;; the account is a member already
(define-constant ERR-MEMBER-ALREADY (err u409))

(define-non-fungible-token card principal)

(define-read-only (is-member (who principal)) (is-some (nft-get-owner? card who)))

(define-public (join (dues uint))
  (begin
    (asserts! (>= dues LEAST-DUES) ERR-DUES-TOO-LOW)
    (asserts! (not (is-member tx-sender)) ERR-MEMBER-ALREADY)
    (try! (stx-burn? dues tx-sender))
    (try! (nft-mint? card tx-sender tx-sender))
    (print { dues: dues, member: tx-sender, topic: "joined" })
    (ok true)))
`

// leastDues are the dues of the club, in micro-STX.
const leastDues = 1_000_000

// join performs join.
func (c *Contract) join(l *ledger.Ledger, caller clarity.Principal, args []clarity.Value) ledger.Effect {
	dues, _ := args[0].(clarity.UInt)
	if dues.N.Cmp(big.NewInt(leastDues)) < 0 {
		return fails(402)
	}
	if _, member := l.Owner(c.card(), caller); member {
		return fails(409)
	}
	return ledger.Effect{
		Moves: []outcome.Move{{Amount: dues.N, From: &caller}, {Asset: c.card(), Token: caller, To: &caller}},
		Prints: c.prints(
			clarity.Field{Name: "dues", Value: args[0]},
			clarity.Field{Name: "member", Value: caller},
			clarity.Field{Name: "topic", Value: clarity.ASCII("joined")},
		),
	}
}
