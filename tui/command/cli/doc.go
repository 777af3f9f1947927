// Package cli is what every command of the command line is made of: the settings with
// their flags, environment and configuration file, the standard streams, the
// connection with its embedded mock API, tables and JSON, errors with the line that
// would be right, and exit codes.
//
// It has no command. Everything untrusted that it prints for people goes through
// package text.
package cli
