package mockserver

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"chainscope/wallet/stxtx"
)

// maxBroadcastBody bounds what is posted, in bytes: the hexadecimal digits of
// the longest transaction, and room for an attachment.
const maxBroadcastBody = 2*stxtx.MaxBytes + 1<<20

// broadcastRoutes take transactions as a node does.
func broadcastRoutes() []route {
	return []route{{method: "POST", pattern: "/v2/transactions", handle: serveBroadcast}}
}

// withoutMempool are the routes that change something, on a server that
// replays or forwards: they are refused, since nothing is ever sent to a live API.
func (s *Server) withoutMempool() []route {
	gone := func(x *exchange) {
		source := "replays a recording"
		if s.live != nil {
			source = "stands before a live API"
		}
		x.value(http.StatusGone, validationBody{
			http.StatusGone, "", http.StatusText(http.StatusGone),
			"this server " + source + " and takes no transactions; nothing was sent. Start a mock chain without --upstream and --replay",
		})
	}
	return []route{
		{method: "POST", pattern: "/v2/transactions", handle: gone},
		{method: "POST", pattern: "/v2/fees/transaction", handle: gone},
	}
}

// serveBroadcast takes a transaction and answers its id as a JSON string, or the
// node's rejection.
func serveBroadcast(x *exchange) {
	body, ok := x.body(maxBroadcastBody)
	if !ok {
		return
	}
	raw, err := postedTransaction(x.r.Header.Get("Content-Type"), body)
	if err != nil {
		x.thrown(http.StatusBadRequest, "", err.Error())
		return
	}
	txid, rejection := x.world.Submit(raw)
	if rejection != nil {
		x.value(http.StatusBadRequest, rejection)
		return
	}
	x.value(http.StatusOK, hex.EncodeToString(txid[:]))
}

// postedTransaction finds the bytes of the transaction: the body itself, or
// the member tx of a JSON object. Without a type of the two, a body that begins
// as JSON does is JSON: no transaction begins with a brace.
func postedTransaction(contentType string, body []byte) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = ""
	}
	text := bytes.TrimLeft(body, " \t\r\n")
	isJSON := kind == "application/json"
	if kind != "application/octet-stream" && !isJSON {
		isJSON = len(text) > 0 && text[0] == '{'
	}
	if !isJSON {
		if len(body) == 0 {
			return nil, errors.New(`the body is empty; post the bytes of a signed transaction, or JSON such as {"tx":"80800000…"}`)
		}
		return body, nil
	}
	var posted struct {
		Tx         *string `json:"tx"`
		Attachment *string `json:"attachment"`
	}
	if err := json.Unmarshal(text, &posted); err != nil {
		return nil, fmt.Errorf(`the body must be JSON such as {"tx":"80800000…"}: %w`, err)
	}
	if posted.Tx == nil {
		return nil, errors.New(`the body has no "tx", the hexadecimal digits of a signed transaction`)
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(*posted.Tx, "0x"))
	if err != nil {
		return nil, fmt.Errorf("body/tx must be hexadecimal digits in pairs: %w", err)
	}
	if posted.Attachment != nil {
		// Attachments belong to the old naming system: checked, and of no use.
		if _, err := hex.DecodeString(*posted.Attachment); err != nil {
			return nil, fmt.Errorf("body/attachment must be hexadecimal digits in pairs: %w", err)
		}
	}
	return raw, nil
}
