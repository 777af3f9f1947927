package uitest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Cast is a film of frames in the format of asciinema (version 2).
type Cast struct {
	now   time.Duration
	lines []string // of the frame before
	out   strings.Builder
}

// NewCast returns an empty film of width x height cells.
func NewCast(title string, width, height int) *Cast {
	c := &Cast{}
	head, _ := json.Marshal(struct {
		Version int               `json:"version"`
		Width   int               `json:"width"`
		Height  int               `json:"height"`
		Title   string            `json:"title"`
		Env     map[string]string `json:"env"`
	}{2, width, height, title, map[string]string{"TERM": "xterm-256color"}})
	fmt.Fprintf(&c.out, "%s\n", head)
	return c
}

// Show shows a frame after a pause. Only the lines that differ are written.
func (c *Cast) Show(pause time.Duration, frame string) {
	c.now += pause
	lines := strings.Split(frame, "\n")
	var written strings.Builder
	if c.lines == nil {
		written.WriteString("\x1b[?25l\x1b[2J")
	}
	for y, line := range lines {
		if y >= len(c.lines) || c.lines[y] != line {
			fmt.Fprintf(&written, "\x1b[%d;1H\x1b[m%s\x1b[m\x1b[K", y+1, line)
		}
	}
	c.lines = lines
	event, _ := json.Marshal([]any{c.now.Seconds(), "o", written.String()})
	fmt.Fprintf(&c.out, "%s\n", event)
}

// String returns the film.
func (c *Cast) String() string { return c.out.String() }
