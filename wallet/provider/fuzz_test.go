package provider_test

import (
	"encoding/json"
	"errors"
	"testing"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
)

// Whatever a page sends, a wallet answers with an envelope that has a result or
// an error with a code.
func FuzzRequest(f *testing.F) {
	all := samples(f)
	for method, s := range all {
		f.Add(uint8(0), method, []byte(object(mergedParams(s.must, s.may))))
		f.Add(uint8(1), method, []byte(object(s.must)))
		f.Add(uint8(2), method, []byte(object(s.must)))
	}
	f.Add(uint8(2), "signMultipleMessages", []byte(`[{"address":"`+payment0+`","message":"x"},{}]`))
	f.Add(uint8(2), "getInfo", []byte(`null`))
	f.Add(uint8(1), "authenticationRequest()", []byte(`"token"`))
	f.Fuzz(func(t *testing.T, which uint8, method string, params []byte) {
		who := provider.Personalities()[int(which)%len(provider.Personalities())]
		w := newWatcher(who)
		envelope, err := w.Request(t.Context(), method, json.RawMessage(params))
		var rejection *provider.Rejection
		if errors.As(err, &rejection) {
			envelope, err = rejection.Value, nil
		}
		if err != nil {
			t.Fatalf("%s %q: %v", who, method, err)
		}
		reply, err := jsonrpc.ParseReply(envelope)
		if err != nil || !reply.Object {
			t.Fatalf("%s %q: %s, %v", who, method, envelope, err)
		}
		if reply.Error != nil {
			var e jsonrpc.Error
			if err := json.Unmarshal(reply.Error, &e); err != nil || e.Code == 0 || e.Message == "" {
				t.Errorf("%s %q: the error %s", who, method, reply.Error)
			}
		}
	})
}
