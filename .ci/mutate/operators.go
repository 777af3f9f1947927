package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// swaps are the operators that are exchanged for another one.
var swaps = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.INC: token.DEC, token.DEC: token.INC,
}

// ownFiles returns the files of the program.
func ownFiles(root string) ([]string, error) {
	out, err := exec.Command("git", "-C", root, "ls-files", "*.go").Output()
	if err != nil {
		return nil, fmt.Errorf("list the files: %w", err)
	}
	var files []string
	for f := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(f, ".ci/") && !strings.HasSuffix(f, "_test.go") && f != "main.go" &&
			!strings.Contains(f, "/uitest/") && !strings.Contains(f, "test/") && !strings.Contains(f, "/internal/vectors/") {
			files = append(files, f)
		}
	}
	return files, nil
}

// changesOf returns what can be changed in a file: one operator, condition, number or
// answer each.
func changesOf(root, file string) ([]change, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []change
	add := func(from, to token.Pos, by string) {
		begin, end := set.Position(from), set.Position(to)
		all = append(all, change{
			file: file, what: fmt.Sprintf("%s:%d: %s -> %s", file, begin.Line, text[begin.Offset:end.Offset], by),
			text: string(text[:begin.Offset]) + by + string(text[end.Offset:]),
		})
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if by, ok := swaps[n.Op]; ok {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), by.String())
			}
		case *ast.IncDecStmt:
			add(n.TokPos, n.TokPos+2, swaps[n.Tok].String())
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				add(n.OpPos, n.OpPos+1, "")
			}
		case *ast.IfStmt:
			add(n.Cond.Pos(), n.Cond.Pos(), "true || ")
			add(n.Cond.Pos(), n.Cond.Pos(), "false && ")
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				if word, ok := r.(*ast.Ident); ok && (word.Name == "true" || word.Name == "false") {
					add(r.Pos(), r.End(), "!"+word.Name)
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.INT {
				add(n.End(), n.End(), "+1")
			}
		}
		return true
	})
	return all, nil
}

// byOperator makes changes at random until count of them have compiled, and tests each
// with the tests of its package and of those above it. It fails when more survive than
// mostSurvive of them: some changes make no difference, so one that survives is printed and
// no more.
func byOperator(root string, count int, mostSurvive float64) error {
	commits, err := countCommits(root)
	if err != nil {
		return err
	}
	files, err := ownFiles(root)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(uint64(commits), 0))
	tried, survived := 0, 0
	for tried < count {
		changes, err := changesOf(root, files[random.IntN(len(files))])
		if err != nil {
			return err
		}
		if len(changes) == 0 {
			continue
		}
		c := changes[random.IntN(len(changes))]
		switch result, err := c.noticed(root); {
		case err != nil:
			return err
		case result == broken:
		case result == passed:
			survived++
			fmt.Println("not noticed:", c.what)
			tried++
		default:
			fmt.Println("noticed:", c.what)
			tried++
		}
	}
	fmt.Printf("%d changes by operators, %d not noticed\n", tried, survived)
	if float64(survived) > mostSurvive*float64(tried) {
		return fmt.Errorf("%d of %d changes were not noticed by any test", survived, tried)
	}
	return nil
}

// noticed tests a change with the tests of its package and of each one above it that has
// tests, until one fails.
func (c change) noticed(root string) (outcome, error) {
	for dir := path.Dir(c.file); dir != "."; dir = path.Dir(dir) {
		if tests, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*_test.go")); len(tests) == 0 {
			continue
		}
		result, err := c.test(root, "-failfast", "-timeout", "3m", "./"+dir)
		if err != nil || result != passed {
			return result, err
		}
	}
	return passed, nil
}
