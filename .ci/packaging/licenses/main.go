// Command licenses writes the licence texts of everything that is linked into a Go
// program: those of Go itself, and of each package in its folder and in the folders above
// it, up to that of its module. A text that several have is written once.
//
//	licenses PROGRAM >THIRD_PARTY_LICENSES
//
// It is run in the folder of the program's package, with GOOS and GOARCH as they were when
// the program was built.
package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: licenses PROGRAM")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func run(program string, out io.Writer) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	found := texts{}
	root, err := goTool("env", "GOROOT")
	if err != nil {
		return err
	}
	if err := found.read("Go "+strings.TrimPrefix(info.GoVersion, "go"), strings.TrimSpace(string(root)), "."); err != nil {
		return err
	}
	linked, err := packages()
	if err != nil {
		return err
	}
	for _, p := range linked {
		if err := found.readUp(p); err != nil {
			return err
		}
	}
	// A few modules say in their README alone what their licence is.
	for _, p := range linked {
		name := p.Module.Path + " " + p.Module.Version
		data, err := os.ReadFile(filepath.Join(p.Module.Dir, "README.md"))
		if err == nil && !found.has(name) && inReadme.Match(data) {
			found.add(string(data), name)
		}
	}
	for _, m := range info.Deps {
		if !found.has(m.Path + " " + m.Version) {
			return fmt.Errorf("%s %s is linked and has no licence text", m.Path, m.Version)
		}
	}
	return found.write(out)
}

func goTool(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return out, nil
}

// linkedPackage holds the output of `go list` for a package that is no part of Go or the program.
type linkedPackage struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
	}
}

func packages() ([]linkedPackage, error) {
	out, err := goTool("list", "-deps", "-json=Dir,Module", ".")
	if err != nil {
		return nil, err
	}
	var all []linkedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p linkedPackage
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		case p.Module != nil && !p.Module.Main:
			all = append(all, p)
		}
	}
}

// texts has, for each licence text, the names of what it is for.
type texts map[string][]string

var (
	licence  = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([._-].*)?$`)
	inReadme = regexp.MustCompile(`(?im)^#+ *licen[cs]e`)
)

// readUp reads the licences of a package's folder and of those above it in its module.
func (t texts) readUp(p linkedPackage) error {
	module := p.Module.Path + " " + p.Module.Version
	for dir := p.Dir; strings.HasPrefix(dir, p.Module.Dir); dir = filepath.Dir(dir) {
		below, err := filepath.Rel(p.Module.Dir, dir)
		if err != nil {
			return err
		}
		if err := t.read(module, dir, filepath.ToSlash(below)); err != nil {
			return err
		}
	}
	return nil
}

// read adds the licences in a folder, which is below the root of a module.
func (t texts) read(module, dir, below string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	name := module
	if below != "." {
		name += " (" + below + ")"
	}
	for _, f := range files {
		if f.IsDir() || !licence.MatchString(f.Name()) || filepath.Ext(f.Name()) == ".go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		t.add(string(data), name)
	}
	return nil
}

func (t texts) add(text, name string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if !slices.Contains(t[text], name) {
		t[text] = append(t[text], name)
	}
}

func (t texts) has(name string) bool {
	for _, names := range t {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

func (t texts) write(out io.Writer) error {
	var parts []string
	for text, names := range t {
		slices.Sort(names)
		parts = append(parts, strings.Join(names, "\n")+"\n\n"+text+"\n")
	}
	slices.Sort(parts)
	rule := "\n" + strings.Repeat("-", 80) + "\n\n"
	_, err := fmt.Fprintf(out, "chainscope is made with the following, under these licences.\n%s%s", rule, strings.Join(parts, rule))
	return err
}
