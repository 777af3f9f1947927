// Package placeholder draws the states of a place that has nothing to show: loading,
// empty, in progress, and everything that can go wrong, each with what to do
// next. A place that still has older data shows a banner instead. It must not
// import a screen.
package placeholder

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
)

// Quiet is the time that a request is waited for before anything moves on screen.
const Quiet = 150 * time.Millisecond

// slow is the time after which a request is called slow.
const slow = 3 * time.Second

// narrow is below which width not all words of a place that loads have room.
const narrow = 60

// Loading draws rows that are still to come, and below them what is waited for.
func Loading(th *theme.Theme, k *keymap.Map, what string, elapsed time.Duration, attempt string, width, height int) []string {
	if height <= 0 {
		return nil
	}
	out := make([]string, 0, height)
	status := ""
	if elapsed >= Quiet {
		words := "Loading " + what + th.Glyphs.Ellipsis + " " + text.Duration(elapsed.Truncate(100*time.Millisecond))
		switch {
		case attempt != "" && width < narrow: // what is loaded says the place
			words = attempt
		case attempt != "":
			words += "  " + attempt
		}
		status = th.Accent.Render(Spinner(th, elapsed)) + " " + th.Muted.Render(words)
		if elapsed >= slow {
			status += "  " + Hint(th, k.Global.Up, "cancel")
		}
	}
	out = append(out, "  "+status)
	for i := 1; i < height; i++ {
		// Lengths that repeat look like rows and hold still.
		cells := (width - 4) * (3 + (i*7)%5) / 8
		line := ""
		if i <= 12 && cells > 0 {
			line = "  " + th.Faint.Render(strings.Repeat(th.Glyphs.Skeleton, cells))
		}
		out = append(out, line)
	}
	for i := range out {
		out[i] = text.Cut(out[i], width, th.Glyphs.Ellipsis)
	}
	return out
}

// Spinner returns the frame of the spinner after a time. The spinner of bubbles is not used: it
// is moved by ticks of its own, which would have to reach every place that waits, and what
// is drawn would depend on how many came. This one follows from the time alone, so that
// all spinners on screen are in step and a frame can be drawn again.
func Spinner(th *theme.Theme, elapsed time.Duration) string {
	frames := th.Glyphs.Spinner
	return frames[int(elapsed/(100*time.Millisecond))%len(frames)]
}

// Hint names a key and what it does.
func Hint(th *theme.Theme, b key.Binding, what string) string {
	return HintOf(th, b.Help().Key, what)
}

// HintOf returns Hint for keys by their names.
func HintOf(th *theme.Theme, keys, what string) string {
	return th.Key.Render(keys) + " " + th.Muted.Render(what)
}

// Fit joins the first hints that fit a width, each as a whole.
func Fit(hints []string, gap string, width int) string {
	line := ""
	for _, h := range hints {
		switch {
		case h == "":
		case line == "" && text.Width(h) <= width:
			line = h
		case line == "" || text.Width(line)+text.Width(gap)+text.Width(h) > width:
			return line
		default:
			line += gap + h
		}
	}
	return line
}

// Empty draws what was requested, why nothing may be there, and what to do next.
func Empty(th *theme.Theme, title string, lines []string, width, height int) []string {
	return message(th.Glyphs.Ellipsis, th.Strong.Render(text.Line(title)), lines, width, height)
}

// message draws a title and lines in the upper third.
func message(mark, title string, lines []string, width, height int) []string {
	if height <= 0 {
		return nil
	}
	out := make([]string, 0, height)
	for range min(max(0, height-len(lines)-2), height/5) {
		out = append(out, "")
	}
	if len(lines)+2 > height && len(lines) > 0 { // the last line says what to do
		lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l == "" })
		if most := height - 1; len(lines) > most && most > 0 {
			lines = append(lines[:most-1], lines[len(lines)-1])
		}
	}
	out = append(out, "  "+title)
	if len(lines)+2 <= height && len(lines) > 0 {
		out = append(out, "")
	}
	for _, l := range lines {
		for _, part := range folded(l, width-2) {
			out = append(out, "  "+part)
		}
	}
	for len(out) < height {
		out = append(out, "")
	}
	for i := range out {
		out[i] = text.Cut(out[i], width, mark)
	}
	return out[:height]
}

// hintsGap separates two hints of a message.
const hintsGap = "   "

// folded breaks a line of hints between two of them, where it is wider than the room.
func folded(line string, width int) []string {
	if text.Width(line) <= width {
		return []string{line}
	}
	var out []string
	for _, hint := range strings.Split(line, hintsGap) {
		if last := len(out) - 1; last >= 0 && text.Width(out[last])+len(hintsGap)+text.Width(hint) <= width {
			out[last] += hintsGap + hint
			continue
		}
		out = append(out, hint)
	}
	return out
}

