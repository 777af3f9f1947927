package tui

import (
	"fmt"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Boxes over real places, in windows that other tests do not draw.
func TestBoxesOverPlaces(t *testing.T) {
	for _, c := range []struct {
		name          string
		width, height int
		open          func(p *program)
	}{
		{"commands-200x60", 200, 60, func(p *program) { p.press(letter(':')) }},
		{"help-200x60", 200, 60, func(p *program) { p.press(letter('?')) }},
		{"go-to-200x60", 200, 60, func(p *program) { p.press(ctrlG); p.write("840405") }},
		{"go-to-80x24", 80, 24, func(p *program) { p.press(ctrlG); p.write("840405") }},
		{"go-to-nothing-80x24", 80, 24, func(p *program) { p.press(ctrlG); p.write("zzz!!") }},
		{"go-to-empty-80x24", 80, 24, func(p *program) { p.press(ctrlG) }},
		{"bookmarks-120x40", 120, 40, func(p *program) {
			p.run(p.m.visit(nav.BlockAtBurnHeight(840_400)))
			p.press(letter('b'), letter('1'), letter('b'), letter('B'))
		}},
		{"bookmarks-empty-80x24", 80, 24, func(p *program) { p.press(letter('B')) }},
		{"scenario-down-120x40", 120, 40, func(p *program) { p.press(letter('M'), letter('5'), escape) }},
		{"scenario-panel-80x24", 80, 24, func(p *program) { p.press(letter('M'), letter('4')) }},
		{"blocks-60x20", 60, 20, func(*program) {}},
		{"tokens-60x20", 60, 20, func(p *program) { p.press(letter('3')) }},
	} {
		p := start(t, theme.Options{Plain: true}, "mono", c.width, c.height)
		c.open(p)
		p.m.notice.expire(noon.Add(time.Hour))
		frame := address.ReplaceAllString(p.m.View(), "127.0.0.1:39999")
		uitest.Golden(t, fmt.Sprintf("boxes/%s", c.name), frame, c.width, c.height)
	}
}

var ctrlG = tea.KeyMsg{Type: tea.KeyCtrlG}
