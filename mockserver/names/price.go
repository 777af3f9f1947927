package names

import (
	"strings"
)

// pricing is the price function of a namespace of BNS v1.
type pricing struct {
	coeff, base, nonAlpha, noVowel int64
	buckets                        [16]int64 // exponents by length
}

// The prices here: two STX for a name of .btc, as on mainnet; elsewhere short names cost more.
var (
	flat    = pricing{coeff: 200_000, base: 1, nonAlpha: 1, noVowel: 1}
	byShape = pricing{coeff: 250, base: 4, nonAlpha: 4, noVowel: 4, buckets: [16]int64{6, 5, 4, 3, 2, 1}}
)

// NamespacePrice returns the price of a namespace in micro-STX, by its length (BNS v1 on mainnet).
func NamespacePrice(namespace string) (int64, bool) {
	switch n := len(namespace); {
	case n == 0 || n > 20:
		return 0, false
	case n == 1:
		return 640_000_000_000, true
	case n <= 3:
		return 64_000_000_000, true
	case n <= 7:
		return 6_400_000_000, true
	}
	return 640_000_000, true
}

// Price returns the price of a name such as alice.btc in micro-STX, whether somebody has it or not
// (BNS v1 on mainnet). It reports false for what cannot be a name of the catalogue.
func (c *Catalogue) Price(name string) (int64, bool) {
	label, namespace, _ := strings.Cut(name, ".")
	if _, known := c.Namespace(namespace); !known || label == "" || len(label) > 48 {
		return 0, false
	}
	p := byShape
	if namespace == "btc" {
		p = flat
	}
	discount := int64(1)
	if !strings.ContainsAny(label, vowels+"y") {
		discount = p.noVowel
	}
	if strings.ContainsAny(label, "0123456789-_") {
		discount = max(discount, p.nonAlpha)
	}
	price := p.coeff
	for range p.buckets[min(15, len(label)-1)] {
		price *= p.base
	}
	return price / discount * 10, true
}
