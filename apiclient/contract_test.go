package apiclient

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"

	jsonv2 "github.com/go-json-experiment/json"
)

const demoToken = "STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN.demo-token"

// A contract is there in full by every version: written again, it is what was read.
func TestARecordedContractIsReadWithoutLoss(t *testing.T) {
	for _, version := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		c := recordedClient(t, version)
		tested := 0
		for _, e := range named(version, "v1-contract") {
			id, isOne := strings.CutPrefix(e.Path, "/extended/v1/contract/")
			if !isOne || strings.ContainsAny(id, "/?") {
				continue
			}
			tested++
			a, err := c.Contract(t.Context(), id)
			if err != nil {
				t.Errorf("%s %s: %v", version, e.Name, err)
				continue
			}
			written, err := jsonv2.Marshal(a.Value)
			if err != nil {
				t.Fatal(err)
			}
			missing(t, e.Name, decoded(t, e.Body), decoded(t, written))
			var face struct{ Functions []struct{ Name string } }
			if err := json.Unmarshal(a.Value.Interface(), &face); err != nil || len(face.Functions) == 0 {
				t.Errorf("%s %s: the interface has %d functions: %v", version, e.Name, len(face.Functions), err)
			}
		}
		if tested == 0 {
			t.Errorf("version %s has no recorded contract", version)
		}
	}
}

func TestAContractThatIsNotThere(t *testing.T) {
	for _, version := range []string{apitest.Version8, apitest.Sunset} {
		c := recordedClient(t, version)
		if _, err := c.Contract(t.Context(), "STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN.nope"); KindOf(err) != NotFound {
			t.Errorf("version %s: %v", version, err)
		}
	}
}

func TestAnInterfaceIsATextOrAnObject(t *testing.T) {
	const face = `{"functions":[]}`
	text, _ := json.Marshal(face)
	for name, raw := range map[string]string{"text": string(text), "object": face} {
		one := Contract{ABI: json.RawMessage(raw)}
		if got := string(one.Interface()); got != face {
			t.Errorf("%s: %s", name, got)
		}
	}
	for _, none := range []string{"", "null", `""`} {
		one := Contract{ABI: json.RawMessage(none)}
		if got := one.Interface(); got != nil {
			t.Errorf("%q: %s", none, got)
		}
	}
}

// nodeServer answers the routes of a node, and that the API has none of its own.
func nodeServer(t *testing.T, serve func(w http.ResponseWriter, r *http.Request, body string)) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		serve(w, r, string(body))
	}))
	t.Cleanup(server.Close)
	c, err := New(Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Where the API has retired its route the node is sent the request, with two requests for the first
// contract and for each after it.
func TestAContractIsReadFromTheNode(t *testing.T) {
	requested := []string{}
	c := nodeServer(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		requested = append(requested, r.URL.Path)
		switch {
		case strings.HasPrefix(r.URL.Path, "/v2/contracts/interface/"):
			answer(w, http.StatusOK, `{"functions":[],"epoch":"Epoch30"}`)
		case strings.HasPrefix(r.URL.Path, "/v2/contracts/source/"):
			answer(w, http.StatusOK, `{"source":"(ok 1)","publish_height":51}`)
		default:
			answer(w, http.StatusGone, goneBody)
		}
	})
	for range 2 {
		requested = nil
		a, err := c.Contract(t.Context(), demoToken)
		if err != nil {
			t.Fatal(err)
		}
		if v := a.Value; v.Source != "(ok 1)" || v.BlockHeight != 51 || string(v.Interface()) != `{"functions":[],"epoch":"Epoch30"}` || !json.Valid(a.Raw) {
			t.Errorf("%+v, %s", v, a.Raw)
		}
	}
	if len(requested) != 2 {
		t.Errorf("a contract took %d requests: %v", len(requested), requested)
	}
}

