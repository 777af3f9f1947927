//go:build unix

package e2e

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestEveryLineOfThePagesIsTrue does what README and the guides say, line by line, in a
// folder of their own: it writes their files, runs their command lines in a shell, and
// compares what they print with what the page shows below them. Only ports are others, so
// that nothing is in the way. What is not run is listed with the reason in treated. Lines
// of programs that need not be there (curl, npm and the like) are for the gate alone.
func TestEveryLineOfThePagesIsTrue(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	t.Run("pages", func(t *testing.T) {
		for _, path := range pagePaths(t) {
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				r := newReader(t, filepath.Base(path))
				defer func() {
					mu.Lock()
					defer mu.Unlock()
					maps.Copy(seen, r.seen)
				}()
				for _, p := range readPage(t, path) {
					r.read(p)
				}
				r.endServers()
			})
		}
	})
	for line := range treated {
		if !seen[line] {
			t.Errorf("no page has the line %q", line)
		}
	}
}

// reader does what a page says.
type reader struct {
	t       *testing.T
	dir     string
	env     []string
	ports   *strings.Replacer // from the ports that the page names to free ones
	printed *strings.Replacer // and back
	stdin   io.Writer
	output  chan string
	servers map[string]*exec.Cmd // "mock" and "bridge", where they run
	seen    map[string]bool      // lines of treated
}

func newReader(t *testing.T, page string) *reader {
	t.Helper()
	r := &reader{t: t, dir: t.TempDir(), output: make(chan string, 100), servers: map[string]*exec.Cmd{}, seen: map[string]bool{}}
	var there, back []string
	for _, address := range []string{"127.0.0.1:3999", "127.0.0.1:3998", "localhost:5173"} {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		there, back = append(there, address, free.Addr().String()), append(back, free.Addr().String(), address)
		_ = free.Close()
	}
	r.ports, r.printed = strings.NewReplacer(append(there, "chainscope --bridge", "chainscope --bridge="+back[2])...), strings.NewReplacer(back...)
	r.env = append(environ(t.TempDir()), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"), "CHAINSCOPE_ADDR="+back[2])
	prepare(t, r, page)
	shell := r.command("bash")
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	shell.Stdout, shell.Stderr = out, out
	if r.stdin, err = shell.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	go func() {
		defer close(r.output)
		s := bufio.NewScanner(in)
		for s.Buffer(nil, 4<<20); s.Scan(); {
			r.output <- s.Text()
		}
	}()
	t.Cleanup(func() {
		r.endServers()
		_ = syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) // and what it has in the background
		_ = shell.Wait()
		_ = in.Close()
		for range r.output {
		}
	})
	return r
}

// command returns a command in the folder of the page, as the leader of a process group.
func (r *reader) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

func (r *reader) read(p paragraph) {
	r.t.Helper()
	first := p.lines[0]
	switch {
	case p.file != "":
		if filepath.Ext(p.file) == ".json" {
			p.lines = p.lines[1:] // which has no comments
		}
		r.write(p.file, p.text())
		if check := (codeLine{first.number, readBy[p.file]}); check.text != "" && (gate || !needsGate(check)) {
			r.run(check, treatment{}, nil)
		}
	case commandLine.MatchString(first.text):
		forGate := !gate && slices.ContainsFunc(p.lines, needsGate)
		for i := 0; i < len(p.lines); {
			shown := i + 1
			for shown < len(p.lines) && !commandLine.MatchString(p.lines[shown].text) {
				shown++
			}
			how, special := treated[bare(p.lines[i].text)]
			r.seen[bare(p.lines[i].text)] = special
			if how.not == "" && !forGate {
				r.run(p.lines[i], how, p.lines[i+1:shown])
			}
			i = shown
		}
	default:
		if treated[first.text].not == "" {
			r.t.Errorf("line %d: %q is no command and no file, and treated does not say what it is", first.number, first.text)
		}
		r.seen[first.text] = true
	}
}

// write writes a file into the folder of the page.
func (r *reader) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(r.ports.Replace(text)), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

var (
	serving    = regexp.MustCompile(`^chainscope (mock|bridge)\b[^&]*&?$`)
	programs   = regexp.MustCompile(`(?:^|[|;&] *)(\w+)(?: |$)`)
	ofTheShell = []string{"chainscope", "cat", "kill", "wait"} // and what every system has
)

// needsGate reports whether a line that is run needs a program that need not be there.
func needsGate(line codeLine) bool {
	return commandLine.MatchString(line.text) && treated[bare(line.text)].not == "" &&
		slices.ContainsFunc(programs.FindAllStringSubmatch(bare(line.text), -1), func(program []string) bool {
			return !slices.Contains(ofTheShell, program[1])
		})
}

