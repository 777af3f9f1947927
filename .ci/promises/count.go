package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// tree is the repository: its files, and the parsed ones of the program.
type tree struct {
	root  string
	files []string
	set   *token.FileSet
	own   map[string]*ast.File
	text  map[string]string
}

// read reads what git knows of the repository at a root.
func read(root string) (*tree, error) {
	out, err := exec.Command("git", "-C", root, "ls-files", "-co", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("list the files: %w", err)
	}
	t := &tree{root: root, set: token.NewFileSet(), own: map[string]*ast.File{}, text: map[string]string{}}
	for f := range strings.Lines(string(out)) {
		f = strings.TrimSpace(f)
		if _, err := os.Stat(filepath.Join(root, f)); err != nil {
			continue // removed, but not yet from the index
		}
		t.files = append(t.files, f)
		if !strings.HasSuffix(f, ".go") || strings.HasSuffix(f, "_test.go") || strings.HasPrefix(f, ".ci/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			return nil, err
		}
		if t.own[f], err = parser.ParseFile(t.set, f, text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		t.text[f] = string(text)
	}
	return t, nil
}

func goLines(t *tree) (n int, where string, err error) {
	for _, text := range t.text {
		n += strings.Count(text, "\n")
	}
	return n, "", nil
}

func largestFile(t *tree) (most int, where string, err error) {
	for f, text := range t.text {
		if n := strings.Count(text, "\n"); n > most {
			most, where = n, f
		}
	}
	return most, where, nil
}

func largestFunction(t *tree) (most int, where string, err error) {
	for f, file := range t.own {
		for _, d := range file.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok || function.Body == nil {
				continue
			}
			// As the linter counts: the lines between the braces.
			n := t.set.Position(function.Body.Rbrace).Line - t.set.Position(function.Body.Lbrace).Line - 1
			if n > most {
				most, where = n, f+" "+function.Name.Name
			}
		}
	}
	return most, where, nil
}

func packages(t *tree) (int, string, error) {
	all := map[string]bool{}
	for f := range t.own {
		all[filepath.Dir(f)] = true
	}
	return len(all), "", nil
}

// methods counts the methods of a type, in all files of its package.
func methods(dir, name string) func(*tree) (int, string, error) {
	return func(t *tree) (n int, where string, err error) {
		for f, file := range t.own {
			if filepath.Dir(f) != dir {
				continue
			}
			for _, d := range file.Decls {
				if m, ok := d.(*ast.FuncDecl); ok && m.Recv != nil && receiver(m) == name {
					n++
				}
			}
		}
		if n == 0 {
			return 0, "", fmt.Errorf("%s has no type %s with methods", dir, name)
		}
		return n, "", nil
	}
}

func receiver(m *ast.FuncDecl) string {
	of := m.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// lines counts the lines of the program that hold a text.
func lines(text string) func(*tree) (int, string, error) {
	return func(t *tree) (n int, where string, err error) {
		for f, all := range t.text {
			if found := strings.Count(all, text); found > 0 {
				n, where = n+found, f
			}
		}
		return n, where, nil
	}
}

const mega = 1_000_000

// programSize builds the program as a release has it.
func programSize(t *tree) (int, string, error) {
	return t.size("bash", ".ci/packaging/compile")
}

// size runs a command that builds the program into the file named last, and returns the
// size of that file in megabytes.
func (t *tree) size(command ...string) (int, string, error) {
	dir, err := os.MkdirTemp("", "chainscope-promises-")
	if err != nil {
		return 0, "", err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "chainscope")
	cmd := exec.Command(command[0], append(command[1:], path)...)
	cmd.Dir = t.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, "", fmt.Errorf("%w: %s", err, out)
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, "", err
	}
	return int((info.Size() + mega/2) / mega), "", nil
}

var saidSize = regexp.MustCompile(`which are (\d+) MB of (\d+)\.`)

// sizeInDocs returns by how many megabytes what docs/performance.md says of the size by
// `go build` differs from a build, or what it says of the part that is left out.
func sizeInDocs(t *tree) (int, string, error) {
	page, err := os.ReadFile(filepath.Join(t.root, "docs", "performance.md"))
	if err != nil {
		return 0, "", err
	}
	said := saidSize.FindStringSubmatch(string(page))
	if said == nil {
		return 0, "", fmt.Errorf("docs/performance.md does not say %q", saidSize)
	}
	plain, _, err := t.size("go", "build", "-o")
	if err != nil {
		return 0, "", err
	}
	released, _, err := programSize(t)
	if err != nil {
		return 0, "", err
	}
	part, _ := strconv.Atoi(said[1])
	whole, _ := strconv.Atoi(said[2])
	left := plain - released
	return max(plain-whole, whole-plain, left-part, part-left), fmt.Sprintf("(%d MB, and %d as released)", plain, released), nil
}
