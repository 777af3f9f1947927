package nav

import (
	"errors"
	"fmt"
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
	err = p.setWords(rest, options)
	if err == nil {
		err = p.setOptions(options)
	}
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

// setWords takes the words after the kind.
func (p *Place) setWords(rest []string, options [][2]string) (err error) {
	switch p.Kind {
	case KindHome, KindBlocks, KindTokens, KindWallet, KindTransactions, KindContracts, KindAccounts:
		err = wantWords(rest, 0, 0)
	case KindBlock, KindBurnBlocks:
		min := 1
		if p.Kind == KindBurnBlocks {
			min = 0
		}
		if err = wantWords(rest, min, 1); err == nil && len(rest) == 1 {
			p.Ref, err = parseRef(p.Kind, rest[0])
		}
	case KindFT, KindAccount:
		if err = wantWords(rest, 1, 1); err == nil {
			p.Principal = rest[0]
		}
	case KindNFT:
		if err = wantWords(rest, 1, 2); err == nil {
			p.Principal = rest[0]
			if len(rest) == 2 {
				p.TokenID = rest[1]
			}
		}
	case KindNames:
		if err = wantWords(rest, 1, 1); err == nil {
			p.Namespace = rest[0]
		}
	case KindTransaction, KindHash:
		if err = wantWords(rest, 1, 1); err == nil {
			p.TxID, err = ParseHash(rest[0])
		}
	case KindContract:
		err = p.setPart(rest, options)
	default:
		if _, ok := listed[p.Kind]; !ok {
			err = fmt.Errorf("unknown kind %q", p.Kind)
		} else if err = wantWords(rest, 0, 1); err == nil && len(rest) == 1 {
			p.ID = rest[0]
		}
	}
	return err
}

func (p *Place) setOptions(options [][2]string) error {
	for _, o := range options {
		key, value := o[0], o[1]
		switch {
		case key == "locale" && (p.Kind == KindFT || p.Kind == KindNFT):
			p.Locale = value
		case key == "page" && p.Kind == KindNames:
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return fmt.Errorf("page %q is not a number from 1", value)
			}
			p.Page = n
		case key == "filter" && p.Kind == KindNames:
			p.Filter = value
		case key == "unanchored" && p.Kind == KindNames && value == "true":
			p.Unanchored = true
		case key == "of" && p.Kind == KindTransactions && value != "":
			p.Principal = value
		case key == "block" && p.Kind == KindTransactions:
			found := burnBlockRoute(value)
			if found.reason != "" || found.place.Ref.By == ByLatest {
				return fmt.Errorf("%q is neither the height of a block nor a hash", value)
			}
			p.Ref = blockRef(found.place.Ref)
		case key == "mempool" && p.Kind == KindTransactions && value == "true":
			p.Mempool = true
		case key == "name" && p.Kind == KindContract && p.Part != "" && p.Part != PartPrints && value != "":
			p.Name = value
		case key == "call" && p.Kind == KindWallet && value != "":
			p.Call = value
		default:
			return fmt.Errorf("option %s=%q does not belong to %s", key, value, p.Kind)
		}
	}
	return nil
}

// setPart reads the words of a contract: its principal and the part that is shown.
func (p *Place) setPart(words []string, options [][2]string) error {
	if err := wantWords(words, 1, 2); err != nil {
		return err
	}
	p.Principal = words[0]
	if len(words) == 1 {
		return nil
	}
	switch p.Part = Part(words[1]); {
	case p.Part == PartSource, p.Part == PartPrints:
	case p.Part != PartFunction && p.Part != PartState:
		return fmt.Errorf("%q is no part of a contract", words[1])
	case len(options) == 0:
		return fmt.Errorf("which %s of the contract is not said", p.Part)
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

func wantWords(words []string, min, max int) error {
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
