package engine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// program holds what the engine is called where it is installed.
const program = "chainscope-clarity"

// Install is the line that installs the engine.
const Install = "npm install " + program

// ErrMissing says that there is no engine.
var ErrMissing = errors.New("no " + program + " in node_modules/.bin of this folder, nor on the PATH; install it with: " + Install)

// Find returns the command of the engine: the words of command, unless it is "", else the program
// in node_modules/.bin of the folders in their order, else the one on the PATH.
func Find(command string, folders ...string) ([]string, error) {
	if command != "" {
		words := strings.Fields(command)
		if len(words) == 0 {
			return nil, errors.New("it is empty; give a command such as " + program)
		}
		if _, err := exec.LookPath(words[0]); err != nil {
			return nil, err
		}
		return words, nil
	}
	name := program
	if runtime.GOOS == "windows" {
		name += ".cmd"
	}
	for _, folder := range folders {
		path, err := filepath.Abs(filepath.Join(folder, "node_modules", ".bin", name))
		if err != nil {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return []string{path}, nil
		}
	}
	if path, err := exec.LookPath(program); err == nil {
		return []string{path}, nil
	}
	return nil, ErrMissing
}
