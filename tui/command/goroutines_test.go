package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unguarded are the files that may start a goroutine without a guard, and why.
var unguarded = map[string]string{
	"tui/term/secret_unix.go":         "it only sets the terminal's mode",
	"tui/term/secret_other.go":        "it only reads the terminal",
	"tui/term/screen.go":              "its timer only sends a message",
	"wallet/service/service.go":       "it is what a command without a terminal gives",
	"wallet/bridge/bridgetest/kit.go": "it is for tests, where no terminal is in raw mode",
}

// A panic in a goroutine ends the process at once, with the terminal in raw mode. So
// each is started by a term.Guard or by a function that was handed in as one, or
// recovers from its own panics.
func TestEveryGoroutineRecoversFromItsPanics(t *testing.T) {
	starts, used := 0, map[string]bool{}
	for _, dir := range goDirectories(t, "apiclient", "mockserver", "tui", "wallet") {
		set := token.NewFileSet()
		files := parseDirectory(t, set, dir)
		for name, file := range files {
			for _, start := range goroutines(file) {
				starts++
				if recovers(start.runs, files) {
					continue
				}
				if unguarded[name] != "" {
					used[name] = true
					continue
				}
				t.Errorf("%s: a panic here would leave the terminal broken: start it with term.Guard.Go, or recover first", set.Position(start.at))
			}
		}
	}
	if starts < 10 {
		t.Errorf("only %d goroutines were found: the test looks at the wrong code", starts)
	}
	for name := range unguarded {
		if !used[name] {
			t.Errorf("%s needs no exception any more", name)
		}
	}
}

// goDirectories lists the folders below those of the module, without test data.
func goDirectories(t *testing.T, below ...string) []string {
	t.Helper()
	var all []string
	for _, dir := range below {
		err := filepath.WalkDir(filepath.Join("../..", dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				if d.Name() == "testdata" || d.Name() == "node_modules" {
					return filepath.SkipDir
				}
				all = append(all, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// parseDirectory reads the Go files of a folder, without tests, by their path in the
// module.
func parseDirectory(t *testing.T, set *token.FileSet, dir string) map[string]*ast.File {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(filepath.ToSlash(path), "../../")] = file
	}
	return files
}

// goroutine is a place that starts one, and what it runs.
type goroutine struct {
	at   token.Pos
	runs ast.Expr
}

// goroutines finds the statement go, and the calls of WaitGroup.Go, errgroup's and
// AfterFunc. The Go of a guard and the functions named Go of other packages are
// none.
func goroutines(file *ast.File) []goroutine {
	var found []goroutine
	imported := map[string]bool{}
	for _, i := range file.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		imported[path[strings.LastIndex(path, "/")+1:]] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, goroutine{n.Pos(), n.Call.Fun})
		case *ast.CallExpr:
			method, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || len(n.Args) == 0 {
				break
			}
			owner := nameOf(method.X)
			switch {
			case method.Sel.Name == "AfterFunc":
				found = append(found, goroutine{n.Pos(), n.Args[len(n.Args)-1]})
			case method.Sel.Name == "Go" && !imported[owner] && !slices.Contains([]string{"guard", "Guard", "options"}, owner):
				found = append(found, goroutine{n.Pos(), n.Args[0]})
			}
		}
		return true
	})
	return found
}

// nameOf returns the last name of an expression such as a.b.c.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// recovers reports whether a function, or the one of the same package that it only
// calls, defers a recovery.
func recovers(f ast.Expr, files map[string]*ast.File) bool {
	if literal, ok := f.(*ast.FuncLit); ok {
		if deferred(literal.Body) {
			return true
		}
		if len(literal.Body.List) != 1 {
			return false
		}
		only, ok := literal.Body.List[0].(*ast.ExprStmt)
		if !ok {
			return false
		}
		call, ok := only.X.(*ast.CallExpr)
		return ok && recovers(call.Fun, files)
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if function, ok := d.(*ast.FuncDecl); ok && function.Name.Name == nameOf(f) && function.Body != nil && deferred(function.Body) {
				return true
			}
		}
	}
	return false
}

// deferred reports whether a function defers recover, Guard.Recover or apiclient's
// recovered.
func deferred(body *ast.BlockStmt) bool {
	for _, s := range body.List {
		d, ok := s.(*ast.DeferStmt)
		if !ok {
			continue
		}
		if name := nameOf(d.Call.Fun); name == "Recover" || name == "recovered" {
			return true
		}
		found := false
		ast.Inspect(d.Call.Fun, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			found = found || ok && nameOf(call.Fun) == "recover"
			return !found
		})
		if found {
			return true
		}
	}
	return false
}
