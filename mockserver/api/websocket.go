package api

import (
	"net/http"
	"strings"

	"github.com/coder/websocket"

	"chainscope/mockserver/push/engineio"
)

const webSocketPath = "/extended/v1/ws"

// serveWebSocket serves one client until it disconnects. A path that only begins like
// that of the route is refused as the real server refuses it.
func serveWebSocket(x *Exchange) {
	if !strings.EqualFold(x.R.Header.Get("Upgrade"), "websocket") {
		x.UnknownRoute()
		return
	}
	if x.Path != webSocketPath {
		x.W.WriteHeader(http.StatusBadRequest)
		return
	}
	f, ctx, ok := x.Service.feeds.enter(x.Service, x.World)
	if !ok {
		x.Thrown(http.StatusServiceUnavailable, "", "the server is closing")
		return
	}
	defer x.Service.feeds.leave(f)
	// Any page may listen, as it may read every answer.
	socket, err := websocket.Accept(x.W, x.R, &websocket.AcceptOptions{InsecureSkipVerify: true})
	x.Finish()
	if err != nil {
		return // Accept has answered
	}
	f.hub.Serve(ctx, socket)
}

// socketIOPath is the path of Socket.IO, over a WebSocket or by polling.
const socketIOPath = "/socket.io"

func serveSocketIO(x *Exchange) {
	f, ctx, ok := x.Service.feeds.enter(x.Service, x.World)
	if !ok {
		x.Thrown(http.StatusServiceUnavailable, "", "the server is closing")
		return
	}
	defer x.Service.feeds.leave(f)
	x.answered = true
	f.sessions.Handle(x.W, x.R, engineio.Options{Context: ctx, Serve: f.hub.ServeSocketIO, Go: func(run func()) {
		x.Service.feeds.stay(f)
		go func() {
			defer x.Service.feeds.leave(f)
			defer f.recovered()
			run()
		}()
	}})
}
