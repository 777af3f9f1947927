package names

import (
	"slices"
	"strings"
)

// A name is a first syllable, a second one and a tail. Byte order of the names
// is the order of their parts, because no syllable begins another (each ends
// at its only vowel, or is a pair of digits), and tails are ordered with the
// dot that follows them. So no tail may begin with a character below the dot.

const (
	vowels = "aeiou"
	onsets = " b bl br c ch cl cr d dr f fl fr g gl gr h j k kl kr l m n p pl pr r s sh sk sl sm sn sp st str t th tr v w x y z"
	tails  = " 0 00 007 1 10 100 1000 101 11 111 12 123 13 1337 17 18 19 2 20 2024 21 22 24 247 3 33 333 360 365 4 404 42 420 44 5 50 500 55 555 " +
		"6 64 66 69 7 76 77 777 8 80 88 888 9 90 99 999 " +
		"_ _btc _dao _id _x art bank bit bot boy byte chain club coin dao dev dog eth fi fox girl gold guru hash hero hub king labs lion " +
		"miner moon nft ninja node pay play punk queen sats shop star swap tech vault wolf zone"
)

var (
	seconds  = syllables()
	firsts   = append(pairs(), seconds...)
	endings  = sorted(strings.Split(tails, " "))
	perFirst = uint64(len(seconds) * len(endings))
	points   = int64(len(firsts)) * int64(perFirst)
)

func syllables() []string {
	var all []string
	for _, onset := range strings.Split(onsets, " ") {
		for _, vowel := range vowels {
			all = append(all, onset+string(vowel))
		}
	}
	slices.Sort(all)
	return all
}

// pairs returns 00 to 99, all before the letters.
func pairs() []string {
	var all []string
	for a := '0'; a <= '9'; a++ {
		for b := '0'; b <= '9'; b++ {
			all = append(all, string(a)+string(b))
		}
	}
	return all
}

func sorted(words []string) []string {
	slices.SortFunc(words, func(a, b string) int { return strings.Compare(a+".", b+".") })
	return words
}

func appendPoint(dst []byte, p uint64) []byte {
	dst = append(dst, firsts[p/perFirst]...)
	p %= perFirst
	n := uint64(len(endings))
	dst = append(dst, seconds[p/n]...)
	return append(dst, endings[p%n]...)
}
