package tokens

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"image/png"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newCatalogue() (*Catalogue, *Progress) {
	return New(), NewProgress(func() time.Time { return start })
}

// checkAddress decodes a c32check address by the definition (SIP-005) and
// compares its checksum.
func checkAddress(t *testing.T, address string) {
	t.Helper()
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	if len(address) < 3 || address[0] != 'S' {
		t.Fatalf("%q is no address", address)
	}
	n := new(big.Int)
	for _, c := range address[2:] {
		d := strings.IndexRune(alphabet, c)
		if d < 0 {
			t.Fatalf("%q: %q is no c32 digit", address, c)
		}
		n.Add(n.Lsh(n, 5), big.NewInt(int64(d)))
	}
	data := n.FillBytes(make([]byte, 24))
	version := byte(strings.IndexByte(alphabet, address[1]))
	sum := sha256.Sum256(append([]byte{version}, data[:20]...))
	sum = sha256.Sum256(sum[:])
	if !bytes.Equal(sum[:4], data[20:]) {
		t.Errorf("%q: the checksum does not hold", address)
	}
}

func TestTheCatalogueHasWhatATesterLooksFor(t *testing.T) {
	c := New()
	count := map[standard]map[What]int{sip009: {}, sip010: {}}
	contracts := map[standard]map[string]bool{sip009: {}, sip010: {}}
	for kind, list := range map[standard][]Entry{sip010: c.Fungibles(), sip009: c.NonFungibles()} {
		for _, e := range list {
			count[kind][e.What]++
			contracts[kind][e.Principal] = true
			address, _, _ := strings.Cut(e.Principal, ".")
			checkAddress(t, address)
			if e.Locales == nil || (e.TokenID == "") != (kind == sip010) {
				t.Errorf("%+v", e)
			}
		}
		for _, what := range []What{Full, Minimal, Localized, Pending, Error, NoToken, Hostile, Plain} {
			if count[kind][what] == 0 {
				t.Errorf("standard %d: nothing is %s", kind, what)
			}
		}
	}
	if len(contracts[sip010]) < 12 || len(contracts[sip009]) < 6 {
		t.Errorf("%d fungible and %d non-fungible contracts", len(contracts[sip010]), len(contracts[sip009]))
	}
}

func TestEveryTokenErrorOfTheServiceIsShown(t *testing.T) {
	c, p := newCatalogue()
	fungible, nonFungible := map[string]bool{}, map[string]bool{}
	for _, e := range c.Fungibles() {
		var f Failure
		if _, err := c.Fungible(p, e.Principal, "", ""); errors.As(err, &f) {
			fungible[string(f)] = true
		}
	}
	for _, e := range c.NonFungibles() {
		id, err := strconv.ParseFloat(e.TokenID, 64)
		if err != nil {
			t.Fatal(err)
		}
		var f Failure
		if _, err := c.NonFungible(p, e.Principal, id, "", ""); errors.As(err, &f) {
			nonFungible[string(f)] = true
		}
	}
	for _, text := range []string{
		"Metadata size is too large to process", "Image size is too large to process",
		"Metadata could not be processed because it took too long to respond", "Image could not be processed because it took too long to respond",
		"Metadata could not be parsed or it does not conform to SIP-016", "Image processing failed because it could not be parsed",
		"Metadata could not be processed because the server responded with an error", "Image could not be processed because the server responded with an error",
		"The token contract produced a Clarity error when trying to fetch metadata", "Unknown error",
	} {
		if !fungible[text] || !nonFungible[text] {
			t.Errorf("%q is not shown by both kinds", text)
		}
	}
}

func TestEveryEntryAnswersAsItsWordSays(t *testing.T) {
	c, p := newCatalogue()
	check := func(e Entry, a Answer, err error) {
		t.Helper()
		want := map[What]error{NoToken: ErrTokenNotFound, Pending: ErrInProgress}[e.What]
		var f Failure
		switch {
		case e.What == Error:
			if !errors.As(err, &f) {
				t.Errorf("%+v: %v", e, err)
			}
		case want != nil:
			if !errors.Is(err, want) {
				t.Errorf("%+v: %v", e, err)
			}
		case err != nil || !json.Valid(a.JSON):
			t.Errorf("%+v: %v %s", e, err, a.JSON)
		}
	}
	for _, e := range c.Fungibles() {
		a, err := c.Fungible(p, e.Principal, "", "http://127.0.0.1:1")
		check(e, a, err)
		for _, code := range e.Locales {
			a, err := c.Fungible(p, e.Principal, code, "http://127.0.0.1:1")
			check(e, a, err)
		}
	}
	for _, e := range c.NonFungibles() {
		id, _ := strconv.ParseFloat(e.TokenID, 64) // the first test checks the form
		a, err := c.NonFungible(p, e.Principal, id, "", "http://127.0.0.1:1")
		check(e, a, err)
	}
}

