package tui

import (
	"maps"
	"slices"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/resource"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// called holds what accounts and contracts are called. Update alone changes it.
type called struct {
	labels  map[string]string // of the user's own, by address
	version string            // of their document, as it was read
	known   knownNames
}

// of returns what a principal is called, see [resource.Naming].
func (c *called) of(principal string) string {
	if label := c.labels[principal]; label != "" {
		return resource.LabelMark + label
	}
	return resource.BothForms(c.known.names[principal])
}

// labelled returns the one account or contract that has a label, "" where none or several have it.
func (c *called) labelled(label string) (found string) {
	for principal, has := range c.labels {
		if strings.EqualFold(has, label) {
			if found != "" {
				return ""
			}
			found = principal
		}
	}
	return found
}

// read returns the command that reads the labels where they have changed: another program may have
// written them.
func (c *called) read(o *Options) tea.Cmd { return overlay.ReadLabels(o.Store, c.version) }

// receive stores the labels as they were read or written.
func (c *called) receive(m *Model, msg overlay.LabelsMsg) tea.Cmd {
	c.version = msg.Version
	if msg.Err != nil {
		return m.showNotice("the labels cannot be read: "+msg.Err.Error(), true)
	}
	c.labels = msg.Labels
	m.tabs.redraw()
	if msg.Done == "" {
		return nil
	}
	return m.showNotice(msg.Done, false)
}

// mostFoundByLabel bounds the labels that a query finds.
const mostFoundByLabel = 20

// named returns the accounts and contracts whose labels may hold a query.
func (c *called) named(query string) (found []screen.Named) {
	query = strings.ToLower(strings.TrimPrefix(query, resource.LabelMark))
	for _, principal := range slices.Sorted(maps.Keys(c.labels)) {
		label := c.labels[principal]
		if to := resource.LinkTo(principal); to != (nav.Place{}) && strings.Contains(strings.ToLower(label), query) && len(found) < mostFoundByLabel {
			found = append(found, screen.Named{Kind: "label", Title: resource.LabelMark + label, Note: principal, Words: label, Place: to})
		}
	}
	return found
}

// label opens the box that gives an address here a label.
func (t tools) label() result {
	if t.options.Store == nil {
		return result{refusal: nothingSaved}
	}
	all := t.principals()
	if len(all) == 0 {
		return result{refusal: "there is no account and no contract here to label"}
	}
	return result{box: overlay.NewLabel(t.theme, t.options.Store, t.options.Keys, all, t.called.of)}
}

// principals returns the accounts and contracts that the place shows, that under the cursor first.
func (t tools) principals() []string {
	if s, ok := t.screen.(screen.Addressed); ok {
		if all := s.Principals(); len(all) > 0 {
			return all
		}
	}
	principal, _, _ := strings.Cut(t.screen.Place().Principal, "::")
	if apiclient.CheckAccount(principal) != nil {
		return nil
	}
	return []string{principal}
}
