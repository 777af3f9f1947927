package tokens

import (
	"context"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/widget/picture"

	"pgregory.net/rapid"
)

func TestTheScreenFitsAnyBodyWhateverIsDone(t *testing.T) {
	d := start(t, setup{})
	places := []nav.Place{
		nav.Tokens(), nav.FT(dollar, ""), nav.FT(dollar, "jp"), nav.FT(dollar, "xx"), nav.NFT(hostile+"hostile-nft", "3", ""),
		nav.NFT(dollar, "", ""), nav.FT(recordedAddress+".ft-invalid", ""), nav.FT(hostile+"hostile-bidi", ""),
	}
	keys := []string{"j", "k", "g", "G", "tab", "esc", "enter", "p", "L", "n", "/", "+", "_", "z", "x", "]", "ctrl+d", "backspace", "l", "h"}
	rapid.Check(t, func(rt *rapid.T) {
		d.s.SetSize(rapid.IntRange(1, 240).Draw(rt, "width"), rapid.IntRange(1, 70).Draw(rt, "height"))
		if rapid.IntRange(0, 3).Draw(rt, "go") == 0 {
			d.open(rapid.SampledFrom(places).Draw(rt, "place"))
		}
		for _, k := range rapid.SliceOfN(rapid.SampledFrom(keys), 0, 6).Draw(rt, "keys") {
			d.press(k)
			uitest.Size(t, d.view(), d.s.Width, d.s.Height)
			if t.Failed() {
				rt.Fatalf("at %v in %dx%d", d.s.Place(), d.s.Width, d.s.Height)
			}
		}
	})
}

func TestAWideWindowShowsPictureAndRawJSONInAThirdColumn(t *testing.T) {
	d := start(t, setup{width: 200, height: 56})
	d.open(nav.FT(dollar, ""))
	d.seesNot("Raw JSON") // nobody chose it
	d.press("z")
	d.sees("Raw JSON", `"symbol": "HBD"`)
	d = start(t, setup{width: 200, height: 56})
	d.open(nav.FT(dollar, ""))
	d.press("p")
	d.sees("Picture", "picture of Harbor Dollar", `"symbol": "HBD"`)
	uitest.Golden(t, "picture-200", d.view(), 200, 56)
	d.press("z", "z")
	d.seesNot("Raw JSON")
	d.sees("picture of Harbor Dollar")
}

func TestListAndDetailShareTheBodyAsOneLikes(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.FT(dollar, ""))
	d.sees("CONTRACT", "HBD")
	d.press("+")
	d.seesNot("CONTRACT")
	d.press("_", "_")
	d.seesNot("A dollar for every harbor.")
	d.press("+")
	d.sees("CONTRACT", "A dollar for every harbor.")
}

func TestAPictureIsGivenUpWithItsToken(t *testing.T) {
	requested := make(chan context.Context, 1)
	d := start(t, setup{opts: Options{Picture: func(ctx context.Context, _ string) (*picture.Picture, error) {
		requested <- ctx
		return nil, ctx.Err()
	}}})
	d.open(nav.FT(dollar, ""))
	cmd := d.s.togglePicture()
	d.s.Leave()
	d.run(cmd)
	if ctx := <-requested; ctx.Err() == nil {
		t.Error("the picture is fetched on after leaving")
	}
	d.seesNot("fetching the picture", "picture of")
}

func TestAFilterBeginsEmpty(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	d.press("/", "harbor", "enter")
	d.sees("harbor-dollar", "North Light", "6 of")
	d.seesNot("usda-token")
	d.press("/", "usda")
	d.sees("usda-token", "1 of")
	d.press("left", "left", "X", "home", "ctrl+u") // edited in the middle, as everywhere
	d.press("esc")
	d.sees("sbtc-token")
	if !d.s.Typing() {
		t.Fatal("esc closes a line that it cleared")
	}
	d.press("esc")
	if d.s.Typing() {
		t.Fatal("a second esc keeps the line open")
	}
}

func TestAClickChoosesAToken(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	d.run(d.s.Click(4, 3+1+5))
	if got := d.s.List.Position(); got != 5 {
		t.Errorf("the cursor is at row %d", got)
	}
}

func TestTheKeysOfEveryPlaceDoSomething(t *testing.T) {
	d := start(t, setup{width: 200, height: 56})
	d.open(nav.FT(dollar, ""))
	for _, k := range []string{"+", "_", "s", "z"} {
		before := d.view()
		d.press(k)
		if d.view() == before {
			t.Errorf("%s does nothing", k)
		}
	}
}