func TestFullHasEveryFieldAndMinimalHasNone(t *testing.T) {
	c, p := newCatalogue()
	keys := func(data []byte) (out []string) {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		for k := range m {
			out = append(out, k)
		}
		slices.Sort(out)
		return out
	}
	full, err := c.Fungible(p, recorded+".ft-full", "", "http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	want := "asset_identifier decimals description image_canonical_uri image_thumbnail_uri image_uri metadata name sender_address symbol token_uri total_supply tx_id"
	if got := strings.Join(keys(full.JSON), " "); got != want {
		t.Errorf("full has %s", got)
	}
	minimal, err := c.Fungible(p, recorded+".ft-minimal", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(keys(minimal.JSON), " "); got != "asset_identifier sender_address tx_id" {
		t.Errorf("minimal has %s", got)
	}
	nft, err := c.NonFungible(p, recorded+".nft", 1, "", "")
	if err != nil {
		t.Fatal(err)
	}
	var record struct{ Metadata json.RawMessage }
	if err := json.Unmarshal(nft.JSON, &record); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(keys(record.Metadata), " "); got != "attributes cached_image cached_thumbnail_image description image localization name properties sip" {
		t.Errorf("metadata has %s", got)
	}
}

func TestDecimalsAndSupplies(t *testing.T) {
	c, p := newCatalogue()
	decimals, supplies := map[int]bool{}, map[string]bool{}
	for _, e := range c.Fungibles() {
		a, err := c.Fungible(p, e.Principal, "", "")
		if err != nil || e.What == Hostile {
			continue
		}
		var ft Fungible
		if err := json.Unmarshal(a.JSON, &ft); err != nil {
			t.Fatal(err)
		}
		if ft.Decimals != nil {
			decimals[*ft.Decimals] = true
		}
		supplies[ft.TotalSupply] = true
		n, ok := new(big.Int).SetString(ft.TotalSupply, 10)
		if ft.TotalSupply != "" && (!ok || n.Sign() < 0 || n.BitLen() > 128) {
			t.Errorf("%s: supply %q", e.Principal, ft.TotalSupply)
		}
	}
	for _, d := range []int{0, 6, 8, 18} {
		if !decimals[d] {
			t.Errorf("no token has %d decimals", d)
		}
	}
	highest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	if !supplies[highest.String()] {
		t.Error("no token has the highest supply")
	}
}

func TestAttributesHaveEveryKindOfJSON(t *testing.T) {
	kinds := map[byte]bool{}
	for _, a := range everyKindOfAttribute() {
		if !json.Valid(a.Value) {
			t.Errorf("%s: %s", a.TraitType, a.Value)
		}
		kinds[a.Value[0]] = true
	}
	for _, first := range []byte(`"1-tf[{`) {
		if !kinds[first] {
			t.Errorf("no value begins with %c", first)
		}
	}
}

func TestTheHostileSetHoldsEveryTrick(t *testing.T) {
	c, p := newCatalogue()
	var all strings.Builder
	longest := 0
	for _, of := range hostileContracts() {
		for _, tok := range of.tokens {
			a, err := c.Fungible(p, of.principal, "", "http://127.0.0.1:1")
			if of.standard == sip009 {
				a, err = c.NonFungible(p, of.principal, float64(tok.id), "", "http://127.0.0.1:1")
			}
			if err != nil {
				t.Fatal(err)
			}
			all.Write(a.JSON)
			if tok.meta != nil {
				longest = max(longest, len(tok.meta.Description))
			}
		}
	}
	for _, trick := range []string{`\u001b[2J`, `\u001b]52;`, `\u001b]8;;`, "\u009b", "\u202e", "\u2066", "\u200b", "\ufeff", "\U000e0041", `\u2028`, `\u0000`, "javascript:", "http://127.0.0.1:", "http://[::1]", "file:///", "169.254.169.254", "data:image"} {
		if !strings.Contains(all.String(), trick) {
			t.Errorf("%q is missing", trick)
		}
	}
	if longest < 10_000 {
		t.Errorf("the longest description has %d bytes", longest)
	}
}

func TestPictures(t *testing.T) {
	c := New()
	for file, side := range map[string]int{"full.png": 96, "full-thumb.png": 24, "dollar-es-MX.png": 96} {
		p, ok := c.Picture(file)
		if !ok {
			t.Fatalf("%s is missing", file)
		}
		picture, err := png.Decode(bytes.NewReader(p.Body))
		if err != nil || picture.Bounds().Dx() != side || picture.Bounds().Dy() != side {
			t.Errorf("%s: %v", file, err)
		}
		again, _ := New().Picture(file)
		if !bytes.Equal(p.Body, again.Body) {
			t.Errorf("%s is drawn differently each time", file)
		}
	}
	bomb, _ := c.Picture("bomb.png")
	if header, err := png.DecodeConfig(bytes.NewReader(bomb.Body)); err != nil || header.Width != 60_000 || len(bomb.Body) > 100 {
		t.Errorf("the bomb: %v %+v", err, header)
	}
	for _, bad := range []string{"cut.png", "not-an-image.png"} {
		p, ok := c.Picture(bad)
		if _, err := png.Decode(bytes.NewReader(p.Body)); !ok || err == nil {
			t.Errorf("%s is a good picture", bad)
		}
	}
}

func TestATokenInProgressGoesBackWithTheRest(t *testing.T) {
	now := start
	c, p := New(), NewProgress(func() time.Time { return now })
	const principal = recorded + ".ft-pending"
	inProgress := func() bool {
		t.Helper()
		_, err := c.Fungible(p, principal, "", "")
		if err != nil && !errors.Is(err, ErrInProgress) {
			t.Fatal(err)
		}
		return err != nil
	}
	never := p.Requested()
	if !inProgress() {
		t.Fatal("ready at the first request")
	}
	now = now.Add(3 * time.Second)
	requested, at := p.Requested(), now
	now = now.Add(2 * time.Second)
	if inProgress() {
		t.Fatal("not ready after five seconds")
	}
	now = now.Add(time.Hour)
	p.Restore(requested, now.Sub(at))
	now = now.Add(1999 * time.Millisecond)
	if !inProgress() {
		t.Error("with two seconds left it is ready after 1.999 s")
	}
	now = now.Add(time.Millisecond)
	if inProgress() {
		t.Error("with two seconds left it is not ready after 2 s")
	}
	p.Restore(never, time.Hour)
	if !inProgress() {
		t.Error("before the first request it is ready")
	}
}
