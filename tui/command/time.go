package command

import (
	"time"

	"chainscope/tui/text"
)

// utc formats a Unix time in seconds, "" for none.
func utc(unix int64) string {
	if unix == 0 {
		return ""
	}
	return text.UTC(time.Unix(unix, 0))
}
