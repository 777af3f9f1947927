package mockserver

import (
	"net/http"
	"strings"

	"github.com/coder/websocket"

	"chainscope/mockserver/push/engineio"
)

const webSocketPath = "/extended/v1/ws"

// serveWebSocket speaks with one client until it goes. A path that only begins like
// that of the route is refused as the real server refuses it.
func serveWebSocket(x *exchange) {
	if !strings.EqualFold(x.r.Header.Get("Upgrade"), "websocket") {
		x.unknownRoute()
		return
	}
	if x.path != webSocketPath {
		x.w.WriteHeader(http.StatusBadRequest)
		return
	}
	f, ctx, ok := x.service.feeds.enter(x.service, x.world)
	if !ok {
		x.thrown(http.StatusServiceUnavailable, "", "the server is closing")
		return
	}
	defer x.service.feeds.leave(f)
	// Any page may listen, as it may read every answer.
	socket, err := websocket.Accept(x.w, x.r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	x.finish()
	if err != nil {
		return // Accept has answered
	}
	f.hub.Serve(ctx, socket)
}

// socketIOPath is where Socket.IO is spoken, over a WebSocket or by polling.
const socketIOPath = "/socket.io"

func serveSocketIO(x *exchange) {
	f, ctx, ok := x.service.feeds.enter(x.service, x.world)
	if !ok {
		x.thrown(http.StatusServiceUnavailable, "", "the server is closing")
		return
	}
	defer x.service.feeds.leave(f)
	x.answered = true
	f.sessions.Handle(x.w, x.r, engineio.Options{Context: ctx, Serve: f.hub.ServeSocketIO, Go: func(run func()) {
		x.service.feeds.stay(f)
		go func() {
			defer x.service.feeds.leave(f)
			defer f.recovered()
			run()
		}()
	}})
}
