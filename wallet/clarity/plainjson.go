package clarity

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strconv"
)

// PlainJSON writes v as JSON that programs read without knowing Clarity: numbers with all
// their digits, buffers as 0x and digits, principals as texts, an optional as what is in it
// or null, a response as {"ok": …} or {"err": …}. It cannot be read back: types are lost.
func PlainJSON(v Value) json.RawMessage {
	var w bytes.Buffer
	writePlain(&w, v)
	return w.Bytes()
}

func writePlain(w *bytes.Buffer, v Value) {
	side := func(name string, v Value) {
		w.WriteString(`{"` + name + `":`)
		writePlain(w, v)
		w.WriteByte('}')
	}
	switch v := v.(type) {
	case Int:
		w.WriteString(v.N.String())
	case UInt:
		w.WriteString(v.N.String())
	case Bool:
		w.WriteString(strconv.FormatBool(bool(v)))
	case Buffer:
		w.WriteString(QuoteJSON("0x" + hex.EncodeToString(v)))
	case ASCII:
		w.WriteString(QuoteJSON(string(v)))
	case UTF8:
		w.WriteString(QuoteJSON(string(v)))
	case Principal:
		w.WriteString(QuoteJSON(v.String()))
	case Some:
		writePlain(w, v.Value)
	case OK:
		side("ok", v.Value)
	case Err:
		side("err", v.Value)
	case List:
		writeList(w, v, writePlain)
	case Tuple:
		writeFields(w, v.Fields, writePlain)
	default: // none
		w.WriteString("null")
	}
}
