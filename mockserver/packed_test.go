package mockserver

import (
	"bytes"
	"os"
	"testing"
)

func TestTheDocumentsInTheProgramAreThoseOfTheSources(t *testing.T) {
	for name, packed := range map[string]func() []byte{
		"openapi.json": openAPI, "generations.openapi.json": generationsOpenAPI, "control.openapi.json": controlOpenAPI,
	} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(source, packed()) {
			t.Errorf("%s has changed; run: go generate ./mockserver", name)
		}
	}
}
