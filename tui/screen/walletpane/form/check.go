package form

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"chainscope/tui/text"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Verdict is what there is to say about one text. Both may quote untrusted
// text.
type Verdict struct {
	Problem string // what is wrong and what would be right, "" when it is right
	Note    string // what it means: the amount in STX, the type of a value
	Missing bool   // the problem is that there is nothing yet
	// Offset is where a problem is, in bytes from the start; -1 for nowhere.
	Offset int
}

func wrong(format string, args ...any) Verdict {
	return Verdict{Problem: fmt.Sprintf(format, args...), Offset: -1}
}

func fine(note string) Verdict { return Verdict{Note: note, Offset: -1} }

// Check looks at one text of a draft.
func (c *Context) Check(field Field, s string) Verdict {
	if field.Kind == List {
		return fine("")
	}
	if s == "" {
		switch {
		case field.Optional:
			return fine("")
		case field.Kind == Text:
			return fine("") // an empty text is one
		}
		return Verdict{Problem: "missing", Missing: true, Offset: -1}
	}
	if field.FromFile() {
		if path, is := FilePath(s); is {
			return Verdict{Problem: "enter reads " + path, Offset: -1}
		}
	}
	return c.checkers()[field.Kind](field, s)
}

func (c *Context) checkers() map[Kind]func(Field, string) Verdict {
	return map[Kind]func(Field, string) Verdict{
		Text:      func(_ Field, s string) Verdict { return fine(measure(s)) },
		Amount:    func(f Field, s string) Verdict { return checkInteger(f, s, 1) },
		Integer:   func(f Field, s string) Verdict { return checkInteger(f, s, 0) },
		Index:     checkIndex,
		Address:   c.checkAddress,
		Principal: c.checkPrincipal,
		Contract:  c.checkContract,
		Asset:     c.checkAsset,
		Name:      checkName,
		NewName:   c.checkNewName,
		Bitcoin:   c.checkBitcoin,
		PublicKey: checkPublicKey,
		Value:     checkValue,
		Memo:      checkMemo,
		Source:    checkSource,
		PSBT:      checkPSBT,
		Hex:       c.checkTransaction,
		JSON:      checkJSON,
		Choice:    checkChoice,
		Bool:      checkChoice,
	}
}

func measure(s string) string {
	n := len(s)
	if found := len(text.Hidden(s)); found > 0 {
		return fmt.Sprintf("%s, %s", plural(n, "byte"), plural(found, "hidden character"))
	}
	return plural(n, "byte")
}

func plural(n int, word string) string { return text.Plural(n, word) }

const most = "18446744073709551615"

