package mockserver

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver/api"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/tape"
	"chainscope/mockserver/tokens"
	"chainscope/mockserver/world"
)

// Server answers the contract. It is an http.Handler; Serve runs it on a listener.
type Server struct {
	cfg     Config
	seed    []string     // value of X-Mock-Seed
	service *api.Service // that is played

	// world is that of the server itself. Where a tape or an upstream answers,
	// only its faults are used.
	world         *world.World
	worlds        *world.Worlds     // nil without --worlds
	fork          *world.Fork       // nil without --fork
	forkClient    *apiclient.Client // that reads it
	stateFile     *world.StateFile  // nil without --state
	engine        *engine.Engine    // nil without --clarity
	contractFiles map[string]string // paths of the project's contracts, by their names
	reloader      *reloader         // nil without a project
	requirements  *apiclient.Client // nil until one is read
	tape          *tape.Player
	live          *tape.Recorder

	routes  *api.Router
	control *api.Router
	access  *accessLog
	hosts   allowedHosts
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
	if err := cfg.useChain(file); err != nil {
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
	if odd := oddPair(serves, epoch); odd != "" && cfg.Replay == "" && cfg.Upstream == "" && cfg.Fork == "" {
		cfg.Report(odd)
	}
	book, err := cfg.readContracts()
	if err != nil {
		return nil, err
	}
	s := &Server{
		cfg: cfg, seed: []string{strconv.FormatUint(cfg.Seed, 10)},
		stateFile: file, access: newAccessLog(cfg.AccessLog, cfg.Now),
	}
	s.service = api.New(api.Service{
		Generation: serves, Epoch: epoch, Seed: cfg.Seed, Tokens: sync.OnceValue(tokens.New),
		Project: cfg.Project != "", Machine: cfg.Clarity,
		Problem: s.access.problem, Refused: cfg.Refused, BodyTimeout: cfg.BodyTimeout,
	})
	if err := s.openSource(); err != nil {
		return nil, err
	}
	if err := s.openWorld(book, scenario); err != nil {
		s.engine.Close()
		s.closeFork()
		return nil, err
	}
	table := s.table()
	s.routes = api.NewRouter(serves.Of(table))
	s.document = sync.OnceValue(func() []byte { return api.Document(serves, table) })
	s.control = api.NewRouter(s.controlRoutes())
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
		s.live, err = tape.NewRecorder(tape.RecorderOptions{Upstream: s.cfg.Upstream, Dir: s.cfg.Record, Header: s.cfg.Header, Now: s.cfg.Now})
		if err != nil {
			return badFlag("--record", "%v", err)
		}
	}
	return err
}

// Serve answers on l until Close or Shutdown, and then returns nil.
func (s *Server) Serve(l net.Listener) error {
	s.hosts.listen(l.Addr())
	s.stateFile.ShowAddress("http://" + l.Addr().String())
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
	s.service.Close()
	if s.reloader != nil {
		s.reloader.stop()
	}
	s.writeCoverage()
	s.engine.Close()
	s.closeFork()
	if s.live != nil {
		s.live.Close()
	}
	if s.cfg.Record != "" {
		s.cfg.Report(s.recorded())
	}
}

// recorded returns what a recording has, and how it is served.
func (s *Server) recorded() string {
	if s.live.Saved() == 0 {
		return "nothing was recorded: no request came that the upstream answered"
	}
	answers := strconv.Itoa(s.live.Saved()) + " answers"
	if s.live.Saved() == 1 {
		answers = "1 answer"
	}
	return "recorded " + answers + " in " + quoted(s.cfg.Record) + "; --replay serves them"
}

// Scenario returns the scenario that holds now.
func (s *Server) Scenario() fault.Scenario { return s.world.Faults.Scenario() }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &visit{server: s, started: s.cfg.Now(), counted: countingWriter{ResponseWriter: w}}
	v.Exchange = api.Exchange{Service: s.service, World: s.world, W: &v.counted, R: r, Path: r.URL.EscapedPath(), Finish: v.finish}
	v.counted.begins = v.list
	defer v.finish()
	v.LimitBody()
	if !s.hosts.allows(r.Host) {
		refuseHost(&v.Exchange)
		return
	}
	if s.enterWorld(&v.Exchange) {
		s.serve(v)
	}
}

