package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"chainscope/wallet/clarity"
)

// ErrNoContract says that an API has no contract of that name.
var ErrNoContract = errors.New("there is no such contract")

// MissingError names the requirements that are nowhere.
type MissingError struct {
	// IDs are the contracts, each with where it is needed.
	IDs []string
	// API is the address at which they were searched for beside the project's cache, "" for nowhere. On a live chain that is
	// the only place.
	API  string
	Live bool
}

func (e *MissingError) Error() string {
	what := "requirements are"
	if len(e.IDs) == 1 {
		what = "requirement is"
	}
	if e.Live {
		return fmt.Sprintf("%d %s not on the live chain at %s: %s", len(e.IDs), what, e.API, strings.Join(e.IDs, ", "))
	}
	where, then := "", `; read them from an API with --fetch-requirements, or run "clarinet check" in the project once`
	if e.API != "" {
		where, then = ", nor at "+e.API, ""
	}
	return fmt.Sprintf("%d %s not in the project's cache%s: %s%s", len(e.IDs), what, where, strings.Join(e.IDs, ", "), then)
}

// calls finds the contracts that a source cannot do without: those that it calls, and those of its
// traits. A comment ends a line.
var (
	calls    = pattern(`(?:contract-call\?|use-trait\s+\S+|impl-trait)\s+'(S[0-9A-Z]{20,}\.[a-zA-Z][a-zA-Z0-9_-]*)`)
	comments = pattern(`;;[^\n]*`)
)

func needsOf(source string) (ids []string) {
	for _, found := range calls().FindAllStringSubmatch(comments().ReplaceAllString(source, ""), -1) {
		ids = append(ids, found[1])
	}
	return ids
}

// needed is a contract that a project requires, and where that is said: in its manifest, or by another one.
type needed struct {
	id, by   string
	declared bool
}

// sourcesOf finds the requirements that a project's cache lacks, and those that they call in
// their turn. All that are nowhere are in one *MissingError.
func (e *Engine) sourcesOf(ctx context.Context, m *manifest, from Sources) (map[string]Requirement, error) {
	sources, lacking, seen := map[string]Requirement{}, &MissingError{API: from.API, Live: from.Live != nil}, map[string]bool{}
	var queue []needed
	if m.Project == nil {
		return sources, nil
	}
	for _, r := range m.Project.Requirements {
		queue = append(queue, needed{r.ID, fmt.Sprintf("%s:%d", manifestFile, m.requirementLine(r.ID)), true})
	}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		id, err := clarity.ParseContract(next.id)
		if err != nil || seen[next.id] || boot(id.Address.String()) {
			continue // the virtual machine says what is wrong with a name
		}
		seen[next.id] = true
		text, err := []byte(nil), fs.ErrNotExist
		if from.Live == nil {
			text, err = readRegular(m.cached(next.id))
		}
		r := Requirement{Source: string(text)}
		if err != nil {
			if r, err = e.requirement(ctx, next.id, from); err != nil {
				return nil, err
			}
			if r.missing && (from.Live == nil || next.declared) {
				lacking.IDs = append(lacking.IDs, fmt.Sprintf("%s (%s)", next.id, next.by))
				continue
			}
			if r.missing {
				r = notThere
			}
			r.Clarity = max(r.Clarity, 1)
			sources[next.id] = r
		}
		for _, called := range needsOf(r.Source) {
			queue = append(queue, needed{called, "called by " + next.id, false})
		}
	}
	if len(lacking.IDs) > 0 {
		return nil, lacking
	}
	return sources, nil
}

// cached returns the file of a requirement in the project's cache.
func (m *manifest) cached(id string) string {
	return filepath.Join(sourcePath(m.folder, cmp.Or(m.Project.Cache, ".cache")), "requirements", id+".clar")
}

// requirementLine returns the line on which a requirement is declared.
func (m *manifest) requirementLine(id string) int {
	at := regexp.MustCompile(`["']` + regexp.QuoteMeta(id) + `["']`).FindStringIndex(m.text)
	if at == nil {
		return 1
	}
	return 1 + strings.Count(m.text[:at[0]], "\n")
}
