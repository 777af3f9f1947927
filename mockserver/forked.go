package mockserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver/api"
	"chainscope/mockserver/chain"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/fork"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

// forkTimeout bounds one request to the live chain with what its client repeats of it. How long a value may
// take altogether, waits for the server's limit included, is the source's own bound.
const forkTimeout = 30 * time.Second

// checkFork refuses flags of a fork that cannot be used together, or without it.
func (c *Config) checkFork() error {
	if c.Fork == "" {
		switch {
		case c.ForkHeight != nil:
			return badFlag("--fork-height", "needs --fork, the live chain to continue")
		case c.ForkCache != "":
			return badFlag("--fork-cache", "needs --fork, the live chain to continue")
		case c.ForkOffline:
			return badFlag("--fork-offline", "needs --fork, the live chain to continue")
		}
		return nil
	}
	u, err := url.Parse(c.Fork)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return badFlag("--fork", "%s is no http or https URL; give mainnet, testnet or one such as https://api.hiro.so", redactedURL(c.Fork))
	case u.User != nil, u.RawQuery != "", u.Fragment != "":
		return badFlag("--fork", "the URL must have no user, query or fragment; send an API key with --header 'x-api-key: …'")
	case c.Upstream != "":
		return badFlag("--fork", "cannot be used with --upstream: that one has no chain of its own")
	case c.Replay != "":
		return badFlag("--fork", "cannot be used with --replay: that one has no chain of its own")
	case c.FetchRequirements != "":
		return badFlag("--fetch-requirements", "cannot be used with a fork: the requirements of a project are contracts of the live chain there")
	case c.ForkHeight != nil && *c.ForkHeight < 1:
		return badFlag("--fork-height", "%d is no height; give one from 1, such as 8700000", *c.ForkHeight)
	}
	return nil
}

// openFork finds the block of the live chain that the own one continues. What could not be read is an
// error of the client; all others are *ConfigError.
func (s *Server) openFork() error {
	c := &s.cfg
	if c.Fork == "" {
		return nil
	}
	if _, err := engine.Find(c.ClarityEngine, ".", "."); err != nil { // before anything is read
		return badFlag("--fork", "%v", err)
	}
	client, err := apiclient.New(apiclient.Options{BaseURL: c.Fork, Header: c.Header, Timeout: forkTimeout, Now: c.Now})
	if err != nil {
		return badFlag("--fork", "%v", err)
	}
	source, err := fork.Open(context.Background(), fork.Options{
		Client: client, Height: c.ForkHeight, Cache: c.ForkCache, Offline: c.ForkOffline, Patience: c.forkPatience, Report: c.Report, OnRead: s.readOfFork,
	})
	if err != nil {
		client.Close()
		return c.forkError(err)
	}
	s.fork, s.forkClient = world.NewFork(source), client
	if kept := c.forkedAt; kept.Height != 0 && kept.IndexHash != source.Tip().IndexHash {
		return badFlag("--state", "%s holds a fork at the block %s, and the height %d now has %s", quoted(c.State), kept.IndexHash, kept.Height, source.Tip().IndexHash)
	}
	epoch, known := s.epochOfFork()
	if known {
		s.service.Epoch = epoch
	} else {
		c.Report(fmt.Sprintf("the epoch of the fork is not known; contracts run in epoch %s", s.service.Epoch.Name))
	}
	s.service.Fork = s.fork
	tip := source.Tip()
	c.Report(fmt.Sprintf("a fork of %s at height %d, block %s of %s, in epoch %s", tip.Network, tip.Height, tip.IndexHash, time.Unix(tip.Time, 0).UTC().Format(time.RFC3339), s.service.Epoch.Name))
	return nil
}

// forkError returns which flag is wrong where a fork cannot be opened.
func (c *Config) forkError(err error) error {
	if err == nil {
		return nil
	}
	if high, is := errors.AsType[*fork.TooHighError](err); is {
		return badFlag("--fork-height", "%v", high)
	}
	unread, is := errors.AsType[*fork.UnreadError](err)
	switch {
	case is && c.ForkOffline:
		return badFlag("--fork-offline", "%v", unread)
	case is:
		return fmt.Errorf("--fork %s: %w", c.Fork, err)
	}
	return badFlag("--fork-cache", "%v", err)
}

