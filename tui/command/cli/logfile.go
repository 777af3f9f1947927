package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"log/slog"

	"chainscope/apiclient/wire"
	"chainscope/tui/text"
)

// maxLogLine bounds a line of the log file, maxLogText one text in it, in bytes.
const (
	maxLogLine = 16 << 10
	MaxLogText = 2 << 10
)

// LogFile is the file of --log-file. What servers sent can be in any line, and
// people look at a log in a terminal: no character that a terminal would obey or
// hide is written, and no line is endless.
type LogFile struct {
	file io.WriteCloser
	lost func(error) // hears what could not be written
}

// OpenLog opens the log file, nil for none.
func (a *App) OpenLog(ctx context.Context) (*LogFile, error) {
	if a.Settings.logFile == "" {
		return nil, nil
	}
	file, err := OpenToAppend(ctx, a.Settings.logFile)
	if err != nil {
		return nil, ReadProblem("--log-file", a.Settings.logFile, 0, err)
	}
	l := &LogFile{file, func(err error) { a.Note("--log-file", err) }}
	if a.Owner && log.Writer() == io.Discard {
		log.SetOutput(l) // of several, the first has what others log
	}
	return l, nil
}

// Write writes whole lines in one write, cleaned.
func (l *LogFile) Write(p []byte) (int, error) {
	var out []byte
	for line := range bytes.Lines(p) {
		out = append(append(out, logLine(bytes.TrimRight(line, "\r\n"))...), '\n')
	}
	if _, err := l.file.Write(out); err != nil {
		l.lost(err)
		return 0, err
	}
	return len(p), nil
}

// Close closes the file.
func (l *LogFile) Close() error {
	if log.Writer() == l {
		log.SetOutput(io.Discard)
	}
	return l.file.Close()
}

// logLine returns a line without anything that a terminal would obey. JSON stays
// the same JSON.
func logLine(line []byte) []byte {
	var compact bytes.Buffer
	if len(line) <= maxLogLine && json.Compact(&compact, line) == nil {
		return PlainJSON(compact.Bytes())
	}
	return []byte(text.Line(wire.Cut(string(line), maxLogLine)))
}

// LogExchanges writes a JSON line for every finished exchange until the
// returned function is called, which writes those that are missing.
func (a *App) LogExchanges(exchanges *wire.ExchangeLog, to io.Writer) func() {
	logger := slog.New(slog.NewJSONHandler(to, nil))
	ids, stop := exchanges.Subscribe()
	done := make(chan struct{})
	logged := map[uint64]bool{}
	write := func(e wire.Exchange) {
		if !e.Done || logged[e.ID] {
			return
		}
		logged[e.ID] = true
		attributes := []any{
			"op", e.Op, "method", e.Method, "url", wire.Cut(e.URL, MaxLogText), "status", e.Status, "attempts", e.Attempts,
			"ms", e.Duration.Milliseconds(), "bytes", e.ResponseSize,
		}
		if e.Err != "" {
			logger.Warn("exchange", append(attributes, "error", wire.Cut(e.Err, MaxLogText))...)
			return
		}
		logger.Info("exchange", attributes...)
	}
	a.Guard.Go(func() {
		defer close(done)
		for id := range ids {
			if e, ok := exchanges.Get(id); ok {
				write(e)
			}
		}
	})
	return func() {
		stop()
		<-done
		for _, e := range exchanges.Snapshot() {
			write(e)
		}
	}
}
