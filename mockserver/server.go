package mockserver

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"chainscope/mockserver/fault"
	"chainscope/mockserver/tape"
	"chainscope/mockserver/tokens"
)

// Server answers the contract. It is an http.Handler; Serve runs it on a listener.
type Server struct {
	cfg    Config
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	seed   []string // value of X-Mock-Seed
	faults *fault.Engine
	tokens *tokens.Catalogue
	// chain is nil where a tape or an upstream answers instead.
	chain *blockchain
	tape  *tape.Player
	live  *tape.Recorder

	routes  *router
	control *router
	access  *accessLog
	hosts   allowedHosts

	http http.Server
	stop sync.Once
}

// Landmark is a height that shows something, a row of the catalogue's heights.
type Landmark struct {
	Height     int64  `json:"height"`
	BurnHeight int64  `json:"burn_height"`
	What       string `json:"what"`
}

// Namespace is a row of the catalogue's namespaces.
type Namespace struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// New makes a server. What cannot be served is a *ConfigError.
func New(cfg Config) (*Server, error) {
	cfg.fillIn()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	scenario, err := fault.ParseScenario(cfg.Scenario)
	if err != nil {
		return nil, badFlag("--scenario", "%v", err)
	}
	s := &Server{
		cfg: cfg, now: cfg.Now, sleep: cfg.Sleep,
		seed:   []string{strconv.FormatUint(cfg.Seed, 10)},
		faults: fault.New(fault.Options{Seed: cfg.Seed, Rules: cfg.Faults, Scenario: scenario, Latency: cfg.Latency}),
		tokens: tokens.New(cfg.Now),
		access: newAccessLog(cfg.AccessLog, cfg.Now),
	}
	if err := s.openSource(); err != nil {
		return nil, err
	}
	s.routes = newRouter(s.table())
	s.control = newRouter(s.controlRoutes())
	s.http.Handler = s
	s.http.ReadHeaderTimeout = headerTimeout
	s.http.IdleTimeout = cfg.IdleTimeout
	s.http.ErrorLog = log.New(s.access.lines(), "", 0)
	return s, nil
}

// openSource opens what answers: a tape, a live API, or the mock chain.
func (s *Server) openSource() (err error) {
	switch {
	case s.cfg.Replay != "":
		if s.tape, err = tape.Open(s.cfg.Replay); err != nil {
			return badFlag("--replay", "%v", err)
		}
	case s.cfg.Upstream != "":
		s.live, err = tape.NewRecorder(tape.RecorderOptions{Upstream: s.cfg.Upstream, Dir: s.cfg.Record, Now: s.now})
		if err != nil {
			return badFlag("--record", "%v", err)
		}
	default:
		s.chain, err = newBlockchain(s.cfg, s.faults.Scenario)
	}
	return err
}

// Serve answers on l until Close or Shutdown, and then returns nil.
func (s *Server) Serve(l net.Listener) error {
	s.hosts.listen(l.Addr())
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the mock API: %w", err)
	}
	return nil
}

// Close ends the server at once: open connections are cut.
func (s *Server) Close() error {
	s.stop.Do(s.release)
	return s.http.Close()
}

// Shutdown ends the server when the requests under way are answered, or cuts
// them when ctx ends.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop.Do(s.release)
	if err := s.http.Shutdown(ctx); err != nil {
		return errors.Join(err, s.http.Close())
	}
	return nil
}

func (s *Server) release() {
	if s.live != nil {
		s.live.Close()
	}
}

// Scenario is the scenario that holds now.
func (s *Server) Scenario() fault.Scenario { return s.faults.Scenario() }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.access == nil {
		s.serve(w, r)
		return
	}
	counted := &countingWriter{ResponseWriter: w}
	started := s.now()
	defer func() { s.access.request(r, counted, started) }()
	s.serve(counted, r)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	x := &exchange{s: s, w: w, r: r}
	x.limitBody()
	switch {
	case !s.hosts.allows(r.Host):
		x.refuseHost()
	case isControl(path):
		s.serveControl(x, path)
	case r.Method == http.MethodOptions:
		s.writeOrigin(w)
		x.preflight()
	default:
		plan := s.faults.Decide(r.Method, path, r.Header["Prefer"], s.now())
		s.commonHeaders(w)
		if plan.Nothing() {
			s.answer(x, path)
			return
		}
		s.serveFaulted(x, path, &plan)
	}
}

// answer gives the undamaged answer.
func (s *Server) answer(x *exchange, path string) {
	x.route, x.params = s.routes.match(x.r.Method, path)
	if x.route == nil {
		if s.replaced() {
			s.fromTape(x)
			return
		}
		x.unknownRoute()
		return
	}
	if x.route.deprecated {
		x.w.Header()["Warning"] = deprecationWarning
	}
	x.route.handle(x)
}

// commonHeaders go with every answer but those of /mock/v1.
func (s *Server) commonHeaders(w http.ResponseWriter) {
	h := w.Header()
	if !s.replaced() {
		h["X-Mock-Seed"] = s.seed
	}
	h["X-Mock-Scenario"] = []string{string(s.faults.Scenario())}
	s.writeOrigin(w)
}

// writeOrigin lets any web page read the answer, unless requests are forwarded
// to a live API, possibly with the user's key.
func (s *Server) writeOrigin(w http.ResponseWriter) {
	if s.cfg.Upstream == "" {
		w.Header()["Access-Control-Allow-Origin"] = anyOriginHeader
	}
}
