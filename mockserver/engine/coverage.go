package engine

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"chainscope/wallet/atomicfile"

	"github.com/gofrs/flock"
)

// maxCoverage bounds a file of what was reached, in bytes.
const maxCoverage = 64 << 20

// WriteCoverage adds what has been reached in contracts, in all sessions, to an lcov file, which
// is created if needed. paths holds the file of each contract by its name.
func (e *Engine) WriteCoverage(file string, paths map[string]string) (err error) {
	e.mu.Lock()
	p := e.process
	e.mu.Unlock()
	if p == nil {
		return errors.New("the Clarity engine is not there")
	}
	var answer struct {
		Lcov string `json:"lcov"`
	}
	if err := p.begin("coverage", map[string]any{}).wait(e.opt.CallTime, &answer); err != nil {
		return err
	}
	reached := coverage{}
	reached.add(answer.Lcov, paths)
	if atomicfile.IsStream(file) { // has nothing to add to
		return atomicfile.Write(file, []byte(reached.String()), 0o644)
	}
	if err := atomicfile.Check(file); err != nil {
		return err
	}
	lock := flock.New(file) // which makes it
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	before, err := readCoverage(file)
	if err != nil {
		return err
	}
	reached.add(before, nil)
	// Written in place: the lock is on the file.
	return os.WriteFile(file, []byte(reached.String()), 0o644)
}

func readCoverage(path string) (string, error) {
	file, info, err := atomicfile.OpenRegular(path, os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	if info.Size() > maxCoverage {
		return "", fmt.Errorf("it is no file of at most %d bytes", maxCoverage)
	}
	text, err := io.ReadAll(file)
	return string(text), err
}

// coverage has the counts of lcov files, by source file and by what is counted.
type coverage map[string]map[counted]uint64

// counted is something of a source file: a line (DA), a branch (BRDA), a function (FNDA), or where
// a function begins (FN).
type counted struct{ kind, what string }

// add adds what a text in lcov's form says. names gives source files other names.
func (c coverage) add(text string, names map[string]string) {
	var of map[counted]uint64
	for line := range strings.SplitSeq(text, "\n") {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\r"), ":")
		if kind == "SF" {
			if name, ok := names[rest]; ok {
				rest = name
			}
			if c[rest] == nil {
				c[rest] = map[counted]uint64{}
			}
			of = c[rest]
			continue
		}
		what, count := rest, ""
		switch kind {
		case "FN":
		case "FNDA":
			count, what, _ = strings.Cut(rest, ",")
		case "DA", "BRDA":
			at := strings.LastIndexByte(rest, ',')
			if at < 0 {
				continue
			}
			what, count = rest[:at], rest[at+1:]
		default:
			continue // sums, which are made again
		}
		n, _ := strconv.ParseUint(count, 10, 32) // "-" is 0
		if of != nil {
			of[counted{kind, what}] += n
		}
	}
}

// String returns c in lcov's form.
func (c coverage) String() string {
	var out strings.Builder
	files := make([]string, 0, len(c))
	for file := range c {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		fmt.Fprintf(&out, "TN:\nSF:%s\n", file)
		for _, s := range []struct{ kind, found, hit string }{{"FN", "", ""}, {"FNDA", "FNF", "FNH"}, {"DA", "LF", "LH"}, {"BRDA", "BRF", "BRH"}} {
			c.section(&out, file, s.kind, s.found, s.hit)
		}
		out.WriteString("end_of_record\n")
	}
	return out.String()
}

// section writes all of a kind, and how many there are and were reached.
func (c coverage) section(out *strings.Builder, file, kind, foundWord, hitWord string) {
	var all []counted
	for one := range c[file] {
		if one.kind == kind {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b counted) int { return compareNumbers(a.what, b.what) })
	hit := 0
	for _, one := range all {
		n := c[file][one]
		if n > 0 {
			hit++
		}
		switch kind {
		case "FN":
			fmt.Fprintf(out, "FN:%s\n", one.what)
		case "FNDA":
			fmt.Fprintf(out, "FNDA:%d,%s\n", n, one.what)
		default:
			fmt.Fprintf(out, "%s:%s,%d\n", kind, one.what, n)
		}
	}
	if foundWord != "" {
		fmt.Fprintf(out, "%s:%d\n%s:%d\n", foundWord, len(all), hitWord, hit)
	}
}

// compareNumbers compares texts with commas, numbers by their size.
func compareNumbers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, ","), strings.Split(b, ","), func(a, b string) int {
		if len(a) != len(b) && a != "" && b != "" && a[0] <= '9' && b[0] <= '9' {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
}
