package engineio

import (
	"context"
	"net/http"

	"github.com/coder/websocket"
)

// overWebSocket opens a session over a WebSocket, or moves one that polls to it.
func (s *Server) overWebSocket(w http.ResponseWriter, r *http.Request, session *Session, options Options) {
	// Any page may listen, as it may read every answer.
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	socket.SetReadLimit(maxPayload)
	if session == nil {
		session = s.newSession(r.URL.Query(), options)
		if socket.Write(session.ctx, websocket.MessageText, session.hello()) != nil {
			session.Close()
			_ = socket.CloseNow()
			return
		}
		options.Go(func() { session.writeTo(socket) })
		options.Go(func() { session.readFrom(socket, true) })
		return
	}
	options.Go(func() { session.readFrom(socket, false) })
}

// readFrom takes what comes over a WebSocket. One that a session moves to is tried first.
func (s *Session) readFrom(socket *websocket.Conn, moved bool) {
	defer func() { _ = socket.CloseNow() }()
	for {
		_, packet, err := socket.Read(s.ctx)
		switch {
		case err != nil:
			if moved {
				s.Close()
			}
			return
		case string(packet) == string(ping)+"probe":
			if socket.Write(s.ctx, websocket.MessageText, []byte(string(pong)+"probe")) != nil || s.send(s.ctx, []byte{noop}) != nil {
				return // a poll that waits has ended, so that no other begins
			}
		case len(packet) == 1 && packet[0] == upgrade:
			moved = true
			s.options.Go(func() { s.writeTo(socket) })
		case !s.received(packet):
			s.Close()
			return
		}
	}
}

// writeTo sends packets over a WebSocket until the session ends.
func (s *Session) writeTo(socket *websocket.Conn) {
	defer func() { _ = socket.CloseNow() }()
	defer s.Close()
	for {
		select {
		case packet := <-s.out:
			ctx, done := context.WithTimeout(s.ctx, writeTimeout)
			err := socket.Write(ctx, websocket.MessageText, packet)
			done()
			if err != nil {
				return
			}
		case <-s.ctx.Done():
			return
		}
	}
}
