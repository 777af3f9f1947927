package apiclient

import (
	"fmt"
	"strings"
	"testing"
)

func TestPagesAreJoinedByIndexBlockHash(t *testing.T) {
	blocks := func(rows string) (out []Block) {
		for _, row := range strings.Fields(rows) {
			var b Block
			_, _ = fmt.Sscanf(row, "%d%s", &b.Height, &b.IndexBlockHash)
			out = append(out, b)
		}
		return out
	}
	for _, tc := range []struct{ name, loaded, page, want string }{
		{"nothing loaded", "", "3c 2b", "3c 2b"},
		{"an older page", "5e 4d", "3c 2b", "5e 4d 3c 2b"},
		{"new blocks on top", "5e 4d 3c", "7g 6f 5e", "7g 6f 5e 4d 3c"},
		{"a page that slid by one", "5e 4d 3c", "3c 2b", "5e 4d 3c 2b"},
		{"a tip that was replaced", "5e 4d 3c", "6f 5x 4d", "6f 5x 4d 3c"},
		{"a row given twice", "", "5e 5e 4d", "5e 4d"},
		{"an empty page", "5e", "", "5e"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, b := range JoinBlocks(blocks(tc.loaded), blocks(tc.page)) {
				got = append(got, fmt.Sprint(b.Height, b.IndexBlockHash))
			}
			if g := strings.ReplaceAll(strings.Join(got, "|"), " ", ""); g != strings.ReplaceAll(tc.want, " ", "|") {
				t.Errorf("got %s, want %s", g, tc.want)
			}
		})
	}
}
