package keys

import "testing"

func TestWhatIsMadeOnceIsKept(t *testing.T) {
	type name struct{ account int }
	ring, made := NewTestRing(), 0
	for range 3 {
		for account := range 2 {
			got, err := Once(ring, name{account}, func() (int, error) {
				made++
				return account * 10, nil
			})
			if err != nil || got != account*10 {
				t.Errorf("account %d: %d, %v", account, got, err)
			}
		}
	}
	if made != 2 {
		t.Errorf("made %d times, want 2", made)
	}
	for range 2 {
		if _, err := Once(ring, name{9}, func() (int, error) { made++; return 0, ErrPassphrase }); err == nil {
			t.Error("no error")
		}
	}
	if made != 4 {
		t.Errorf("an error was kept: made %d times, want 4", made)
	}
}
