package command

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module is the module's path; .ci/module changes it.
const module = "chainscope"

// goPackage holds what `go list -json` says of a package.
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

// drawing returns the libraries that only the user interface may use.
func drawing(imported string) bool {
	for _, library := range []string{"bubbletea", "lipgloss", "bubbles", "huh"} {
		prefix := "github.com/charmbracelet/" + library
		if imported == prefix || strings.HasPrefix(imported, prefix+"/") {
			return true
		}
	}
	return strings.HasPrefix(imported, "github.com/lrstanley/bubblezone") || strings.HasPrefix(imported, "github.com/NimbleMarkets/ntcharts")
}

// rules say who may not import whom; docs/ARCHITECTURE.md repeats each sentence.
// Tests of a package may use what its code may not.
var rules = []struct {
	says   string
	from   func(pkg string) bool
	forbid func(imported string) bool
}{
	{
		"`apiclient` imports neither `wallet` nor `tui` nor `mockserver`",
		func(pkg string) bool { return within(pkg, "apiclient") },
		func(i string) bool { return within(i, "wallet", "tui", "mockserver") },
	},
	{
		"`apiclient/wire` imports nothing of chainscope",
		func(pkg string) bool { return within(pkg, "apiclient/wire") },
		func(i string) bool { return strings.HasPrefix(i, module+"/") },
	},
	{
		"`wallet` imports neither `apiclient` nor `tui` nor `mockserver`",
		func(pkg string) bool { return within(pkg, "wallet") },
		func(i string) bool { return within(i, "apiclient", "tui", "mockserver") },
	},
	{
		"`mockserver` imports of chainscope only `apiclient`, `wallet/atomicfile` and the pure packages `wallet/stxtx`, `wallet/clarity`, `wallet/c32`, `wallet/facts`, `wallet/jsnumber`, `wallet/document`, `wallet/outcome`, `wallet/bitcoin`",
		func(pkg string) bool { return within(pkg, "mockserver") },
		func(i string) bool {
			return within(i, "wallet", "tui") && !within(i, "wallet/atomicfile", "wallet/stxtx", "wallet/clarity", "wallet/c32", "wallet/facts", "wallet/jsnumber", "wallet/document", "wallet/outcome", "wallet/bitcoin")
		},
	},
	{
		"the table `wallet/facts`, the numbers `wallet/jsnumber` and the reader `wallet/document` import nothing of chainscope, no network and no files",
		func(pkg string) bool { return within(pkg, "wallet/facts", "wallet/jsnumber", "wallet/document") },
		func(i string) bool { return strings.HasPrefix(i, module+"/") || outside(i) },
	},
	{
		"the encodings `wallet/c32`, `wallet/clarity`, `wallet/stxtx`, `wallet/hidden` and `wallet/jsonrpc` import only each other, and no network and no files",
		func(pkg string) bool { return within(pkg, encodings...) },
		func(i string) bool {
			return strings.HasPrefix(i, module+"/") && !within(i, encodings...) || outside(i)
		},
	},
	{
		"`wallet/signer`, `wallet/provider` and `wallet/bitcoin` use no network and no files",
		func(pkg string) bool { return within(pkg, "wallet/signer", "wallet/provider", "wallet/bitcoin") },
		outside,
	},
	{
		"only `tui/command` imports `mockserver`",
		func(pkg string) bool { return !within(pkg, "mockserver", "tui/command") && !forTests(pkg) },
		func(i string) bool { return within(i, "mockserver") },
	},
	{
		"packages made for tests are imported by tests only",
		func(pkg string) bool { return !forTests(pkg) },
		forTests,
	},
	{
		"only `tui` imports bubbletea, lipgloss and bubbles",
		func(pkg string) bool { return !within(pkg, "tui") },
		drawing,
	},
	{
		"`main.go` imports only `tui/command`",
		func(pkg string) bool { return pkg == module },
		func(i string) bool { return strings.HasPrefix(i, module+"/") && i != module+"/tui/command" },
	},
	{
		"`tui/nav` and `tui/state` import of chainscope only `wallet/atomicfile` and `wallet/c32`, and nothing that draws",
		func(pkg string) bool { return within(pkg, "tui/nav", "tui/state") },
		func(i string) bool {
			return within(i, "apiclient", "wallet", "mockserver", "tui") && !within(i, "wallet/atomicfile", "wallet/c32") || drawing(i)
		},
	},
	{
		"`wallet/atomicfile` imports nothing of chainscope",
		func(pkg string) bool { return within(pkg, "wallet/atomicfile") },
		func(i string) bool { return strings.HasPrefix(i, module+"/") },
	},
	{
		"`tui/chain` imports no place and nothing that draws",
		func(pkg string) bool { return within(pkg, "tui/chain") },
		func(i string) bool { return within(i, "tui/screen") || drawing(i) },
	},
	{
		"`tui/text` imports of chainscope only `wallet/hidden`, and nothing that draws",
		func(pkg string) bool { return within(pkg, "tui/text") },
		func(i string) bool {
			return within(i, "apiclient", "wallet", "mockserver", "tui") && !within(i, "wallet/hidden") || drawing(i)
		},
	},
	{
		"`tui/command/walletcmd` imports no other command",
		func(pkg string) bool { return within(pkg, "tui/command/walletcmd") },
		func(i string) bool { return within(i, "tui/command") && i != module+"/tui/command/cli" },
	},
	{
		"`tui/command/cli` imports no command, not the root package `tui`, and no place",
		func(pkg string) bool { return within(pkg, "tui/command/cli") },
		func(i string) bool {
			return within(i, "tui/command") || i == module+"/tui" || within(i, "tui/screen")
		},
	},
	{
		"only `tui/command` imports the root package `tui`, and nothing imports `tui/command` but `main.go`",
		func(pkg string) bool { return pkg != module && !within(pkg, "tui/command") },
		func(i string) bool { return i == module+"/tui" || within(i, "tui/command") },
	},
	{
		"only `tui/term` and `tui/command` use a terminal device",
		func(pkg string) bool { return !within(pkg, "tui/term", "tui/command") && !forTests(pkg) },
		func(i string) bool {
			return i == "github.com/charmbracelet/x/term" || i == "golang.org/x/term" || strings.HasPrefix(i, "golang.org/x/sys/")
		},
	},
	{
		"a place under `tui/screen` imports no other place: what places share is in `tui/screen`, `tui/screen/browser` and `tui/widget`",
		func(pkg string) bool { return place(pkg) != "" },
		nil, // it depends on the importing package: see the test
	},
	{
		"`tui/screen/browser` and `tui/widget` import no place, no overlay and no wallet",
		func(pkg string) bool { return within(pkg, "tui/screen/browser", "tui/widget") },
		func(i string) bool { return place(i) != "" || within(i, "tui/overlay", "wallet") },
	},
	{
		"an overlay imports no place, no wallet, and no other overlay but those of `tui/overlay`",
		func(pkg string) bool { return within(pkg, "tui/overlay") },
		func(i string) bool {
			return place(i) != "" || within(i, "wallet") || within(i, "tui/overlay") && i != module+"/tui/overlay"
		},
	},
	{
		"a place imports no overlay",
		func(pkg string) bool { return within(pkg, "tui/screen") },
		func(i string) bool { return within(i, "tui/overlay") },
	},
}