// isUnread reports whether an error is that something of the live chain could not be read.
func isUnread(err error) bool {
	_, is := errors.AsType[*fork.UnreadError](err)
	return is
}

// epochOfFork returns the epoch of the live chain at its block: by the burn height on mainnet; a test network
// is in the one by whose version its nodes greet each other.
func (s *Server) epochOfFork() (found facts.Epoch, known bool) {
	if !s.fork.Testnet() {
		for _, e := range facts.Epochs {
			if e.Start <= s.fork.Tip().BurnHeight {
				found, known = e, true
			}
		}
		return found, known
	}
	answer, err := s.fork.Read(context.Background(), "/v2/info")
	var info struct {
		Peer int `json:"peer_version"`
	}
	if err != nil || json.Unmarshal(answer.Body, &info) != nil {
		return found, false
	}
	for _, e := range facts.Epochs {
		if e.Peer == info.Peer&0xff {
			found, known = e, true
		}
	}
	return found, known
}

// base returns the block that the own chain continues, the zero one where there is no fork.
func (s *Server) base() (b chain.Base, err error) {
	if s.fork == nil {
		return b, nil
	}
	t := s.fork.Tip()
	b = chain.Base{Height: t.Height, BurnHeight: t.BurnHeight, Tenure: t.Tenure, TimeMS: t.Time * 1000, BurnTimeMS: t.BurnTime * 1000}
	for text, into := range map[string]*chain.Hash{t.Hash: &b.Hash, t.IndexHash: &b.Index, t.BurnHash: &b.BurnHash} {
		h, ok := chain.ParseHash(text)
		if !ok {
			return b, fmt.Errorf("--fork %s: %q of the block %d is no hash", s.cfg.Fork, text, t.Height)
		}
		*into = h
	}
	return b, nil
}

// liveContract returns the text of a contract of the live chain, for a project that needs it.
func (s *Server) liveContract(ctx context.Context, id clarity.Principal) (string, error) {
	if err := s.fork.ReadContract(ctx, id); err != nil {
		return "", err
	}
	if text, there := s.fork.Live(id); there {
		return text, nil
	}
	return "", engine.ErrNoContract
}

// readOfFork notes a request to the live chain in the access log.
func (s *Server) readOfFork(r fork.Request) {
	if s.access != nil {
		s.access.read(r)
	}
}

// forkBody is the answer of GET /mock/v1/fork.
type forkBody struct {
	API     string `json:"api"`
	Network string `json:"network"`
	Height  int64  `json:"height"`
	Index   string `json:"index_block_hash"`
	Reads   int    `json:"reads"`
	Cached  int    `json:"cached"`
}

// forkHeader says with every answer of which chain the mock is a fork, and at which height.
const forkHeader = "X-Mock-Fork"

// progressBody says how far the reading of a fork is.
type progressBody struct {
	Progress string `json:"progress"` // in words
	Reading  string `json:"reading"`  // what is being read, "" for nothing
}

// forkProgress returns nil where there is no fork.
func (s *Server) forkProgress() *progressBody {
	if s.fork == nil {
		return nil
	}
	now := s.fork.Status()
	return &progressBody{now.Line(s.fork.Tip().Network), now.Reading}
}

func (s *Server) readFork(x *api.Exchange) {
	if s.fork == nil {
		x.Thrown(http.StatusNotFound, "", "this chain is no fork; start the mock with --fork mainnet, testnet or a URL")
		return
	}
	t, now := s.fork.Tip(), s.fork.Status()
	x.Value(http.StatusOK, forkBody{t.API, t.Network, t.Height, t.IndexHash, now.Reads, now.Cached})
}

// closeFork ends what is being read.
func (s *Server) closeFork() {
	if s.fork != nil {
		s.fork.Close()
		s.forkClient.Close()
	}
}
