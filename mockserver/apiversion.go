package mockserver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"chainscope/mockserver/api"
	"chainscope/wallet/facts"
)

// APIVersions lists the values of Config.APIVersion, the oldest first.
func APIVersions() []string {
	var names []string
	for _, r := range facts.Releases {
		names = append(names, r.Flag)
	}
	return names
}

// Epochs lists the values of Config.Epoch, the default first.
func Epochs() []string { return facts.Playable }

// turn finds the service and the network that are played. An API that is named alone
// comes with the network of its time. Errors are *ConfigError.
func (c Config) turn() (api.Generation, facts.Epoch, error) {
	flag := cmp.Or(c.APIVersion, facts.DefaultRelease)
	at := slices.Index(APIVersions(), flag)
	if at < 0 {
		return 0, facts.Epoch{}, badFlag("--api-version", "no API version %q; it is one of %s", flag, strings.Join(APIVersions(), ", "))
	}
	g := api.Generation(at + 1)
	name := cmp.Or(c.Epoch, facts.Releases[at].Epochs[0])
	epoch, _ := facts.EpochOf(name)
	if !slices.Contains(Epochs(), name) {
		return 0, epoch, badFlag("--epoch", "no epoch %q that is played; it is one of %s", name, strings.Join(Epochs(), ", "))
	}
	return g, epoch, nil
}

// oddPair says that a service and a network have never run together, "" if they have.
func oddPair(g api.Generation, e facts.Epoch) string {
	r := g.Release()
	if slices.Contains(r.Epochs, e.Name) {
		return ""
	}
	return fmt.Sprintf("the API's %s has never run in epoch %s; it is played all the same", strings.TrimPrefix(r.Version, "v"), e.Name)
}
