package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func solid(w, h int, c color.Color) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, c)
		}
	}
	return img
}

func encode(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecode(t *testing.T) {
	good := encode(t, solid(3, 2, color.White))
	img, _, err := decode(good)
	if err != nil || img.Bounds().Dx() != 3 {
		t.Fatalf("a good picture: %v, %v", img, err)
	}
	for name, data := range map[string][]byte{
		"nothing":                   nil,
		"text":                      []byte("<svg/>"),
		"a truncated file":          good[:len(good)-20],
		"a file that claims a lot":  claiming(good, 1<<30, 1<<30),
		"a file that claims no row": claiming(good, 5, 0),
	} {
		var unreadable *UnreadableError
		if _, _, err := decode(data); !errors.As(err, &unreadable) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// claiming rewrites the size in the header of a PNG.
func claiming(data []byte, w, h uint32) []byte {
	data = bytes.Clone(data)
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestALargePictureIsKeptSmall(t *testing.T) {
	data := encode(t, solid(2000, 500, color.White))
	p, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	if kept := p.Image().Bounds(); kept.Dx() != 512 || kept.Dy() != 128 {
		t.Errorf("kept %v", kept)
	}
	if p.Width != 2000 || p.Height != 500 || p.Format != "png" || p.Bytes != len(data) {
		t.Errorf("got %d x %d %s of %d bytes", p.Width, p.Height, p.Format, p.Bytes)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, solid(3, 2, color.Black)))
	f.Add([]byte("GIF89a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		img, _, err := decode(data)
		if err == nil && img.Bounds().Dx()*img.Bounds().Dy() > maxPixels {
			t.Fatal("decoded more than the limit")
		}
	})
}

func TestDrawKeepsProportionsAndFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		img := solid(rapid.IntRange(1, 90).Draw(t, "w"), rapid.IntRange(1, 90).Draw(t, "h"), color.RGBA{R: 200, A: 255})
		width, height := rapid.IntRange(0, 40).Draw(t, "width"), rapid.IntRange(0, 20).Draw(t, "height")
		colors := rapid.SampledFrom([]colorprofile.Profile{colorprofile.NoTTY, colorprofile.ANSI, colorprofile.ANSI256, colorprofile.TrueColor}).Draw(t, "colors")
		lines := Draw(img, width, height, colors, color.Black)
		if len(lines) > height {
			t.Fatalf("%d lines in %d", len(lines), height)
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > width || ansi.StringWidth(line) == 0 {
				t.Fatalf("a line of %d cells in %d", ansi.StringWidth(line), width)
			}
			if colors != colorprofile.NoTTY && !strings.HasSuffix(line, ansi.ResetStyle) {
				t.Fatal("a line leaves its colours open")
			}
			if colors == colorprofile.NoTTY && strings.Contains(line, "\x1b") {
				t.Fatal("an escape sequence without colours")
			}
		}
	})
}

func TestDrawShowsUpperAndLowerPixel(t *testing.T) {
	img := solid(1, 2, color.White)
	img.Set(0, 1, color.RGBA{R: 255, A: 255})
	got := Draw(img, 1, 1, colorprofile.TrueColor, color.Black)
	if want := "\x1b[38;2;255;255;255;48;2;255;0;0m▀\x1b[m"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOnlyPublicHostsAndTheMockAreRequested(t *testing.T) {
	f := NewFetcher("http://127.0.0.1:3999", nil)
	for address, allowed := range map[string]bool{
		"http://127.0.0.1:3999/img/1.png":                       true,
		"https://example.com/a.png":                             true,
		"http://93.184.216.34/a.png":                            true,
		"http://127.0.0.1:4000/a.png":                           false,
		"https://127.0.0.1:3999/a.png":                          false,
		"http://[::1]:80/":                                      false,
		"http://10.0.0.1/":                                      false,
		"http://169.254.169.254/latest":                         false,
		"http://100.64.1.1/":                                    false,
		"http://[::ffff:127.0.0.1]/":                            false,
		"http://0.0.0.0/":                                       false,
		"http://user:secret@example.com/":                       false,
		"ftp://example.com/a.png":                               false,
		"javascript:alert(1)":                                   false,
		"file:///etc/passwd":                                    false,
		"data:image/png;base64,AAAA":                            false,
		"ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG": false,
		"":           false,
		"http://%zz": false,
	} {
		if err := f.Check(address); (err == nil) != allowed {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestANameThatResolvesToLoopbackLeadsNowhere(t *testing.T) {
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	_, err := NewFetcher("", nil).Fetch(context.Background(), "http://localhost:"+port+"/a.png")
	var refused *RefusedError
	if !errors.As(err, &refused) || asked {
		t.Errorf("got %v, asked %v", err, asked)
	}
}

// A server on this machine has its pictures by each name of the machine, on its own port alone.
func TestPicturesOfAServerOnThisMachineAreFetched(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other server was asked") }))
	defer other.Close()
	named := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	for _, base := range []string{named, server.URL} {
		f := NewFetcher(base, nil)
		for _, at := range []string{named, server.URL} {
			if _, err := f.Fetch(context.Background(), at+"/a.png"); err != nil {
				t.Errorf("%s at %s: %v", at, base, err)
			}
		}
		_, err := f.Fetch(context.Background(), strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/a.png")
		if refused := (*RefusedError)(nil); !errors.As(err, &refused) {
			t.Errorf("another port at %s: %v", base, err)
		}
	}
	if asked != 4 {
		t.Errorf("asked %d times", asked)
	}
}

func TestARedirectOutOfTheMockIsChecked(t *testing.T) {
	asked := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer inside.Close()
	mock := httptest.NewServer(http.RedirectHandler(inside.URL+"/secret", http.StatusFound))
	defer mock.Close()
	_, err := NewFetcher(mock.URL, nil).Fetch(context.Background(), mock.URL+"/a.png")
	var refused *RefusedError
	if !errors.As(err, &refused) || asked {
		t.Errorf("got %v, asked %v", err, asked)
	}
}

func TestFetchIsBounded(t *testing.T) {
	body := make([]byte, MaxBytes+1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			w.Write(body)
		case "/good":
			if r.Header.Get("Cookie") != "" || r.Header.Get("X-Api-Key") != "" {
				t.Error("a header of the user's was sent")
			}
			w.Write(body[:10])
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	f := NewFetcher(server.URL, nil)
	if data, err := f.Fetch(context.Background(), server.URL+"/good"); err != nil || len(data) != 10 {
		t.Errorf("good: %d bytes, %v", len(data), err)
	}
	if _, err := f.Load(context.Background(), server.URL+"/good"); err == nil {
		t.Error("ten zeros were shown as a picture")
	}
	for _, path := range []string{"/large", "/missing"} {
		var unreadable *UnreadableError
		if _, err := f.Fetch(context.Background(), server.URL+path); !errors.As(err, &unreadable) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestAPixelIsTheMeanOfThoseThatItCoversOverTheBackdrop(t *testing.T) {
	img := solid(2, 2, color.RGBA{})
	img.Set(0, 0, color.White)
	img.Set(1, 1, color.White)
	if got, want := scaled(img, 1, 1, color.RGBA{B: 255, A: 255}).RGBAAt(0, 0), (color.RGBA{R: 127, G: 127, B: 255, A: 255}); got != want {
		t.Errorf("half white over blue is %v, want %v", got, want)
	}
	if got, want := scaled(img, 1, 1, nil).RGBAAt(0, 0), (color.RGBA{R: 127, G: 127, B: 127, A: 127}); got != want {
		t.Errorf("kept, it is %v, want %v", got, want)
	}
}
