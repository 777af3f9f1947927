package decoded

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/text"
	"chainscope/wallet/bitcoin"
)

// Pairs as c32check names them.
func TestAnAddressHasItsTwins(t *testing.T) {
	for _, c := range []struct {
		address string
		twins   []string
	}{
		{"SPWNYDJ3STG7XH7ERWXMV6MQ7Q6EATWVY5Q1QMP8", []string{"16EMaNw3pkn3v6f2BgnSSs53zAKH4Q8YJg"}},
		{"16EMaNw3pkn3v6f2BgnSSs53zAKH4Q8YJg", []string{"SPWNYDJ3STG7XH7ERWXMV6MQ7Q6EATWVY5Q1QMP8"}},
		{"SM1Y6EXF21RZ9739DFTEQKB1H044BMM0XVCM4A4NY", []string{"3D2oetdNuZUqQHPJmcMDDHYoqkyNVsFk9r"}},
		{"SP000000000000000000002Q6VF78", []string{"ST000000000000000000002AMW42H", "1111111111111111111114oLvT2"}},
		{"ST000000000000000000002AMW42H", []string{"SP000000000000000000002Q6VF78", "1111111111111111111114oLvT2"}},
	} {
		a, err := ParseAddress(c.address)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.twins {
			if !slices.ContainsFunc(a.Twins, func(t Twin) bool { return t.Address == want }) {
				t.Errorf("%s has no twin %s but %v", c.address, want, a.Twins)
			}
		}
		if len(a.Twins) != 3 {
			t.Errorf("%s has the twins %v", c.address, a.Twins)
		}
	}
}

func TestEachFormOfWhatIsPastedIsExplained(t *testing.T) {
	for input, want := range map[string]string{
		"0x0100000000000000000000000000000001":                             "clarity u1",
		"AQAAAAAAAAAAAAAAAAAAAAE=":                                         "clarity u1",
		"000216c24181e24119f609a28023c4943d3a41592656eb03000000000000000a": "post-condition must send at least 10 micro-STX",
		"{a: u1, b: (list 1 2)}":                                           "literal 0x0c0000000201610100000000000000000000000000000001",
		"'SP000000000000000000002Q6VF78":                                   "literal 0x0516",
		"bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu":                       "address bitcoin mainnet P2WPKH",
		"bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr":   "address bitcoin mainnet P2TR",
		"bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx":                     "address bitcoin regtest",
		" SP000000000000000000002Q6VF78\n":                                 "address stacks mainnet 1111111111111111111114oLvT2",
	} {
		found, failures := Read([]byte(input), Options{Network: bitcoin.Mainnet})
		if len(found) == 0 {
			t.Errorf("%s is nothing: %v", input, failures)
			continue
		}
		kind, words, _ := strings.Cut(want, " ")
		shown := text.Line(sections(found[0]))
		if found[0].Kind != kind {
			t.Errorf("%s is %s", input, found[0].Kind)
		}
		for _, w := range strings.Split(words, " ") {
			if !strings.Contains(shown, w) {
				t.Errorf("%s: %q is not in %q", input, w, shown)
			}
		}
	}
	for _, input := range []string{"SP000000000000000000002Q6VF79", "!!", "", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "(list u1"} {
		if found, failures := Read([]byte(input), Options{Network: bitcoin.Mainnet}); len(found) > 0 || len(failures) < 2 {
			t.Errorf("%q is %v, not one of %q", input, found, failures)
		}
	}
}

func sections(r Reading) string {
	var b strings.Builder
	for _, s := range r.Sections {
		b.WriteString(s.Title + " " + strings.Join(s.Lines, " ") + " ")
		for _, row := range s.Rows {
			b.WriteString(row.Label + " " + row.Value + " " + row.Note + " ")
		}
	}
	return b.String()
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("0x0100000000000000000000000000000001"), true)
	f.Add([]byte("cHNidP8BAAoCAAAAAAAAAAAAAA=="), false)
	f.Add([]byte{0x80, 0x80, 0, 0, 0, 4}, true)
	f.Add([]byte("SP000000000000000000002Q6VF78"), false)
	f.Fuzz(func(t *testing.T, input []byte, file bool) {
		found, failures := Read(input, Options{File: file, Network: bitcoin.Mainnet})
		if len(found) == 0 && len(failures) == 0 {
			t.Fatal("neither explained nor refused")
		}
		for _, d := range found {
			if _, err := json.Marshal(d.Value); err != nil {
				t.Errorf("%s: %v", d.Kind, err)
			}
			for _, s := range d.Sections {
				for _, line := range s.Lines {
					if len(text.Hidden(line)) > 0 {
						t.Errorf("%s shows %q", d.Kind, line)
					}
				}
			}
		}
	})
}
