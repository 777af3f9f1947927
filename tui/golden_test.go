package tui

import (
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// Boxes in windows and states that other tests do not draw, over a place that
// never changes.
func TestBoxesInMoreWindows(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		open          func(u *user)
	}{
		{"commands-200x60", 200, 60, func(u *user) { u.press(":") }},
		{"help-200x60", 200, 60, func(u *user) { u.press("?") }},
		{"go-to-200x60", 200, 60, func(u *user) { u.press("ctrl+g", "930471") }},
		{"go-to-80x24", 80, 24, func(u *user) { u.press("ctrl+g", "930471") }},
		{"go-to-nothing-80x24", 80, 24, func(u *user) { u.press("ctrl+g", "zzz!!") }},
		{"go-to-empty-80x24", 80, 24, func(u *user) { u.press("ctrl+g") }},
		{"bookmarks-120x40", 120, 40, func(u *user) {
			u.press("b")
			u.run(u.m.visit(nav.BlockAtBurnHeight(930_466)))
			u.press("b", "B")
		}},
		{"bookmarks-empty-80x24", 80, 24, func(u *user) { u.press("B") }},
		{"scenario-80x24", 80, 24, func(u *user) { u.press("M", "4") }},
		{"narrow-60x20", 60, 20, func(*user) {}},
	} {
		u := newTestUser(t, c.width, c.height)
		c.open(u)
		u.m.notice = notice{}
		uitest.Golden(t, "boxes/"+c.name, u.m.View(), c.width, c.height)
	}
}

// A scenario of the mock, and the least window, as they look over a real place.
func TestARealPlaceInAScenarioAndInANarrowWindow(t *testing.T) {
	for name, c := range map[string]struct {
		width, height int
		scenario      rune
	}{
		"down-120x40": {120, 40, '5'}, "healthy-60x20": {60, 20, '1'},
	} {
		p := start(t, theme.Options{Plain: true}, "mono", c.width, c.height)
		p.press(letter('M'), letter(c.scenario), escape)
		p.m.notice = notice{}
		frame := address.ReplaceAllString(p.m.View(), "127.0.0.1:39999")
		uitest.Golden(t, "boxes/"+name, frame, c.width, c.height)
	}
}
