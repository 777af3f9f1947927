package state

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStringsAreKeptByKey(t *testing.T) {
	s, _ := open(t)
	m := s.Strings("connect")
	if _, there, err := m.Get("a"); there || err != nil {
		t.Fatal(there, err)
	}
	for _, err := range []error{m.Remove("a"), m.Set("a", "1"), m.Set("b", ""), m.Set("a", "2"), m.Remove("c")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Strings("connect").All()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "2", "b": ""}, all); diff != "" {
		t.Error(diff)
	}
	if err := m.Remove("a"); err != nil {
		t.Fatal(err)
	}
	if v, there, err := m.Get("b"); v != "" || !there || err != nil {
		t.Error(v, there, err)
	}
	if _, there, _ := m.Get("a"); there {
		t.Error("a removed key is still there")
	}
}
