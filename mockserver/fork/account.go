package fork

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
)

// Account holds what an account has at the block, in micro-STX.
type Account struct {
	Balance, Locked uint64
	Unlock          int64 // burn height; 0 where nothing is locked
	Nonce           uint64
}

func (s *Source) accountPath(principal string) string {
	return "/v2/accounts/" + principal + "?proof=0&tip=" + s.tip.bare()
}

// StartAccount lets an account be read, and does not wait for it: so several are read at once.
func (s *Source) StartAccount(principal string) { s.start(s.accountPath(principal)) }

// Account reads an account, which a principal names. One that nobody ever used has nothing.
func (s *Source) Account(ctx context.Context, principal string) (Account, error) {
	answer, err := s.Read(ctx, s.accountPath(principal))
	if err == nil && answer.Status == http.StatusNotFound && !strings.Contains(string(answer.Body), "tip") {
		// A node always has an account: this is a recording, in which the block goes without saying.
		answer, err = s.Read(ctx, "/v2/accounts/"+principal+"?proof=0")
	}
	if err != nil {
		return Account{}, err
	}
	var body struct {
		Balance string `json:"balance"` // hexadecimal, as Locked
		Locked  string `json:"locked"`
		Unlock  int64  `json:"unlock_height"`
		Nonce   uint64 `json:"nonce"`
	}
	if answer.Status != http.StatusOK || json.Unmarshal(answer.Body, &body) != nil {
		return Account{}, &UnreadError{What: "the account " + principal, Why: fmt.Sprintf("status %d", answer.Status)}
	}
	a := Account{Unlock: body.Unlock, Nonce: body.Nonce}
	for text, into := range map[string]*uint64{body.Balance: &a.Balance, body.Locked: &a.Locked} {
		n, ok := new(big.Int).SetString(strings.TrimPrefix(text, "0x"), 16)
		if text != "" && (!ok || !n.IsUint64()) {
			return a, &UnreadError{What: "the account " + principal, Why: fmt.Sprintf("%q is no amount", text)}
		}
		if ok {
			*into = n.Uint64()
		}
	}
	return a, nil
}
