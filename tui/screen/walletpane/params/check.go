package params

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"chainscope/tui/text"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// Verdict holds what there is to say about one text. All of it may quote untrusted
// text.
type Verdict struct {
	Problem string // what is wrong and what would be right, "" when it is right
	Note    string // what it means: the amount in STX, the type of a value
	Fix     string // the text that would be right, "" where that is not known
	Missing bool   // the problem is that there is nothing yet
	// Offset is the position of a problem, in bytes from the start; -1 for nowhere.
	Offset int
}

func wrong(format string, args ...any) Verdict {
	return Verdict{Problem: fmt.Sprintf(format, args...), Offset: -1}
}

func fine(note string) Verdict { return Verdict{Note: note, Offset: -1} }

// Check looks at one text of a draft: whether the wallet reads it, and what it means.
func (c *Context) Check(field Field, s string) Verdict {
	switch {
	case field.Lists(), s == "" && (field.Optional || isText(field)):
		return fine("")
	case s == "":
		return Verdict{Problem: "missing", Missing: true, Offset: -1}
	case field.Kind == signer.KindAmount:
		return checkInteger(field, s, 1)
	case field.Kind == signer.KindInteger:
		return checkInteger(field, s, 0)
	case s == "origin" && field.Name == "address" && field.Kind == signer.KindPrincipal:
		return fine("who signs")
	}
	if path, is := text.FileNamed(s); is && field.FromFile() {
		return wrong("enter reads %s", path)
	}
	raw, err := encode(field, Place{}, s)
	if err == nil {
		err = fits(field, s)
	}
	if err != nil {
		return mistake(err)
	}
	v, err := signer.Read(field, raw)
	if err != nil {
		out := mistake(err)
		switch field.Kind {
		case signer.KindAddress:
			out.Problem += ", such as " + c.Mine.STX
		case signer.KindPrincipal:
			out.Problem += ", such as " + c.Next.STX
		}
		return out
	}
	return c.meaning(field, s, v)
}

// mistake returns what is wrong with a text, and where if that is known.
func mistake(err error) Verdict {
	v := wrong("%v", err)
	var e *jsonrpc.Error
	var p *Problem
	var literal *clarity.LiteralError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &e):
		v.Problem = strings.TrimPrefix(e.Message, ": ") // the path of a field is not named
	case errors.As(err, &p):
		v.Problem = p.Text
	}
	switch {
	case errors.As(err, &literal):
		v.Offset = literal.Offset
	case errors.As(err, &syntax):
		v.Problem, v.Offset = jsonrpc.SyntaxWords(syntax), max(0, int(syntax.Offset)-1)
	}
	return v
}

// meaning returns what a text means that the wallet reads as v.
func (c *Context) meaning(field Field, s string, v any) Verdict {
	switch v := v.(type) {
	case c32.Address:
		return c.onNetwork(v, s)
	case clarity.Principal:
		if field.Kind == signer.KindContract {
			s = "" // nobody of the wallet
		}
		return c.onNetwork(v.Address, s)
	case stxtx.Asset:
		return c.onNetwork(v.Contract.Address, "")
	case clarity.Value:
		return fine(abi.Words(v))
	case *bitcoin.PSBT:
		return fine(text.Plural(v.Inputs(), "input"))
	case *stxtx.Transaction:
		if v.Mainnet() {
			return fine("a transaction for mainnet")
		}
		return fine("a transaction for testnet")
	}
	switch field.Kind {
	case signer.KindText, signer.KindMessage:
		if found := len(text.Hidden(s)); found > 0 {
			return fine(text.Plural(len(s), "byte") + ", " + text.Plural(found, "hidden character"))
		}
		return fine(text.Plural(len(s), "byte"))
	case signer.KindNewName:
		return fine(c.Mine.STX + "." + s)
	case signer.KindBitcoin:
		if _, err := c.owner.Network.ScriptOf(s); err != nil {
			return wrong("%v; such as %s", err, c.Next.P2WPKH)
		}
		return fine(c.ownerOf(s))
	case signer.KindMemo:
		return fine(fmt.Sprintf("%d of %d bytes", len(s), stxtx.MemoBytes))
	case signer.KindSource:
		lines := strings.Count(s, "\n")
		if !strings.HasSuffix(s, "\n") {
			lines++
		}
		return fine(text.Plural(lines, "line") + ", " + text.Bytes(int64(len(s))))
	}
	return fine("")
}

const most = "18446744073709551615"

func checkInteger(f Field, s string, least uint64) Verdict {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		if v, ok := inCoins(f, s); ok {
			out := wrong("must be whole %s: that would be %s", f.Unit, v)
			out.Fix = v
			return out
		}
		if errors.Is(err, strconv.ErrRange) {
			return wrong("must be at most %s", most)
		}
		return wrong("must be digits only: an integer from %d to %s", least, most)
	}
	if n < least {
		return wrong("must be at least %d", least)
	}
	switch f.Unit {
	case "micro-STX":
		return fine(text.AmountFixed(new(big.Int).SetUint64(n), 6) + " STX")
	case "satoshis":
		return fine(text.AmountFixed(new(big.Int).SetUint64(n), 8) + " BTC")
	}
	return fine("")
}

// inCoins reads an amount of whole coins that was typed for the smallest unit.
func inCoins(f Field, s string) (string, bool) {
	decimals := map[string]int{"micro-STX": 6, "satoshis": 8}[f.Unit]
	s = strings.TrimSpace(strings.TrimRight(s, "STXBCstxbc "))
	whole, fraction, _ := strings.Cut(s, ".")
	if decimals == 0 || len(fraction) > decimals || len(whole) > 12 || whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return "", false
	}
	digits := strings.TrimLeft(whole+fraction+strings.Repeat("0", decimals-len(fraction)), "0")
	return digits, digits != ""
}

// onNetwork returns a verdict on an address that belongs to the other kind of network.
func (c *Context) onNetwork(a c32.Address, name string) Verdict {
	if main := a.Version == c32.MainnetP2PKH || a.Version == c32.MainnetP2SH; main != c.Network.Mainnet() {
		kind, begin := "testnet", "SP or SM"
		if main {
			kind, begin = "mainnet", "ST or SN"
		}
		return wrong("is a %s address, the request is for %s: must begin with %s", kind, c.Network.Name, begin)
	}
	return fine(c.ownerOf(name))
}

// Check looks at all texts of a draft and returns what is wrong, in the order
// of the fields.
func (f Form) Check(c *Context, d Draft) []Problem {
	var out []Problem
	look := func(field Field, at Place) {
		if v := c.Check(field, d.Get(at)); v.Problem != "" {
			out = append(out, Problem{At: at, Text: v.Problem})
		}
	}
	for _, field := range f.Fields {
		if !field.Lists() {
			look(field, At(field.Name))
			continue
		}
		items := d.Items[field.Name]
		if len(items) == 0 && !field.Optional {
			out = append(out, Problem{At: At(field.Name), Text: "needs at least one " + field.Word})
		}
		for i, item := range items {
			for _, part := range field.Shows(item) {
				look(part, Place{field.Name, i, part.Name})
			}
		}
	}
	return out
}