// encodings are the packages that turn values into bytes or text and back.
var encodings = []string{"wallet/c32", "wallet/clarity", "wallet/stxtx", "wallet/hidden", "wallet/jsonrpc"}

// outside reports whether a package of the standard library reaches out of the
// process.
func outside(imported string) bool {
	return imported == "os" || strings.HasPrefix(imported, "os/") || imported == "net" || strings.HasPrefix(imported, "net/http")
}

// place returns the name of the place that a package under tui/screen belongs to, ""
// for what places share and for all other packages.
func place(pkg string) string {
	rest, ok := strings.CutPrefix(pkg, module+"/tui/screen/")
	name, _, _ := strings.Cut(rest, "/")
	if !ok || name == "browser" {
		return ""
	}
	return name
}

// forTests returns the packages that serve tests alone.
func forTests(pkg string) bool {
	return within(pkg, "tui/internal/uitest", "tui/e2e", "apiclient/apitest", "wallet/bridge/bridgetest", "wallet/internal/vectors", "mockserver/engine/enginetest", "mockserver/fork/forktest")
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
				forbid := rule.forbid
				if forbid == nil {
					forbid = func(i string) bool { return place(i) != "" && place(i) != place(p.ImportPath) }
				}
				for _, i := range p.Imports {
					if forbid(i) {
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

// architecturePage returns docs/ARCHITECTURE.md on one line.
func architecturePage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(page)), " ")
}

func TestTheArchitecturePageSaysTheRules(t *testing.T) {
	page := strings.ToLower(architecturePage(t))
	for _, rule := range rules {
		if !strings.Contains(page, strings.ToLower(rule.says)) {
			t.Errorf("docs/ARCHITECTURE.md does not say: %s", rule.says)
		}
	}
}

func TestTheArchitecturePageHasEveryPackage(t *testing.T) {
	page := architecturePage(t)
	for _, p := range packages(t) {
		name, below := strings.CutPrefix(p.ImportPath, module+"/")
		if below && !strings.Contains(page, "`"+name+"`") {
			t.Errorf("docs/ARCHITECTURE.md says nothing of %s", name)
		}
	}
}

// The walks name a function and its file: `file` `function`, or `function` (`file`).
var landmarks = regexp.MustCompile("`([\\w/]+\\.go)`(?: `([\\w.]+)`)?|`([\\w.]+)`,? \\(?`([\\w/]+\\.go)`")

func TestTheWalksOfTheArchitecturePageCanBeFollowed(t *testing.T) {
	functions := 0
	for _, m := range landmarks.FindAllStringSubmatch(architecturePage(t), -1) {
		file, function := m[1]+m[4], m[2]+m[3]
		source, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Errorf("docs/ARCHITECTURE.md leads to a file that is not there: %v", err)
			continue
		}
		if function == "" {
			continue
		}
		functions++
		parts := strings.Split(function, ".")
		name, of := parts[len(parts)-1], ""
		if len(parts) > 1 {
			of = parts[len(parts)-2]
		}
		receiver := ""
		if of != "" && of != path.Base(path.Dir(file)) {
			receiver = `\(\w+ \*?` + of + `(\[\w+\])?\) `
		}
		if !regexp.MustCompile(`(?m)^func ` + receiver + name + `[\[(]`).Match(source) {
			t.Errorf("%s has no %s", file, function)
		}
	}
	if functions < 20 {
		t.Errorf("the page names %d functions with their files, want at least 20", functions)
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

// Go initializes packages that are ready in the order of their paths. Package noquery
// has to come before bubbletea, or every start asks the terminal a question and waits
// up to five seconds for the answer.
func TestTheModulePathSortsBeforeBubbletea(t *testing.T) {
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	path, ok := strings.CutPrefix(first, "module ")
	if !ok || path != module {
		t.Fatalf("go.mod begins with %q, want the module %s", first, module)
	}
	if path+"/tui/term/noquery" >= "github.com/charmbracelet/bubbletea" {
		t.Errorf("the module path %s sorts behind github.com/charmbracelet/bubbletea: the black start is back", path)
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
