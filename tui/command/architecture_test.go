package command

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "chainscope"

// goPackage is what `go list -json` tells of a package.
type goPackage struct {
	ImportPath   string
	Doc          string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// within reports whether an import path is one of the trees.
func within(imported string, trees ...string) bool {
	return slices.ContainsFunc(trees, func(tree string) bool {
		tree = module + "/" + tree
		return imported == tree || strings.HasPrefix(imported, tree+"/")
	})
}

// drawing are the libraries that only the user interface may use.
func drawing(imported string) bool {
	for _, library := range []string{"bubbletea", "lipgloss", "bubbles", "huh"} {
		prefix := "github.com/charmbracelet/" + library
		if imported == prefix || strings.HasPrefix(imported, prefix+"/") {
			return true
		}
	}
	return strings.HasPrefix(imported, "github.com/lrstanley/bubblezone") || strings.HasPrefix(imported, "github.com/NimbleMarkets/ntcharts")
}

// rules say who may not import whom. Tests of a package may use what its code
// may not.
var rules = []struct {
	says   string
	from   func(pkg string) bool
	forbid func(imported string) bool
}{
	{
		"apiclient imports neither wallet nor tui nor mockserver",
		func(pkg string) bool { return within(pkg, "apiclient") },
		func(i string) bool { return within(i, "wallet", "tui", "mockserver") },
	},
	{
		"wallet imports neither apiclient nor tui nor mockserver",
		func(pkg string) bool { return within(pkg, "wallet") },
		func(i string) bool { return within(i, "apiclient", "tui", "mockserver") },
	},
	{
		"mockserver imports of ours only apiclient and the pure encodings of the wallet",
		func(pkg string) bool { return within(pkg, "mockserver") },
		func(i string) bool {
			return within(i, "wallet", "tui") && !within(i, "wallet/stxtx", "wallet/clarity", "wallet/c32")
		},
	},
	{
		"only tui/command imports mockserver",
		func(pkg string) bool { return !within(pkg, "mockserver", "tui/command") && !forTests(pkg) },
		func(i string) bool { return within(i, "mockserver") },
	},
	{
		"what is made for tests is imported by tests only",
		func(pkg string) bool { return !forTests(pkg) },
		forTests,
	},
	{
		"only tui imports what draws",
		func(pkg string) bool { return !within(pkg, "tui") },
		drawing,
	},
	{
		"main imports only tui/command",
		func(pkg string) bool { return pkg == module },
		func(i string) bool { return strings.HasPrefix(i, module+"/") && i != module+"/tui/command" },
	},
	{
		"places and the documents on disk know nothing of the rest",
		func(pkg string) bool { return within(pkg, "tui/nav", "tui/state") },
		func(i string) bool { return within(i, "apiclient", "wallet", "mockserver", "tui") || drawing(i) },
	},
	{
		"terminal text knows nothing of the rest but the hidden characters",
		func(pkg string) bool { return within(pkg, "tui/text") },
		func(i string) bool {
			return within(i, "apiclient", "wallet", "mockserver", "tui") && !within(i, "wallet/hidden") || drawing(i)
		},
	},
	{
		"nothing under tui imports the command line",
		func(pkg string) bool { return within(pkg, "tui") && !within(pkg, "tui/command") },
		func(i string) bool { return within(i, "tui/command") },
	},
}

// forTests are the packages that serve tests alone.
func forTests(pkg string) bool {
	return within(pkg, "tui/internal/uitest", "apiclient/apitest")
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = "../.."
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestPackagesImportOnlyWhatTheyMay(t *testing.T) {
	all := packages(t)
	for _, rule := range rules {
		t.Run(rule.says, func(t *testing.T) {
			applies := false
			for _, p := range all {
				if !rule.from(p.ImportPath) {
					continue
				}
				applies = true
				for _, i := range p.Imports {
					if rule.forbid(i) {
						t.Errorf("%s imports %s", p.ImportPath, i)
					}
				}
			}
			if !applies {
				t.Error("no package is under this rule: it checks nothing")
			}
		})
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		if p.Doc == "" && len(p.Imports) > 0 {
			t.Errorf("%s has no doc comment", p.ImportPath)
		}
		switch name := path.Base(p.ImportPath); name {
		case "util", "utils", "helper", "helpers", "common", "misc", "shared":
			t.Errorf("%s: a package called %s says nothing", p.ImportPath, name)
		}
	}
}

func TestTheTopLevelHoldsWhatItShould(t *testing.T) {
	want := []string{"apiclient", "mockserver", "wallet", "tui", "main.go", "go.mod", "go.sum", "LICENSE"}
	may := []string{"docs", "README.md", "CHANGELOG.md", "chainscope", "chainscope.exe", "dist", "main_test.go"}
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, e := range entries {
		found[e.Name()] = true
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(want, e.Name()) && !slices.Contains(may, e.Name()) {
			t.Errorf("%s lies at the top level and has no place there", e.Name())
		}
	}
	for _, name := range want {
		if !found[name] {
			t.Errorf("%s is missing at the top level", name)
		}
	}
}
