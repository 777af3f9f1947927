package nav

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Parse reads what Place.String wrote. It is strict: it takes nothing that
// String does not write. For what people type, see Recognise.
func Parse(s string) (Place, error) {
	words, err := splitWords(s)
	if err != nil {
		return Place{}, fmt.Errorf("place %q: %w", s, err)
	}
	if len(words) == 0 {
		return Place{}, errors.New("place: empty text")
	}
	p := Place{Kind: Kind(words[0].value)}
	rest, options, err := splitOptions(words[1:])
	if err != nil {
		return Place{}, fmt.Errorf("place %q: %w", s, err)
	}
	err = p.set(rest, options)
	if err == nil && p.String() != s {
		err = fmt.Errorf("not in its plain form, which is %q", p.String())
	}
	if err != nil {
		return Place{}, fmt.Errorf("place %q: %w", s, err)
	}
	return p, nil
}

// MarshalText writes the place as String does, for documents on disk.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (p *Place) UnmarshalText(b []byte) error {
	q, err := Parse(string(b))
	if err == nil {
		*p = q
	}
	return err
}

// set takes the words and the options after the kind.
func (p *Place) set(words []string, options [][2]string) error {
	of, ok := kinds[p.Kind]
	if !ok {
		return fmt.Errorf("unknown kind %q", p.Kind)
	}
	most := 0
	for most < len(of.fields) && of.fields[most].name == "" {
		most++
	}
	if err := checkWordCount(words, of.least, most); err != nil {
		return err
	}
	for i, value := range words {
		if err := of.fields[i].set(p, value); err != nil {
			return err
		}
	}
	for _, o := range options {
		at := slices.IndexFunc(of.fields[most:], func(f field) bool { return f.name == o[0] })
		if at < 0 {
			return fmt.Errorf("option %s=%q does not belong to %s", o[0], o[1], p.Kind)
		}
		if err := of.fields[most+at].set(p, o[1]); err != nil {
			return err
		}
	}
	return p.checkPart()
}

// checkPart returns what is wrong with the part of a contract, a token or a transaction.
func (p *Place) checkPart() error {
	switch known := p.Part == PartTrace && p.Kind == KindTransaction || p.Part == PartHolders && p.Kind == KindFT || p.Part == PartMoves && p.Kind == KindNFT && p.TokenID != ""; {
	case known, p.Part == "" && p.Kind != KindContract:
		return nil
	case p.Kind != KindContract:
		return fmt.Errorf("%q is no part of a %s", p.Part, cmp.Or(kinds[p.Kind].thing, string(p.Kind)))
	}
	switch p.Part {
	case "", PartPrints:
		if p.Name != "" {
			return fmt.Errorf("option name=%q does not belong here", p.Name)
		}
	case PartFunction, PartState:
		if p.Name == "" {
			return fmt.Errorf("which %s of the contract is not said", p.Part)
		}
	case PartSource:
	default:
		return fmt.Errorf("%q is no part of a contract", p.Part)
	}
	return nil
}

func parseRef(kind Kind, s string) (Ref, error) {
	if kind == KindBurnBlocks && s == "latest" {
		return Ref{By: ByLatest}, nil
	}
	if kind == KindBlock {
		if rest, ok := strings.CutPrefix(s, "height:"); ok {
			h, err := strconv.ParseInt(rest, 10, 64)
			if err != nil || h < 0 {
				return Ref{}, fmt.Errorf("block height %q is no number", rest)
			}
			return Ref{By: ByHeight, Height: h}, nil
		}
		if rest, ok := strings.CutPrefix(s, "index:"); ok {
			hash, err := ParseHash(rest)
			return Ref{By: ByIndexHash, Hash: hash}, err
		}
	}
	if strings.HasPrefix(s, "0x") {
		hash, err := ParseHash(s)
		return Ref{By: ByBurnHash, Hash: hash}, err
	}
	h, err := strconv.ParseInt(s, 10, 64)
	if err != nil || h < 0 {
		return Ref{}, fmt.Errorf("%q is no burn height, burn hash or latest", s)
	}
	return Ref{By: ByBurnHeight, Height: h}, nil
}

func checkWordCount(words []string, min, max int) error {
	if len(words) < min {
		return fmt.Errorf("%d words after the kind, want at least %d", len(words), min)
	}
	if len(words) > max {
		return fmt.Errorf("%d words after the kind, want at most %d", len(words), max)
	}
	return nil
}

// word is one blank-separated word; key is set for key=value.
type word struct {
	key, value string
	option     bool
}

func splitOptions(words []word) (rest []string, options [][2]string, err error) {
	for _, w := range words {
		switch {
		case w.option:
			options = append(options, [2]string{w.key, w.value})
		case len(options) > 0:
			return nil, nil, fmt.Errorf("word %q after an option", w.value)
		default:
			rest = append(rest, w.value)
		}
	}
	return rest, options, nil
}

func splitWords(s string) ([]word, error) {
	var words []word
	for s != "" {
		var w word
		i := strings.IndexAny(s, " =\"")
		if i > 0 && s[i] == '=' {
			w.key, w.option = s[:i], true
			s = s[i+1:]
		}
		if strings.HasPrefix(s, `"`) {
			q, err := strconv.QuotedPrefix(s)
			if err != nil {
				return nil, errors.New("quote without its end")
			}
			if w.value, err = strconv.Unquote(q); err != nil {
				return nil, err
			}
			s = s[len(q):]
		} else {
			end := strings.IndexByte(s, ' ')
			if end < 0 {
				end = len(s)
			}
			w.value = s[:end]
			s = s[end:]
		}
		words = append(words, w)
		if s == "" {
			break
		}
		if s[0] != ' ' {
			return nil, fmt.Errorf("text %q after a quote", s)
		}
		s = s[1:]
	}
	return words, nil
}

// quoteWord leaves a plain word alone and quotes any other as Go does.
func quoteWord(s string) string {
	plain := s != ""
	for i := 0; plain && i < len(s); i++ {
		c := s[i]
		plain = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("-_.:/@+%", c) >= 0
	}
	if plain {
		return s
	}
	return strconv.QuoteToASCII(s)
}
