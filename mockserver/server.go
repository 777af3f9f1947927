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

	"chainscope/apiclient"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/names"
	"chainscope/mockserver/tape"
	"chainscope/mockserver/tokens"
	"chainscope/mockserver/world"
	"chainscope/wallet/facts"
)

// Server answers the contract. It is an http.Handler; Serve runs it on a listener.
type Server struct {
	cfg  Config
	seed []string // value of X-Mock-Seed
	// generation of the API that is served, and the value of X-API-Version.
	generation generation
	version    []string
	epoch      facts.Epoch // that the network is in
	// tokens are made when they are first requested.
	tokens func() *tokens.Catalogue
	names  *names.Catalogue

	// world is that of the server itself. Where a tape or an upstream answers,
	// only its faults are used.
	world         *world.World
	worlds        *world.Worlds     // nil without --worlds
	stateFile     *world.StateFile  // nil without --state
	engine        *engine.Engine    // nil without --clarity
	contractFiles map[string]string // paths of the project's contracts, by their names
	reloader      *reloader         // nil without a project
	requirements  *apiclient.Client // nil until one is read
	tape          *tape.Player
	live          *tape.Recorder

	routes  *router
	control *router
	access  *accessLog
	hosts   allowedHosts
	feeds   *feeds
	// document returns what /openapi.json serves.
	document func() []byte

	http http.Server
	stop sync.Once
}

// New makes a server. What cannot be served is a *ConfigError.
func New(cfg Config) (_ *Server, err error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	file, err := cfg.openState()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
		}
	}()
	if err := cfg.takeChain(file); err != nil {
		return nil, err
	}
	cfg.fillIn()
	scenario, err := fault.ParseScenario(cfg.Scenario)
	if err != nil {
		return nil, badFlag("--scenario", "%v", err)
	}
	serves, epoch, err := cfg.turn()
	if err != nil {
		return nil, err
	}
	if odd := oddPair(serves, epoch); odd != "" && cfg.Replay == "" && cfg.Upstream == "" {
		cfg.Tell(odd)
	}
	book, err := cfg.readContracts()
	if err != nil {
		return nil, err
	}
	s := &Server{
		cfg:        cfg,
		seed:       []string{strconv.FormatUint(cfg.Seed, 10)},
		generation: serves, version: []string{serves.version()}, epoch: epoch,
		tokens: sync.OnceValue(tokens.New), stateFile: file,
		access: newAccessLog(cfg.AccessLog, cfg.Now), feeds: newFeeds(),
	}
	if err := s.openSource(); err != nil {
		return nil, err
	}
	if err := s.openWorld(book, scenario); err != nil {
		s.engine.Close()
		return nil, err
	}
	table := s.table()
	s.routes = newRouter(serves.of(table))
	s.document = sync.OnceValue(func() []byte { return openAPIOf(serves, table) })
	s.control = newRouter(s.controlRoutes())
	s.http.Handler = s
	s.http.ReadHeaderTimeout = headerTimeout
	s.http.IdleTimeout = cfg.IdleTimeout
	s.http.ErrorLog = log.New(s.access.lines(), "", 0)
	return s, nil
}

// openSource opens what answers in place of the mock chain: a tape or a live API.
func (s *Server) openSource() (err error) {
	switch {
	case s.cfg.Replay != "":
		if s.tape, err = tape.Open(s.cfg.Replay); err != nil {
			return badFlag("--replay", "%v", err)
		}
	case s.cfg.Upstream != "":
		s.live, err = tape.NewRecorder(tape.RecorderOptions{Upstream: s.cfg.Upstream, Dir: s.cfg.Record, Now: s.cfg.Now})
		if err != nil {
			return badFlag("--record", "%v", err)
		}
	}
	return err
}

// Serve answers on l until Close or Shutdown, and then returns nil.
func (s *Server) Serve(l net.Listener) error {
	s.hosts.listen(l.Addr())
	s.stateFile.Tell("http://" + l.Addr().String())
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the mock API: %w", err)
	}
	return nil
}

// Close ends the server at once: open connections are cut.
func (s *Server) Close() error {
	s.stop.Do(s.release)
	return errors.Join(s.http.Close(), s.stateFile.Close())
}

// Shutdown ends the server when the requests under way are answered, or cuts
// them when ctx ends.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop.Do(s.release)
	if err := s.http.Shutdown(ctx); err != nil {
		return errors.Join(err, s.Close())
	}
	return s.stateFile.Close()
}

