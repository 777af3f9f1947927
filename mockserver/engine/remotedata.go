package engine

import (
	"fmt"
	"net/url"
)

// RemoteData is the live chain from whose state the contracts of a project go on in Clarinet.
type RemoteData struct {
	API    string
	Height int64 // 0 for the tip of the chain
}

// remoteAPI is the API that Clarinet reads unless a project names another API.
const remoteAPI = "https://api.hiro.so"

// ReadRemoteData reads what a project says in [repl.remote_data]; nil where that is not enabled. It finds no
// other mistakes in the project.
func ReadRemoteData(folder string) (*RemoteData, error) {
	m := &manifest{folder: folder}
	if _, err := m.read(manifestFile, m); err != nil || m.REPL.Remote.Enabled != true {
		return nil, nil //nolint:nilerr // ReadProject says what is wrong with it
	}
	out, said := &RemoteData{API: remoteAPI}, m.REPL.Remote
	if said.API != nil {
		out.API, _ = said.API.(string)
	}
	u, err := url.Parse(out.API)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%s: [repl.remote_data]: api_url %.200q is no URL such as %q", manifestFile, fmt.Sprint(said.API), remoteAPI)
	}
	if said.Height == nil {
		return out, nil
	}
	if out.Height, _ = said.Height.(int64); out.Height < 1 {
		return nil, fmt.Errorf("%s: [repl.remote_data]: initial_height %.200q is no height such as 8700000", manifestFile, fmt.Sprint(said.Height))
	}
	return out, nil
}
