package film

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Film is a sequence of frames of one size.
type Film struct {
	Title         string
	Width, Height int // in cells
	shots         []shot
	still         int // the shot that is shown where nothing may move
}

// shot is a frame and how long it stays.
type shot struct {
	frame string
	stays time.Duration
}

// Show adds a frame that stays for a time. A frame like the one before only stays longer.
func (f *Film) Show(frame string, stays time.Duration) {
	if n := len(f.shots); n > 0 && f.shots[n-1].frame == frame {
		f.shots[n-1].stays += stays
		return
	}
	f.shots = append(f.shots, shot{frame, stays})
}

// Still makes the last frame the one that is seen where motion is off. Without it that is
// the last frame of the film.
func (f *Film) Still() { f.still = len(f.shots) }

// Length returns how long the film takes.
func (f *Film) Length() (d time.Duration) {
	for _, s := range f.shots {
		d += s.stays
	}
	return d
}

// Cast returns the film in the format of asciinema (version 2). Only the lines that differ
// from the frame before are written.
func (f *Film) Cast() string {
	var out strings.Builder
	head, _ := json.Marshal(struct {
		Version int               `json:"version"`
		Width   int               `json:"width"`
		Height  int               `json:"height"`
		Title   string            `json:"title"`
		Env     map[string]string `json:"env"`
	}{2, f.Width, f.Height, f.Title, map[string]string{"TERM": "xterm-256color"}})
	fmt.Fprintf(&out, "%s\n", head)
	event := func(at time.Duration, written string) {
		line, _ := json.Marshal([]any{at.Seconds(), "o", written})
		fmt.Fprintf(&out, "%s\n", line)
	}
	var at time.Duration
	var before []string
	for _, s := range f.shots {
		lines := strings.Split(s.frame, "\n")
		var written strings.Builder
		if before == nil {
			written.WriteString("\x1b[?25l\x1b[2J")
		}
		for y, line := range lines {
			if y >= len(before) || before[y] != line {
				fmt.Fprintf(&written, "\x1b[%d;1H\x1b[m%s\x1b[m\x1b[K", y+1, line)
			}
		}
		before = lines
		event(at, written.String())
		at += s.stays
	}
	event(at, "\x1b[?25h") // the last frame stays as long as it should
	return out.String()
}
