package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
)

// maxSnapshotAnswer bounds the answer of a mock to a snapshot or a revert.
const maxSnapshotAnswer = 64 << 10

// mockProxy leads to the control of the mock, without what a page could add. What
// is done there to snapshots is passed on to the wallet.
func mockProxy(base *url.URL, snapshots Snapshots) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			path := "/mock/" + strings.TrimPrefix(r.In.URL.Path, MockPrefix)
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = base.Scheme, base.Host, base.Host
			r.Out.URL.Path, r.Out.URL.RawPath = strings.TrimSuffix(base.Path, "/")+path, ""
			r.Out.Header.Del("Accept-Encoding") // the answer is read here
		},
		ModifyResponse: func(r *http.Response) error { return notifySnapshots(r, snapshots) },
		FlushInterval:  -1,
		ErrorLog:       silent,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			refuseControl(w, http.StatusBadGateway, "the mock at %s does not answer", base)
		},
	}
}

// notifySnapshots reports a snapshot that was made and one that was reverted
// to, before the test runner has the answer.
func notifySnapshots(r *http.Response, snapshots Snapshots) error {
	_, route, _ := strings.Cut(r.Request.URL.Path, "/mock/v1/")
	if snapshots == nil || r.StatusCode != http.StatusOK || r.Request.Method != http.MethodPost {
		return nil
	}
	if route == "reset" {
		snapshots.ForgetSnapshots()
	}
	if route != "snapshot" && route != "revert" {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxSnapshotAnswer))
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var answer struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return err
	}
	if route == "snapshot" {
		snapshots.Snapshot(answer.Name)
	} else {
		snapshots.Revert(answer.Name)
	}
	return nil
}
