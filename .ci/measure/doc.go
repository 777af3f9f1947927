// Package measure holds the benchmarks that put chainscope beside what its users
// would otherwise use: plain bubbletea, less, tig, fzf, prism, Mockoon and the
// JavaScript libraries. It is a module of its own, because it needs those programs:
// `bash .ci/measure/run` installs them, runs every benchmark once and fills the
// table in docs/performance.md. It imports nothing of chainscope and reaches it
// only through its terminal, its command line and HTTP, or through the benchmarks
// of its packages.
package measure
