// Command floor is the least a terminal program can do for a key: read it, and
// write a whole coloured screen. Nothing that draws a screen can be quicker.
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
)

func main() {
	before, err := term.MakeRaw(os.Stdin.Fd())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	width, height, err := term.GetSize(os.Stdout.Fd())
	if err != nil {
		width, height = 80, 24
	}
	fmt.Print("\x1b[?1049h\x1b[?25l")
	keys := make([]byte, 256)
	for n := 0; ; n++ {
		_, _ = os.Stdout.Write(screen(width, height, n))
		got, err := os.Stdin.Read(keys)
		if err != nil || bytes.IndexByte(keys[:got], 'q') >= 0 {
			break
		}
	}
	fmt.Print("\x1b[?25h\x1b[?1049l")
	_ = term.Restore(os.Stdin.Fd(), before)
}

// screen returns the nth frame: every cell differs from the one before.
func screen(width, height, n int) []byte {
	var b bytes.Buffer
	b.WriteString("\x1b[H")
	for y := range height {
		if y > 0 {
			b.WriteString("\r\n")
		}
		fmt.Fprintf(&b, "\x1b[38;5;%dm", 16+(y+n)%200)
		start := b.Len()
		fmt.Fprintf(&b, "READY %3d %6d ", y, n)
		for x := b.Len() - start; x < width; x++ {
			b.WriteByte(byte('a' + (x+y+n)%26))
		}
		b.WriteString("\x1b[m")
	}
	return b.Bytes()
}
