package nav

import (
	"errors"
	"strings"
	"testing"
)

func TestAWrongPrincipalSaysWhereItIsWrongAndWhetherTypingOnMendsIt(t *testing.T) {
	const address = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS"
	for name, c := range map[string]struct {
		in         string
		at         int
		unfinished bool
		reason     string
	}{
		"nothing yet":                    {"", 0, true, "0 characters"},
		"an address that is begun":       {"SP2SYH", 6, true, "6 characters, needs 28 to 41"},
		"a short address before its dot": {"SP2SYH.x", 6, false, "6 characters, needs 28 to 41"},
		"a letter that does not occur":   {"SP2O", 3, false, "'O'"},
		"a lower-case letter":            {"SP2s", 3, false, "upper case"},
		"a wide character":               {"SP2港A", 3, false, "digits and capital letters"},
		"an address alone":               {address, 41, true, "continues with a dot"},
		"an address that is too long":    {address + "A", 41, false, "42 characters"},
		"no contract name yet":           {address + ".", 42, true, "is empty"},
		"a name that starts with digit":  {address + ".1a", 42, false, "needs a letter"},
		"a blank in the name":            {address + ".my token", 44, false, "' '"},
		"a name that is too long":        {address + "." + strings.Repeat("a", 41), 82, false, "at most 40"},
	} {
		t.Run(name, func(t *testing.T) {
			var wrong *InputError
			if err := CheckPrincipal(c.in); !errors.As(err, &wrong) {
				t.Fatalf("got %v", err)
			}
			if wrong.At != c.at || wrong.Unfinished != c.unfinished || !strings.Contains(wrong.Reason, c.reason) {
				t.Errorf("got %+v", wrong)
			}
		})
	}
	if err := CheckPrincipal(address + ".token"); err != nil {
		t.Error(err)
	}
}

func TestAWrongTokenIDSaysWhere(t *testing.T) {
	for in, at := range map[string]int{"": 0, "12a": 2, "1,0x": 3, "-1": 0, strings.Repeat("9", 40): 39} {
		var wrong *InputError
		if _, err := ParseTokenID(in); !errors.As(err, &wrong) || wrong.At != at {
			t.Errorf("%q: got %+v", in, wrong)
		}
	}
}
