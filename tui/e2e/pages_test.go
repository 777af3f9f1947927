//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// paragraph holds what a page sets as code without an empty line in it: command lines, a
// file, or what the page only shows.
type paragraph struct {
	lines []codeLine
	file  string // the name that its first line gives, as in "# answers.yaml: the answers"
}

// codeLine is a line of a page; one that goes on after a \ has both parts.
type codeLine struct {
	number int
	text   string
}

func (p paragraph) text() string {
	var b strings.Builder
	for _, l := range p.lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

var (
	commandLine = regexp.MustCompile(`^([A-Z_]+=\S+ )?(chainscope|git|curl|npm|npx|go|bash|tar|sudo|docker|kill)( |$)`)
	fileHead    = regexp.MustCompile(`^(?:#|//) ([\w./-]+\.(?:yaml|yml|toml|json|js))(?::.*)?$`)
)

// pagePaths returns README and the guides.
func pagePaths(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(paths, "../../README.md")
}

// readPage returns what a page sets as code: lines indented by four blanks, or fenced. A
// paragraph behind an empty line belongs to the file or the text before it, unless it is
// one of commands or a file itself.
func readPage(t *testing.T, path string) []paragraph {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []paragraph
	fenced, fresh, apart := false, true, true // fresh: a new paragraph; apart: of a new block
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "```") {
			fenced, fresh, apart = !fenced, true, true
			continue
		}
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case fenced:
			code = line
		case strings.TrimSpace(line) == "":
			fresh = true
			continue
		case !indented:
			fresh, apart = true, true
			continue
		}
		head := fileHead.FindStringSubmatch(code)
		if fresh && (apart || head != nil || commandLine.MatchString(code)) {
			all = append(all, paragraph{})
			if head != nil {
				all[len(all)-1].file = head[1]
			}
		} else if fresh {
			last := &all[len(all)-1]
			last.lines = append(last.lines, codeLine{i, ""})
		}
		fresh, apart = false, false
		last := &all[len(all)-1]
		if n := len(last.lines); n > 0 && strings.HasSuffix(last.lines[n-1].text, "\\") {
			last.lines[n-1].text += "\n" + code
			continue
		}
		last.lines = append(last.lines, codeLine{i + 1, code})
	}
	return all
}

// bare returns a command line without the explanation behind it.
func bare(line string) string {
	return regexp.MustCompile(` +# .*`).ReplaceAllString(line, "")
}
