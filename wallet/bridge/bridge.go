// Package bridge lets a real web page use the wallet in the terminal: a small
// script gives the page a provider, the provider posts JSON-RPC 2.0 calls to
// this server on loopback, and whoever sits at the terminal, or a script,
// answers. It handles origins, queues and transport; what a call means is its
// Handler's business. It must not import tui, apiclient, mockserver or the
// signer.
package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"chainscope/wallet/jsonrpc"
)

// Call is one request of a web page.
type Call struct {
	ID      uint64 // counted from 1 in each Server
	Origin  string // as the browser sent it, checked to be well-formed
	Method  string
	Params  json.RawMessage // nil when the page sent none
	Arrived time.Time
}

// Answer holds what a call is answered with: Error, or else Result. Shown is what
// the user was shown before deciding, nil when nothing was.
type Answer struct {
	Result json.RawMessage
	Error  *jsonrpc.Error
	Shown  json.RawMessage
	Account
	// Rule is the number of the rule of a script that answered, 0 for none;
	// Unexpected is set when a script had none.
	Rule       int
	Unexpected *Unexpected
}

// Handler answers a call that reached the head of its queue. The context ends
// when the page has gone: the prompt is then to be withdrawn.
type Handler func(ctx context.Context, call Call) Answer

// Options of a Server. Handler and Origins are needed, all else may be zero.
type Options struct {
	Handler Handler
	Origins Origins
	// Attended says that the user answers: there is one short queue, and origins
	// that are not yet decided about are requested. Otherwise every origin has a
	// queue of its own.
	Attended bool
	// AskOrigin asks the user whether an origin may call the wallet. The
	// answer Undecided refuses it this once.
	AskOrigin func(ctx context.Context, origin string) (Access, error)
	// AllowOrigin lists origins that need no asking.
	AllowOrigin []string
	// NameEveryOrigin requires loopback origins to be listed as well: set it when
	// the keys are not the public test ones and nobody is there to ask.
	NameEveryOrigin bool
	Page            Page             // the wallet that the page script plays; the zero value is a plain one
	Proxy           *url.URL         // a dapp under development that is served in our place
	Isolation       *Isolation       // keeps requests of pages on this machine; nil lets them go
	OnCall          func(CallRecord) // receives every call once it is answered
	OnQueue         func()           // the queue has changed
	Control         *Control         // the control routes; nil refuses them
	BodyTimeout     time.Duration    // how long the body of a call may take; 0 is 10 s
	Now             func() time.Time
}

// Server is the bridge as an http.Handler.
type Server struct {
	options  Options
	mux      *http.ServeMux
	queue    *queue
	events   *hub
	log      *callLog
	control  *http.ServeMux // behind guarded
	reported reported
	calls    atomic.Uint64
	server   *http.Server
	baseCtx  context.Context
	cancel   context.CancelFunc
}

// New returns a Server. Its error names the option that is wrong.
func New(options Options) (*Server, error) {
	if options.Handler == nil || options.Origins == nil {
		return nil, errors.New("a bridge needs a handler and its origins")
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	for i, o := range options.AllowOrigin {
		parsed, err := ParseOrigin(o)
		if err != nil {
			return nil, fmt.Errorf("--allow-origin %q: %w", o, err)
		}
		options.AllowOrigin[i] = parsed
	}
	if options.Page.ID == "" {
		options.Page = plainPage
	}
	if options.BodyTimeout <= 0 {
		options.BodyTimeout = defaultBodyTimeout
	}
	s := &Server{
		options: options,
		mux:     http.NewServeMux(),
		queue:   newQueue(options.Attended, options.OnQueue),
		events:  newHub(),
		log:     newCallLog(),
		control: http.NewServeMux(),
	}
	s.baseCtx, s.cancel = context.WithCancel(context.Background())
	s.routes()
	// No write timeout: a call stays open until the user has decided.
	s.server = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          silent,
		BaseContext:       func(net.Listener) context.Context { return s.baseCtx },
	}
	return s, nil
}

const headerTimeout = 10 * time.Second

// silent takes what net/http would write to the terminal.
var silent = log.New(io.Discard, "", 0)

func (s *Server) routes() {
	s.mux.HandleFunc("/.chainscope/provider.js", s.script("/.chainscope/rpc"))
	s.mux.HandleFunc("/.chainscope/rpc", s.rpc)
	s.mux.HandleFunc("/.chainscope/events", s.serveEvents)
	s.mux.HandleFunc("/.chainscope/demo", s.demo)
	s.mux.HandleFunc("/.chainscope/", http.NotFound)
	s.isolationRoutes()
	s.controlRoutes()
	if s.options.Proxy != nil {
		s.mux.Handle("/", newProxy(s.options.Proxy, s.options.Isolation))
		return
	}
	s.mux.HandleFunc("/provider.js", s.script("/rpc"))
	s.mux.HandleFunc("/rpc", s.rpc)
	s.mux.HandleFunc("/{$}", s.demo)
}

// ServeHTTP refuses a Host that is not ours before anything else, so that a
// name which an attacker points at loopback (DNS rebinding) reaches nothing.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !ownHost(r) {
		http.Error(w, "this is a wallet bridge on loopback; open it as http://127.0.0.1 or http://localhost", http.StatusMisdirectedRequest)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// ownHost reports whether the Host header names the address that the connection
// came in at: as loopback name, or, when the listener was configured to listen
// elsewhere, as that very address.
func ownHost(r *http.Request) bool {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = r.Host, "80"
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return isLoopbackName(host)
	}
	at, localPort, err := net.SplitHostPort(local.String())
	if err != nil || port != localPort {
		return false
	}
	ip := net.ParseIP(at)
	return isLoopbackName(host) && ip.IsLoopback() || !ip.IsLoopback() && net.ParseIP(host).Equal(ip)
}

func isLoopbackName(host string) bool {
	return host == "127.0.0.1" || host == "localhost" || host == "::1"
}

// Serve answers on the listener until Close.
func (s *Server) Serve(l net.Listener) error {
	if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends every call that still waits and closes all connections.
func (s *Server) Close() error {
	s.cancel()
	s.events.close()
	return s.server.Close()
}

// Waiting lists the calls that wait, in order; the first is being decided.
func (s *Server) Waiting() []Call { return s.queue.waiting() }

// Block refuses an origin from now on, with all that it has waiting.
func (s *Server) Block(origin string) error {
	if err := s.options.Origins.SetAccess(origin, Blocked); err != nil {
		return err
	}
	s.queue.drop(origin)
	return nil
}

// Publish sends an event to every page that listens and whose origin may talk
// to the wallet.
func (s *Server) Publish(event string, data json.RawMessage) {
	s.PublishEach(event, func(string) json.RawMessage { return data })
}

// PublishEach is Publish with data made for each origin.
func (s *Server) PublishEach(event string, data func(origin string) json.RawMessage) {
	s.events.publish(event, data, s.listens)
}

// PublishTo sends an event to the pages of one origin that listen.
func (s *Server) PublishTo(origin, event string, data json.RawMessage) {
	s.events.publish(event, func(string) json.RawMessage { return data }, func(listener string) bool { return listener == origin && s.listens(origin) })
}

func (s *Server) listens(origin string) bool {
	access, err := s.access(origin)
	return err == nil && access == Allowed
}