func checkInteger(f Field, s string, least uint64) Verdict {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		if v, ok := inWhole(f, s); ok {
			return wrong("must be whole %s: that would be %s", f.Unit, v)
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

// inWhole reads an amount of whole coins that was typed for the smallest unit.
func inWhole(f Field, s string) (string, bool) {
	decimals := map[string]int{"micro-STX": 6, "satoshis": 8}[f.Unit]
	s = strings.TrimSpace(strings.TrimRight(s, "STXBCstxbc "))
	whole, fraction, _ := strings.Cut(s, ".")
	if decimals == 0 || len(fraction) > decimals || len(whole) > 12 || whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return "", false
	}
	digits := strings.TrimLeft(whole+fraction+strings.Repeat("0", decimals-len(fraction)), "0")
	return digits, digits != ""
}

func checkIndex(_ Field, s string) Verdict {
	if _, err := strconv.ParseUint(s, 10, 31); err != nil {
		return wrong("must be a whole number from 0")
	}
	return fine("")
}

// onNetwork says when an address belongs to the other kind of network.
func (c *Context) onNetwork(a c32.Address, name string) Verdict {
	if main := a.Version == c32.MainnetP2PKH || a.Version == c32.MainnetP2SH; main != c.Network.Mainnet() {
		kind, begin := "testnet", "SP or SM"
		if main {
			kind, begin = "mainnet", "ST or SN"
		}
		return wrong("is a %s address, the request is for %s: must begin with %s", kind, c.Network.Name, begin)
	}
	return fine(c.whose(name))
}

func (c *Context) checkAddress(_ Field, s string) Verdict {
	a, err := c32.ParseAddress(s)
	if err != nil {
		return wrong("%v; must be a Stacks address such as %s", err, c.Mine.STX)
	}
	return c.onNetwork(a, s)
}

func (c *Context) checkPrincipal(f Field, s string) Verdict {
	if s == "origin" && f.Name == "address" {
		return fine("who signs")
	}
	p, err := clarity.ParsePrincipal(s)
	if err != nil {
		return wrong("%v; must be a Stacks address such as %s, or ADDRESS.NAME", err, c.Next.STX)
	}
	return c.onNetwork(p.Address, s)
}

func (c *Context) checkContract(_ Field, s string) Verdict {
	p, err := clarity.ParseContract(s)
	if err != nil {
		return wrong("%v; must be ADDRESS.NAME", err)
	}
	return c.onNetwork(p.Address, "")
}

func (c *Context) checkAsset(_ Field, s string) Verdict {
	a, err := stxtx.ParseAsset(s)
	if err != nil {
		return wrong("%v; must be CONTRACT::TOKEN", err)
	}
	return c.onNetwork(a.Contract.Address, "")
}

func checkName(_ Field, s string) Verdict {
	if err := clarity.CheckName(s); err != nil {
		return wrong("%v", err)
	}
	return fine("")
}

func (c *Context) checkNewName(_ Field, s string) Verdict {
	if err := clarity.CheckContractName(s); err != nil {
		return wrong("%v", err)
	}
	return fine(c.Mine.STX + "." + s)
}

func (c *Context) checkBitcoin(_ Field, s string) Verdict {
	if _, err := c.owner.Network.ScriptOf(s); err != nil {
		return wrong("%v; such as %s", err, c.Next.P2WPKH)
	}
	return fine(c.whose(s))
}

func checkPublicKey(_ Field, s string) Verdict {
	if b, err := hex.DecodeString(strings.TrimPrefix(s, "0x")); err != nil || len(b) != 33 {
		return wrong("must be 66 hexadecimal digits of a compressed key")
	}
	return fine("")
}

func checkValue(_ Field, s string) Verdict {
	v, err := readValue(s)
	if err != nil {
		out := wrong("%v", err)
		var at *clarity.LiteralError
		if errors.As(err, &at) {
			out.Offset = at.Offset
		}
		return out
	}
	if _, err := clarity.Encode(v); err != nil {
		return wrong("%v", err)
	}
	return fine(clarity.TypeOf(v))
}

func checkMemo(_ Field, s string) Verdict {
	if len(s) > stxtx.MemoBytes {
		return wrong("has %d bytes, must have at most %d bytes of UTF-8", len(s), stxtx.MemoBytes)
	}
	return fine(fmt.Sprintf("%d of %d bytes", len(s), stxtx.MemoBytes))
}

func checkSource(_ Field, s string) Verdict {
	if !utf8.ValidString(s) {
		return wrong("must be UTF-8")
	}
	lines := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		lines++
	}
	return fine(fmt.Sprintf("%s, %s", plural(lines, "line"), text.Bytes(int64(len(s)))))
}

func checkPSBT(_ Field, s string) Verdict {
	p, err := bitcoin.ParsePSBT(compact(s))
	if err != nil {
		return wrong("%v", err)
	}
	return fine(plural(p.Inputs(), "input"))
}

func (c *Context) checkTransaction(_ Field, s string) Verdict {
	tx, err := stxtx.DecodeHex(compact(s))
	if err == nil {
		err = tx.CheckNetwork()
	}
	if err != nil {
		return wrong("%v", err)
	}
	name := "testnet"
	if tx.Mainnet() {
		name = "mainnet"
	}
	return fine("a transaction for " + name)
}

func checkJSON(_ Field, s string) Verdict {
	var v any
	err := json.Unmarshal([]byte(s), &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		out := wrong("%v", err)
		out.Offset = max(0, int(syntax.Offset)-1)
		return out
	}
	if err != nil {
		return wrong("%v", err)
	}
	return fine("")
}

func checkChoice(f Field, s string) Verdict {
	if err := fits(f, s); err != nil {
		return wrong("%v", err)
	}
	return fine("")
}

// Check looks at all texts of a draft and returns what is wrong, in the order
// of the fields.
func (f Form) Check(c *Context, d Draft) []Problem {
	var out []Problem
	look := func(field Field, at Place) {
		if v := c.Check(field, d.Get(at)); v.Problem != "" {
			out = append(out, Problem{at, v.Problem})
		}
	}
	for _, field := range f.Fields {
		if field.Kind != List {
			look(field, At(field.Name))
			continue
		}
		items := d.Items[field.Name]
		if len(items) == 0 && !field.Optional {
			out = append(out, Problem{At(field.Name), "needs at least one " + field.Word})
		}
		for i, item := range items {
			for _, part := range field.Shows(item) {
				look(part, Place{field.Name, i, part.Name})
			}
		}
	}
	return out
}
