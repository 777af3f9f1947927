// Package state keeps what chainscope keeps on disk: the configuration that
// people write, and the documents that the program writes (bookmarks, history,
// the wallet's connection record, known origins, the timeline).
//
// A document is one JSON file, replaced atomically, mode 0600. Any number of
// chainscopes may share a folder: a lock is held for one read or one write and
// never longer, and a document is read again before each use. A log is a file
// of JSON lines; a line is one locked append. A damaged file is set aside under
// a new name, with a notice, and never overwritten.
//
// The package must not import the user interface, the REST client, the mock
// server or the wallet; the wallet declares the storage it needs and is given
// a Store.
package state
