package nav

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// maxInput is the longest input that Recognise looks at, in bytes.
const maxInput = maxPasted

// Reading is one way of understanding an input. It either leads to a place or
// says in Reason why it does not.
type Reading struct {
	// Name holds what the input would be: "burn height", "NFT", "namespace".
	Name string
	// About is the thing itself, as typed or pasted: untrusted text.
	About string
	// Place to open.
	Place Place
	// Guess marks a reading that any word would have.
	Guess bool
	// Note is a remark on a good reading: "reached by paging".
	Note string
	// Reason reports why the reading failed; empty for a good one.
	Reason string
	// Fix is an input near this one that would be understood; only with
	// Reason, and often empty.
	Fix string

	rank int
}

// OK reports whether the reading leads somewhere.
func (r Reading) OK() bool { return r.Reason == "" }

// Loaded is a block on screen that answers to a hash, or a transaction of it.
type Loaded struct {
	What  string // what the hash is of it: "index block hash", "transaction"
	Place Place
}

// RecogniseContext holds what the recogniser may take into account. All of it is
// optional.
type RecogniseContext struct {
	// Here is the current place: digits typed at an NFT contract may be a
	// token id of it, and a principal is first what the tab has of it.
	Here Place
	// Tip and BurnTip are the newest heights known; 0 is unknown.
	Tip, BurnTip int64
	// Decoded returns what pasted bytes or a pasted text are, such as "Clarity value", and why they
	// are not; "" for nothing that is known.
	Decoded func(pasted string) (what string, wrong error)
	// Loaded finds the loaded blocks that a hash ("0x", lower case) belongs to.
	Loaded func(hash string) []Loaded
}

// Ranks order the readings; smaller is better.
const (
	rankExact = iota
	rankBest
	rankGood
	rankSecond
	rankThird
	rankLast
	rankFailedNear
	rankFailedFar
)

type recogniser struct {
	ctx      RecogniseContext
	readings []Reading
}

// Recognise finds every reading of what the user typed or pasted, best first
// and failed ones last. An input that nothing understands gets a failed
// reading for each thing it might have been; an empty one gets none.
func Recognise(input string, ctx RecogniseContext) []Reading {
	r := &recogniser{ctx: ctx}
	in := tidy(input)
	switch {
	case in == "":
		return nil
	case len(in) > maxInput:
		r.fail(rankFailedNear, "input", "", fmt.Sprintf("%d bytes long; nothing one can go to is longer than %d", len(in), maxInput), "")
		return r.readings
	}
	r.recogniseTarget(in)
	all := r.sorted()
	if looksLikeBitcoin(in) && !slices.ContainsFunc(all, func(one Reading) bool { return one.OK() && !one.Guess }) {
		return []Reading{{Name: "Bitcoin address", About: in, Reason: "the API of Stacks knows no accounts of Bitcoin; the address of a Stacks account begins with SP or ST", rank: rankFailedNear}}
	}
	return all
}

// looksLikeBitcoin reports whether a text has the form of an address of Bitcoin.
func looksLikeBitcoin(in string) bool {
	const base58, bech32 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", "023456789acdefghjklmnpqrstuvwxyz"
	lower := strings.ToLower(in)
	for _, network := range []string{"bc1", "tb1", "bcrt1"} {
		if rest, is := strings.CutPrefix(lower, network); is && (in == lower || in == strings.ToUpper(in)) {
			return len(rest) >= 39 && len(rest) <= 59 && strings.Trim(rest, bech32) == ""
		}
	}
	return len(in) >= 26 && len(in) <= 35 && strings.ContainsRune("13mn2", rune(in[0])) && strings.Trim(in, base58) == "" && in != lower
}

func (r *recogniser) recogniseTarget(in string) {
	if p, err := Parse(in); err == nil && checkPlace(p) == nil {
		r.ok(rankExact, kindName(p), in, p, "")
	}
	if address, ok := findURL(in); ok {
		r.recogniseURL(address)
		return
	}
	if strings.HasPrefix(in, "/") && !strings.ContainsAny(in, " \t") || isRoute(in) {
		r.recognisePath(in)
		return
	}
	r.recogniseWords(in)
	r.recogniseLatest(in)
	r.recogniseHeight(in)
	r.recogniseHash(in)
	r.recognisePrincipal(in)
	r.recogniseNames(in)
	if r.ctx.Decoded != nil {
		switch what, wrong := r.ctx.Decoded(in); {
		case wrong != nil:
			r.fail(rankFailedNear, what, in, wrong.Error(), "")
		case what != "":
			// Why it is nothing else helps nobody who pasted this.
			r.readings = slices.DeleteFunc(r.readings, func(other Reading) bool { return !other.OK() })
			r.ok(rankGood, what, in, Decoded(in), "explained without a request")
		}
	}
}

// sorted orders the readings, drops those that lead where a better one does,
// and drops far failures when something was understood.
func (r *recogniser) sorted() []Reading {
	sort.SliceStable(r.readings, func(i, j int) bool { return r.readings[i].rank < r.readings[j].rank })
	seen := map[Place]bool{}
	good := false
	kept := r.readings[:0]
	for _, reading := range r.readings {
		if reading.OK() {
			good = true
			if seen[reading.Place] {
				continue
			}
			seen[reading.Place] = true
		} else if good && reading.rank == rankFailedFar {
			continue
		}
		kept = append(kept, reading)
	}
	return kept
}

func (r *recogniser) ok(rank int, name, about string, p Place, note string) {
	r.readings = append(r.readings, Reading{Name: name, About: about, Place: p, Note: note, rank: rank})
}

func (r *recogniser) fail(rank int, name, about, reason, fix string) {
	r.readings = append(r.readings, Reading{Name: name, About: about, Reason: reason, Fix: fix, rank: rank})
}

// tidy removes what comes along with a copied text: blanks, a shell prompt,
// the program's name, quotes around the whole.
func tidy(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimSpace(strings.TrimPrefix(s, "$ "))
	if rest, ok := strings.CutPrefix(s, "chainscope "); ok {
		s = strings.TrimSpace(rest)
		s = strings.TrimSpace(strings.TrimPrefix(s, "-- "))
	}
	for len(s) >= 2 {
		first, last := s[0], s[len(s)-1]
		if first == last && strings.IndexByte("\"'`", first) >= 0 || first == '<' && last == '>' {
			s = strings.TrimSpace(s[1 : len(s)-1])
			continue
		}
		break
	}
	return s
}