// words name a kind of error in a title, and say what it means.
type words struct{ title, means string }

var byKind = map[apiclient.Kind]words{
	apiclient.InvalidInput: {"The server does not take this", "Part of the request is not valid."},
	apiclient.NotFound:     {"Not found", "The server has nothing under this name, height or hash."},
	apiclient.Gone:         {"This route is retired", "The server no longer serves it."},
	apiclient.InProgress:   {"In progress", "The server is still fetching the metadata of this token."},
	apiclient.TokenError:   {"The token has an error", "Metadata error: it could not be fetched from the contract or its URI."},
	apiclient.RateLimited:  {"Too many requests", "The server asks to wait. An API key raises the limit."},
	apiclient.ServerFault:  {"The server failed", "It answered with an error."},
	apiclient.Offline:      {"Offline", "Can't reach the server."},
	apiclient.Timeout:      {"No answer in time", "The server took longer than --timeout allows."},
	apiclient.Decode:       {"The answer cannot be read", "It is not the JSON that was expected."},
	apiclient.Canceled:     {"Cancelled", "The request was cancelled."},
}

// serves says which route of a newer API answers in place of a retired one, and
// where the explorer shows the same.
var serves = map[string]string{
	"blocks":               "Newer servers list blocks at /extended/v2/blocks; Burn blocks shows them by burn block.",
	"block by burn height": "Newer servers have /extended/v2/burn-blocks/HEIGHT/blocks: see Burn blocks.",
	"block by burn hash":   "Newer servers have /extended/v2/burn-blocks/HASH/blocks: see Burn blocks.",
	"burn-blocks":          "Newer servers list the blocks of a burn block in their v3 routes.",
}

// Countdown writes how long something still takes: parts of a second say nothing.
func Countdown(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%ds", max(1, int((d+time.Second-1)/time.Second)))
	}
	return text.Duration(d.Round(time.Second))
}

// triesNow holds what the key for another request does before the time has come.
const triesNow = "tries now"

// Again returns when a request will be repeated, and that nobody has to wait for it.
func Again(th *theme.Theme, k *keymap.Map, wait time.Duration) string {
	return th.Warn.Render("again in "+Countdown(wait)) + "  " + Hint(th, k.Global.Refresh, triesNow)
}

// Otherwise returns a hint at what else a text may mean that was typed and led to a failure, as
// lines; none where it means nothing else.
func Otherwise(th *theme.Theme, k *keymap.Map, readings []string) []string {
	if len(readings) == 0 {
		return nil
	}
	lines := []string{Hint(th, k.Global.GoTo, "reads it otherwise:")}
	for _, r := range readings {
		lines = append(lines, th.Muted.Render("  "+text.Line(r)))
	}
	return lines
}

// Failure draws an error in place of data, and what else was meant perhaps. The request will be
// repeated at a time; the zero time means never.
func Failure(th *theme.Theme, k *keymap.Map, what string, err error, retryAt time.Time, otherwise []string, now time.Time, width, height int) []string {
	title, lines := describe(th, err, now, max(20, width-4))
	if what != "" {
		lines = append([]string{th.Muted.Render("Requested: ") + text.Middle(what, max(10, width-16))}, lines...)
	}
	again := "try again"
	if wait := retryAt.Sub(now); wait > 0 {
		lines = append(lines, "", th.Warn.Render("again in "+Countdown(wait)))
		again = triesNow
	}
	lines = append(append(lines, "", strings.Join(hints(th, k, again, err), hintsGap)), Otherwise(th, k, otherwise)...)
	return message(th.Glyphs.Ellipsis, title, lines, width, height)
}

// wordsFor returns the words for an error, false when it is not one of the client.
func wordsFor(err error) (words, bool) {
	if errors.Is(err, apiclient.ErrTooLarge) {
		return words{"The answer is too large", "It was not read."}, true
	}
	w, ok := byKind[apiclient.KindOf(err)]
	var api *apiclient.Error
	switch {
	case !errors.As(err, &api):
	case api.Untraced():
		w = words{"Not known here", ""}
	case api.Kind == apiclient.InvalidInput && api.Status == 0 && api.ExchangeID == 0:
		w = words{"This cannot be requested", "Nothing was sent."}
	case api.Kind == apiclient.Gone && api.Status != http.StatusGone:
		w = words{strings.ToUpper(api.Lacking()[:1]) + api.Lacking()[1:], ""}
	case api.Kind == apiclient.NotFound && api.Service() == apiclient.NodeCalls:
		w = words{"The node has no answer", "The node behind this API has nothing of it; the API itself may have it."}
	}
	return w, ok
}

