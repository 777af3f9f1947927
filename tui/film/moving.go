package film

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// span is the range of shots during which something is shown, the last one not included.
type span struct{ from, to int }

// SVG draws the film as a picture that moves, over and over. A line that several frames
// share is drawn once. Where motion is not wanted, one frame stands still.
func (f *Film) SVG(p Palette) string {
	still := len(f.shots) - 1
	if f.still > 0 {
		still = f.still - 1
	}
	standing := f.lines(p)
	spans := slices.SortedFunc(maps.Keys(standing), func(a, b span) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to
	})

	var rules, drawn strings.Builder
	length := f.Length()
	for i, at := range spans {
		lines := strings.Join(standing[at], "")
		if at.from == 0 && at.to == len(f.shots) {
			drawn.WriteString(lines)
			continue
		}
		class := fmt.Sprintf("s%d", i)
		if at.from <= still && still < at.to {
			fmt.Fprintf(&drawn, "<g class=\"%s\">\n%s</g>\n", class, lines)
		} else {
			fmt.Fprintf(&drawn, "<g class=\"h %s\">\n%s</g>\n", class, lines)
		}
		fmt.Fprintf(&rules, ".%s{animation:%s %.2fs step-end infinite}@keyframes %s{%s}\n",
			class, class, length.Seconds(), class, f.keyframes(at, length))
	}
	style := "<style>.h{visibility:hidden}\n@media (prefers-reduced-motion:no-preference){\n" + rules.String() + "}</style>\n"
	return window(f.Width, f.Height, f.Title, p, style, drawn.String())
}

// lines returns the drawn lines of all frames, by the span in which they are seen.
func (f *Film) lines(p Palette) map[span][]string {
	standing := map[span][]string{}
	before := make([]string, f.Height)
	since := make([]int, f.Height)
	flush := func(y, to int) {
		if before[y] != "" {
			at := span{since[y], to}
			standing[at] = append(standing[at], before[y])
		}
	}
	for i, s := range f.shots {
		screen := emulate(s.frame, f.Width, f.Height)
		for y := range f.Height {
			var b strings.Builder
			row(&b, screen, y, f.Width, p)
			if line := b.String(); line != before[y] {
				flush(y, i)
				before[y], since[y] = line, i
			}
		}
	}
	for y := range f.Height {
		flush(y, len(f.shots))
	}
	return standing
}

// keyframes say when in the film a span is seen.
func (f *Film) keyframes(at span, length time.Duration) string {
	share := func(shot int) string {
		var before time.Duration
		for _, s := range f.shots[:shot] {
			before += s.stays
		}
		percent := fmt.Sprintf("%.3f", 100*float64(before)/float64(max(length, 1)))
		return strings.TrimRight(strings.TrimRight(percent, "0"), ".") + "%"
	}
	var b strings.Builder
	if at.from > 0 {
		b.WriteString("0%{visibility:hidden}")
	}
	fmt.Fprintf(&b, "%s{visibility:visible}", share(at.from))
	if at.to < len(f.shots) {
		fmt.Fprintf(&b, "%s{visibility:hidden}", share(at.to))
	}
	return b.String()
}