// visit is a request from its arrival until it is noted.
type visit struct {
	api.Exchange
	server   *Server
	started  time.Time
	counted  countingWriter
	logged   bool   // the request belongs into the world's requests
	listed   bool   // it is there
	cause    string // of the fault, "" for none
	finished bool
}

func (s *Server) serve(v *visit) {
	x := &v.Exchange
	switch {
	case isControl(x.Path):
		s.serveControl(x)
	case x.R.Method == http.MethodOptions:
		s.writeOrigin(x.W)
		s.preflight(x)
	default:
		v.logged = true
		plan := x.World.Faults.Decide(x.R.Method, x.Path, x.R.Header["Prefer"], s.cfg.Now())
		v.cause = plan.Cause
		s.commonHeaders(x)
		if plan.Nothing() {
			s.answer(x)
			return
		}
		s.serveFaulted(x, &plan)
	}
}

// finish notes the request where requests are noted, once.
func (v *visit) finish() {
	if v.finished {
		return
	}
	v.finished = true
	v.list()
	if v.server.access != nil {
		v.server.access.request(v.R, &v.counted, v.started)
	}
}

// list adds the request to the world's requests, once, and before the first byte of its answer
// leaves: whoever has the answer finds the request listed.
func (v *visit) list() {
	if !v.logged || v.listed {
		return
	}
	v.listed = true
	one := world.Request{
		Time: v.started.UTC(), Method: v.R.Method, Path: v.Target(), Status: v.counted.status, Fault: v.cause, World: v.World.Name(),
	}
	v.World.Requests.Add(one)
	if v.World != v.server.world {
		v.server.world.Requests.Add(one)
	}
}

// answer gives the undamaged answer.
func (s *Server) answer(x *api.Exchange) {
	switch {
	case s.routes.Answer(x):
	case s.replaced():
		s.fromTape(x, "")
	default:
		x.UnknownRoute()
	}
}

// table lists the routes that the server itself answers.
func (s *Server) table() []api.Route {
	document := api.Route{Method: "GET", Pattern: "/openapi.json", Handle: s.serveDocument}
	if s.replaced() {
		// Everything else is the tape's or the upstream's.
		return slices.Concat([]api.Route{document}, s.withoutMempool(), s.readingRoutes())
	}
	return append(api.Routes(), document)
}

// serveDocument answers with what /openapi.json has.
func (s *Server) serveDocument(x *api.Exchange) {
	if s.replaced() {
		x.JSON(http.StatusOK, api.Contract())
		return
	}
	x.JSON(http.StatusOK, s.document())
}

// commonHeaders go with every answer but those of /mock/v1.
func (s *Server) commonHeaders(x *api.Exchange) {
	h := x.W.Header()
	if !s.replaced() {
		h["X-Mock-Seed"] = s.seed
		s.writeClock(x)
	}
	if s.fork != nil {
		at := s.fork.Tip()
		h[forkHeader] = []string{at.Network + " " + strconv.FormatInt(at.Height, 10)}
	}
	h["X-Mock-Scenario"] = []string{string(x.World.Faults.Scenario())}
	s.writeOrigin(x.W)
}

// writeOrigin lets any web page read the answer, unless requests are forwarded
// to a live API, possibly with the user's key.
func (s *Server) writeOrigin(w http.ResponseWriter) {
	if s.cfg.Upstream == "" {
		w.Header()["Access-Control-Allow-Origin"] = []string{"*"}
	}
}

// clockHeader says with every answer what time it is on the chain. While the clock runs
// it says how many seconds it is ahead of the machine's.
const clockHeader = "X-Mock-Clock"

// writeClock writes the clock of the world that answers.
func (s *Server) writeClock(x *api.Exchange) {
	state := x.World.State()
	at := time.UnixMilli(state.View.NowMS())
	how := "frozen"
	if !state.Frozen() {
		how = fmt.Sprintf("ahead=%.3f", at.Sub(s.cfg.Now()).Seconds())
	}
	x.W.Header()[clockHeader] = []string{at.UTC().Format(clockLayout) + "; " + how}
}