func hints(th *theme.Theme, k *keymap.Map, again string, err error) []string {
	all := []string{Hint(th, k.Global.Refresh, again), Hint(th, k.Global.Inspector, "the request")}
	if api, is := errors.AsType[*apiclient.Error](err); is && api.Untraced() {
		if api.Status == 0 {
			return nil // nothing was requested
		}
		return all[1:]
	}
	switch apiclient.KindOf(err) {
	case apiclient.Decode:
		if !errors.Is(err, apiclient.ErrTooLarge) {
			all = append(all, Hint(th, k.Global.RawJSON, "what came"))
		}
	case apiclient.Offline, apiclient.Timeout, apiclient.ServerFault:
		if k.Mock {
			all = append(all, Hint(th, k.Global.MockPanel, "the mock"))
		}
	}
	return all
}

// describe returns what happened in a title and lines, the server's words too.
func describe(th *theme.Theme, err error, now time.Time, width int) (string, []string) {
	kind := apiclient.KindOf(err)
	w, ok := wordsFor(err)
	if !ok {
		w = words{"Something went wrong", ""}
	}
	style := th.Bad
	var api *apiclient.Error
	known := errors.As(err, &api)
	if known && api.Untraced() || kind == apiclient.InProgress || kind == apiclient.NotFound || kind == apiclient.Canceled {
		style = th.Warn
	}
	var lines []string
	if !known {
		return style.Render(w.title), append(lines, text.Block(err.Error(), width)...)
	}
	if detail := api.Detail(); detail != "" {
		quoted := text.Block("“"+detail+"”", width)
		lines = append(lines, quoted[:min(len(quoted), 4)]...)
	}
	add := func(words string, most int) {
		all := text.Block(words, width)
		lines = append(lines, th.Muted.RenderAll(all[:min(len(all), most)])...)
	}
	if (kind == apiclient.NotFound || api.Untraced()) && api.Err != nil { // says more than its kind does
		w.means = api.Err.Error()
	}
	add(w.means, 2)
	switch {
	case kind == apiclient.Gone && serves[api.Op] != "":
		add(serves[api.Op], 3)
	case kind == apiclient.Decode && api.FieldPath != "":
		add("at "+text.Line(api.FieldPath)+fmt.Sprintf(", byte %d", api.BodyOffset), 1)
	case (kind == apiclient.Offline || kind == apiclient.Decode || kind == apiclient.InvalidInput) && api.Err != nil:
		add(api.Err.Error(), 3)
	}
	if host := api.Vacant(); host != "" {
		lines = append(lines, "No server listens there. This starts a mock:", "  "+text.ShellCommand("chainscope", "mock", "--addr", host))
	}
	facts := []string{}
	if api.Status > 0 {
		facts = append(facts, fmt.Sprintf("status %d", api.Status))
	}
	if api.Attempts > 1 {
		facts = append(facts, text.Plural(api.Attempts, "attempt"))
	}
	if len(facts) > 0 {
		lines = append(lines, th.Muted.Render(strings.Join(facts, ", ")))
	}
	return style.Render(w.title), lines
}

// Short says an error in a few words that can be drawn, for a banner or a notice.
func Short(err error) string {
	w, ok := wordsFor(err)
	var api *apiclient.Error
	switch {
	case errors.As(err, &api) && api.Detail() != "" && ok:
		return w.title + ": " + text.Line(api.Detail())
	case ok && api != nil && api.Kind == apiclient.Offline && api.Err != nil:
		return text.Line(api.Err.Error())
	case ok:
		return w.title
	}
	return text.Line(err.Error())
}

// DataOf returns the age of data that is older than it should be.
func DataOf(now, fetched time.Time) string { return "data of " + text.Age(now, fetched) }

// Banner returns the line over data that is older than it should be: the age and
// what went wrong. It is "" when there is nothing to say.
func Banner(th *theme.Theme, k *keymap.Map, err error, fetched time.Time, retryAt time.Time, now time.Time, width int) string {
	if err == nil {
		return ""
	}
	word := "stale"
	if kind := apiclient.KindOf(err); kind == apiclient.Offline {
		word = "OFFLINE"
	}
	line := th.Bad.Render(word) + " "
	if !fetched.IsZero() {
		line += th.Warn.Render(DataOf(now, fetched)) + "  "
	}
	line += Short(err)
	if wait := retryAt.Sub(now); wait > 0 {
		line += "  " + Again(th, k, wait)
	}
	return text.Cut(line, width, th.Glyphs.Ellipsis)
}

// RetryAfter returns when the server wants the next request; zero when it did not
// say.
func RetryAfter(err error, failedAt time.Time) time.Time {
	if api, is := errors.AsType[*apiclient.Error](err); is && api.RetryAfter > 0 {
		return failedAt.Add(api.RetryAfter)
	}
	return time.Time{}
}
