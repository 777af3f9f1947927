package command

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Ten transactions of each type, in the states that there are, are said in the tense of their
// state, with what their payload says: by `tx` and in the explorer.
func TestTransactionsOfEachTypeAreSaidAsTheirStateIs(t *testing.T) {
	type object = map[string]any
	var data struct {
		Common, Mined object
		States        []struct {
			Mined     bool
			Body      object
			Tense     string
			Says, Not []string
		}
		Types []struct {
			Type  string
			Miner bool
			Each  []struct {
				Body               object
				Done, Waits, Tried string
				Facts              []string
			}
		}
	}
	raw, err := os.ReadFile("testdata/transactions-in-every-state.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, &data); err != nil || len(data.States) != 10 || len(data.Types) != 6 {
		t.Fatalf("%d states, %d types: %v", len(data.States), len(data.Types), err)
	}
	server := &stub{}
	server.of.Answers = []liveAnswer{{Get: "/v2/info", Body: object{"network_id": 1}}}
	api := httptest.NewServer(server)
	t.Cleanup(api.Close)
	for i, kind := range data.Types {
		for n, state := range data.States {
			id := fmt.Sprintf("0xa%063d", 10*i+n)
			payload := kind.Each[n%len(kind.Each)]
			body := object{"tx_id": id, "tx_type": kind.Type}
			parts := []object{data.Common, payload.Body, state.Body}
			if state.Mined {
				parts = slices.Insert(parts, 1, data.Mined)
			}
			for _, part := range parts {
				maps.Copy(body, part)
			}
			server.of.Answers = append(server.of.Answers, liveAnswer{Get: "/extended/v1/tx/" + id, Body: body})
			tenses := map[string]string{"done": payload.Done, "waits": payload.Waits, "tried": payload.Tried}
			says, not := slices.Concat([]string{"SP2J…9EJ7 " + tenses[state.Tense]}, state.Says, payload.Facts), slices.Clone(state.Not)
			for tense, words := range tenses {
				if tense != state.Tense {
					not = append(not, "9EJ7 "+words)
				}
			}
			if kind.Miner {
				not = append(not, "what helps")
			}
			if kind.Miner && strings.Contains(fmt.Sprint(state.Says), "no longer part") {
				says = append(says, "can be in no other")
			}
			where := fmt.Sprintf("%s %v", kind.Type, body["tx_status"])
			_, stdout, stderr := run(t, t.Context(), "tx", id, "--api", api.URL)
			reads(t, where, stdout+stderr, says, not)
			server.of.Explorer = append(server.of.Explorer, explorerStep{At: "tx " + id, Sees: []string{strings.TrimSuffix(says[0], " of one miner")}, Not: []string{"It waits for a block", "The contract answered"}})
		}
	}
	exploreLive(t, api.URL, server)
}