func TestAReadOnlyCallIsPosted(t *testing.T) {
	c := nodeServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		const want = `{"sender":"STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN","arguments":["0x0100000000000000000000000000000001"]}`
		if r.Method != http.MethodPost || r.URL.EscapedPath() != "/v2/contracts/call-read/STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN/demo-token/is-ok%3F" || body != want {
			t.Errorf("%s %s %s", r.Method, r.URL.EscapedPath(), body)
		}
		answer(w, http.StatusOK, `{"okay":true,"result":"0x03"}`)
	})
	a, err := c.CallReadOnly(t.Context(), demoToken, "is-ok?", "", []string{"0x0100000000000000000000000000000001"})
	if err != nil || !a.Value.Okay || a.Value.Result != "0x03" {
		t.Errorf("%+v, %v", a.Value, err)
	}
	log := c.Log().Snapshot()
	if curl := log[len(log)-1].Curl(); !strings.Contains(curl, "-X 'POST'") || !strings.Contains(curl, `"sender":"STAW`) {
		t.Errorf("the log has not what was posted: %s", curl)
	}
}

// Only a GET may be sent twice.
func TestAPostedQuestionIsNotRetried(t *testing.T) {
	requested := 0
	c := nodeServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) {
		requested++
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	_, err := c.MapEntry(t.Context(), demoToken, "notes", "0x03")
	if KindOf(err) != ServerFault || requested != 1 {
		t.Errorf("%d requests, %v", requested, err)
	}
}

func TestStateIsRead(t *testing.T) {
	c := nodeServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		switch r.Method + " " + r.URL.RequestURI() + " " + body {
		case "GET /v2/data_var/STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN/demo-token/last?proof=0 ":
			answer(w, http.StatusOK, `{"data":"0x0100"}`)
		case "GET /v2/constant_val/STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN/demo-token/most?proof=0 ":
			answer(w, http.StatusOK, `{"data":"0x03"}`)
		case `POST /v2/map_entry/STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN/demo-token/notes?proof=0 "0x04"`:
			answer(w, http.StatusOK, `{"data":"0x09"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte("Data var not found"))
		}
	})
	variable, err := c.DataVar(t.Context(), demoToken, "last")
	if err != nil || variable.Value.Data != "0x0100" {
		t.Errorf("%+v, %v", variable, err)
	}
	constant, err := c.Constant(t.Context(), demoToken, "most")
	if err != nil || constant.Value.Data != "0x03" {
		t.Errorf("%+v, %v", constant, err)
	}
	entry, err := c.MapEntry(t.Context(), demoToken, "notes", "0x04")
	if err != nil || entry.Value.Data != "0x09" {
		t.Errorf("%+v, %v", entry, err)
	}
	if _, err := c.DataVar(t.Context(), demoToken, "other"); KindOf(err) != NotFound {
		t.Errorf("%v", err)
	}
}

func TestWhatNoContractHasIsNotRequested(t *testing.T) {
	c := nodeServer(t, func(_ http.ResponseWriter, r *http.Request, _ string) { t.Errorf("requested %s", r.URL) })
	for name, send := range map[string]func() error{
		"address": func() error {
			_, err := c.Contract(t.Context(), "STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN")
			return err
		},
		"function": func() error { _, err := c.CallReadOnly(t.Context(), demoToken, "../info", "", nil); return err },
		"sender":   func() error { _, err := c.CallReadOnly(t.Context(), demoToken, "f", "me", nil); return err },
		"argument": func() error { _, err := c.CallReadOnly(t.Context(), demoToken, "f", "", []string{"u1"}); return err },
		"variable": func() error { _, err := c.DataVar(t.Context(), demoToken, "a b"); return err },
		"key":      func() error { _, err := c.MapEntry(t.Context(), demoToken, "m", `0x"`); return err },
	} {
		if err := send(); KindOf(err) != InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What any text is read as can be written and read again.
func FuzzContract(f *testing.F) {
	for _, e := range named(apitest.Version9, "v1-contract") {
		f.Add([]byte(e.Body[:min(len(e.Body), 4000)]))
	}
	f.Add([]byte(`{"abi":"{\"functions\":[]}","okay":true,"result":"0x03","data":"0x09","cause":null}`))
	f.Add([]byte(`{"abi":{"functions":[]},"block_height":-1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _ = decode[ReadOnlyResult](body)
		_, _ = decode[StateValue](body)
		one, err := decode[Contract](body)
		if err != nil {
			return
		}
		raw, err := jsonv2.Marshal(one)
		if err != nil {
			return // a text that is no UTF-8
		}
		again, err := decode[Contract](raw)
		if err != nil || string(again.Interface()) != string(one.Interface()) || again.Source != one.Source {
			t.Fatalf("%s, then %v: %v", raw, again, err)
		}
	})
}