func (s *Server) release() {
	s.feeds.close()
	if s.reloader != nil {
		s.reloader.stop()
	}
	s.writeCoverage()
	s.engine.Close()
	if s.live != nil {
		s.live.Close()
	}
	if s.cfg.Record != "" {
		s.cfg.Tell(s.recorded())
	}
}

// recorded returns what a recording has, and how it is served.
func (s *Server) recorded() string {
	if s.live.Kept() == 0 {
		return "nothing was recorded: no request came that the upstream answered"
	}
	answers := strconv.Itoa(s.live.Kept()) + " answers"
	if s.live.Kept() == 1 {
		answers = "1 answer"
	}
	return "recorded " + answers + " in " + quoted(s.cfg.Record) + "; --replay serves them"
}

// Scenario returns the scenario that holds now.
func (s *Server) Scenario() fault.Scenario { return s.world.Faults.Scenario() }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{s: s, r: r, started: s.cfg.Now(), world: s.world, path: r.URL.EscapedPath()}
	x.counted.ResponseWriter = w
	x.w = &x.counted
	defer x.finish()
	x.limitBody()
	if !s.hosts.allows(r.Host) {
		x.refuseHost()
		return
	}
	if !x.enterWorld() {
		return
	}
	s.serve(x)
}

func (s *Server) serve(x *exchange) {
	switch {
	case isControl(x.path):
		s.serveControl(x)
	case x.r.Method == http.MethodOptions:
		s.writeOrigin(x.w)
		x.preflight()
	default:
		x.logged = true
		plan := x.world.Faults.Decide(x.r.Method, x.path, x.r.Header["Prefer"], s.cfg.Now())
		x.cause = plan.Cause
		s.commonHeaders(x)
		if plan.Nothing() {
			s.answer(x)
			return
		}
		s.serveFaulted(x, &plan)
	}
}

// finish notes the request where requests are noted, once.
func (x *exchange) finish() {
	if x.finished {
		return
	}
	x.finished = true
	if x.logged {
		one := world.Request{
			Time: x.started.UTC(), Method: x.r.Method, Path: x.target(), Status: x.counted.status, Fault: x.cause, World: x.world.Name(),
		}
		x.world.Requests.Add(one)
		if x.world != x.s.world {
			x.s.world.Requests.Add(one)
		}
	}
	if x.s.access != nil {
		x.s.access.request(x.r, &x.counted, x.started)
	}
}

// answer gives the undamaged answer.
func (s *Server) answer(x *exchange) {
	x.route, x.params = s.routes.match(x.r.Method, x.path)
	if x.route == nil {
		if s.replaced() {
			s.fromTape(x, "")
			return
		}
		x.unknownRoute()
		return
	}
	if x.route.kind == apiRoute && headerBytes(x.r) > maxHeaderBytes {
		x.send(http.StatusRequestHeaderFieldsTooLarge, headersTooLarge)
		return
	}
	switch x.route.life.in(s.generation) {
	case deprecated:
		x.w.Header()["Warning"] = deprecationWarning
	case gone:
		x.w.Header()["Warning"] = deprecationWarning
		x.gone()
		return
	}
	if x.checkQuery(); !x.answered {
		x.route.handle(x)
	}
}

// commonHeaders go with every answer but those of /mock/v1.
func (s *Server) commonHeaders(x *exchange) {
	h := x.w.Header()
	if !s.replaced() {
		h["X-Mock-Seed"] = s.seed
		s.writeClock(x)
	}
	h["X-Mock-Scenario"] = []string{string(x.world.Faults.Scenario())}
	s.writeOrigin(x.w)
}

// writeOrigin lets any web page read the answer, unless requests are forwarded
// to a live API, possibly with the user's key.
func (s *Server) writeOrigin(w http.ResponseWriter) {
	if s.cfg.Upstream == "" {
		w.Header()["Access-Control-Allow-Origin"] = anyOriginHeader
	}
}

// clockHeader says with every answer what time it is on the chain. While the clock runs
// it says how many seconds it is ahead of the machine's.
const clockHeader = "X-Mock-Clock"

// writeClock writes the clock of the world that answers.
func (s *Server) writeClock(x *exchange) {
	state := x.state()
	at := time.UnixMilli(state.View.NowMS())
	how := "frozen"
	if !state.Frozen() {
		how = fmt.Sprintf("ahead=%.3f", at.Sub(s.cfg.Now()).Seconds())
	}
	x.w.Header()[clockHeader] = []string{at.UTC().Format(clockLayout) + "; " + how}
}
