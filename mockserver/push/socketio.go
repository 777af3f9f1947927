package push

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"chainscope/mockserver/internal/plainjson"
	"chainscope/mockserver/push/engineio"
	"chainscope/wallet/clarity"
)

// socketIO is Socket.IO 5, with the topics of the API. Each client has its own.
type socketIO struct{ session *engineio.Session }

// Types of packets of Socket.IO.
const (
	sioConnect    = '0'
	sioDisconnect = '1'
	sioEvent      = '2'
	sioAck        = "3"
	sioError      = "4"
)

// socketTopics are the events by the names that Socket.IO has for them.
var socketTopics = map[string]string{
	"block": Block, "microblock": Microblock, "mempool": Mempool, "transaction": TxUpdate,
	"address-transaction": AddressTxUpdate, "address-stx-balance": AddressBalanceUpdate,
	"nft-event": NFTEvent, "nft-asset-event": NFTAssetEvent, "nft-collection-event": NFTCollectionEvent,
}

// ServeSocketIO serves Socket.IO to a client until it is gone.
func (h *Hub) ServeSocketIO(s *engineio.Session) {
	ctx, end := context.WithCancel(s.Context())
	defer end()
	h.conn(socketIO{s}, s, end).serve(ctx)
}

func (socketIO) kind() string { return "socket.io" }

// frame returns an event, with the address or asset of its topic as arguments of their own.
func (socketIO) frame(topic Topic, e Event) []byte {
	name := ""
	for word, event := range socketTopics {
		if event == topic.Event {
			name = word
		}
	}
	args := []any{name}
	if topic.Of != "" {
		args[0] = name + ":" + topic.Of
	}
	switch topic.Event {
	case AddressTxUpdate, AddressBalanceUpdate, NFTCollectionEvent:
		args = append(args, topic.Of)
	case NFTAssetEvent:
		asset, value, _ := strings.Cut(topic.Of, "+")
		args = append(args, asset, value)
	}
	body := e.Params
	if e.Args != nil {
		body = e.Args
	}
	return append([]byte{sioEvent}, plainjson.Encode(append(args, body))...)
}

func (p socketIO) answer(c *Conn, text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	switch text[0] {
	case sioConnect:
		return p.connect(c, string(text[1:]))
	case sioDisconnect:
		c.hub.unsubscribe(c)
	case sioEvent:
		return p.event(c, text[1:])
	}
	return nil
}

// connect takes a client into the one namespace that there is, with the subscriptions of its
// first request.
func (p socketIO) connect(c *Conn, rest string) []byte {
	if space, _, _ := strings.Cut(rest, ","); strings.HasPrefix(space, "/") && space != "/" {
		return []byte(sioError + space + `,{"message":"Invalid namespace"}`)
	}
	var topics []Topic
	var invalid []string
	for word := range strings.SplitSeq(strings.Join(p.session.Query["subscriptions"], ","), ",") {
		if topic, ok := socketTopic(word); ok {
			topics = append(topics, topic)
		} else if word != "" {
			invalid = append(invalid, word)
		}
	}
	if invalid != nil {
		return append([]byte(sioError), plainjson.Encode(map[string]string{"message": "Invalid topic: " + strings.Join(invalid, ", ")})...)
	}
	for _, topic := range topics {
		c.hub.subscribe(c, topic, true)
	}
	return append([]byte{sioConnect}, plainjson.Encode(map[string]string{"sid": engineio.NewID()})...)
}

// event carries out what a client emits. Only a subscription that was made is acknowledged.
func (p socketIO) event(c *Conn, text []byte) []byte {
	start := strings.IndexByte(string(text), '[')
	if start < 0 {
		return nil
	}
	id := string(text[:start]) // of what is to be acknowledged, "" for nothing
	var args []json.RawMessage
	if json.Unmarshal(text[start:], &args) != nil || len(args) < 2 {
		return nil
	}
	on := textOf(args[0]) == "subscribe"
	if !on && textOf(args[0]) != "unsubscribe" {
		return nil
	}
	known := false
	for _, word := range args[1:] {
		topic, ok := socketTopic(textOf(word))
		if known = ok; ok {
			c.hub.subscribe(c, topic, on)
		}
		if on {
			break // one at a time
		}
	}
	if _, err := strconv.Atoi(id); err != nil || !on || !known {
		return nil
	}
	return []byte(sioAck + id + "[null]")
}

// socketTopic reads a topic such as block or address-transaction:SP….
func socketTopic(text string) (topic Topic, ok bool) {
	word, of, more := strings.Cut(text, ":")
	topic = Topic{socketTopics[word], of}
	isAsset := func(asset string) bool {
		id, name, _ := strings.Cut(asset, "::")
		_, err := clarity.ParsePrincipal(id)
		return err == nil && name != ""
	}
	switch topic.Event {
	case Block, Microblock, Mempool, NFTEvent:
		ok = !more
	case TxUpdate:
		raw, err := hex.DecodeString(strings.TrimPrefix(of, "0x"))
		ok = err == nil && len(raw) == 32
	case AddressTxUpdate, AddressBalanceUpdate:
		_, err := clarity.ParsePrincipal(of)
		ok = err == nil
	case NFTAssetEvent:
		asset, value, _ := strings.Cut(of, "+")
		ok = isAsset(asset) && value != ""
	case NFTCollectionEvent:
		ok = isAsset(of)
	}
	return topic, ok
}