// run tries a command line of a page, and compares what it prints with what the page shows
// below it.
func (r *reader) run(line codeLine, how treatment, shown []codeLine) {
	r.t.Helper()
	command := bare(line.text)
	var output []string
	code := how.code
	switch {
	case how.keys != "" || r.opensExplorer(command):
		r.look(line, command, how)
	case serving.MatchString(command):
		output = r.serve(line, strings.TrimSuffix(command, "&"))
	default:
		output, code = r.inShell(line, command)
	}
	if code != how.code {
		r.t.Errorf("line %d: %s\nexit code %d, want %d\n%s", line.number, command, code, how.code, strings.Join(output, "\n"))
	}
	shown = slices.DeleteFunc(slices.Clone(shown), func(l codeLine) bool { return l.text == "" || strings.HasPrefix(l.text, "# ") })
	if want := (paragraph{lines: shown}).text(); want != "" && want != strings.Join(output, "\n")+"\n" {
		r.t.Errorf("line %d: %s prints\n%s\nand the page shows\n%s", line.number, command, strings.Join(output, "\n"), want)
	}
}

// inShell runs a line in the shell of the page, and returns what it prints and its code.
func (r *reader) inShell(line codeLine, command string) (output []string, code int) {
	r.t.Helper()
	// What reads its standard input must not read the lines that follow.
	if _, err := fmt.Fprintf(r.stdin, "{ %s\n} </dev/null\nprintf '\\n=== %%d\\n' $?\n", r.ports.Replace(command)); err != nil {
		r.t.Fatalf("line %d: %s: %v", line.number, command, err)
	}
	limit := time.After(2 * patience)
	for {
		select {
		case got, ok := <-r.output:
			if !ok {
				r.t.Fatalf("line %d: %s ended the shell; it printed\n%s", line.number, command, strings.Join(output, "\n"))
			}
			if _, err := fmt.Sscanf(got, "=== %d", &code); err == nil {
				if last := len(output) - 1; last >= 0 && output[last] == "" {
					output = output[:last] // the end of the line before it
				}
				return output, code
			}
			output = append(output, r.printed.Replace(got))
		case <-limit:
			r.t.Fatalf("line %d: %s does not end; it printed\n%s", line.number, command, strings.Join(output, "\n"))
		}
	}
}

// serve starts a server, in place of the one of its kind that a line before has started,
// and returns what it prints first.
func (r *reader) serve(line codeLine, command string) []string {
	r.t.Helper()
	kind := serving.FindStringSubmatch(command)[1]
	r.end(kind)
	cmd := r.command("bash", "-c", "exec "+r.ports.Replace(command))
	if kind == "mock" {
		cmd.Env = append(cmd.Env, "CHAINSCOPE_ADDR="+r.ports.Replace("127.0.0.1:3999"))
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	first := bufio.NewScanner(out)
	if !first.Scan() || !strings.Contains(first.Text(), "listening on http://") {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		r.t.Errorf("line %d: %s printed %q and ended\n%s", line.number, command, first.Text(), stderr.String())
		return nil
	}
	r.servers[kind] = cmd
	return []string{r.printed.Replace(first.Text())}
}

// end ends a server as ctrl+c does.
func (r *reader) end(kind string) {
	r.t.Helper()
	cmd := r.servers[kind]
	if cmd == nil {
		return
	}
	delete(r.servers, kind)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil {
		r.t.Errorf("%s: %v", cmd.Args[2], err)
	}
}

func (r *reader) endServers() {
	r.t.Helper()
	r.end("mock")
	r.end("bridge")
}

// opensExplorer reports whether a line runs chainscope without one of its commands.
func (r *reader) opensExplorer(command string) bool {
	r.t.Helper()
	if !strings.HasPrefix(command, "chainscope") || strings.ContainsAny(command, "|;&") {
		return false
	}
	arguments, _, _ := strings.Cut(command, " -- ")
	return !slices.ContainsFunc(strings.Fields(arguments)[1:], func(word string) bool { return isCommand(r.t, word) })
}

// isCommand reports whether a word is one of the commands that the help names.
func isCommand(t *testing.T, word string) bool {
	t.Helper()
	help, err := exec.Command(binary, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	commands, _, _ := strings.Cut(string(help), "\nExamples:")
	return strings.Contains(commands, "\n  "+word+"  ")
}

// ofFlags is the end of a line that names no place: a flag, with its value or without.
var ofFlags = regexp.MustCompile(`^--\w\S* \S+$| -\S+$`)

// look runs a line in a terminal: the explorer, which has to show what it was opened at,
// or what asks the user.
func (r *reader) look(line codeLine, command string, how treatment) {
	r.t.Helper()
	start := "cd '" + r.dir + "' && exec " + r.ports.Replace(command)
	if how.keys != "" {
		start += " 2>&1" // it asks there
	}
	cmd := exec.Command("bash", "-c", start)
	s := openCommand(r.t, cmd, r.env, 120, 40)
	s.job = cmd.Process.Pid
	r.t.Logf("line %d: %s", line.number, command)
	if how.keys != "" {
		s.shows(how.waits)
		s.press(how.keys)
		s.ended(how.code)
		return
	}
	words := strings.Fields(command)
	want := words[len(words)-1]
	if len(words) == 1 || ofFlags.MatchString(strings.Join(words[len(words)-2:], " ")) {
		want = "Home"
	}
	if dot := strings.LastIndex(want, "."); len(want) > 24 {
		want = want[dot+1:] // the address before it is shortened
	}
	plain := strings.NewReplacer(",", "", "\n", "")
	s.until("shows "+want, func(screen string) bool { return strings.Contains(plain.Replace(screen), want) })
	s.quit()
}
