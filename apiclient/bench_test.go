package apiclient

import (
	"encoding/json"
	"net/http"
	"testing"
)

func BenchmarkDecodePage(b *testing.B) {
	body := blocksPage(b, 30)
	b.Run("own", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		raw := []byte(body)
		for b.Loop() {
			if _, err := listOf[Block](nil)(raw); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		raw := []byte(body)
		for b.Loop() {
			var l List[Block]
			if err := json.Unmarshal(raw, &l); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCall(b *testing.B) {
	c := serve(b, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, emptyList) })
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Blocks(b.Context(), Page{}); err != nil {
			b.Fatal(err)
		}
	}
}
