//go:build unix && docs

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// gate says that programs other than chainscope are there.
const gate = true

// prepare makes the folder of a page ready: the packages of a release, and the dapp that
// dapps-in-ci.md speaks of.
func prepare(t *testing.T, r *reader, page string) {
	t.Helper()
	for _, variable := range os.Environ() { // where npm keeps and finds packages
		if ofNpm.MatchString(variable) {
			r.env = append(r.env, variable)
		}
	}
	r.write(".curlrc", "fail-with-body\nsilent\nshow-error\n") // a refusal is no success
	r.env = append(r.env, "CURL_HOME="+r.dir)
	switch page {
	case "README.md":
		r.packages()
	case "dapps-in-ci.md":
		r.packages()
		files, err := filepath.Glob("testdata/dapp/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r.write(filepath.Base(file), string(data))
		}
		temporary, err := os.MkdirTemp("", "dapp-") // not t.TempDir: a socket of Chromium has to fit into 108 bytes
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(temporary) }) // what uses it has ended by then
		r.env = append(r.env, "CHROMIUM="+chromium(t), "TMPDIR="+temporary)
		r.do("npm", "install", "--no-audit", "--no-fund", "--loglevel=error")
	}
}

var ofNpm = regexp.MustCompile(`(?i)^(HOME|NODE_\w+|npm_\w+|\w+_proxy)=`)

// packages puts the npm packages of release 1.2.3 into dist, for this system alone.
func (r *reader) packages() {
	r.t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		r.t.Fatal(err)
	}
	target := filepath.Join("stage", "chainscope_1.2.3_"+runtime.GOOS+"_"+runtime.GOARCH)
	r.do("mkdir", "-p", target)
	r.do("cp", binary, filepath.Join(root, "LICENSE"), target)
	r.do("cp", filepath.Join(root, "LICENSE"), filepath.Join(target, "THIRD_PARTY_LICENSES"))
	r.do("bash", filepath.Join(root, ".ci/packaging/npm"), "1.2.3", "stage", "dist")
}

// do runs what no page says.
func (r *reader) do(name string, args ...string) {
	r.t.Helper()
	if out, err := r.command(name, args...).CombinedOutput(); err != nil {
		r.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("Chromium is needed")
	return ""
}
