package command

import (
	"go/ast"
	"go/token"
	"testing"
)

// What net/http logs of a server goes to standard error unless the server has a log
// of its own: over the screen of the explorer, or between the lines of JSON.
func TestEveryServerHasALogOfItsOwn(t *testing.T) {
	servers := 0
	for _, dir := range goDirectories(t, "mockserver", "tui", "wallet") {
		set := token.NewFileSet()
		for _, file := range parseDirectory(t, set, dir) {
			made, logs := serversIn(file)
			servers += len(made)
			if len(made) > logs {
				t.Errorf("%s: a server or proxy without ErrorLog", set.Position(made[0]))
			}
		}
	}
	if servers < 3 {
		t.Errorf("only %d servers were found: the test looks at the wrong code", servers)
	}
}

// serversIn finds the servers and proxies that a file makes, as a value or as a
// field of a struct, and counts how often it sets ErrorLog.
func serversIn(file *ast.File) (made []token.Pos, logs int) {
	isServer := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		return ok && (nameOf(s.X) == "http" && s.Sel.Name == "Server" || nameOf(s.X) == "httputil" && s.Sel.Name == "ReverseProxy")
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if isServer(n.Type) {
				made = append(made, n.Pos())
			}
		case *ast.Field:
			if isServer(n.Type) {
				made = append(made, n.Pos())
			}
		case *ast.KeyValueExpr:
			if nameOf(n.Key) == "ErrorLog" {
				logs++
			}
		case *ast.AssignStmt:
			if nameOf(n.Lhs[0]) == "ErrorLog" {
				logs++
			}
		}
		return true
	})
	return made, logs
}
