package fault

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// preference holds what a request requested by itself.
type preference struct {
	status int
	delay  time.Duration
	kind   Kind
	words  []string // what was understood, for Preference-Applied
}

// parsePrefer reads the Prefer header (RFC 7240): code=503, delay=800
// (milliseconds), fault=truncate, separated by commas or semicolons. What it
// does not understand is ignored, as the RFC requires.
func parsePrefer(lines []string) preference {
	var p preference
	for _, line := range lines {
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ',' || r == ';' }) {
			key, value, _ := strings.Cut(strings.TrimSpace(word), "=")
			key, value = strings.ToLower(strings.TrimSpace(key)), strings.Trim(strings.TrimSpace(value), `"`)
			if p.set(key, value) {
				p.words = append(p.words, key+"="+value)
			}
		}
	}
	return p
}

// set stores a preference and reports whether it did. The first of each kind
// wins, as the RFC requires.
func (p *preference) set(key, value string) bool {
	switch key {
	case "code":
		status, err := strconv.Atoi(value)
		if err != nil || !errorStatus(status) || p.status != 0 {
			return false
		}
		p.status = status
	case "delay":
		d, err := parseDelay(value)
		if err != nil || p.delay != 0 {
			return false
		}
		p.delay = d
	case "fault":
		if !slices.Contains(kinds(), Kind(value)) || p.kind != None {
			return false
		}
		p.kind = Kind(value)
	default:
		return false
	}
	return true
}
