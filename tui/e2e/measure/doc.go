// Package measure holds the benchmarks that put chainscope beside what its users
// would take instead: plain bubbletea, less, tig, fzf, prism, Mockoon, the
// JavaScript libraries. They carry the build tag measure, since they need those
// programs; `bash .ci/measure` installs them by name, runs every benchmark once and
// fills the table in README.md. It has no code of its own; its benchmarks may
// import anything, and reach the program only by its terminal, its command line and
// HTTP, or by the benchmarks of its packages.
package measure
