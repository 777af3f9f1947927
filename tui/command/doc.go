// Package command is the command line: the cobra commands, their flags, the
// environment and the configuration file, the tables and JSON they print, the
// errors and exit codes. It starts the embedded mock API, makes the REST
// client, and runs a one-shot command or opens the explorer.
//
// It is the only package that imports the mock server. Everything untrusted
// that it prints for people goes through package text.
package command
