package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"chainscope/apiclient/wire"
)

// Pushed holds what a server's push channel delivered: a new block, or that the channel
// opened or was lost. Blocks that came while it was not open are not delivered later:
// who learns that it opened has to read the list once.
type Pushed struct {
	// Open reports whether blocks are pushed from now on; it is set on a block too.
	Open bool
	// Block is a new block with the JSON it came as, nil when the channel opened or was
	// lost. A block that is not canonical competes with one that was delivered before.
	Block *Block
	Raw   json.RawMessage
}

const (
	// firstRedial is the pause after a channel was lost, doubled each time up to
	// lastRedial, until a channel has lived that long: a server that takes a channel and
	// closes it is not dialed each second.
	firstRedial = time.Second
	lastRedial  = time.Minute
	// refusedRedial is the pause after a server said that it has no such channel.
	refusedRedial = 10 * time.Minute
)

// FollowPushed passes on what the server pushes by its WebSocket until ctx ends. A lost channel
// is reopened.
func (c *Client) FollowPushed(ctx context.Context, yield func(Pushed)) {
	pause := firstRedial
	for ctx.Err() == nil {
		began := time.Now()
		opened, refused := c.followOnce(ctx, yield)
		if opened {
			yield(Pushed{})
		}
		if opened && time.Since(began) >= lastRedial {
			pause = firstRedial
		}
		wait := pause
		if refused && !opened {
			wait = refusedRedial
		}
		pause = min(2*pause, lastRedial)
		_ = wire.Sleep(ctx, wait)
	}
}

// followOnce opens the channel and passes on what comes until it is lost.
func (c *Client) followOnce(ctx context.Context, yield func(Pushed)) (opened, refused bool) {
	conn, refused := c.dialPush(ctx)
	if conn == nil {
		return false, refused
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(c.opt.MaxBody)
	const subscribe = `{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":"block"}}`
	if err := conn.Write(ctx, websocket.MessageText, []byte(subscribe)); err != nil {
		return false, false
	}
	for {
		_, text, err := conn.Read(ctx)
		if err != nil {
			return opened, false
		}
		var frame struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
			Error  json.RawMessage `json:"error"`
		}
		if json.Unmarshal(text, &frame) != nil {
			continue // the channel is read on: the list has what was cut here
		}
		switch {
		case frame.Method == "block":
			if block, err := decode[Block](frame.Params); err == nil {
				yield(Pushed{Open: true, Block: &block, Raw: frame.Params})
			}
		case string(frame.ID) == "1" && frame.Error != nil:
			return opened, true
		case string(frame.ID) == "1":
			opened = true
			yield(Pushed{Open: true})
		}
	}
}

// dialPush opens the WebSocket, or returns nil and whether the server has none.
func (c *Client) dialPush(ctx context.Context) (conn *websocket.Conn, refused bool) {
	ctx = wire.AtLowPriority(ctx)
	if c.opt.Gate.Wait(ctx) != nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, c.opt.Timeout)
	defer cancel()
	conn, resp, err := websocket.Dial( //nolint:bodyclose // the library closes it
		ctx, "ws"+strings.TrimPrefix(c.base, "http")+"/extended/v1/ws", &websocket.DialOptions{
			HTTPClient: &http.Client{
				Transport: c.transport.Base(),
				// The user's headers must not follow a redirect.
				CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			},
			HTTPHeader: c.opt.Header.Clone(),
		})
	c.opt.Gate.Unanswered(ctx, err)
	if err == nil {
		return conn, false
	}
	return nil, resp != nil && resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < http.StatusInternalServerError
}
