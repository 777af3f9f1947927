package tui

import (
	"net"
	"testing"
	"time"

	"chainscope/tui/film"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
)

// A server that is not there, and what would be.
func TestThePictureShowsAServerThatIsNotThere(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	vacant := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	const height = 22
	p := startWith(t, pictureWidth, height, vacant, Options{Network: "127.0.0.1:39999", Theme: "dark", Look: pictureLook, Now: func() time.Time { return noon }})
	s := &sitter{withWallet(t, p, "mainnet")}
	s.run(s.m.visit(nav.Blocks()))
	s.sees("chainscope mock --addr 127.0.0.1:39999")
	picture := film.Picture(s.screen(), pictureWidth, height, "chainscope", film.DarkTerminal)
	uitest.Document(t, "../docs/troubleshooting.svg", func(string) string { return picture })
}
